// SPDX-License-Identifier: Apache-2.0

/// The error thrown when CSV text is invalid or a row does not fit a type.
public struct CSVError: Error, Sendable {
    /// The kind of error (new kinds may be added, so switch with a default).
    public struct Reason: Sendable, Hashable, CustomStringConvertible {
        /// A fixed label, suitable for metrics.
        public let description: String

        /// A quote is inside a field that does not begin with a quote.
        public static let strayQuote = Reason(description: "stray-quote")
        /// A closing quote is followed by text other than a delimiter or a line ending.
        public static let textAfterQuote = Reason(description: "text-after-quote")
        /// The text ends inside quotes.
        public static let unterminatedQuote = Reason(description: "unterminated-quote")
        /// A line break outside of quotes is not the line ending of the dialect.
        public static let lineEnding = Reason(description: "line-ending")
        /// A row has more or fewer fields than the first row.
        public static let width = Reason(description: "width")
        /// The header contains a name twice.
        public static let duplicateColumn = Reason(description: "duplicate-column")
        /// A column is not one of the expected columns, or is missing in the header of a writer.
        public static let unknownColumn = Reason(description: "unknown-column")
        /// The header does not have a column that the type needs.
        public static let missingColumn = Reason(description: "missing-column")
        /// A field is empty or null, but the type needs a value.
        public static let missingValue = Reason(description: "missing-value")
        /// The text of a field is not a valid value of the type, or no field can represent a value.
        public static let invalidValue = Reason(description: "invalid-value")
        /// The bytes are not well-formed UTF-8 (RFC 3629), or begin with the mark of another encoding.
        public static let invalidUTF8 = Reason(description: "invalid-utf8")
        /// A field, a row, the number of columns or the whole text exceeds its limit.
        public static let tooLarge = Reason(description: "too-large")
    }

    /// The kind of error.
    public let reason: Reason
    /// The row from 1, including the header, or 0 if the error does not belong to a row.
    public let row: Int
    /// The column from 1, counted in fields, or 0 if the error does not belong to a column.
    public let column: Int
    /// The line from 1, including line breaks in quotes, or 0 if no text was read.
    public let line: Int
    /// The offset of the error in the text, from 0, in bytes.
    public let offset: Int
    /// The name of the column, if known.
    public let name: String?
    /// A description of the valid input, without content of the text.
    public let expected: String
    /// The error of a type that rejected a row, if any.
    public let underlying: (any Error)?

    /// Creates an error from its parts.
    public init(
        reason: Reason, row: Int = 0, column: Int = 0, line: Int = 0, offset: Int = 0, name: String? = nil,
        expected: String, underlying: (any Error)? = nil
    ) {
        (self.reason, self.row, self.column, self.line, self.offset) = (reason, row, column, line, offset)
        (self.name, self.expected, self.underlying) = (name, expected, underlying)
    }
}

extension CSVError: CustomStringConvertible {
    /// One sentence with the error, the position (including column names) and the expected input, without content.
    public var description: String {
        let named = name.map { " \"\($0)\"" } ?? ""
        return "\(reason) at row \(row), column \(column)\(named) (line \(line), byte \(offset)): expected \(expected)"
    }
}

/// An error of the scanner, whose row and line are computed afterwards.
struct CSVFault: Error {
    let reason: CSVError.Reason
    let offset: Int
    /// The column from 0.
    let column: Int
    let expected: String
}
