// SPDX-License-Identifier: Apache-2.0

import RestTransport

/// Who waits for a response and what works for it: the value that makes delivery exactly once.
///
/// The caller, the canceller, the timer and URLSession's callbacks all change it under one lock; each method returns
/// what must be done after the lock is released. A continuation leaves the value in the very transition that hands it
/// out.
struct TransferState<Waiter, Work> {
    typealias Outcome = Result<HTTPResponse, TransportError>

    /// What must be done when a call has ended.
    struct Ending {
        /// The caller to resume, unless it was served before or is still to come.
        var waiter: Waiter?
        /// The task to cancel.
        var work: Work?
    }

    private enum Caller {
        /// The caller is about to be suspended; nobody waits yet.
        case coming
        /// The caller waits for the outcome, or for the header of a stream.
        case waiting(Waiter)
        /// There was an outcome before the caller was suspended; the caller takes it instead of waiting.
        case expected(Outcome)
        /// The caller has what it waited for; nobody waits any more.
        case served
    }

    private enum Phase {
        /// Nothing was sent: the call waits for a connection or for its streamed body to be made.
        case queued
        /// The call waits for the callbacks of its task.
        case running(Work)
        /// Nobody waits for the task any more; late callbacks change nothing.
        case over
    }

    private var caller = Caller.coming
    private var phase = Phase.queued
    /// Whether the request was handed to URLSession: from then on the server may have seen it.
    private(set) var hasLeft = false

    /// Whether nothing more must be sent or taken.
    var isOver: Bool {
        if case .over = phase { return true }
        return false
    }

    /// The caller is about to be suspended; gives an outcome when there is one already.
    mutating func wait(_ waiter: Waiter) -> Outcome? {
        if case .expected(let outcome) = caller {
            caller = .served
            return outcome
        }
        caller = .waiting(waiter)
        return nil
    }

    /// A task was made for the call; `false` when the call is over and the task must not start.
    mutating func begin(_ work: Work) -> Bool {
        guard case .queued = phase else { return false }
        phase = .running(work)
        hasLeft = true
        return true
    }

    /// Gives the caller something before the call is over: the header of a stream.
    mutating func serve(_ outcome: Outcome) -> Waiter? {
        switch caller {
        case .coming:
            caller = .expected(outcome)
            return nil
        case .waiting(let waiter):
            caller = .served
            return waiter
        case .expected, .served:
            return nil
        }
    }

    /// Ends the call; `nil` when another transition was first.
    mutating func end(_ outcome: Outcome) -> Ending? {
        var work: Work?
        switch phase {
        case .over: return nil
        case .running(let running): work = running
        case .queued: break
        }
        phase = .over
        return Ending(waiter: serve(outcome), work: work)
    }

    /// Ends the call with an error that tells truly whether the request had left by then.
    mutating func fail(_ error: TransportError) -> (error: TransportError, ending: Ending)? {
        let error = TransportError(error, mayHaveReachedServer: hasLeft)
        return end(.failure(error)).map { (error, $0) }
    }
}
