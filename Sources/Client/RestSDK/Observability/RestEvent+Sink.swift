// SPDX-License-Identifier: Apache-2.0

extension RestEvent {
    /// Receives the events of a client: for logs, metrics and traces.
    public protocol Sink: Sendable {
        /// Takes one event. Called from any thread, also several at once; must return soon.
        func record(_ event: RestEvent)
    }
}

extension RestEvent {
    /// Hands every event to a function as a line of text.
    public struct TextSink: RestEvent.Sink {
        private let write: @Sendable (String) -> Void

        /// Makes a sink over a function that writes a line.
        public init(_ write: @escaping @Sendable (String) -> Void) {
            self.write = write
        }

        /// Writes the event's line.
        public func record(_ event: RestEvent) {
            write(event.description)
        }
    }
}

extension RestEvent {
    /// Hands every event to whoever iterates over ``events``, for apps that would rather loop than implement a sink.
    ///
    /// Events wait in a buffer of fixed size; when nobody keeps up, the oldest are dropped.
    public struct Stream: RestEvent.Sink {
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
}

#if canImport(os)
public import os

extension RestEvent {
    /// Hands every event to the system's log.
    public struct LoggerSink: RestEvent.Sink {
        private let logger: Logger

        /// Makes a sink over a logger.
        public init(_ logger: Logger) {
            self.logger = logger
        }

        /// Logs the event; failures of calls as errors, everything else for debugging.
        public func record(_ event: RestEvent) {
            if case .callFailed = event.kind {
                logger.error("\(event.description, privacy: .public)")
            } else {
                logger.debug("\(event.description, privacy: .public)")
            }
        }
    }
}
#endif
