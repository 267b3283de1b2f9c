// SPDX-License-Identifier: Apache-2.0

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
