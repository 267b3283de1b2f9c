// SPDX-License-Identifier: Apache-2.0

import SOQLSyntax

/// A query whose interpolated values are bound: each becomes an escaped literal, so no value can change the query.
///
/// ```swift
/// let name = "D'Arcy \\ Sons"
/// let query: SOQL = "SELECT Id FROM Account WHERE Name = \(name) AND Industry IN \(["Banking", "Energy"])"
/// ```
/// Text that is to stand in the query as it is (a field name, a whole query from a user) needs the visible `\(raw:
/// text)`. A value that has no literal, such as an empty list or an infinite number, is reported by the call before
/// anything is sent.
public struct SOQL: Sendable, Hashable, CustomStringConvertible {
    /// The query's text as it is sent.
    public let text: String
    /// Why the query cannot be sent, when a value has no literal.
    package let problem: String?

    /// Takes a whole query as it is: from a file, a command line, a person.
    public init(raw text: String) {
        self.text = text
        problem = nil
    }

    /// The value as text, for people and logs.
    public var description: String { text }
}

extension SOQL: ExpressibleByStringInterpolation {
    /// Takes a literal as it is.
    public init(stringLiteral value: String) {
        self.init(raw: value)
    }

    /// Takes a literal with its bound values.
    public init(stringInterpolation: StringInterpolation) {
        text = stringInterpolation.text
        problem = stringInterpolation.problem
    }

    /// Collects the pieces of a query and binds the values in it.
    public struct StringInterpolation: StringInterpolationProtocol {
        var text = ""
        var problem: String?

        /// Reserves room for the literal pieces.
        public init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + interpolationCount * 16)
        }

        /// Takes a piece of the query itself.
        public mutating func appendLiteral(_ literal: String) {
            text += literal
        }

        /// Binds one value.
        public mutating func appendInterpolation(_ value: some SOQLBindable) {
            bind(value.soqlLiteral)
        }

        /// Binds a value that may be absent; `nil` becomes `null`.
        public mutating func appendInterpolation(_ value: (some SOQLBindable)?) {
            bind(value.map { $0.soqlLiteral } ?? .null)
        }

        /// Binds a list for `IN` and `NOT IN`.
        ///
        /// An empty list has no literal.
        public mutating func appendInterpolation(_ values: [some SOQLBindable]) {
            guard !values.isEmpty else { return refuse("an empty list cannot be bound; the server refuses IN ()") }
            text += "("
            for (position, value) in values.enumerated() {
                if position > 0 { text += "," }
                bind(value.soqlLiteral)
            }
            text += ")"
        }

        /// Binds a text for `LIKE` that matches itself: `%` and `_` in it are escaped.
        ///
        /// Put wildcards beside it.
        ///
        /// - Parameters:
        ///   - value: the text to find.
        ///   - prefix: a pattern before it, taken as it is (`"%"`).
        ///   - suffix: a pattern after it, taken as it is.
        public mutating func appendInterpolation(like value: String, prefix: String = "", suffix: String = "") {
            text += "'" + prefix + SOQLEscaping.escapedLikePattern(value) + suffix + "'"
        }

        /// Takes text as it is.
        ///
        /// Never pass a value from outside: it can change the query.
        public mutating func appendInterpolation(raw text: String) {
            self.text += text
        }

        private mutating func bind(_ literal: SOQLLiteral?) {
            guard let literal else {
                return refuse(
                    "a number that is not finite or out of range, or a day that no calendar has, cannot be bound")
            }
            text += literal.text
        }

        private mutating func refuse(_ reason: String) {
            problem = problem ?? reason
        }
    }
}
