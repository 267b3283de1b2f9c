// SPDX-License-Identifier: Apache-2.0

/// The waiting caller of a transfer and the work for it: the value that makes delivery exactly once.
///
/// The caller, the canceller, timers and the transport's callbacks all change it under one lock. Each method returns
/// what must be done after the lock is released. A continuation leaves the value in the transition that hands it out.
package struct DeliveryState<Waiter, Work> {
    package typealias Outcome = Result<HTTPResponse, TransportError>

    /// What must be done when a transfer has ended.
    package struct Ending {
        /// The caller to resume, unless it was served before or does not wait yet.
        package var waiter: Waiter?
        /// The work to stop.
        package var work: Work?
    }

    private enum Caller {
        /// The caller is about to be suspended.
        case coming
        /// The caller waits for the outcome, or for the head of a stream.
        case waiting(Waiter)
        /// There was an outcome before the caller was suspended. The caller takes it instead of waiting.
        case expected(Outcome)
        /// The caller has what it waited for.
        case served
    }

    private enum Phase {
        /// Nothing was sent: the transfer waits for a connection or for its streamed body.
        case queued
        /// The request was handed to a connection.
        case running(Work)
        /// The transfer has ended. Late callbacks change nothing.
        case over
    }

    private var caller = Caller.coming
    private var phase = Phase.queued
    /// Whether the request was handed to a connection: from then on the server may have seen it.
    package private(set) var hasLeft = false

    /// Makes the state of a transfer that nothing has happened to.
    package init() {}

    /// Whether nothing more must be sent or taken.
    package var isOver: Bool { if case .over = phase { true } else { false } }

    /// The caller is about to be suspended; returns an outcome if there is one already.
    package mutating func wait(_ waiter: Waiter) -> Outcome? {
        if case .expected(let outcome) = caller {
            caller = .served
            return outcome
        }
        caller = .waiting(waiter)
        return nil
    }

    /// Asks for the permission to send the request: granted once, and only while the transfer is not over.
    ///
    /// libcurl asks again before it silently repeats a request on a new connection. That repeat is rejected here.
    package mutating func begin(_ work: Work) -> Bool {
        guard case .queued = phase else { return false }
        phase = .running(work)
        hasLeft = true
        return true
    }

    /// Gives the caller something before the transfer is over: the head of a stream.
    package mutating func serve(_ outcome: Outcome) -> Waiter? {
        // Exchanged, because looking at the caller would copy what it holds, for every response.
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

    /// Ends the transfer; `nil` if another transition was first.
    package mutating func end(_ outcome: Outcome) -> Ending? {
        var last = Phase.over
        swap(&phase, &last)
        switch consume last {
        case .over: return nil
        case .running(let work): return Ending(waiter: serve(outcome), work: work)
        case .queued: return Ending(waiter: serve(outcome))
        }
    }

    /// Ends the transfer with an error that tells truly whether the request had left by then.
    package mutating func fail(_ error: TransportError) -> (error: TransportError, ending: Ending)? {
        let error = TransportError(error, mayHaveReachedServer: hasLeft)
        return end(.failure(error)).map { (error, $0) }
    }
}
