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

/// The place of a value in a query's text: `:name`, or the name behind a formula's colon, as in `LAST_N_DAYS:name`.
package struct SOQLVariable: Sendable, Hashable {
    /// The name, without its colon.
    package let name: String
    /// What the value replaces, in UTF-8 bytes of the text.
    package let range: Range<Int>
    /// Where it begins.
    package let position: SOQLPosition
    /// Whether it is the number of a formula.
    package let isCount: Bool
    /// The word before it, in upper case.
    package let before: String
    /// The word before the innermost parenthesis that is open, in upper case; empty without one.
    package let opening: String

    /// The variables of a text in their order; what stands in quotes, in a date or in a time is none.
    ///
    /// - Throws: ``SOQLSyntaxError`` when a part of the text is no word of the language.
    package static func all(in text: String) throws(SOQLSyntaxError) -> [SOQLVariable] {
        var lexer = Lexer(text)
        var variables: [SOQLVariable] = []
        var (colon, isCount): (Token?, Bool) = (nil, false)
        // The last word, the one before the colon, and those before the parentheses that are open.
        var (word, before, openings) = ("", "", [String]())
        while case let token = try lexer.next(), token.kind != .end {
            let text = lexer.text(token.range)
            if token.kind == .name, let colon, colon.range.upperBound == token.range.lowerBound {
                let start = isCount ? token : colon
                variables.append(
                    SOQLVariable(
                        name: text, range: start.range.lowerBound..<token.range.upperBound,
                        position: start.position, isCount: isCount, before: before, opening: openings.last ?? ""))
            }
            switch token.kind {
            case .colon: before = word
            case .leftParenthesis: openings.append(word)
            case .rightParenthesis: _ = openings.popLast()
            default: break
            }
            (colon, isCount) =
                token.kind == .colon ? (token, SOQLDateFormula.needsNumber(name: word) == true) : (nil, false)
            word = text.uppercased()
        }
        return variables
    }
}
