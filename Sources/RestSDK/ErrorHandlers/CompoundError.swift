// SPDX-License-Identifier: Apache-2.0

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
