// SPDX-License-Identifier: Apache-2.0

/// The syntax of CSV text: the delimiter, the line ending and the text for null.
///
/// Any field may be in double quotes, with inner quotes doubled (RFC 4180, section 2).
public struct CSVDialect: Sendable, Hashable {
    /// The byte between two fields, an ASCII character other than a quote or a line break.
    public struct Delimiter: Sendable, Hashable {
        /// The byte.
        public let byte: UInt8

        /// Creates a delimiter, or returns `nil` for a quote, a line break, NUL and non-ASCII characters.
        public init?(_ character: Character) {  // prose: one character, which is checked to be one byte
            guard let byte = character.asciiValue, character.unicodeScalars.count == 1,
                !(byte == CSVByte.quote || byte == CSVByte.lineFeed || byte == CSVByte.carriageReturn || byte == 0)
            else { return nil }
            self.byte = byte
        }

        private init(byte: UInt8) { self.byte = byte }

        /// A comma.
        public static let comma = Delimiter(byte: UInt8(ascii: ","))
        /// A semicolon.
        public static let semicolon = Delimiter(byte: UInt8(ascii: ";"))
        /// A vertical bar.
        public static let pipe = Delimiter(byte: UInt8(ascii: "|"))
        /// A circumflex.
        public static let caret = Delimiter(byte: UInt8(ascii: "^"))
        /// A backquote.
        public static let backquote = Delimiter(byte: UInt8(ascii: "`"))
        /// A tab.
        public static let tab = Delimiter(byte: UInt8(ascii: "\t"))

        /// The six delimiters of Bulk API 2.0, by their names in jobs.
        public static let platformNames: [String: Delimiter] = [
            "BACKQUOTE": .backquote, "CARET": .caret, "COMMA": .comma, "PIPE": .pipe, "SEMICOLON": .semicolon,
            "TAB": .tab,
        ]
    }

    /// The end of a row, where the first two raw values are the names in jobs of Bulk API 2.0.
    public enum LineEnding: String, Sendable, Hashable, CaseIterable {
        /// A line feed.
        case lf = "LF"
        /// A carriage return and a line feed.
        case crlf = "CRLF"
        /// A carriage return alone, as written by old programs.
        case cr = "CR"
    }

    /// The delimiter between two fields.
    public var delimiter: Delimiter
    /// The line ending, or `nil` to read both LF and CRLF, and to write CRLF as RFC 4180 requires.
    ///
    /// Outside of quotes, a reader rejects all other line breaks.
    public var lineEnding: LineEnding?
    /// The text of a field that means null, or `nil` if no text means null.
    public var null: String?

    /// Creates a dialect.
    public init(delimiter: Delimiter = .comma, lineEnding: LineEnding? = nil, null: String? = nil) {
        (self.delimiter, self.lineEnding, self.null) = (delimiter, lineEnding, null)
    }

    /// Commas, LF or CRLF, and no null.
    public static let rfc4180 = CSVDialect()

    /// Returns the dialect of Bulk API 2.0, in which `#N/A` means null and an empty field means no change.
    public static func platform(delimiter: Delimiter = .comma, lineEnding: LineEnding = .lf) -> CSVDialect {
        CSVDialect(delimiter: delimiter, lineEnding: lineEnding, null: "#N/A")
    }
}

enum CSVByte {
    static let quote = UInt8(ascii: "\"")
    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D
    /// The byte-order mark (U+FEFF in UTF-8), which may precede a text.
    static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
}

/// Limits on the memory for one row, above which a reader throws.
public struct CSVLimits: Sendable, Hashable {
    /// The maximum length of a field in bytes, including its quotes.
    public var maximumFieldBytes: Int
    /// The maximum length of a row in bytes, without its line ending.
    public var maximumRowBytes: Int
    /// The maximum number of fields of a row.
    public var maximumColumns: Int

    /// 16 MiB for a field, 64 MiB for a row, and 16,384 columns.
    public static let `default` = CSVLimits()

    /// Creates limits of at least 1.
    public init(
        maximumFieldBytes: Int = 16 << 20, maximumRowBytes: Int = 64 << 20, maximumColumns: Int = 16_384
    ) {
        self.maximumFieldBytes = max(1, maximumFieldBytes)
        self.maximumRowBytes = max(1, maximumRowBytes)
        self.maximumColumns = max(1, maximumColumns)
    }
}

/// The names of the columns in order, without duplicates.
///
/// A field of a related record is named by its path, such as `Owner.Name`.
public struct CSVHeader: Sendable, Hashable {
    /// The names.
    public let names: [String]
    private let positions: [String: Int]

    /// Creates a header.
    ///
    /// - Throws: `CSVError` for a duplicate name.
    public init(_ names: [String]) throws(CSVError) {
        var positions: [String: Int] = [:]
        for (column, name) in names.enumerated() where positions.updateValue(column, forKey: name) != nil {
            throw CSVError(
                reason: .duplicateColumn, row: 1, column: column + 1, name: name, expected: "each column name only once"
            )
        }
        (self.names, self.positions) = (names, positions)
    }

    /// The index of a column from 0, or `nil` for an unknown name.
    public subscript(name: String) -> Int? { positions[name] }

    func check(allowed: [String]?) throws(CSVError) {
        guard let allowed = allowed.map(Set.init) else { return }
        for (column, name) in names.enumerated() where !allowed.contains(name) {
            throw CSVError(
                reason: .unknownColumn, row: 1, column: column + 1, name: name,
                expected: "one of the \(allowed.count) requested columns")
        }
    }

    /// The columns of a related record, such as `Owner.Name` and `Owner.Manager.Name` for `Owner.`.
    func columns(below prefix: String) -> [Int] {
        names.indices.filter { names[$0].utf8.starts(with: prefix.utf8) }
    }
}
