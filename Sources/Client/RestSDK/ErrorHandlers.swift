// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A client's error handlers, in the order of their registration.
final class ErrorHandlers: Sendable {
    /// The maximum depth to which nested errors are searched, and to which calls made by handlers run handlers.
    static let maximumDepth = 4

    /// Returns `nil` if the handler is for another type of error.
    typealias Handler = @Sendable (any Error, RestClient.FailedCall) async -> RestClient.FailedCall.Decision?

    private struct Registered {
        var handlers: [(number: UInt64, run: Handler)] = []
        var last: UInt64 = 0
    }

    /// The number of handlers that the current task is running in.
    @TaskLocal private static var depth = 0

    private let registered = Mutex(Registered())

    var isEmpty: Bool { registered.withLock { $0.handlers.isEmpty } }

    func add<Failure: Error>(
        of type: Failure.Type,
        _ handler: @escaping @Sendable (Failure, RestClient.FailedCall) async -> RestClient.FailedCall.Decision
    ) -> RestClient.ErrorHandler {
        let run: Handler = { error, call in
            guard let failure = error as? Failure else { return nil }
            return await handler(failure, call)
        }
        let number = registered.withLock { registered in
            registered.last += 1
            registered.handlers.append((registered.last, run))
            return registered.last
        }
        return RestClient.ErrorHandler(handlers: self, number: number)
    }

    func remove(_ number: UInt64) {
        registered.withLock { $0.handlers.removeAll { $0.number == number } }
    }

    /// Runs the handlers in order, each with the outermost error of its type, up to the first one that does not
    /// propagate.
    func decision(on error: any Error, of call: RestClient.FailedCall) async -> RestClient.FailedCall.Decision {
        let handlers = registered.withLock { $0.handlers }
        guard !handlers.isEmpty, Self.depth < Self.maximumDepth else { return .propagate }
        let chain = (error as? any CompoundError)?.chain ?? [error]
        return await Self.$depth.withValue(Self.depth + 1) {
            for handler in handlers {
                for error in chain {
                    guard let decision = await handler.run(error, call) else { continue }
                    if case .propagate = decision { break }
                    return decision
                }
            }
            return .propagate
        }
    }
}

/// An error that contains other errors, for which handlers can be registered.
///
/// Conform an endpoint's error to this protocol if one of its cases has another error as its value.
public protocol CompoundError: Error {
    /// The errors in this error, the most specific first.
    var innerErrors: [any Error] { get }
}

extension RestError: CompoundError {
    /// The server errors, then the underlying error.
    public var innerErrors: [any Error] { faults + [underlying].compactMap { $0 } }
}

extension CompoundError {
    /// This error and the errors in it, outermost first, to a depth of ``ErrorHandlers/maximumDepth``.
    var chain: [any Error] {
        var chain: [any Error] = [self]
        var layer: [any Error] = innerErrors
        for _ in 1..<ErrorHandlers.maximumDepth where !layer.isEmpty {
            chain += layer
            layer = layer.flatMap { ($0 as? any CompoundError)?.innerErrors ?? [] }
        }
        return chain
    }
}

extension RestClient.FailedCall {
    /// The decision of an error handler about a failed call.
    public enum Decision: Sendable {
        /// Passes the error to the next handler, and after the last handler to the caller.
        case propagate
        /// Retries the call after a delay.
        ///
        /// The decision is ignored if the body can be sent only once, if a write that is not idempotent may have been
        /// applied, if the delay exceeds the call's deadline, or if ``RetryPolicy/maximumAttempts`` is reached.
        case retry(after: Duration)
        /// Fails the call with another error.
        case replace(with: RestError)
    }
}

extension RestClient {
    /// A failed call, as passed to error handlers.
    public struct FailedCall: Sendable {
        /// The request of the call.
        public let request: RestRequest
        /// The error of the call, from which an endpoint's own error is made.
        public let error: RestError
        /// The number of retries that handlers have already requested.
        public let retries: Int

        /// Makes a failed call, for tests of handlers.
        public init(request: RestRequest, error: RestError, retries: Int = 0) {
            self.request = request
            self.error = error
            self.retries = retries
        }
    }
}

extension RestClient {
    /// The registration of an error handler.
    public struct ErrorHandler: Sendable {
        let handlers: ErrorHandlers
        let number: UInt64

        /// Removes the handler, which may still run once for a call that has already failed.
        public func remove() { handlers.remove(number) }
    }
}

extension RestClient {
    /// Registers a handler for each call of this client that fails with an error of a type, or with an error that
    /// contains one.
    ///
    /// Pass the type of an endpoint's own error, or `RestError` for all other errors. ``CompoundError`` defines the
    /// errors inside an error. A `RestError` contains the server's ``APIFault``s and the underlying error.
    ///
    /// Handlers run before the call's own callback, one after another, in the order of their registration. Each handler
    /// gets the outermost error of its type. The first decision other than `propagate` wins. If the error is a
    /// cancellation, no handler runs.
    ///
    /// Handlers run within the call's timeout. A handler that is still running when the call ends is cancelled and no
    /// longer awaited. After a timeout, handlers get 100 ms.
    ///
    /// A retry that a handler requests counts toward ``RetryPolicy/maximumAttempts`` and uses the client's retry
    /// budget. Calls made by a handler run handlers too, to a depth of four.
    ///
    /// ```swift
    /// let registration = client.onError(of: RestError.self) { error, call in
    ///     error.code == .rateLimited ? .retry(after: error.retryAfter ?? .seconds(5)) : .propagate
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - type: the type of the errors.
    ///   - handler: makes the decision. To run it on an actor, isolate it (`{ @MainActor error, call in … }`). The
    ///     client retains the handler, so a handler that uses the client must capture it weakly.
    /// - Returns: the registration, which can remove the handler. If it is discarded, the handler stays as long as the
    ///   client.
    @discardableResult
    public func onError<Failure: Error>(
        of type: Failure.Type,
        _ handler: @escaping @Sendable (Failure, RestClient.FailedCall) async -> RestClient.FailedCall.Decision
    ) -> RestClient.ErrorHandler {
        runner.handlers.add(of: type, handler)
    }
}
