// SPDX-License-Identifier: Apache-2.0

import RestTransport

/// The rows of a CSV file, or of a part of one, one after another.
struct RowCursor: Sendable {
    private static let span = 1 << 19

    private let file: FileParts
    private let end: Int64
    private let dialect: CSVDialect
    private var reader: CSVReader
    private var piece: [UInt8]
    private var place: Int64
    private var rows = CSVRows()
    private var given = 0
    private var isAtEnd = false
    /// How many rows were given.
    private(set) var count = 0

    /// Reads a part of a file behind a header; an empty one is in the part.
    init(_ file: FileParts, _ range: Range<Int64>, header: [UInt8] = [], _ dialect: CSVDialect) {
        (self.file, self.dialect) = (file, dialect)
        (place, end, piece) = (range.lowerBound, range.upperBound, header)
        reader = CSVReader(dialect)
    }

    /// The names of the columns, once a row was asked for.
    var header: CSVHeader? { reader.header }

    /// The next row; `nil` behind the last.
    mutating func next() throws(BulkError) -> CSVRow? {
        while given == rows.count {
            guard !isAtEnd else { return nil }
            try readOn()
        }
        (given, count) = (given + 1, count + 1)
        return rows[given - 1]
    }

    private mutating func readOn() throws(BulkError) {
        given = 0
        if piece.isEmpty, place < end {
            let length = Int(min(Int64(Self.span), end - place))
            do throws(TransportError) { piece = try file.read(from: place, count: length) } catch {
                throw .file(error, file.path)
            }
            place += Int64(length)
        }
        isAtEnd = piece.isEmpty
        do throws(CSVError) { rows = try isAtEnd ? reader.finish() : reader.push(piece) } catch {
            throw BulkError(error, row: count + 1)
        }
        piece = []
    }
}
