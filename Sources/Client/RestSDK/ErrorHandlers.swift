// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The handlers of one client's errors, in the order they were registered.
final class ErrorHandlers: Sendable {
    /// How deep errors are searched for one that a handler is for, and calls made by handlers run handlers themselves.
    static let maximumDepth = 4

    /// `nil` when the handler is for another type of error.
    typealias Handler = @Sendable (any Error, RestClient.FailedCall) async -> RestClient.FailedCall.Decision?

    private struct Registered {
        var handlers: [(number: UInt64, run: Handler)] = []
        var last: UInt64 = 0
    }

    /// How many handlers are at work around the present task.
    @TaskLocal private static var depth = 0

    private let registered = Mutex(Registered())

    /// Whether nobody is registered.
    var isEmpty: Bool { registered.withLock { $0.handlers.isEmpty } }

    /// Adds a handler after those there are.
    func add<Failure: Error>(
        of type: Failure.Type,
        _ handler: @escaping @Sendable (Failure, RestClient.FailedCall) async -> RestClient.FailedCall.Decision
    ) -> RestClient.ErrorHandler {
        let number = registered.withLock { registered in
            registered.last += 1
            registered.handlers.append(
                (
                    registered.last,
                    { error, call in
                        guard let failure = error as? Failure else { return nil }
                        return await handler(failure, call)
                    }
                ))
            return registered.last
        }
        return RestClient.ErrorHandler(handlers: self, number: number)
    }

    /// Takes a handler out.
    func remove(_ number: UInt64) {
        registered.withLock { $0.handlers.removeAll { $0.number == number } }
    }

    /// Asks the handlers in their order, each for the outermost error that it is for; the first who does not propagate
    /// decides.
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

/// An error that carries others, so that handlers registered for those find them.
///
/// Let an endpoint's error conform when one of its cases has another error as its value.
public protocol CompoundError: Error {
    /// The errors that this one carries, the most telling first.
    var innerErrors: [any Error] { get }
}

extension RestError: CompoundError {
    /// The server's faults, then the error behind this one.
    public var innerErrors: [any Error] { faults + [underlying].compactMap { $0 } }
}

extension CompoundError {
    /// This error and those it carries, outermost first.
    ///
    /// At most ``ErrorHandlers/maximumDepth`` deep, so that errors that carry each other end too.
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

extension RestClient {
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
        of type: Failure.Type,
        _ handler: @escaping @Sendable (Failure, RestClient.FailedCall) async -> RestClient.FailedCall.Decision
    ) -> RestClient.ErrorHandler {
        runner.handlers.add(of: type, handler)
    }
}
