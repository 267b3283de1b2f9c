// SPDX-License-Identifier: Apache-2.0

/// A position in the text of a query.
public struct SOQLPosition: Sendable, Hashable {
    /// The line, counted from 1.
    public var line: Int
    /// The column, counted from 1 in Unicode scalars.
    public var column: Int
    /// The offset from the start of the text in UTF-8 bytes.
    public var offset: Int

    /// The position of the first character.
    public static let start = SOQLPosition(line: 1, column: 1, offset: 0)

    /// Creates a position.
    public init(line: Int, column: Int, offset: Int) {
        self.line = line
        self.column = column
        self.offset = offset
    }
}

/// Excludes a value from the comparison of the node that contains it.
///
/// Trees are equal if they mean the same, regardless of the positions of their parts.
@propertyWrapper
public struct SOQLUncompared<Value: Sendable>: Sendable, Hashable {
    /// The excluded value.
    public var wrappedValue: Value

    /// Wraps a value.
    public init(wrappedValue: Value) {
        self.wrappedValue = wrappedValue
    }

    /// Returns `true`.
    public static func == (left: Self, right: Self) -> Bool { true }

    /// Adds nothing to the hash.
    public func hash(into hasher: inout Hasher) {}
}

/// The error for invalid or unsupported SOQL, with its position.
public struct SOQLSyntaxError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of error.
    public enum Kind: Sendable, Hashable {
        /// The text is not SOQL.
        case malformed
        /// The text uses a construct of SOQL that this parser does not support, named in the message.
        case unsupported
    }

    /// The kind of error.
    public let kind: Kind
    /// The message in one line, such as `unexpected token: 'FROM' (expected a field)`.
    public let message: String
    /// The start of the token that caused the error.
    public let position: SOQLPosition
    /// The token that caused the error, or an empty string at the end of the query.
    public let token: String

    /// Creates an error at a position.
    public init(_ kind: Kind = .malformed, message: String, position: SOQLPosition, token: String) {
        self.kind = kind
        self.message = message
        self.position = position
        self.token = token
    }

    /// The message with its position, in one line.
    public var description: String {
        "\(message) at line \(position.line), column \(position.column)"
    }
}
