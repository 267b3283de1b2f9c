// SPDX-License-Identifier: Apache-2.0

/// Reads CSV strictly (RFC 4180), record by record: every quote must be where the grammar has one.
struct CSVReader {
    /// Why a text is no CSV, and where.
    struct Fault: Error, Hashable {
        let line: Int
        let reason: String
    }

    /// One record: its fields, and its place in the text.
    struct Record {
        var fields: [String] = []
        /// Its bytes without the end of the line.
        var range = 0..<0
    }

    private let bytes: [UInt8]
    private let delimiter: UInt8
    private let endsInCRLF: Bool
    private(set) var position: Int
    private var line = 1

    private static let (quote, lineFeed, carriageReturn) = (UInt8(ascii: "\""), UInt8(ascii: "\n"), UInt8(ascii: "\r"))

    init(_ bytes: [UInt8], delimiter: UInt8, endsInCRLF: Bool, from position: Int = 0) {
        self.bytes = bytes
        self.delimiter = delimiter
        self.endsInCRLF = endsInCRLF
        self.position = min(max(0, position), bytes.count)
        // A mark of the byte order in front is no part of the first name.
        if position == 0, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { self.position = 3 }
    }

    /// The bytes of a record as they were.
    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    /// What has not been read.
    var rest: String { String(decoding: bytes[position...], as: UTF8.self) }

    /// The next record, or `nil` at the end; empty lines are passed over.
    mutating func next() throws(Fault) -> Record? {
        while position < bytes.count, try skipLineEnd() {}
        guard position < bytes.count else { return nil }
        var record = Record()
        let start = position
        while true {
            record.fields.append(bytes[position...].first == Self.quote ? try quoted() : try plain())
            record.range = start..<position
            guard position < bytes.count else { return record }
            if bytes[position] == delimiter {
                position += 1
                if position == bytes.count {
                    record.fields.append("")
                    record.range = start..<position
                    return record
                }
                continue
            }
            guard try skipLineEnd() else { throw Fault(line: line, reason: "text after the closing quote of a field") }
            return record
        }
    }

    private mutating func plain() throws(Fault) -> String {
        let start = position
        while position < bytes.count {
            let byte = bytes[position]
            if byte == delimiter || byte == Self.lineFeed || byte == Self.carriageReturn { break }
            guard byte != Self.quote else { throw Fault(line: line, reason: "a quote inside a field without quotes") }
            position += 1
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func quoted() throws(Fault) -> String {
        let first = line
        var field: [UInt8] = []
        position += 1
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            if byte == Self.lineFeed { line += 1 }
            guard byte == Self.quote else {
                field.append(byte)
                continue
            }
            guard position < bytes.count, bytes[position] == Self.quote else {
                return String(decoding: field, as: UTF8.self)
            }
            field.append(byte)
            position += 1
        }
        throw Fault(line: first, reason: "a quoted field that does not end")
    }

    /// Passes over the end of a line; `false` where there is none.
    private mutating func skipLineEnd() throws(Fault) -> Bool {
        let isCRLF =
            bytes[position] == Self.carriageReturn && position + 1 < bytes.count && bytes[position + 1] == Self.lineFeed
        guard isCRLF || bytes[position] == Self.lineFeed || bytes[position] == Self.carriageReturn else { return false }
        guard isCRLF == endsInCRLF, isCRLF || bytes[position] == Self.lineFeed else {
            throw Fault(
                line: line,
                reason:
                    "LineEnding is invalid on user data. Current LineEnding setting is \(endsInCRLF ? "CRLF" : "LF")")
        }
        position += isCRLF ? 2 : 1
        line += 1
        return true
    }
}

extension String {
    /// The text as a field of CSV, in quotes.
    var csvField: String {
        utf8.contains(UInt8(ascii: "\""))
            ? "\""
                + split(separator: "\"", omittingEmptySubsequences: false)
                .joined(separator: "\"\"") + "\"" : "\"" + self + "\""
    }
}
