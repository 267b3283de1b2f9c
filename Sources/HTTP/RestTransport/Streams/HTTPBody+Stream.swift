// SPDX-License-Identifier: Apache-2.0

import Synchronization

extension HTTPBody {
    /// A body that arrives in pieces; who reads slowly makes the sender wait.
    ///
    /// It can be read once: a second iterator goes on where the first one stands. Letting go of the stream and its
    /// iterators before the end closes the connection.
    public struct Stream: AsyncSequence, Sendable, Hashable {
        /// A piece of the body.
        public typealias Element = [UInt8]
        /// Why a body ended early.
        public typealias Failure = TransportError

        /// Ends the transfer when the last copy of the stream goes away.
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

        /// Reads a body piece by piece.
        public struct AsyncIterator: AsyncIteratorProtocol {
            fileprivate let reader: Reader

            /// The next piece, never empty; `nil` at the end of a complete body.
            ///
            /// - Throws: `TransportError` when the body breaks off, the deadline passes or the task is cancelled.
            public mutating func next() async throws(TransportError) -> [UInt8]? {
                try await reader.next()
            }

            /// The next piece; see `next()`.
            public mutating func next(isolation actor: isolated (any Actor)?) async throws(TransportError) -> [UInt8]? {
                try await reader.next()
            }
        }

        private let reader: Reader

        /// Makes a stream for a transport.
        ///
        /// - Parameters:
        ///   - next: gives the next piece or `nil` at the end; never called twice at a time.
        ///   - onAbandon: called once, when nobody can read any more.
        ///   - metrics: what the transfer cost, once `next` gave its end or an error.
        public init(
            next: @escaping @Sendable () async throws(TransportError) -> [UInt8]?,
            onAbandon: @escaping @Sendable () -> Void = {},
            metrics: @escaping @Sendable () -> TransferMetrics? = { nil }
        ) {
            reader = Reader(next: next, onAbandon: onAbandon, metrics: metrics)
        }

        /// What the transfer cost, when the transport was told to measure: known when the body was read to its end.
        ///
        /// Of a body that broke off it is what was measured up to then; of one whose reader was cancelled it may be
        /// known a moment later. `nil` before.
        public var metrics: TransferMetrics? { reader.metrics() }

        /// Takes the stream for its one reader; returns `false` if another caller did before.
        package func claim() -> Bool { !reader.isClaimed.exchange(true, ordering: .relaxed) }

        /// Whether both are the same stream.
        public static func == (left: Stream, right: Stream) -> Bool { left.reader === right.reader }

        /// Feeds the identity of the stream to a hasher.
        public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(reader)) }

        /// An iterator at the place the stream stands.
        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(reader: reader)
        }

        /// Reads what is left into memory.
        ///
        /// - Parameter limit: the most bytes to read.
        /// - Returns: the bytes from where the stream stands to its end.
        /// - Throws: `.tooLarge` when it is more than `limit` bytes.
        public func collect(upTo limit: Int) async throws(TransportError) -> [UInt8] {
            var body: [UInt8] = []
            var iterator = makeAsyncIterator()
            while let piece = try await iterator.next() {
                guard piece.count <= limit - body.count else {
                    throw TransportError(
                        .tooLarge, "the body is larger than \(limit) bytes", mayHaveReachedServer: true)
                }
                body += piece
            }
            return body
        }
    }
}

extension HTTPBody.Stream {
    /// Makes a stream of bytes that are in memory.
    package init(of bytes: [UInt8], metrics: TransferMetrics? = nil) {
        let piece = OnePiece(bytes)
        self.init(next: { piece.take() }, metrics: { metrics })
    }
}

/// A buffered body that is given out once.
private final class OnePiece: Sendable {
    private let bytes: Mutex<[UInt8]>

    init(_ bytes: [UInt8]) {
        self.bytes = Mutex(bytes)
    }

    func take() -> [UInt8]? {
        bytes.withLock { bytes in
            defer { bytes = [] }
            return bytes.isEmpty ? nil : bytes
        }
    }
}
