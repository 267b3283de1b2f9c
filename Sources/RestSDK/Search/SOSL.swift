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
/// side. Everywhere else a value becomes a literal, as in ``SOQL``. Text that is to stand in the search as it is
/// needs the visible `\(raw: text)`.
public struct SOSL: Sendable, Hashable, CustomStringConvertible {
    /// The search's text as it is sent.
    public let text: String
    /// Why the search cannot be sent, when a value cannot be bound.
    package let problem: String?

    /// Takes a whole search as it is: from a file, a command line, a person.
    public init(raw text: String) {
        self.text = text
        problem = nil
    }

    /// The value as text, for people and logs.
    public var description: String { text }

    /// The text with the characters escaped that mean something between the braces of `FIND`.
    ///
    /// Control characters become blanks.
    public static func escaped(_ text: String) -> String {
        var result = ""
        for letter in text.unicodeScalars {
            if letter.properties.generalCategory == .control {
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

extension SOSL: ExpressibleByStringInterpolation {
    /// Takes a literal as it is.
    public init(stringLiteral value: String) {
        self.init(raw: value)
    }

    /// Takes a literal with its bound values.
    public init(stringInterpolation: StringInterpolation) {
        text = stringInterpolation.text
        problem = stringInterpolation.problem
    }

    /// Collects the pieces of a search and binds the values in it.
    public struct StringInterpolation: StringInterpolationProtocol {
        private(set) var text = ""
        private(set) var problem: String?
        private var place = SOSLPlace()

        /// Reserves room for the literal pieces.
        public init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + interpolationCount * 16)
        }

        /// Takes a piece of the search itself.
        public mutating func appendLiteral(_ literal: String) {
            place.pass(literal)
            text += literal
        }

        /// Binds a value: between the braces of `FIND` as a text to look for, elsewhere as a literal.
        public mutating func appendInterpolation(_ value: some SOQLBindable) {
            guard let literal = value.soqlLiteral else {
                return refuse(
                    "a number that is not finite or out of range, or a day that no calendar has, cannot be bound")
            }
            switch place.kind {
            case .outside: text += literal.text
            case .quoted: refuse("a value is quoted by itself; leave out the quotes around it")
            case .term, .phrase: appendTerm(literal)
            }
        }

        /// Binds a list for `IN` and `NOT IN`; the braces of `FIND` take no list.
        public mutating func appendInterpolation(_ values: [some SOQLBindable]) {
            guard place.kind == .outside, !values.isEmpty else {
                return refuse("a list is bound outside of FIND, and must not be empty")
            }
            text += "("
            for (position, value) in values.enumerated() {
                if position > 0 { text += "," }
                appendInterpolation(value)
            }
            text += ")"
        }

        /// Binds the beginning of a word to look for: `\(prefix: "Smi")` finds Smith and Smiley.
        public mutating func appendInterpolation(prefix value: String) {
            guard place.kind == .term else {
                return refuse("a prefix belongs between the braces of FIND, without quotes")
            }
            appendTerm(.string(value))
            text += "*"
        }

        /// Takes text as it is.
        ///
        /// Never pass a value from outside: it can change the search.
        public mutating func appendInterpolation(raw text: String) {
            appendLiteral(text)
        }

        private mutating func appendTerm(_ literal: SOQLLiteral) {
            let value = if case .string(let text) = literal { text } else { literal.text }
            guard value.contains(where: { $0.isLetter || $0.isNumber }) else {
                return refuse("a text without letters and digits cannot be searched for")
            }
            guard place.kind == .term else { return text += SOSL.escaped(value) }
            let words = SOSL.escaped(value).split(separator: " ", omittingEmptySubsequences: false)
            text += words.map { Self.operators.contains($0.uppercased()) ? "\"\($0)\"" : String($0) }.joined(
                separator: " ")
        }

        private static let operators: Set<String> = ["AND", "OR", "NOT"]

        private mutating func refuse(_ reason: String) {
            problem = problem ?? reason
        }
    }
}

/// Where the end of a search's text stands.
struct SOSLPlace {
    enum Kind {
        /// Among keywords and names.
        case outside
        /// In a text between single quotes.
        case quoted
        /// Between the braces of FIND.
        case term
        /// Between double quotes there.
        case phrase
    }

    private(set) var kind = Kind.outside
    private var isEscaped = false

    /// Goes on behind the text.
    mutating func pass(_ text: String) {
        for letter in text.unicodeScalars {
            if isEscaped {
                isEscaped = false
                continue
            }
            switch (kind, letter) {
            case (.quoted, "\\"), (.term, "\\"), (.phrase, "\\"): isEscaped = true
            case (.outside, "'"): kind = .quoted
            case (.quoted, "'"): kind = .outside
            case (.outside, "{"): kind = .term
            case (.term, "}"), (.phrase, "}"): kind = .outside
            case (.term, "\""): kind = .phrase
            case (.phrase, "\""): kind = .term
            default: break
            }
        }
    }
}
