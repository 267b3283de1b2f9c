// SPDX-License-Identifier: Apache-2.0

/// The rows of a text that comes as pieces of bytes, one piece at a time and no earlier than its rows are asked for.
public struct AsyncCSVRows<Pieces: AsyncSequence>: AsyncSequence where Pieces.Element == [UInt8] {
    private let pieces: Pieces
    private let reader: CSVReader

    /// Reads pieces as they come.
    public init(_ pieces: Pieces, _ dialect: CSVDialect = .rfc4180, options: CSVReader.Options = .init()) {
        self.pieces = pieces
        reader = CSVReader(dialect, options: options)
    }

    /// Begins to read.
    public func makeAsyncIterator() -> Iterator {
        Iterator(pieces: pieces.makeAsyncIterator(), reader: reader)
    }

    /// Reads the rows one by one.
    public struct Iterator: AsyncIteratorProtocol {
        private var pieces: Pieces.AsyncIterator
        private var reader: CSVReader
        private var rows = CSVRows()
        private var next = 0
        private var isDone = false

        init(pieces: Pieces.AsyncIterator, reader: CSVReader) {
            (self.pieces, self.reader) = (pieces, reader)
        }

        /// The names of the columns, once the first row has been asked for.
        public var header: CSVHeader? { reader.header }

        /// The next row, or nil after the last one.
        ///
        /// - Throws: `CSVError`, and whatever the pieces throw.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> CSVRow? {
            while next == rows.count {
                guard !isDone else { return nil }
                next = 0
                if let piece = try await pieces.next(isolation: actor) {
                    rows = try reader.push(piece)
                } else {
                    isDone = true
                    rows = try reader.finish()
                }
            }
            next += 1
            return rows[next - 1]
        }

        /// The next row, or nil after the last one.
        ///
        /// - Throws: `CSVError`, and whatever the pieces throw.
        public mutating func next() async throws -> CSVRow? { try await next(isolation: #isolation) }
    }
}

extension AsyncCSVRows: Sendable where Pieces: Sendable {}
