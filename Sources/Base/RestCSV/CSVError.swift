// SPDX-License-Identifier: Apache-2.0

/// Why a CSV text is refused, or a row does not make a type, and where.
public struct CSVError: Error, Sendable {
    /// The kind of fault, an open set: new kinds may come, so switch with a default.
    public struct Reason: Sendable, Hashable, CustomStringConvertible {
        /// A fixed label, fit for metrics.
        public let description: String

        /// A quote inside a field that does not begin with one.
        public static let strayQuote = Reason(description: "stray-quote")
        /// Something other than a delimiter or a line ending after a closing quote.
        public static let textAfterQuote = Reason(description: "text-after-quote")
        /// The text ends inside quotes.
        public static let unterminatedQuote = Reason(description: "unterminated-quote")
        /// A line break outside of quotes that is not the line ending of the dialect.
        public static let lineEnding = Reason(description: "line-ending")
        /// A row with more or fewer fields than the first one.
        public static let width = Reason(description: "width")
        /// A name that stands twice in the header.
        public static let duplicateColumn = Reason(description: "duplicate-column")
        /// A column that nobody has asked for, or that the header does not have.
        public static let unknownColumn = Reason(description: "unknown-column")
        /// A column that the type needs and the header does not have.
        public static let missingColumn = Reason(description: "missing-column")
        /// An empty or null field where the type needs a value.
        public static let missingValue = Reason(description: "missing-value")
        /// A field whose text does not make the value that the type needs, or a value that no field can hold.
        public static let invalidValue = Reason(description: "invalid-value")
        /// Bytes that are not well-formed UTF-8 (RFC 3629), or the mark of another encoding.
        public static let invalidUTF8 = Reason(description: "invalid-utf8")
        /// A field, a row, a number of columns or a whole text above its limit.
        public static let tooLarge = Reason(description: "too-large")
    }

    /// The kind of fault.
    public let reason: Reason
    /// The row from 1, the header counted too; 0 for what belongs to no row.
    public let row: Int
    /// The column from 1, counted in fields; 0 for what belongs to no column.
    public let column: Int
    /// The line from 1, as an editor counts it: line breaks in quotes count too; 0 where no text was read.
    public let line: Int
    /// The offset of the fault in the text, from 0, in bytes.
    public let offset: Int
    /// The name of the column, when the fault is about one that is named.
    public let name: String?
    /// What would have been right there, in words; holds no content of the text.
    public let expected: String
    /// The error of a type that refused a row, if any.
    public let underlying: (any Error)?

    /// Makes an error from its parts.
    public init(
        reason: Reason, row: Int = 0, column: Int = 0, line: Int = 0, offset: Int = 0, name: String? = nil,
        expected: String, underlying: (any Error)? = nil
    ) {
        (self.reason, self.row, self.column, self.line, self.offset) = (reason, row, column, line, offset)
        (self.name, self.expected, self.underlying) = (name, expected, underlying)
    }
}

extension CSVError: CustomStringConvertible {
    /// One sentence with the fault, the place and what was expected; names columns, never contents.
    public var description: String {
        let named = name.map { " \"\($0)\"" } ?? ""
        return "\(reason) at row \(row), column \(column)\(named) (line \(line), byte \(offset)): expected \(expected)"
    }
}

/// A fault as the scanner throws it; its row and line are worked out afterwards.
struct CSVFault: Error {
    let reason: CSVError.Reason
    let offset: Int
    /// The column from 0.
    let column: Int
    let expected: String
}
