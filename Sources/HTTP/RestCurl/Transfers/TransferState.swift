// SPDX-License-Identifier: Apache-2.0

import RestTransport

/// Who waits for a response and whether the request has left: the value that makes delivery exactly once.
///
/// The caller, the canceller and the loop thread all change it under one lock; each method returns what its caller
/// must do after the lock is released. A continuation leaves the value in the very transition that hands it out.
struct TransferState<Waiter> {
    typealias Outcome = Result<HTTPResponse, TransportError>

    private enum Phase {
        /// Nobody waits yet, nothing has happened.
        case created
        /// The caller is suspended.
        case waiting(Waiter)
        /// Cancelled before the caller was suspended.
        case decided(Outcome)
        /// The caller has its outcome.
        case delivered
    }

    private var phase = Phase.created
    /// Whether the request was handed to a connection: from then on the server may have seen it.
    private(set) var hasLeft = false

    /// Whether an outcome exists, so that nothing more must be sent.
    var isOver: Bool {
        switch phase {
        case .created, .waiting: false
        case .decided, .delivered: true
        }
    }

    /// The caller is about to be suspended; gives an outcome when there is one already.
    mutating func wait(_ waiter: Waiter) -> Outcome? {
        if case .decided(let outcome) = phase {
            phase = .delivered
            return outcome
        }
        phase = .waiting(waiter)
        return nil
    }

    /// A connection asks whether it may send the request: once only, and only while somebody waits.
    ///
    /// libcurl asks again before it silently repeats a request on a new connection; that repeat is refused here.
    mutating func leave() -> Bool {
        guard !isOver, !hasLeft else { return false }
        hasLeft = true
        return true
    }

    /// Ends the call; gives the waiter to resume, or `nil` when another transition was first.
    mutating func decide(_ outcome: Outcome) -> Waiter? {
        // Exchanged, since a look at the phase would copy what it holds, for every answer.
        var last = Phase.delivered
        swap(&phase, &last)
        switch consume last {
        case .waiting(let waiter):
            return waiter
        case .created:
            phase = .decided(outcome)
        case .decided(let first):
            phase = .decided(first)
        case .delivered:
            break
        }
        return nil
    }
}
