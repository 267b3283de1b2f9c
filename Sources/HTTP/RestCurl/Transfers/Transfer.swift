// SPDX-License-Identifier: Apache-2.0

import RestTransport
import Synchronization

/// One call on its way: shared by the caller, whoever cancels it, and the loop thread.
final class Transfer: Sendable {
    /// The suspended caller.
    ///
    /// Not a checked continuation, which is an object of its own that the loop thread would have to fetch from the
    /// caller's processor for every answer. That it is resumed exactly once is `TransferState`'s whole work, and tested
    /// there for every order of events.
    @safe struct Waiter: Sendable {
        private let continuation: UnsafeContinuation<Result<HTTPResponse, TransportError>, Never>

        /// Suspends the caller, and gives what the waiter is resumed with.
        static func suspend(_ register: (Waiter) -> Void) async -> Result<HTTPResponse, TransportError> {
            await unsafe withUnsafeContinuation { unsafe register(Waiter(continuation: $0)) }
        }

        func resume(returning outcome: Result<HTTPResponse, TransportError>) {
            unsafe continuation.resume(returning: outcome)
        }
    }

    let request: HTTPRequest
    let deadline: ContinuousClock.Instant
    let destination: BodyDestination
    /// The body being made while it is sent.
    let upstream: Upstream?
    /// Who makes it.
    let maker: BodyMaker?
    let progress: TransferProgress.Handler?
    private let state = Mutex(TransferState<Waiter>())
    /// The handle that works for this transfer.
    ///
    /// Unchecked because only the loop thread reads or writes it.
    nonisolated(unsafe) var handle: EasyHandle?

    init(
        request: HTTPRequest, deadline: ContinuousClock.Instant, destination: BodyDestination = .memory,
        progress: TransferProgress.Handler? = nil
    ) {
        self.request = request
        self.deadline = deadline
        self.destination = destination
        self.progress = progress
        if case .stream(let source) = request.body {
            upstream = Upstream(source)
            maker = BodyMaker()
        } else {
            upstream = nil
            maker = nil
        }
    }

    /// Whether the caller has, or is about to get, its outcome.
    var isOver: Bool { state.withLock { $0.isOver } }

    /// Registers the caller's continuation; resumes it at once when the call is over already.
    ///
    /// - Returns: whether the caller now waits, so that the transfer must be started.
    func wait(_ waiter: Waiter) -> Bool {
        guard let outcome = state.withLock({ $0.wait(waiter) }) else { return true }
        waiter.resume(returning: outcome)
        return false
    }

    /// Asks for the one permission to send the request.
    func leave() -> Bool {
        state.withLock { $0.leave() }
    }

    /// Gives the response's header to the reader of a stream; the body follows.
    func deliverHead(_ head: HTTPResponse.Head) {
        let outcome = Result<HTTPResponse, TransportError>.success(HTTPResponse(head: head))
        state.withLock { $0.decide(outcome) }?.resume(returning: outcome)
    }

    /// Ends the call with an outcome unless it is over.
    func finish(_ outcome: Result<HTTPResponse, TransportError>) {
        state.withLock { $0.decide(outcome) }?.resume(returning: outcome)
        close(outcome)
    }

    /// Ends the call with an error unless it is over; tells truly whether the request had left by then.
    func fail(_ code: TransportError.Code, _ message: String) {
        fail(TransportError(code, message, mayHaveReachedServer: false))
    }

    /// Ends the call like ``fail(_:_:)``, with all that an error says but whether the request had left.
    func fail(_ error: TransportError) {
        let (waiter, error) = state.withLock { state in
            let error = TransportError(error, mayHaveReachedServer: state.hasLeft)
            return (state.decide(.failure(error)), error)
        }
        waiter?.resume(returning: .failure(error))
        close(.failure(error))
    }

    /// Tells the body's reader and maker that the transfer is over.
    private func close(_ outcome: Result<HTTPResponse, TransportError>) {
        upstream?.close()
        maker?.cancel()
        guard case .reader(let downstream) = destination else { return }
        switch outcome {
        case .success: downstream.finish(nil)
        case .failure(let error): downstream.finish(error)
        }
    }
}

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
