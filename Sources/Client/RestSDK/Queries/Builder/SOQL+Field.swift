// SPDX-License-Identifier: Apache-2.0

import RestText

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
