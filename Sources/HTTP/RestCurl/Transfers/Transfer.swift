// SPDX-License-Identifier: Apache-2.0

import RestTransport
import Synchronization

/// One call, shared by the caller, the loop thread and the thread that cancels the call.
final class Transfer: Sendable {
    /// The suspended caller.
    ///
    /// It is not a checked continuation, because that is a separate object, which the loop thread would have to fetch
    /// from the caller's processor for every response. `DeliveryState` guarantees that the caller is resumed exactly
    /// once, and its tests cover every order of events.
    @safe struct Waiter: Sendable {
        private let continuation: UnsafeContinuation<Result<HTTPResponse, TransportError>, Never>

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
    /// The body that is produced while it is sent.
    let upstream: Upstream?
    /// The task that produces the body.
    let maker: BodyMaker?
    let progress: TransferProgress.Handler?
    private let state = Mutex(DeliveryState<Waiter, Void>())
    /// The handle of this transfer, unchecked because only the loop thread uses it.
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

    var isOver: Bool { state.withLock { $0.isOver } }

    /// Registers the caller and returns whether the transfer must be started, or resumes the caller if the call is
    /// already over.
    func wait(_ waiter: Waiter) -> Bool {
        guard let outcome = state.withLock({ $0.wait(waiter) }) else { return true }
        waiter.resume(returning: outcome)
        return false
    }

    /// Returns `true` if the request may be sent, which happens only once.
    func leave() -> Bool { state.withLock { $0.begin(()) } }

    /// Resumes the caller of a stream with the response head, before the body.
    func deliverHead(_ head: HTTPResponse.Head) {
        let outcome = Result<HTTPResponse, TransportError>.success(HTTPResponse(head: head))
        state.withLock { $0.serve(outcome) }?.resume(returning: outcome)
    }

    func finish(_ outcome: Result<HTTPResponse, TransportError>) {
        guard let ending = state.withLock({ $0.end(outcome) }) else { return }
        ending.waiter?.resume(returning: outcome)
        close(outcome)
    }

    /// Ends the call with an error unless it is over, and sets whether the request had been sent.
    func fail(_ code: TransportError.Code, _ message: String) {
        fail(TransportError(code, message, mayHaveReachedServer: false))
    }

    /// Like ``fail(_:_:)``, for an error with more properties.
    func fail(_ error: TransportError) {
        guard let (error, ending) = state.withLock({ $0.fail(error) }) else { return }
        ending.waiter?.resume(returning: .failure(error))
        close(.failure(error))
    }

    /// Ends the body's reader and producer.
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
