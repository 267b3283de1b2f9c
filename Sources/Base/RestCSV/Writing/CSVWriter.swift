// SPDX-License-Identifier: Apache-2.0

/// Writes a CSV text, row by row.
///
/// A row is written whole or not at all. What is written reads back as the same rows in the same dialect.
public struct CSVWriter: Sendable {
    /// Which fields are put in quotes.
    public enum Quoting: Sendable, Hashable {
        /// Those that could not be read back without.
        case whereNeeded
        /// Every field but null.
        case always
    }

    let dialect: CSVDialect
    private let quoting: Quoting
    private let null: [UInt8]
    private let lineEnding: [UInt8]
    /// The names of the columns, if the text has them.
    public let header: CSVHeader?
    /// The fields of a row; nil before the first one.
    private var width: Int?
    private var output = CSVOutput()
    private var rowStart = 0
    private var column = 0
    private var rows = 0
    private var fault: CSVFault?

    /// Makes a writer, which writes the names of the columns if there are any.
    ///
    /// - Throws: `CSVError` for a name that stands twice.
    public init(
        _ dialect: CSVDialect = .rfc4180, columns: [String]? = nil, quoting: Quoting = .whereNeeded
    ) throws(CSVError) {
        (self.dialect, self.quoting) = (dialect, quoting)
        null = Array((dialect.null ?? "").utf8)
        lineEnding =
            switch dialect.lineEnding {
            case .lf: [CSVByte.lineFeed]
            case .cr: [CSVByte.carriageReturn]
            case .crlf, nil: [CSVByte.carriageReturn, CSVByte.lineFeed]
            }
        guard let columns else {
            header = nil
            return
        }
        header = try CSVHeader(columns)
        // A name may be any text, also one that would mean null in a field.
        for name in columns { write(name) }
        try endRow()
    }

    /// The number of the row that comes next, the header counted too.
    var nextRow: Int { rows + 1 }

    /// The bytes that are written and not taken yet, those of an unfinished row too.
    public var count: Int { output.count }

    /// Takes the complete rows that are written and not taken yet.
    public mutating func takeBytes() -> [UInt8] {
        defer { rowStart = 0 }
        return output.take(rowStart)
    }

    /// Appends a field.
    ///
    /// A text that means null in the dialect makes ``endRow()`` throw: nobody could tell it from null.
    @inline(__always)
    public mutating func append(_ text: String) {
        let start = output.count
        write(text)
        if !null.isEmpty, output.count &- start >= null.count { checkNull(text) }
    }

    /// Appends a field.
    public mutating func append(_ number: some FixedWidthInteger) { append(String(number)) }

    /// Appends a field that means null; an empty one, if nothing means null in the dialect.
    public mutating func appendNull() {
        beginField()
        output.append(null)
    }

    /// Appends a field without text.
    public mutating func appendEmpty() { write("") }

    /// Ends the row.
    ///
    /// - Throws: `CSVError` for another number of fields than the first row has, and for a text that means null. The
    ///   row is dropped then.
    public mutating func endRow() throws(CSVError) {
        if fault == nil, let width, width != column {
            fault = CSVFault(
                reason: .width, offset: 0, column: min(width, column),
                expected: "\(width) fields in every row; this one has \(column)")
        }
        // An empty line is a row of one empty field, but not at the end of a text, and not for every reader.
        if column == 1, output.count == rowStart { output.append([CSVByte.quote, CSVByte.quote]) }
        defer { (column, fault) = (0, nil) }
        if let fault {
            output.truncate(to: rowStart)
            throw CSVError(
                reason: fault.reason, row: rows + 1, column: fault.column + 1,
                name: header.flatMap { $0.names.indices.contains(fault.column) ? $0.names[fault.column] : nil },
                expected: fault.expected)
        }
        if width == nil { width = column }
        output.append(lineEnding)
        rowStart = output.count
        rows += 1
    }

    /// Appends a row.
    ///
    /// - Throws: `CSVError` as ``endRow()`` does.
    @inlinable
    public mutating func append(row fields: some Sequence<String>) throws(CSVError) {
        for field in fields { append(field) }
        try endRow()
    }
}

extension CSVWriter {
    @inline(__always)
    private mutating func beginField() {
        if column > 0 { output.append(dialect.delimiter.byte) }
        column &+= 1
    }

    @inline(__always)
    private mutating func write(_ text: String) {
        beginField()
        let start = output.count
        let needsQuotes = output.append(text, delimiter: dialect.delimiter.byte)
        if needsQuotes || quoting == .always || (rows == 0 && start == 0 && output.startsWithMark) {
            output.quote(from: start)
        }
    }

    @inline(never)
    private mutating func checkNull(_ text: String) {
        guard text.utf8.elementsEqual(null), fault == nil else { return }
        fault = CSVFault(
            reason: .invalidValue, offset: 0, column: column - 1, expected: "another text than the one for null")
    }
}
