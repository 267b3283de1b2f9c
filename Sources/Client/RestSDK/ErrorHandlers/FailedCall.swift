// SPDX-License-Identifier: Apache-2.0

extension FailedCall {
    /// What a handler of errors decides about a failed call.
    public enum Decision: Sendable {
        /// Leaves the error to the handlers after this one, and then to the call.
        case propagate
        /// Sends the call again after a wait.
        ///
        /// Asking for it has no effect where it could do harm or no good: a body that can be sent only once, a write
        /// that may have been applied and is not idempotent, a wait beyond the call's deadline, or more often than
        /// ``RetryPolicy/maximumAttempts`` allows.
        case retry(after: Duration)
        /// Fails the call with another error.
        case replace(with: RestError)
    }
}

/// A call that failed, as handlers see it.
public struct FailedCall: Sendable {
    /// The call.
    public let request: RestRequest
    /// The failure that every call can have; the handler's own error was made of it.
    public let error: RestError
    /// How often handlers have sent the call again already.
    public let retries: Int

    /// Makes a failed call, for tests of handlers.
    public init(request: RestRequest, error: RestError, retries: Int = 0) {
        self.request = request
        self.error = error
        self.retries = retries
    }
}

extension RestClient {
    /// A handler's place in its client.
    public struct ErrorHandler: Sendable {
        let handlers: ErrorHandlers
        let number: UInt64

        /// Takes the handler out; a call that failed before may still reach it once.
        public func remove() {
            handlers.remove(number)
        }
    }
}

extension RestClient {
    /// Registers a handler for every call of this client that fails with an error of a type, or with one that carries
    /// such an error.
    ///
    /// Give the type of an endpoint's own error, or `RestError` for what is no endpoint's own. ``CompoundError`` says
    /// what an error carries: a `RestError` carries the server's ``APIFault``s and the error behind it.
    ///
    /// Handlers run before the call's own callback, one after another in the order they were registered; each sees the
    /// outermost error of its type, and the first that does not propagate decides. Their time counts to the call's: one
    /// that does not return is left behind, its task cancelled, when the call is cancelled or its time is up; those of
    /// a call that ran out of time have a tenth of a second. A cancelled call asks none. A retry that a handler asks
    /// for counts among ``RetryPolicy/maximumAttempts`` and draws on the client's budget. Calls that a handler makes
    /// ask the handlers too, four deep at most.
    ///
    /// ```swift
    /// let registration = client.onError(of: RestError.self) { error, call in
    ///     error.code == .rateLimited ? .retry(after: error.retryAfter ?? .seconds(5)) : .propagate
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - type: the errors that the handler is for.
    ///   - handler: decides; isolate it to an actor (`{ @MainActor error, call in … }`) to run it there. The client
    ///     keeps it, so one that uses the client captures it weakly.
    /// - Returns: takes the handler out again; without it the handler stays as long as the client.
    @discardableResult
    public func onError<Failure: Error>(
        of type: Failure.Type, _ handler: @escaping @Sendable (Failure, FailedCall) async -> FailedCall.Decision
    ) -> RestClient.ErrorHandler {
        runner.handlers.add(of: type, handler)
    }
}
