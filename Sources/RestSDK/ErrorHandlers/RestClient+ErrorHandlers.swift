// SPDX-License-Identifier: Apache-2.0

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
    /// a call that ran out of time have a tenth of a second. A cancelled call asks none. A retry that a handler asks for
    /// counts among ``RetryPolicy/maximumAttempts`` and draws on the client's budget. Calls that a handler makes ask the handlers too, four deep at most.
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
