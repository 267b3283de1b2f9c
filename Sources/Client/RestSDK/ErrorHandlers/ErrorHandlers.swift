// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The handlers of one client's errors, in the order they were registered.
final class ErrorHandlers: Sendable {
    /// How deep errors are searched for one that a handler is for, and calls made by handlers run handlers themselves.
    static let maximumDepth = 4

    /// `nil` when the handler is for another type of error.
    typealias Handler = @Sendable (any Error, FailedCall) async -> FailedCall.Decision?

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
        of type: Failure.Type, _ handler: @escaping @Sendable (Failure, FailedCall) async -> FailedCall.Decision
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
    func decision(on error: any Error, of call: FailedCall) async -> FailedCall.Decision {
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
