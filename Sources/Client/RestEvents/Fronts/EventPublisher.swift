// SPDX-License-Identifier: Apache-2.0

#if canImport(Combine) && (canImport(Darwin) || COMBINE_STAND_IN)
#if COMBINE_STAND_IN
public import RestEvents  // the file is one of the tests
#else
public import RestSDK
#endif

extension AsyncSequence where Self: Sendable, Element: Sendable, Failure == EventError {
    /// A publisher of the events of a subscription.
    ///
    /// Each subscriber has its own subscription, which begins with its first demand. Events that are not demanded wait
    /// in the buffer, and then at the server.
    ///
    /// - Parameter isolation: the caller's actor.
    /// - Returns: a cold publisher, see `CallPublisher`.
    public func publisher(isolation: isolated (any Actor)? = #isolation) -> CallPublisher<Element, EventError> {
        CallPublisher(ColdSource(self), isolation: isolation)
    }
}
#endif
