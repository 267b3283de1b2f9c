// SPDX-License-Identifier: Apache-2.0

/// The waiting caller of a transfer and its work, as a value that guarantees that the caller is resumed exactly once.
///
/// The caller, the canceller, timers and the transport's callbacks all change it under one lock. Each method returns
/// the action to take after the lock is released. A continuation leaves the value in the transition that returns it.
package struct DeliveryState<Waiter, Work> {
    package typealias Outcome = Result<HTTPResponse, TransportError>

    /// The actions after the end of a transfer.
    package struct Ending {
        /// The caller to resume, unless it was resumed before or is not waiting yet.
        package var waiter: Waiter?
        package var work: Work?
    }

    private enum Caller {
        /// The caller is about to be suspended.
        case coming
        /// The caller waits for the outcome, or for the head of a stream.
        case waiting(Waiter)
        /// The outcome before the caller was suspended, which the caller returns without waiting.
        case expected(Outcome)
        /// The caller has its outcome.
        case served
    }

    private enum Phase {
        /// Nothing was sent, because the transfer waits for a connection or for its streamed body.
        case queued
        case running(Work)
        /// The transfer has ended, so late callbacks change nothing.
        case over
    }

    private var caller = Caller.coming
    private var phase = Phase.queued
    /// Whether the request was passed to a connection, after which the server may have received it.
    package private(set) var hasLeft = false

    package init() {}

    /// Whether the transfer has ended.
    package var isOver: Bool { if case .over = phase { true } else { false } }

    /// Registers a caller that will be suspended, or returns the outcome if it exists.
    package mutating func wait(_ waiter: Waiter) -> Outcome? {
        if case .expected(let outcome) = caller {
            caller = .served
            return outcome
        }
        caller = .waiting(waiter)
        return nil
    }

    /// Returns `true` if the request may be sent, which happens once and only before the end of the transfer.
    ///
    /// libcurl asks again before it silently repeats a request on a new connection. This method rejects the repetition.
    package mutating func begin(_ work: Work) -> Bool {
        guard case .queued = phase else { return false }
        phase = .running(work)
        hasLeft = true
        return true
    }

    /// Delivers an outcome to the caller, which for a stream is the head before the transfer ends.
    package mutating func serve(_ outcome: Outcome) -> Waiter? {
        // Swapped, because a pattern match would copy the caller's contents for every response.
        var last = Caller.served
        swap(&caller, &last)
        switch consume last {
        case .coming: caller = .expected(outcome)
        case .waiting(let waiter): return waiter
        case .expected(let first): caller = .expected(first)
        case .served: break
        }
        return nil
    }

    /// Ends the transfer, or returns `nil` if it has already ended.
    package mutating func end(_ outcome: Outcome) -> Ending? {
        var last = Phase.over
        swap(&phase, &last)
        switch consume last {
        case .over: return nil
        case .running(let work): return Ending(waiter: serve(outcome), work: work)
        case .queued: return Ending(waiter: serve(outcome))
        }
    }

    /// Ends the transfer with an error that states whether the request had been sent.
    package mutating func fail(_ error: TransportError) -> (error: TransportError, ending: Ending)? {
        let error = TransportError(error, mayHaveReachedServer: hasLeft)
        return end(.failure(error)).map { (error, $0) }
    }
}
