// SPDX-License-Identifier: Apache-2.0

extension FailedCall {
    /// What a handler of errors decides about a failed call.
    public enum Decision: Sendable {
        /// Leaves the error to the handlers after this one, and then to the call.
        case propagate
        /// Sends the call again after a wait.
        ///
        /// Asking for it has no effect where it could do harm or no good: a body that can be sent only once, a write that
        /// may have been applied and is not idempotent, a wait beyond the call's deadline, or more often than ``RetryPolicy/maximumAttempts`` allows.
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
