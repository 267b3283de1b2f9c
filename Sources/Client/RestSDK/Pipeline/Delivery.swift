// SPDX-License-Identifier: Apache-2.0

import RestTransport
import Synchronization

extension Call {
    /// Sends the request and returns the response in the form that the call requests.
    func respond(
        to request: HTTPRequest, from transport: any HTTPTransport, deadline: ContinuousClock.Instant,
        progress: TransferProgress.Handler?
    ) async throws(TransportError) -> HTTPResponse {
        guard case .memory = destination else {
            return try await answerElsewhere(to: request, from: transport, deadline: deadline, progress: progress)
        }
        return try await transport.send(request, to: .memory, deadline: deadline, progress: progress)
    }

    /// Not inlined, to keep its locals out of the async frame of other calls.
    @inline(never)
    private func answerElsewhere(
        to request: HTTPRequest, from transport: any HTTPTransport, deadline: ContinuousClock.Instant,
        progress: TransferProgress.Handler?
    ) async throws(TransportError) -> HTTPResponse {
        if case .file(let target) = destination {
            return try await transport.download(request, to: target, deadline: deadline, progress: progress)
        }
        let response = try await transport.stream(request, deadline: deadline, progress: progress)
        // The steps inspect other responses, of which an error keeps no more than the beginning.
        return response.head.isSuccess ? response : try await response.beginning(upTo: RestError.maximumBodySize)
    }

    /// Returns the call's response in the form that the call requests, even if an interceptor created it.
    ///
    /// - Parameters:
    ///   - response: the response of the pipeline.
    ///   - limit: the maximum size of a body in memory, in bytes.
    /// - Returns: the response with its body in this form.
    /// - Throws: ``RestError/Code/file`` if the file cannot be written. ``RestError/Code/decoding`` for a response of
    ///   another call, or of an earlier attempt whose file was replaced, because the body no longer exists.
    @inline(never)
    func delivered(_ response: HTTPResponse, upTo limit: Int) async throws(RestError) -> HTTPResponse {
        switch (destination, response.content) {
        case (.memory, .bytes): return response
        case (.stream, .bytes): return HTTPResponse(head: response.head, content: .stream(response.stream))
        case (.file(let target), .file(let attempt)) where attempt.isPlaced(by: target): return response
        case (.file(let target), .bytes): return try await placed(response, in: target)
        case (_, .stream(let body)) where body.claim():
            switch destination {
            case .stream: return response
            case .file(let target): return try await placed(response, in: target)
            case .memory:
                return try await judged(response.head) { () async throws(TransportError) in
                    HTTPResponse(
                        head: response.head, body: try await body.collect(upTo: limit), metrics: response.metrics)
                }
            }
        default:
            throw RestError(
                .decoding,
                "an interceptor returned a response whose body was already delivered; return the last response of "
                    + "'next', or set its body", response: response.head, outcome: request.isWrite ? .applied : nil)
        }
    }

    private func placed(
        _ response: HTTPResponse, in target: HTTPResponse.Download
    ) async throws(RestError) -> HTTPResponse {
        guard response.head.isSuccess else { return response }
        let asked = HTTPRequest(method: request.method, url: HTTPURL(path: "/", query: nil), fields: request.fields)
        return try await judged(response.head) { () async throws(TransportError) in
            try await target.write(response, to: asked, progress: progress)
        }
    }

    /// Converts an error of delivering a body to the error of the call, whose write was applied.
    private func judged(
        _ head: HTTPResponse.Head, _ deliver: () async throws(TransportError) -> HTTPResponse
    ) async throws(RestError) -> HTTPResponse {
        do throws(TransportError) { return try await deliver() } catch {
            throw RestError(error, isWrite: false).about(head).joining(request.isWrite ? .applied : nil)
        }
    }
}

/// The body of a streamed response, which is read in chunks and ends with the reader's task, the deadline or the
/// client.
final class StreamedBody: Sendable {
    private typealias Chunk = Result<[UInt8]?, TransportError>

    private struct Core {
        /// The stream, which is released at the end to close the connection.
        var body: HTTPBody.Stream?
        /// The requested part of the resource, or `nil` for the whole body.
        var part: DownloadState?
        /// The task that waits for a chunk.
        var reading: Task<Chunk, Never>?
        /// The reason why the body is incomplete.
        var failure: RestError?
    }

    private let core: Mutex<Core>
    private let calls: CallRegistry
    private let isWrite: Bool
    private let summary: RestRequest.Summary

    init(
        _ body: HTTPBody.Stream, of request: RestRequest, _ summary: RestRequest.Summary, in calls: CallRegistry,
        _ part: DownloadState? = nil
    ) {
        core = Mutex(Core(body: body, part: part))
        self.calls = calls
        isWrite = request.isWrite
        self.summary = summary
    }

    deinit { calls.end(ObjectIdentifier(self)) }

    /// Returns the next chunk, which is never empty, or `nil` at the end of a complete body.
    func next() async throws(RestError) -> [UInt8]? {
        while let chunk = try await nextChunk() {
            let taken = try taken(of: chunk)
            if taken.count == chunk.count { return chunk }
            if !taken.isEmpty { return Array(chunk[taken]) }
            if core.withLock({ $0.part?.isFull ?? false }) {
                finish(nil)
                return nil
            }
        }
        return nil
    }

    /// Returns the indices of the bytes of a chunk that belong to the requested part.
    private func taken(of chunk: [UInt8]) throws(RestError) -> Range<Int> {
        try judged { (part) throws(TransportError) in try part?.take(chunk.count) ?? 0..<chunk.count }
    }

    /// Updates the requested part, whose errors end the body.
    private func judged<Value: Sendable>(
        _ ask: (inout DownloadState?) throws(TransportError) -> Value
    ) throws(RestError) -> Value {
        let judged = core.withLock { core -> Result<Value, TransportError> in
            do throws(TransportError) { return .success(try ask(&core.part)) } catch { return .failure(error) }
        }
        switch judged {
        case .success(let value): return value
        case .failure(let error):
            let failure = about(RestError(error, isWrite: false))
            throw finish(failure) ?? failure
        }
    }

    private func nextChunk() async throws(RestError) -> [UInt8]? {
        guard let reading = try begin() else { return nil }
        let chunk = await withTaskCancellationHandler {
            await reading.value
        } onCancel: {
            reading.cancel()
        }
        switch chunk {
        case .success(let bytes?): return bytes
        case .success(nil):
            try judged { (part) throws(TransportError) in try part?.finish() }
            finish(nil)
            return nil
        case .failure(let error):
            let failure = about(RestError(error, isWrite: false))
            throw finish(failure) ?? failure
        }
    }

    /// Ends the body from outside, so that the current or next read of its reader fails.
    func end(_ ending: CallEnding) {
        let reading = core.withLock { $0.reading }
        finish(about(RestError(ending, outcome: nil)))
        reading?.cancel()
    }

    /// Starts to read a chunk in a task that can be cancelled from outside, or returns `nil` after the end.
    private func begin() throws(RestError) -> Task<Chunk, Never>? {
        let (reading, failure) = core.withLock { core -> (Task<Chunk, Never>?, RestError?) in
            guard let body = core.body else { return (nil, core.failure) }
            let reading = Task(name: "stream") { () -> Chunk in
                var iterator = body.makeAsyncIterator()
                do throws(TransportError) { return .success(try await iterator.next()) } catch {
                    return .failure(error)
                }
            }
            core.reading = reading
            return (reading, nil)
        }
        if let failure { throw failure }
        return reading
    }

    /// Ends the body unless it has already ended, and returns the error of its end.
    @discardableResult
    private func finish(_ failure: RestError?) -> RestError? {
        let (body, failure) = core.withLock { core -> (HTTPBody.Stream?, RestError?) in
            if core.body != nil { core.failure = failure }
            defer { (core.body, core.reading) = (nil, nil) }
            return (core.body, core.failure)
        }
        if body != nil { calls.end(ObjectIdentifier(self)) }
        return failure
    }

    /// Adds the request and the outcome, because the server has already applied a write.
    private func about(_ error: RestError) -> RestError {
        error.about(summary).joining(isWrite ? .applied : nil)
    }
}
