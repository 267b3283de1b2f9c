// SPDX-License-Identifier: Apache-2.0

/// One row of a text: its fields, as strings when they are asked for, and as ranges of the text's bytes.
///
/// A row keeps the bytes of the piece it came in; who keeps few rows of many keeps their strings instead.
public struct CSVRow: RandomAccessCollection, Sendable {
    let batch: CSVBatch
    let index: Int
    private let fields: Range<Int>

    init(batch: CSVBatch, index: Int) {
        (self.batch, self.index) = (batch, index)
        fields = batch.table.fields(ofRow: index)
    }

    /// Always 0.
    public var startIndex: Int { 0 }
    /// The number of fields.
    public var endIndex: Int { fields.count }

    /// The text of a field, without the quotes around it and with those inside not doubled.
    public subscript(column: Int) -> String { batch.table.string(raw(column)) }

    /// The text of the field of a column by its name; nil for null, and if there is no such column.
    public subscript(name: String) -> String? {
        guard let column = header?[name], column < count, !isNull(at: column) else { return nil }
        return self[column]
    }

    /// The number of the row in the text, from 1, the header counted too.
    public var number: Int { batch.place.row + index + 1 }

    /// The names of the columns, if the text has them.
    public var header: CSVHeader? { batch.header }

    /// The offset of the row's first byte in the text, and that of the byte behind its last one, where its line ending
    /// or the end of the text is.
    package var textRange: Range<Int> {
        let start = batch.place.offset + Int(batch.table.rows[index].offset)
        return start..<Swift.max(start, batch.place.offset + raw(count - 1).upperBound)
    }
}

extension CSVRow {
    /// The bytes of the piece of text in which the row is; see ``range(at:)``.
    public var bytes: [UInt8] { batch.table.bytes }

    /// Where a field stands in ``bytes``, without the quotes around it; those inside are doubled still.
    @inline(__always)
    public func range(at column: Int) -> Range<Int> {
        let raw = raw(column)
        return isQuoted(raw) ? raw.lowerBound &+ 1..<raw.upperBound &- 1 : raw
    }

    /// Whether a field is in quotes.
    public func isQuoted(at column: Int) -> Bool { isQuoted(raw(column)) }

    /// Whether a field has no text, in quotes or not.
    public func isEmpty(at column: Int) -> Bool { range(at: column).isEmpty }

    /// Whether a field means null in the dialect of the text, in quotes or not.
    public func isNull(at column: Int) -> Bool {
        guard let null = batch.null else { return false }
        return bytes[range(at: column)].elementsEqual(null)
    }

    @inline(__always)
    private func isQuoted(_ raw: Range<Int>) -> Bool {
        !raw.isEmpty && batch.table.bytes[raw.lowerBound] == CSVByte.quote
    }

    /// A field with its quotes.
    @inline(__always)
    func raw(_ column: Int) -> Range<Int> {
        precondition(column >= 0 && column < fields.count, "no such column")
        let table = batch.table
        let field = fields.lowerBound &+ column
        let start = column == 0 ? Int(table.rows[index].offset) : Int(table.ends[field &- 1]) &+ 1
        return start..<Int(table.ends[field])
    }

    /// An error about a field, or about the row.
    func error(
        _ reason: CSVError.Reason, column: Int?, name: String? = nil, expected: String,
        underlying: (any Error)? = nil
    ) -> CSVError {
        let offset = column.map { raw($0).lowerBound } ?? Int(batch.table.rows[index].offset)
        let fault = CSVFault(reason: reason, offset: offset, column: column ?? -1, expected: expected)
        let name = name ?? column.flatMap { column in header.map { $0.names[column] } }
        let placed = batch.place.error(
            fault, rowsBefore: index, in: batch.table.bytes, batch.dialect.lineEnding, name: name)
        guard let underlying else { return placed }
        return CSVError(
            reason: reason, row: placed.row, column: placed.column, line: placed.line, offset: placed.offset,
            name: name, expected: expected, underlying: underlying)
    }
}
