// SPDX-License-Identifier: Apache-2.0

import RestBase
import SOQLSyntax

extension SOQL {
    /// A condition of a query that is built in code.
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

        /// Combines two conditions with `AND`.
        public static func && (left: Condition, right: Condition) -> Condition { joined(left, "AND", right) }
        /// Combines two conditions with `OR`.
        public static func || (left: Condition, right: Condition) -> Condition { joined(left, "OR", right) }
        /// Negates a condition.
        public static prefix func ! (condition: Condition) -> Condition { Condition(.not(condition)) }

        /// Combines conditions with `AND`, or returns `nil` for an empty array.
        public static func all(_ conditions: [Condition]) -> Condition? {
            conditions.count < 2 ? conditions.first : Condition(.both(conditions, "AND"))
        }

        /// Combines conditions with `OR`, or returns `nil` for an empty array.
        public static func any(_ conditions: [Condition]) -> Condition? {
            conditions.count < 2 ? conditions.first : Condition(.both(conditions, "OR"))
        }

        /// Long chains stay flat, so that they do not nest deeply.
        private static func joined(_ left: Condition, _ word: String, _ right: Condition) -> Condition {
            if case .both(let parts, word) = left.kind { return Condition(.both(parts + [right], word)) }
            return Condition(.both([left, right], word))
        }
    }
}

/// Conditions for a field.
extension SOQL.Field {
    /// The field equals the value.
    public static func == (field: SOQL.Field, value: some SOQL.Bindable) -> SOQL.Condition { field.test("=", value) }
    /// The field does not equal the value.
    public static func != (field: SOQL.Field, value: some SOQL.Bindable) -> SOQL.Condition { field.test("!=", value) }
    /// The field is less than the value.
    public static func < (field: SOQL.Field, value: some SOQL.Bindable) -> SOQL.Condition { field.test("<", value) }
    /// The field is less than or equal to the value.
    public static func <= (field: SOQL.Field, value: some SOQL.Bindable) -> SOQL.Condition { field.test("<=", value) }
    /// The field is greater than the value.
    public static func > (field: SOQL.Field, value: some SOQL.Bindable) -> SOQL.Condition { field.test(">", value) }
    /// The field is greater than or equal to the value.
    public static func >= (field: SOQL.Field, value: some SOQL.Bindable) -> SOQL.Condition { field.test(">=", value) }

    /// The field has no value.
    public var isNull: SOQL.Condition { SOQL.Condition(.test(self, "=", .null)) }
    /// The field has a value.
    public var isNotNull: SOQL.Condition { SOQL.Condition(.test(self, "!=", .null)) }

    /// The field has one of the values, of which there must be at least one.
    public func isIn(_ values: [some SOQL.Bindable]) -> SOQL.Condition { list("IN", values) }
    /// The field has none of the values, of which there must be at least one.
    public func isNotIn(_ values: [some SOQL.Bindable]) -> SOQL.Condition { list("NOT IN", values) }
    /// The multi-select picklist includes one of the values, or all values of a string separated by `;`.
    public func includes(_ values: [some SOQL.Bindable]) -> SOQL.Condition { list("INCLUDES", values) }
    /// The multi-select picklist includes none of the values.
    public func excludes(_ values: [some SOQL.Bindable]) -> SOQL.Condition { list("EXCLUDES", values) }

    /// The field has one of the values that the query selects with its only field.
    public func isIn(_ query: SOQL.Select) -> SOQL.Condition { SOQL.Condition(.rows(self, "IN", query)) }
    /// The field has none of the values that the query selects with its only field.
    public func isNotIn(_ query: SOQL.Select) -> SOQL.Condition { SOQL.Condition(.rows(self, "NOT IN", query)) }

    /// The field matches a text in which `%` and `_` are escaped, optionally with wildcards before and after it.
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

extension SOQL {
    /// A field of a query that is built in code: a name, a path to a field of a parent, or a function of a field.
    ///
    /// ```swift
    /// let amount: SOQL.Field = "Amount"
    /// let owner: SOQL.Field = "Owner.Name"
    /// let total = SOQL.Field.sum("Amount")
    /// ```
    /// A name has letters, digits and underscores, separated by dots. Other names are rejected before the query is
    /// sent, so that no untrusted string becomes a part of the query.
    public struct Field: Sendable, ExpressibleByStringLiteral {
        enum Kind: Sendable {
            case path(String)
            indirect case call(String, SOQL.Field?)
        }

        let kind: Kind

        /// Makes a field from a name or a path.
        public init(_ path: String) { kind = .path(path) }
        /// Makes a field from a name or a path.
        public init(stringLiteral value: String) { kind = .path(value) }

        private init(_ function: String, of argument: SOQL.Field?) { kind = .call(function, argument) }

        /// Returns a function of a field, such as `CALENDAR_YEAR`, whose name has letters, digits and underscores.
        public static func function(_ name: String, of field: SOQL.Field) -> SOQL.Field { SOQL.Field(name, of: field) }
        /// The number of rows, which must be the only column of a query without groups.
        public static let count = SOQL.Field("COUNT", of: nil)
        /// The number of values that are not null.
        public static func count(_ field: SOQL.Field) -> SOQL.Field { SOQL.Field("COUNT", of: field) }
        /// The number of different values.
        public static func countDistinct(_ field: SOQL.Field) -> SOQL.Field { SOQL.Field("COUNT_DISTINCT", of: field) }
        /// The sum of the values.
        public static func sum(_ field: SOQL.Field) -> SOQL.Field { SOQL.Field("SUM", of: field) }
        /// The average of the values.
        public static func average(_ field: SOQL.Field) -> SOQL.Field { SOQL.Field("AVG", of: field) }
        /// The minimum value.
        public static func minimum(_ field: SOQL.Field) -> SOQL.Field { SOQL.Field("MIN", of: field) }
        /// The maximum value.
        public static func maximum(_ field: SOQL.Field) -> SOQL.Field { SOQL.Field("MAX", of: field) }

        var text: String {
            switch kind {
            case .path(let path): path
            case .call(let name, let argument): "\(name)(\(argument?.text ?? ""))"
            }
        }

        var isCountOfRows: Bool { if case .call("COUNT", nil) = kind { true } else { false } }

        var isAggregate: Bool {
            guard case .call(let name, let argument) = kind else { return false }
            return ["COUNT", "COUNT_DISTINCT", "SUM", "AVG", "MIN", "MAX"].contains(name.uppercased())
                || argument?.isAggregate == true
        }

        var problem: String? {
            switch kind {
            case .path(let path):
                let parts = path.split(byte: ".", omittingEmptySubsequences: false)
                guard parts.allSatisfy(\.isQueryName) else {
                    return
                        "'\(path.prefix(80))' is not a valid name; use letters, digits and underscores, with dots between names"
                }
                // Five parents and the field itself.
                return parts.count > 6
                    ? "'\(path.prefix(80))' goes through more than five parents; use a shorter path" : nil
            case .call(let name, let argument):
                return name[...].isQueryName
                    ? argument?.problem : "'\(name.prefix(80))' is not a valid name of a function"
            }
        }
    }
}

extension Substring {
    /// Whether the string is a name in SOQL: a letter, then letters, digits and underscores.
    var isQueryName: Bool {
        utf8.first.map { !(0x30...0x39).contains($0) && $0 != UInt8(ascii: "_") } ?? false
            && utf8.allSatisfy { $0.isASCIIAlphanumeric || $0 == UInt8(ascii: "_") }
    }
}
