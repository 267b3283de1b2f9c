// SPDX-License-Identifier: Apache-2.0

import RestBase
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

extension SOQL {
    /// A field of a query that is composed in code: its name, a path to a parent's field, or a function of one.
    ///
    /// ```swift
    /// let amount: SOQL.Field = "Amount"
    /// let owner: SOQL.Field = "Owner.Name"
    /// let total = SOQL.Field.sum("Amount")
    /// ```
    /// A name is letters, digits and underscores, with dots between; any other is refused before the query is sent, so
    /// that no text from outside becomes a part of the query.
    public struct Field: Sendable, ExpressibleByStringLiteral {
        /// What a field is made of.
        enum Kind: Sendable {
            case path(String)
            indirect case call(String, SOQL.Field?)
        }

        let kind: Kind

        /// The field of that name or path.
        public init(_ path: String) { kind = .path(path) }
        /// The field of that name or path.
        public init(stringLiteral value: String) { kind = .path(value) }

        private init(_ function: String, of argument: SOQL.Field?) { kind = .call(function, argument) }

        /// A function of a field, such as `CALENDAR_YEAR`; its name is of letters, digits and underscores too.
        public static func function(_ name: String, of field: SOQL.Field) -> SOQL.Field { SOQL.Field(name, of: field) }
        /// The number of rows; it stands alone in a query without groups.
        public static let count = SOQL.Field("COUNT", of: nil)
        /// The number of values that are not null.
        public static func count(_ field: SOQL.Field) -> SOQL.Field { SOQL.Field("COUNT", of: field) }
        /// The number of different values.
        public static func countDistinct(_ field: SOQL.Field) -> SOQL.Field { SOQL.Field("COUNT_DISTINCT", of: field) }
        /// The sum of the values.
        public static func sum(_ field: SOQL.Field) -> SOQL.Field { SOQL.Field("SUM", of: field) }
        /// The average of the values.
        public static func average(_ field: SOQL.Field) -> SOQL.Field { SOQL.Field("AVG", of: field) }
        /// The least value.
        public static func minimum(_ field: SOQL.Field) -> SOQL.Field { SOQL.Field("MIN", of: field) }
        /// The greatest value.
        public static func maximum(_ field: SOQL.Field) -> SOQL.Field { SOQL.Field("MAX", of: field) }

        /// The field as it stands in a query.
        var text: String {
            switch kind {
            case .path(let path): path
            case .call(let name, let argument): "\(name)(\(argument?.text ?? ""))"
            }
        }

        /// Whether it is the number of rows.
        var isCountOfRows: Bool { if case .call("COUNT", nil) = kind { true } else { false } }

        /// Whether it is about groups and not about rows.
        var isAggregate: Bool {
            guard case .call(let name, let argument) = kind else { return false }
            return ["COUNT", "COUNT_DISTINCT", "SUM", "AVG", "MIN", "MAX"].contains(name.uppercased())
                || argument?.isAggregate == true
        }

        /// Why it cannot be sent.
        var problem: String? {
            switch kind {
            case .path(let path):
                let parts = path.split(byte: ".", omittingEmptySubsequences: false)
                guard parts.allSatisfy(\.isQueryName) else {
                    return "'\(path.prefix(80))' is no name: use letters, digits and underscores, with dots between"
                }
                // Five parents and the field itself.
                return parts.count > 6 ? "'\(path.prefix(80))' goes through more than five parents" : nil
            case .call(let name, let argument):
                return name[...].isQueryName ? argument?.problem : "'\(name.prefix(80))' is no function's name"
            }
        }
    }
}

extension Substring {
    /// Whether the text is a name of the query language: a letter, then letters, digits and underscores.
    var isQueryName: Bool {
        utf8.first.map { !(0x30...0x39).contains($0) && $0 != UInt8(ascii: "_") } ?? false
            && utf8.allSatisfy { $0.isASCIIAlphanumeric || $0 == UInt8(ascii: "_") }
    }
}
