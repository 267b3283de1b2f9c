// SPDX-License-Identifier: Apache-2.0

/// How a CSV text is put together: what stands between fields, what ends rows, and what means null.
///
/// Fields may always be in double quotes, with quotes inside them doubled (RFC 4180 2).
public struct CSVDialect: Sendable, Hashable {
    /// The byte between two fields: ASCII, and neither a quote nor a line break.
    public struct Delimiter: Sendable, Hashable {
        /// The byte.
        public let byte: UInt8

        /// A delimiter of another dialect; nil for a quote, a line break, NUL, and what is not ASCII.
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

        /// The six delimiters of Bulk API 2.0 by the names that its jobs use.
        public static let platformNames: [String: Delimiter] = [
            "BACKQUOTE": .backquote, "CARET": .caret, "COMMA": .comma, "PIPE": .pipe, "SEMICOLON": .semicolon,
            "TAB": .tab,
        ]
    }

    /// What ends a row; the raw values of the first two are the names that jobs of Bulk API 2.0 use.
    public enum LineEnding: String, Sendable, Hashable, CaseIterable {
        /// A line feed.
        case lf = "LF"
        /// A carriage return and a line feed.
        case crlf = "CRLF"
        /// A carriage return alone, as old programs write it.
        case cr = "CR"
    }

    /// What stands between two fields.
    public var delimiter: Delimiter
    /// What ends a row; nil to read LF and CRLF alike and to write CRLF, as RFC 4180 asks.
    ///
    /// Outside of quotes a reader refuses every other line break.
    public var lineEnding: LineEnding?
    /// The text of a field that means null; nil if nothing does.
    public var null: String?

    /// Makes a dialect.
    public init(delimiter: Delimiter = .comma, lineEnding: LineEnding? = nil, null: String? = nil) {
        (self.delimiter, self.lineEnding, self.null) = (delimiter, lineEnding, null)
    }

    /// Commas, either line ending, no null.
    public static let rfc4180 = CSVDialect()

    /// The dialect of Bulk API 2.0, in which `#N/A` means null and an empty field means that there is nothing to say.
    public static func platform(delimiter: Delimiter = .comma, lineEnding: LineEnding = .lf) -> CSVDialect {
        CSVDialect(delimiter: delimiter, lineEnding: lineEnding, null: "#N/A")
    }
}

/// The bytes that mean something in every dialect.
enum CSVByte {
    static let quote = UInt8(ascii: "\"")
    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D
    /// U+FEFF in UTF-8, which may stand before a text.
    static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
}

/// What a reader accepts before it gives up: bounds on the memory that one row may take.
public struct CSVLimits: Sendable, Hashable {
    /// The longest field in bytes, its quotes included.
    public var maximumFieldBytes: Int
    /// The longest row in bytes, without its line ending.
    public var maximumRowBytes: Int
    /// The most fields of a row.
    public var maximumColumns: Int

    /// 16 MiB for a field, 64 MiB for a row, 16,384 columns.
    public static let `default` = CSVLimits()

    /// Makes limits; each is at least 1.
    public init(
        maximumFieldBytes: Int = 16 << 20, maximumRowBytes: Int = 64 << 20, maximumColumns: Int = 16_384
    ) {
        self.maximumFieldBytes = max(1, maximumFieldBytes)
        self.maximumRowBytes = max(1, maximumRowBytes)
        self.maximumColumns = max(1, maximumColumns)
    }
}

/// The names of the columns, in their order; no name stands twice.
///
/// A field of a related record has the way to it as its name, such as `Owner.Name`.
public struct CSVHeader: Sendable, Hashable {
    /// The names.
    public let names: [String]
    private let positions: [String: Int]

    /// Makes a header.
    ///
    /// - Throws: `CSVError` for a name that stands twice.
    public init(_ names: [String]) throws(CSVError) {
        var positions: [String: Int] = [:]
        for (column, name) in names.enumerated() where positions.updateValue(column, forKey: name) != nil {
            throw CSVError(
                reason: .duplicateColumn, row: 1, column: column + 1, name: name, expected: "every name once")
        }
        (self.names, self.positions) = (names, positions)
    }

    /// The position of a column from 0, or nil for a name that the header does not have.
    public subscript(name: String) -> Int? { positions[name] }

    /// Refuses names other than these.
    func check(allowed: [String]?) throws(CSVError) {
        guard let allowed = allowed.map(Set.init) else { return }
        for (column, name) in names.enumerated() where !allowed.contains(name) {
            throw CSVError(
                reason: .unknownColumn, row: 1, column: column + 1, name: name,
                expected: "one of the \(allowed.count) columns that were asked for")
        }
    }

    /// The columns of a related record, such as `Owner.Name` and `Owner.Manager.Name` to `Owner.`.
    func columns(below prefix: String) -> [Int] {
        names.indices.filter { names[$0].utf8.starts(with: prefix.utf8) }
    }
}
