// SPDX-License-Identifier: Apache-2.0

import RestTransport
import Synchronization

/// Where the body of a successful answer goes.
enum Destination: Sendable {
    /// Into the answer.
    case memory
    /// Into a file, which keeps what came of it when an attempt breaks off.
    case file(HTTPResponse.Download)
    /// To a reader, who takes it at its own pace.
    case stream(StreamSlot)

    var isStream: Bool { if case .stream = self { true } else { false } }
}

extension Call {
    /// Sends the request so that the body of its answer goes where the call wants it.
    func answer(
        to request: HTTPRequest, from transport: any HTTPTransport, deadline: ContinuousClock.Instant,
        progress: TransferProgress.Handler?
    ) async throws(TransportError) -> HTTPResponse {
        guard case .memory = destination else {
            return try await answerElsewhere(to: request, from: transport, deadline: deadline, progress: progress)
        }
        return try await transport.send(request, deadline: deadline, progress: progress)
    }

    /// Never inlined, so that the other calls keep no room for it while they wait.
    @inline(never)
    private func answerElsewhere(
        to request: HTTPRequest, from transport: any HTTPTransport, deadline: ContinuousClock.Instant,
        progress: TransferProgress.Handler?
    ) async throws(TransportError) -> HTTPResponse {
        switch destination {
        case .memory: return try await transport.send(request, deadline: deadline, progress: progress)
        case .file(let target):
            let number = attemptCount
            var response = try await transport.download(request, to: target, deadline: deadline, progress: progress)
            guard response.head.isSuccess else { return response }
            response.delivery = .file(target, attempt: number)
            core.withLock { $0.placed = number }
            return response
        case .stream(let slot):
            let stream = try await transport.stream(request, deadline: deadline, progress: progress)
            // Any other response is read, because the steps look into it.
            guard stream.head.isSuccess else {
                let body = try await stream.body.collect(upTo: RestError.maximumBodySize)
                return HTTPResponse(head: stream.head, body: body)
            }
            var response = HTTPResponse(head: stream.head)
            response.delivery = .stream(stream.body, reader: slot)
            return response
        }
    }

    /// Puts the body of the call's response where the call wants it, unless the transport did.
    ///
    /// An interceptor may have answered by itself, or changed the body.
    ///
    /// - Returns: the response, without a body that is in a file or in a stream.
    /// - Throws: ``RestError/Code/file`` when the file cannot be written; ``RestError/Code/decoding`` for a response of
    ///   another call, or of an earlier attempt whose file was replaced: its body is gone.
    @inline(never)
    func delivered(_ response: HTTPResponse) throws(RestError) -> HTTPResponse {
        switch (destination, response.delivery) {
        case (.memory, nil): return response
        case (.file(let target), .file(let owner, let attempt)?)
        where owner === target && attempt == core.withLock(\.placed): return response
        case (.file(let target), nil): return try written(response, to: target)
        case (.stream(let slot), .stream(let body, let reader)?) where reader === slot: slot.fill(body)
        case (.stream(let slot), nil): slot.fill(HTTPBody.Stream(of: response.body, metrics: response.metrics))
        default:
            throw RestError(
                .decoding,
                "an interceptor returned a response whose body was delivered before; return the last response of "
                    + "'next', or set its body", response: response.head, outcome: request.isWrite ? .applied : nil)
        }
        return HTTPResponse(head: response.head, metrics: response.metrics)
    }

    private func written(
        _ response: HTTPResponse, to target: HTTPResponse.Download
    ) throws(RestError) -> HTTPResponse {
        guard response.head.isSuccess else { return response }
        let asked = HTTPRequest(method: request.method, url: HTTPURL(path: "/", query: nil), fields: request.fields)
        do throws(TransportError) { try target.write(response, to: asked, progress: progress) } catch {
            throw RestError(error, isWrite: false).about(response.head).joining(request.isWrite ? .applied : nil)
        }
        return HTTPResponse(head: response.head, metrics: response.metrics)
    }
}
