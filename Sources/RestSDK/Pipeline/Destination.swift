// SPDX-License-Identifier: Apache-2.0

import RestTransport

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
            return try await transport.download(request, to: target, deadline: deadline, progress: progress)
        case .stream(let slot):
            return try await slot.fill(from: transport.stream(request, deadline: deadline, progress: progress))
        }
    }
}
