// SPDX-License-Identifier: Apache-2.0

import RestJSON

/// A format that writes the cells of a line with a separator between them.
protocol SeparatedFields {
    /// The byte between two fields.
    static var separator: UInt8 { get }
    init(_ options: Arguments)
    func append(_ cell: Cell, to output: inout [UInt8])
    func append(text: String, to output: inout [UInt8])
    /// Whether raw JSON values without escapes can be appended, instead of cells.
    var takesPlain: Bool { get }
    /// Appends the raw JSON of a value without escapes, which cannot contain quotes, tabs and line breaks.
    func append(plain bytes: UnsafeRawBufferPointer, to output: inout [UInt8])
}

/// Prints values with a separator: a header, then a line for each record.
///
/// Children are JSON in one cell, or have separate lines that repeat the fields of their parent.
struct SeparatedPrinter<Fields: SeparatedFields>: RowPrinter {
    private var head: ResultHead
    private let hasHeader: Bool
    private let hasRows: Bool
    private let fields: Fields

    init(head: ResultHead, options: Arguments = Arguments()) {
        (self.head, hasHeader, fields) = (head, !options.has(.noHeader), Fields(options))
        hasRows = head.columns.hasChildRows
    }

    mutating func begin(_ records: Slice<JSONArray>, into output: inout [UInt8]) {
        guard hasHeader, !head.columns.titles.isEmpty else { return }
        line(head.columns.titles, into: &output) { [fields] in fields.append(text: $0, to: &$1) }
    }

    mutating func row(_ record: JSONValue, into output: inout [UInt8]) {
        let start = output.count
        guard hasRows else {
            unsafe head.columns.forEachValue(
                of: record,
                plain: { [fields] index, bytes in
                    guard fields.takesPlain else { return false }
                    if index > 0 { output.append(Fields.separator) }
                    unsafe fields.append(plain: bytes, to: &output)
                    return true
                }
            ) { [fields] index, value in
                if index > 0 { output.append(Fields.separator) }
                fields.append(Cell(value), to: &output)
            }
            return endLine(from: start, in: &output)
        }
        for cells in head.columns.rows(of: record, repeatsParent: true) {
            line(cells, into: &output) { [fields] in fields.append($0, to: &$1) }
        }
    }

    private func line<Value>(
        _ values: [Value], into output: inout [UInt8], _ append: (Value, inout [UInt8]) -> Void
    ) {
        let start = output.count
        for (index, value) in values.enumerated() {
            if index > 0 { output.append(Fields.separator) }
            append(value, &output)
        }
        endLine(from: start, in: &output)
    }

    /// Ends a line, with quotes for a single empty CSV cell, because many readers skip empty lines.
    private func endLine(from start: Int, in output: inout [UInt8]) {
        if output.count == start {
            guard !head.columns.columns.isEmpty else { return }
            if Fields.separator == UInt8(ascii: ",") { output += [0x22, 0x22] }
        }
        output.append(0x0A)
    }
}

/// Comma-separated values (RFC 4180, but lines end with LF).
typealias CSVPrinter = SeparatedPrinter<CSVFields>
typealias TSVPrinter = SeparatedPrinter<TSVFields>

/// The fields of comma-separated values.
///
/// Null is empty, or the text that the user chose, which is quoted if it is the value of a string.
struct CSVFields: SeparatedFields {
    static let separator = UInt8(ascii: ",")
    private let null: [UInt8]
    private let guardsFormulas: Bool

    /// Creates the fields of a result.
    ///
    /// The formula guard puts a `'` before strings that a spreadsheet would treat as formulas (OWASP, CSV Injection).
    init(_ options: Arguments) {
        (null, guardsFormulas) = (Array((options[.nullText] ?? "").utf8), options.has(.csvGuard))
    }

    func append(_ cell: Cell, to output: inout [UInt8]) {
        guard cell.kind != .null, cell.kind != .blank else { return output += null }
        let isFormula = guardsFormulas && cell.kind == .text && Self.beginsFormula(cell.text)
        append(text: isFormula ? "'" + cell.text : cell.text, to: &output)
    }

    func append(text: String, to output: inout [UInt8]) {
        var text = text
        text.withUTF8 { unsafe append(UnsafeRawBufferPointer($0), to: &output) }
    }

    /// Whether a spreadsheet treats the string as a formula, by its first character in normal or full width.
    private static func beginsFormula(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first else { return false }
        return "=+-@\t\r\n＝＋－＠".unicodeScalars.contains(first)
    }

    /// Appends a field, quoted if necessary.
    private func append(_ bytes: UnsafeRawBufferPointer, to output: inout [UInt8]) {
        guard unsafe isNull(bytes) || bytes.contains(where: Self.needsQuotes) else {
            return unsafe output.append(contentsOf: bytes)
        }
        output.append(Self.quote)
        var rest = unsafe bytes[...]
        while let quote = unsafe rest.firstIndex(of: Self.quote) {
            unsafe output.append(contentsOf: rest[...quote])
            output.append(Self.quote)
            unsafe rest = rest[(quote + 1)...]
        }
        unsafe output.append(contentsOf: rest)
        output.append(Self.quote)
    }

    var takesPlain: Bool { !guardsFormulas }

    /// Without escapes, only a comma requires quotes.
    func append(plain bytes: UnsafeRawBufferPointer, to output: inout [UInt8]) {
        let isQuoted = unsafe isNull(bytes) || bytes.contains(Self.separator)
        if isQuoted { output.append(Self.quote) }
        unsafe output.append(contentsOf: bytes)
        if isQuoted { output.append(Self.quote) }
    }

    private func isNull(_ bytes: UnsafeRawBufferPointer) -> Bool {
        unsafe bytes.count == null.count && bytes.elementsEqual(null)
    }

    private static let quote = UInt8(ascii: "\"")

    private static func needsQuotes(_ byte: UInt8) -> Bool {
        switch byte {
        case quote, separator, UInt8(ascii: "\n"), UInt8(ascii: "\r"): true
        default: false
        }
    }
}

/// The fields of tab-separated values, where null is empty, or the text that the user chose (`\N`).
///
/// Tabs, line breaks and backslashes in values are written as `\t`, `\n`, `\r` and `\\`, as in database dumps.
struct TSVFields: SeparatedFields {
    static let separator = UInt8(ascii: "\t")
    private let null: String

    init(_ options: Arguments) { null = options[.nullText] ?? "" }

    func append(_ cell: Cell, to output: inout [UInt8]) {
        switch cell.kind {
        case .null, .blank: output.append(text: null)
        case .number: output.append(text: cell.text)
        case .text: append(text: cell.text, to: &output)
        }
    }

    func append(text: String, to output: inout [UInt8]) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\t"): output.append(text: "\\t")
            case UInt8(ascii: "\n"): output.append(text: "\\n")
            case UInt8(ascii: "\r"): output.append(text: "\\r")
            case UInt8(ascii: "\\"): output.append(text: "\\\\")
            default: output.append(byte)
            }
        }
    }

    var takesPlain: Bool { true }

    func append(plain bytes: UnsafeRawBufferPointer, to output: inout [UInt8]) {
        unsafe output.append(contentsOf: bytes)
    }
}
