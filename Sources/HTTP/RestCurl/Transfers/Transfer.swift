// SPDX-License-Identifier: Apache-2.0

import RestTransport
import Synchronization

/// One call on its way: shared by the caller, whoever cancels it, and the loop thread.
final class Transfer: Sendable {
    /// The suspended caller.
    ///
    /// Not a checked continuation, which is an object of its own that the loop thread would have to fetch from the
    /// caller's processor for every answer. That it is resumed exactly once is `DeliveryState`'s whole work, and tested
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
    private let state = Mutex(DeliveryState<Waiter, Void>())
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

    /// Whether nothing more must be sent or taken.
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
        state.withLock { $0.begin(()) }
    }

    /// Gives the response's header to the reader of a stream; the body follows.
    func deliverHead(_ head: HTTPResponse.Head) {
        let outcome = Result<HTTPResponse, TransportError>.success(HTTPResponse(head: head))
        state.withLock { $0.serve(outcome) }?.resume(returning: outcome)
    }

    /// Ends the call with an outcome unless it is over.
    func finish(_ outcome: Result<HTTPResponse, TransportError>) {
        guard let ending = state.withLock({ $0.end(outcome) }) else { return }
        ending.waiter?.resume(returning: outcome)
        close(outcome)
    }

    /// Ends the call with an error unless it is over; tells truly whether the request had left by then.
    func fail(_ code: TransportError.Code, _ message: String) {
        fail(TransportError(code, message, mayHaveReachedServer: false))
    }

    /// Ends the call like ``fail(_:_:)``, with all that an error says but whether the request had left.
    func fail(_ error: TransportError) {
        guard let (error, ending) = state.withLock({ $0.fail(error) }) else { return }
        ending.waiter?.resume(returning: .failure(error))
        close(.failure(error))
    }

    /// Tells the body's reader and maker that the transfer is over.
    private func close(_ outcome: Result<HTTPResponse, TransportError>) {
        upstream?.close()
        maker?.cancel()
        guard let reader = destination.reader else { return }
        switch outcome {
        case .success: reader.finish(nil)
        case .failure(let error): reader.finish(error)
        }
    }
}
