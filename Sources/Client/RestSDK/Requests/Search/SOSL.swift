// SPDX-License-Identifier: Apache-2.0

import SOQLSyntax

/// A search whose interpolated values are bound: no value can change the search.
///
/// ```swift
/// let name = "Smith & Sons (2)"
/// let search: SOSL = "FIND {\(name)} IN NAME FIELDS RETURNING Account(Id, Name WHERE Industry = \("Banking"))"
/// ```
/// Between the braces of `FIND` a value is a text to look for: its reserved characters are escaped, and `and`, `or` and
/// `not` in it are words like others. All of its words must be found; put `"` around the value to find them side by
/// side. Everywhere else a value becomes a literal where a literal can stand and is refused where none can, as in
/// ``SOQL``. Text that is to stand in the search as it is needs the visible `\(raw: text)`.
public struct SOSL: Sendable, CustomStringConvertible {
    /// The search's text as it is sent, with the values.
    public let text: String
    /// The search's text for people and logs: `?` stands for each bound value.
    public let description: String
    /// Why the search cannot be sent, when a value cannot be bound.
    package let problem: String?

    /// Takes a whole search as it is: from a file, a command line, a person.
    public init(raw text: String) {
        self.text = text
        description = text
        problem = nil
    }

    /// The text with the characters escaped that mean something between the braces of `FIND`.
    ///
    /// Control characters and blanks of every kind become plain blanks.
    public static func escaped(_ text: String) -> String {
        var result = ""
        for letter in text.unicodeScalars {
            if letter.properties.generalCategory == .control || letter.properties.isWhitespace {
                result += " "
            } else {
                if reserved.contains(letter) { result += "\\" }
                result.unicodeScalars.append(letter)
            }
        }
        return result
    }

    private static let reserved = Set("?&|!{}[]()^~*:\\\"'+-".unicodeScalars)
}

extension String {
    /// Whether the text has a letter or a digit, without which a search finds nothing.
    var hasLetters: Bool {
        unicodeScalars.contains { scalar in
            switch scalar.properties.generalCategory {
            case .nonspacingMark, .spacingMark, .enclosingMark: false
            default: scalar.properties.isAlphabetic || scalar.properties.numericType != nil
            }
        }
    }
}

extension SOSL: Hashable {
    /// Whether the same would be sent.
    public static func == (left: SOSL, right: SOSL) -> Bool {
        left.text == right.text && left.problem == right.problem
    }

    /// Adds what would be sent.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(text)
    }
}

extension SOSL: ExpressibleByStringInterpolation {
    /// Takes a literal as it is.
    public init(stringLiteral value: String) {
        self.init(raw: value)
    }

    /// Takes a literal with its bound values.
    public init(stringInterpolation: StringInterpolation) {
        text = stringInterpolation.search.text
        description = stringInterpolation.search.shown
        problem = stringInterpolation.search.problem
    }

    /// Collects the pieces of a search and binds the values in it.
    public struct StringInterpolation: StringInterpolationProtocol {
        var search: SOQLText

        /// Reserves room for the literal pieces.
        public init(literalCapacity: Int, interpolationCount: Int) {
            search = SOQLText(.search, capacity: literalCapacity + min(interpolationCount, 1_000) * 16)
        }

        /// Takes a piece of the search itself.
        public mutating func appendLiteral(_ literal: String) {
            search.paste(literal)
        }

        /// Binds a value: between the braces of `FIND` as a text to look for, elsewhere as a literal.
        public mutating func appendInterpolation(_ value: some SOQL.Bindable) {
            search.bind(value.soqlLiteral, SOQLText.description(of: value))
        }

        /// Binds a list for `IN`, `NOT IN`, `INCLUDES` and `EXCLUDES`; the braces of `FIND` take no list.
        public mutating func appendInterpolation(_ values: [some SOQL.Bindable]) {
            search.bind(values.map { $0.soqlLiteral }) { SOQLText.description(of: values[$0]) }
        }

        /// Binds the beginning of a word to look for: `\(prefix: "Smi")` finds Smith and Smiley.
        public mutating func appendInterpolation(prefix value: String) {
            search.bind(prefix: value)
        }

        /// Takes text as it is.
        ///
        /// Never pass a value from outside: it can change the search. Values after it are bound by the place to which
        /// the text leads.
        public mutating func appendInterpolation(raw text: String) {
            search.paste(text)
        }
    }
}
