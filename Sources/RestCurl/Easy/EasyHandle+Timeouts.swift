// SPDX-License-Identifier: Apache-2.0

import RestTransport

extension EasyHandle {
    /// What a transfer is late for.
    enum Lateness {
        /// In time; look again at that moment at the latest.
        case none(next: ContinuousClock.Instant)
        /// Too late, for this reason.
        case late(String)
    }

    /// Whether the transfer has used up its deadline or one of the configured times.
    func lateness(of transfer: Transfer, at now: ContinuousClock.Instant) -> Lateness {
        guard now < transfer.deadline else { return .late("the deadline passed") }
        var next = transfer.deadline
        if let limit = configuration.firstByteTimeout, !receiver.hasHead {
            let end = lastActivity + limit
            if hasLeft, end <= now { return .late("no answer within the time for the first byte") }
            next = min(next, hasLeft ? end : now + limit)
        }
        if let limit = configuration.idleTimeout {
            // Before the header there is nothing to be idle about, except for a body being sent.
            let isCounting = hasLeft && !isPaused && (receiver.hasHead || isSending)
            let end = lastActivity + limit
            if isCounting, end <= now { return .late("no byte within the time for an idle transfer") }
            next = min(next, isCounting ? end : now + limit)
        }
        return .none(next: next)
    }

    private var isSending: Bool { sentTotal.map { sentBytes < $0 } ?? true }
}
