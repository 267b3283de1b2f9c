// SPDX-License-Identifier: Apache-2.0

/// Hands every event to whoever iterates over ``events``, for apps that would rather loop than implement a sink.
///
/// Events wait in a buffer of fixed size; when nobody keeps up, the oldest are dropped.
public struct EventStream: RestEventSink {
    /// The events from now on, for one reader.
    public let events: AsyncStream<RestEvent>
    private let continuation: AsyncStream<RestEvent>.Continuation

    /// Makes a stream.
    ///
    /// - Parameter capacity: how many events wait at most.
    public init(capacity: Int = 1_000) {
        (events, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(max(1, capacity)))
    }

    /// Puts the event into the stream.
    public func record(_ event: RestEvent) {
        continuation.yield(event)
    }
}
