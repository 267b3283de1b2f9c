// SPDX-License-Identifier: Apache-2.0

import SOQLSyntax

extension SOQL {
    /// A condition of a query that is composed in code.
    ///
    /// ```swift
    /// let condition: SOQL.Condition = SOQL.Field("Amount") > 1_000 && SOQL.Field("StageName").isIn(stages)
    /// ```
    /// Values are bound as in a ``SOQL`` literal.
    public struct Condition: Sendable {
        indirect enum Kind: Sendable {
            case test(SOQL.Field, String, SOQLLiteral?)
            case list(SOQL.Field, String, [SOQLLiteral?])
            case pattern(SOQL.Field, SOQLPattern)
            case rows(SOQL.Field, String, SOQL.Select)
            case not(Condition)
            case both([Condition], String)
        }

        let kind: Kind

        init(_ kind: Kind) { self.kind = kind }

        /// Both of them.
        public static func && (left: Condition, right: Condition) -> Condition { joined(left, "AND", right) }
        /// One of them, or both.
        public static func || (left: Condition, right: Condition) -> Condition { joined(left, "OR", right) }
        /// The opposite.
        public static prefix func ! (condition: Condition) -> Condition { Condition(.not(condition)) }

        /// All of them; `nil` when there is none.
        public static func all(_ conditions: [Condition]) -> Condition? {
            conditions.count < 2 ? conditions.first : Condition(.both(conditions, "AND"))
        }

        /// Any of them; `nil` when there is none.
        public static func any(_ conditions: [Condition]) -> Condition? {
            conditions.count < 2 ? conditions.first : Condition(.both(conditions, "OR"))
        }

        /// Long chains stay flat, so that they cost no depth.
        private static func joined(_ left: Condition, _ word: String, _ right: Condition) -> Condition {
            if case .both(let parts, word) = left.kind { return Condition(.both(parts + [right], word)) }
            return Condition(.both([left, right], word))
        }
    }
}

/// Conditions on a field.
extension SOQL.Field {
    /// Equal to a value.
    public static func == (field: SOQL.Field, value: some SOQL.Bindable) -> SOQL.Condition { field.test("=", value) }
    /// Other than a value.
    public static func != (field: SOQL.Field, value: some SOQL.Bindable) -> SOQL.Condition { field.test("!=", value) }
    /// Less than a value.
    public static func < (field: SOQL.Field, value: some SOQL.Bindable) -> SOQL.Condition { field.test("<", value) }
    /// Not more than a value.
    public static func <= (field: SOQL.Field, value: some SOQL.Bindable) -> SOQL.Condition { field.test("<=", value) }
    /// More than a value.
    public static func > (field: SOQL.Field, value: some SOQL.Bindable) -> SOQL.Condition { field.test(">", value) }
    /// Not less than a value.
    public static func >= (field: SOQL.Field, value: some SOQL.Bindable) -> SOQL.Condition { field.test(">=", value) }

    /// Empty.
    public var isNull: SOQL.Condition { SOQL.Condition(.test(self, "=", .null)) }
    /// Not empty.
    public var isNotNull: SOQL.Condition { SOQL.Condition(.test(self, "!=", .null)) }

    /// Among these values; an empty list is refused.
    public func isIn(_ values: [some SOQL.Bindable]) -> SOQL.Condition { list("IN", values) }
    /// None of these values; an empty list is refused.
    public func isNotIn(_ values: [some SOQL.Bindable]) -> SOQL.Condition { list("NOT IN", values) }
    /// A choice of several that has these, each a value or several with `;` between.
    public func includes(_ values: [some SOQL.Bindable]) -> SOQL.Condition { list("INCLUDES", values) }
    /// A choice of several that has none of these.
    public func excludes(_ values: [some SOQL.Bindable]) -> SOQL.Condition { list("EXCLUDES", values) }

    /// Among the values of the one field that a query selects.
    public func isIn(_ query: SOQL.Select) -> SOQL.Condition { SOQL.Condition(.rows(self, "IN", query)) }
    /// None of the values of the one field that a query selects.
    public func isNotIn(_ query: SOQL.Select) -> SOQL.Condition { SOQL.Condition(.rows(self, "NOT IN", query)) }

    /// A text in which `%` and `_` mean themselves, with wildcards beside it by choice.
    public func isLike(
        _ text: String, prefix: SOQL.Wildcard? = nil, suffix: SOQL.Wildcard? = nil
    ) -> SOQL.Condition {
        let elements = [prefix?.element, .text(text), suffix?.element].compactMap { $0 }
        return SOQL.Condition(.pattern(self, SOQLPattern(elements)))
    }

    private func test(_ sign: String, _ value: some SOQL.Bindable) -> SOQL.Condition {
        SOQL.Condition(.test(self, sign, value.soqlLiteral))
    }

    private func list(_ word: String, _ values: [some SOQL.Bindable]) -> SOQL.Condition {
        SOQL.Condition(.list(self, word, values.map { $0.soqlLiteral }))
    }
}
