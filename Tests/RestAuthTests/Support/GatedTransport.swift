// SPDX-License-Identifier: Apache-2.0

import RestTransport
import Synchronization

/// Holds every request back until it is opened.
final class GatedTransport: HTTPTransport {
    private struct State {
        var isOpen = false
        var isReached = false
    }

    private let transport: any HTTPTransport
    private let state = Mutex(State())

    init(_ transport: any HTTPTransport) {
        self.transport = transport
    }

    func send(
        _ request: HTTPRequest, deadline: ContinuousClock.Instant, progress: TransferProgress.Handler?
    ) async throws(TransportError) -> HTTPResponse {
        state.withLock { $0.isReached = true }
        while !state.withLock({ $0.isOpen }) { await Task.yield() }
        return try await transport.send(request, deadline: deadline, progress: progress)
    }

    func shutdown() async {}

    /// Waits for the first request.
    func reached() async {
        while !state.withLock({ $0.isReached }) { await Task.yield() }
    }

    func open() { state.withLock { $0.isOpen = true } }
}
