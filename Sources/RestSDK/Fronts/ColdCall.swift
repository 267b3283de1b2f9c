// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A call that is sent when somebody first asks for it, and of whose outcome nobody hears once it was cancelled: what a
/// Combine subscription does, without Combine.
final class ColdCall: Sendable {
    private enum Phase {
        /// Nobody asked yet; nothing was sent.
        case cold
        /// The call is under way and will deliver. The task is missing for the moment in which it is made.
        case running(Task<Void, Never>?)
        /// The outcome was delivered, or nobody wants it any more.
        case over
    }

    private let client: RestClient
    private let request: RestRequest
    private let deliver: @Sendable (Result<RestResponse, RestError>) -> Void
    private let phase = Mutex(Phase.cold)

    /// Makes a call that waits to be asked for.
    init(
        _ request: RestRequest, through client: RestClient,
        deliver: @escaping @Sendable (Result<RestResponse, RestError>) -> Void
    ) {
        self.client = client
        self.request = request
        self.deliver = deliver
    }

    /// Sends the call, the first time it is called.
    func start() {
        let isFirst = phase.withLock { phase in
            guard case .cold = phase else { return false }
            phase = .running(nil)
            return true
        }
        guard isFirst else { return }
        let task = Task(name: request.name) {
            let outcome = await client.outcome(of: request, feed: ProgressFeed())
            if end() != nil { deliver(outcome) }
        }
        let isWanted = phase.withLock { phase in
            guard case .running = phase else { return false }
            phase = .running(task)
            return true
        }
        if !isWanted { task.cancel() }
    }

    /// Ends the call without a delivery.
    func cancel() {
        if case .running(let task?) = end() { task.cancel() }
    }

    /// The one transition to the end; who makes it may deliver or cancel.
    ///
    /// - Returns: the phase before; `nil` when the call was over.
    private func end() -> Phase? {
        phase.withLock { phase in
            if case .over = phase { return nil }
            defer { phase = .over }
            return phase
        }
    }
}
