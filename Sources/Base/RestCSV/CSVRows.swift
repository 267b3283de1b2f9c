// SPDX-License-Identifier: Apache-2.0
/// Rows of a text, as a view of its bytes that copies a field only on access.
public struct CSVRows: RandomAccessCollection, Sendable {
    private let batch: CSVBatch
    private let range: Range<Int>

    /// Creates an empty collection.
    public init() { self.init(.empty) }

    init(_ batch: CSVBatch, _ range: Range<Int>? = nil) {
        self.batch = batch
        self.range = range ?? 0..<batch.table.rows.count
    }

    /// Always 0.
    public var startIndex: Int { 0 }
    /// The number of rows.
    public var endIndex: Int { range.count }

    /// The row at an index of this collection.
    public subscript(position: Int) -> CSVRow {
        precondition(position >= 0 && position < range.count, "row index out of range")
        return CSVRow(batch: batch, index: range.lowerBound &+ position)
    }
}

final class CSVBatch: Sendable {
    let table: CSVTable
    let header: CSVHeader?
    let dialect: CSVDialect
    let null: [UInt8]?
    /// The position of the bytes in the text.
    let place: CSVPlace

    static let empty = CSVBatch(
        CSVTable(bytes: [], ends: [], rows: [], fieldCount: 0), header: nil, place: CSVPlace(), dialect: .rfc4180)

    init(_ table: CSVTable, header: CSVHeader?, place: CSVPlace, dialect: CSVDialect) {
        (self.table, self.header, self.place, self.dialect) = (table, header, place, dialect)
        null = dialect.null.map { Array($0.utf8) }
    }
}

/// A complete CSV text and its rows.
public struct CSVDocument: Sendable {
    /// The names of the columns, or `nil` if the text has no header or no rows.
    public let header: CSVHeader?
    /// The rows, without the header.
    public let rows: CSVRows

    /// Parses a text.
    ///
    /// - Throws: `CSVError` for the first error.
    public init(
        parsing bytes: [UInt8], _ dialect: CSVDialect = .rfc4180, options: CSVReader.Options = .init()
    ) throws(CSVError) {
        var reader = CSVReader(dialect, options: options)
        rows = try reader.finish(with: bytes)
        header = reader.header
    }

    /// Parses a text given as a string.
    ///
    /// - Throws: `CSVError` for the first error.
    public init(
        parsing text: String, _ dialect: CSVDialect = .rfc4180, options: CSVReader.Options = .init()
    ) throws(CSVError) {
        try self.init(parsing: Array(text.utf8), dialect, options: options)
    }
}

/// A row of a text, with its fields as strings on access, and as ranges of the text's bytes.
///
/// A row retains the bytes of its whole chunk. To keep few rows of many, store their strings instead.
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

    /// The text of a field, without its quotes and with doubled inner quotes resolved.
    public subscript(column: Int) -> String { batch.table.string(raw(column)) }

    /// The text of the named column's field, or `nil` if it is null or the column does not exist.
    public subscript(name: String) -> String? {
        guard let column = header?[name], column < count, !isNull(at: column) else { return nil }
        return self[column]
    }

    /// The number of the row in the text, from 1, including the header.
    public var number: Int { batch.place.row + index + 1 }

    /// The names of the columns, if the text has them.
    public var header: CSVHeader? { batch.header }

    /// The byte range of the row in the text, without its line ending.
    package var textRange: Range<Int> {
        let start = batch.place.offset + Int(batch.table.rows[index].offset)
        return start..<Swift.max(start, batch.place.offset + raw(count - 1).upperBound)
    }
}

extension CSVRow {
    /// The bytes of the chunk that contains the row, for use with ``range(at:)``.
    public var bytes: [UInt8] { batch.table.bytes }

    /// The range of a field in ``bytes``, without the surrounding quotes, but with inner quotes still doubled.
    @inline(__always)
    public func range(at column: Int) -> Range<Int> {
        let raw = raw(column)
        return isQuoted(raw) ? raw.lowerBound &+ 1..<raw.upperBound &- 1 : raw
    }

    /// Whether a field is quoted.
    public func isQuoted(at column: Int) -> Bool { isQuoted(raw(column)) }

    /// Whether a field is empty, quoted or not.
    public func isEmpty(at column: Int) -> Bool { range(at: column).isEmpty }

    /// Whether a field means null in the dialect, quoted or not.
    public func isNull(at column: Int) -> Bool {
        guard let null = batch.null else { return false }
        return bytes[range(at: column)].elementsEqual(null)
    }

    @inline(__always)
    private func isQuoted(_ raw: Range<Int>) -> Bool {
        !raw.isEmpty && batch.table.bytes[raw.lowerBound] == CSVByte.quote
    }

    @inline(__always)
    func raw(_ column: Int) -> Range<Int> {
        precondition(column >= 0 && column < fields.count, "column index out of range")
        return batch.table.raw(column, ofRow: index)
    }

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

/// Complete rows from the scanner: the bytes, and the ends of the fields in them.
struct CSVTable: Sendable {
    let bytes: [UInt8]
    let ends: [UInt32]
    let rows: [CSVRowStart]
    let fieldCount: Int

    /// The indices of a row's fields in the table.
    @inline(__always)
    func fields(ofRow row: Int) -> Range<Int> {
        let next = row &+ 1 < rows.count ? Int(rows[row &+ 1].field) : fieldCount
        return Int(rows[row].field)..<next
    }

    /// The offset at which a field of a row begins, including its quote.
    @inline(__always)
    func fieldStart(_ column: Int, ofRow row: Int) -> Int {
        let start = rows[row]
        return column == 0 ? Int(start.offset) : Int(ends[Int(start.field) &+ column &- 1]) &+ 1
    }

    @inline(__always)
    func raw(_ column: Int, ofRow row: Int) -> Range<Int> {
        fieldStart(column, ofRow: row)..<Int(ends[Int(rows[row].field) &+ column])
    }

    func string(_ raw: Range<Int>) -> String {
        guard !raw.isEmpty, bytes[raw.lowerBound] == CSVByte.quote else { return text(raw) }
        let inner = raw.lowerBound + 1..<raw.upperBound - 1
        guard bytes[inner].contains(CSVByte.quote) else { return text(inner) }
        return unquoted(inner)
    }

    @inline(__always)
    private func text(_ range: Range<Int>) -> String {
        unsafe bytes.withUnsafeBufferPointer { bytes in
            unsafe String(decoding: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self)
        }
    }

    private func unquoted(_ inner: Range<Int>) -> String {
        var single: [UInt8] = []
        single.reserveCapacity(inner.count)
        var isSecond = false
        for byte in bytes[inner] {
            isSecond = byte == CSVByte.quote && !isSecond
            if !isSecond { single.append(byte) }
        }
        return String(decoding: single, as: UTF8.self)
    }
}

extension CSVTable {
    /// The first byte that is not valid UTF-8, and its row.
    func invalidByte(before end: Int) -> (row: Int, fault: CSVFault)? {
        guard let start = rows.first.map({ Int($0.offset) }), start < end else { return nil }
        let invalid = unsafe bytes.withUnsafeBytes { bytes in
            unsafe CSVSource(bytes).firstInvalidByte(in: start..<end)
        }
        guard let offset = invalid else { return nil }
        var (low, high) = (0, rows.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if Int(rows[middle].offset) <= offset { low = middle } else { high = middle }
        }
        let fields = fields(ofRow: low)
        let column = fields.firstIndex { Int(ends[$0]) > offset } ?? fields.upperBound - 1
        let fault = CSVFault(
            reason: .invalidUTF8, offset: offset, column: column - fields.lowerBound, expected: "well-formed UTF-8")
        return (low, fault)
    }
}
