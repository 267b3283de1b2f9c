// SPDX-License-Identifier: Apache-2.0

/// A place in the text of a query.
public struct SOQLPosition: Sendable, Hashable {
    /// The line, counted from 1.
    public var line: Int
    /// The column in its line, counted from 1 in Unicode scalars.
    public var column: Int
    /// The distance from the start of the text in UTF-8 bytes.
    public var offset: Int

    /// The first character of a text.
    public static let start = SOQLPosition(line: 1, column: 1, offset: 0)

    /// A place in a text.
    public init(line: Int, column: Int, offset: Int) {
        self.line = line
        self.column = column
        self.offset = offset
    }
}

/// Keeps a value out of the comparison of the node that holds it.
///
/// Two trees are equal when they mean the same text, wherever their parts were written.
@propertyWrapper
public struct SOQLUncompared<Value: Sendable>: Sendable, Hashable {
    /// The value kept.
    public var wrappedValue: Value

    /// Keeps a value.
    public init(wrappedValue: Value) {
        self.wrappedValue = wrappedValue
    }

    /// Always true.
    public static func == (left: Self, right: Self) -> Bool { true }

    /// Adds nothing.
    public func hash(into hasher: inout Hasher) {}
}

/// Why a text is not a query, and where.
public struct SOQLSyntaxError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What kind of fault it is.
    public enum Kind: Sendable, Hashable {
        /// The text is not SOQL.
        case malformed
        /// It is SOQL that this parser does not read: the message names the construct.
        case unsupported
    }

    /// What kind of fault it is.
    public let kind: Kind
    /// What is wrong, in one line: `unexpected token: 'FROM' (expected a field)`.
    public let message: String
    /// Where the token that is to blame begins.
    public let position: SOQLPosition
    /// The text to blame; empty at the end of the query.
    public let token: String

    /// An error at a place.
    public init(_ kind: Kind = .malformed, message: String, position: SOQLPosition, token: String) {
        self.kind = kind
        self.message = message
        self.position = position
        self.token = token
    }

    /// The message and its place in one line.
    public var description: String {
        "\(message) at line \(position.line), column \(position.column)"
    }
}
