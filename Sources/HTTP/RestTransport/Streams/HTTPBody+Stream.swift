// SPDX-License-Identifier: Apache-2.0

import Synchronization

extension HTTPBody {
    /// A body that arrives in chunks, where a slow reader makes the sender wait.
    ///
    /// It can be read only once, so a second iterator continues after the first. Releasing the stream and its iterators
    /// before the end closes the connection.
    public struct Stream: AsyncSequence, Sendable, Hashable {
        /// A chunk of the body.
        public typealias Element = [UInt8]
        /// The error of an incomplete body.
        public typealias Failure = TransportError

        /// Ends the transfer when the last copy of the stream is released.
        fileprivate final class Reader: Sendable {
            let next: @Sendable () async throws(TransportError) -> [UInt8]?
            let onAbandon: @Sendable () -> Void
            let metrics: @Sendable () -> TransferMetrics?
            let isClaimed = Atomic(false)

            init(
                next: @escaping @Sendable () async throws(TransportError) -> [UInt8]?,
                onAbandon: @escaping @Sendable () -> Void, metrics: @escaping @Sendable () -> TransferMetrics?
            ) {
                self.next = next
                self.onAbandon = onAbandon
                self.metrics = metrics
            }

            deinit { onAbandon() }
        }

        /// Iterates over the chunks of a body.
        public struct AsyncIterator: AsyncIteratorProtocol {
            fileprivate let reader: Reader

            /// Returns the next chunk, which is never empty, or `nil` at the end of a complete body.
            ///
            /// - Throws: `TransportError` if the body is incomplete, the deadline passes or the task is cancelled.
            public mutating func next() async throws(TransportError) -> [UInt8]? {
                try await reader.next()
            }

            /// Like `next()`, on an actor.
            public mutating func next(isolation actor: isolated (any Actor)?) async throws(TransportError) -> [UInt8]? {
                try await reader.next()
            }
        }

        private let reader: Reader

        /// Creates a stream for a transport.
        ///
        /// - Parameters:
        ///   - next: returns the next chunk, or `nil` at the end. Calls never overlap.
        ///   - onAbandon: called once when the stream and all iterators have been released.
        ///   - metrics: returns the metrics of the transfer after `next` returned its end or an error.
        public init(
            next: @escaping @Sendable () async throws(TransportError) -> [UInt8]?,
            onAbandon: @escaping @Sendable () -> Void = {},
            metrics: @escaping @Sendable () -> TransferMetrics? = { nil }
        ) {
            reader = Reader(next: next, onAbandon: onAbandon, metrics: metrics)
        }

        /// The metrics of the transfer after its end, or `nil` if the transport does not measure.
        ///
        /// If the body is incomplete, they cover the time until the error. If the reader was cancelled, they may be set
        /// a moment later.
        public var metrics: TransferMetrics? { reader.metrics() }

        /// Reserves the stream for a single reader, or returns `false` if another caller has reserved it.
        package func claim() -> Bool { !reader.isClaimed.exchange(true, ordering: .relaxed) }

        /// Whether both values are the same stream.
        public static func == (left: Stream, right: Stream) -> Bool { left.reader === right.reader }

        /// Hashes the identity of the stream.
        public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(reader)) }

        /// Creates an iterator that starts at the current position.
        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(reader: reader) }

        /// Reads the rest of the body into memory.
        ///
        /// - Parameter limit: the maximum number of bytes.
        /// - Returns: the bytes from the current position to the end.
        /// - Throws: `.tooLarge` if there are more than `limit` bytes.
        public func collect(upTo limit: Int) async throws(TransportError) -> [UInt8] {
            var body: [UInt8] = []
            var iterator = makeAsyncIterator()
            while let chunk = try await iterator.next() {
                guard chunk.count <= limit - body.count else {
                    throw TransportError(
                        .tooLarge, "the body is larger than \(limit) bytes", mayHaveReachedServer: true)
                }
                body += chunk
            }
            return body
        }
    }
}

extension HTTPBody.Stream {
    /// Creates a stream of bytes in memory.
    package init(of bytes: [UInt8], metrics: TransferMetrics? = nil) {
        let chunk = OneChunk(bytes)
        self.init(next: { chunk.take() }, metrics: { metrics })
    }
}

/// A buffered body that is returned once.
private final class OneChunk: Sendable {
    private let bytes: Mutex<[UInt8]>

    init(_ bytes: [UInt8]) { self.bytes = Mutex(bytes) }

    func take() -> [UInt8]? {
        bytes.withLock { bytes in
            defer { bytes = [] }
            return bytes.isEmpty ? nil : bytes
        }
    }
}
