// SPDX-License-Identifier: Apache-2.0

import RestSQLite
import SOQLCheck

/// The SQL of a resolved value, with its type.
struct Operand {
    var sql: SQLFragment
    let kind: ValueKind
    /// The underlying field, or `nil` for a field that several objects have in common.
    let field: FieldSchema?
    /// Whether the value is a column and not the result of a function.
    var isColumn = true
    /// Whether the value belongs to a parent, so that it is null if the parent does not exist.
    var isOfParent = false

    var collated: SQLFragment { sql + kind.collation }

    /// Returns the SQL with the collation for a test of equality with these values.
    ///
    /// An ASCII string equals only ASCII strings, so SQLite's own collation is correct. It allows the index of a unique
    /// column, and is faster without an index.
    func equated(with values: [SQLValue]) -> SQLFragment {
        guard field?.isOrdered != true else { return collated }
        let isASCII = values.allSatisfy { if case .text(let text) = $0 { text.isASCII } else { true } }
        return kind == .text && isASCII ? "\(sql) COLLATE NOCASE" : collated
    }

    /// Returns the operand with a function applied to it.
    func applying(_ sql: SQLFragment, _ kind: ValueKind) -> Operand {
        Operand(sql: sql, kind: kind, field: field, isColumn: false, isOfParent: isOfParent)
    }
}

extension Operand {
    /// The index of a picklist value in its list, which is the last for unlisted values and null for null.
    private var rank: SQLFragment? {
        guard isColumn, let field, field.type == .picklist, !field.picklistValues.isEmpty else { return nil }
        let cases = field.picklistValues.enumerated().map { number, value in
            " WHEN \(string: value.value) THEN \(number: number)" as SQLFragment
        }
        let last = field.picklistValues.count
        return """
            CASE WHEN \(sql) IS NOT NULL THEN CASE \(sql) COLLATE NOCASE\(cases.joined(separator: "")) \
            ELSE \(number: last) END END
            """
    }

    /// The terms that rows are sorted by: picklists in the order of their list, and strings without case.
    func sortTerms(_ suffix: SQLFragment = "") -> [SQLFragment] {
        [rank, collated].compactMap { $0.map { $0 + suffix } }
    }

    /// The minimum or maximum of a group, in the order of ``sortTerms(_:)``.
    func extreme(_ function: SQLFragment) -> SQLFragment {
        guard let rank else { return "\(function)(\(collated))" }
        return "substr(\(function)((printf('%05d', \(rank)) || \(sql)) COLLATE UNICODE_NOCASE), 6)"
    }
}

extension ValueKind {
    /// The collation for `<`, ORDER BY and GROUP BY.
    var collation: SQLFragment { self == .text ? " COLLATE UNICODE_NOCASE" : "" }
}

extension FieldType {
    var kind: ValueKind {
        switch self {
        case .id, .reference: .id
        case .string, .picklist, .multipicklist, .textarea, .email, .phone, .url, .combobox, .encryptedstring, .base64:
            .text
        case .boolean: .boolean
        case .int: .integer
        case .double, .currency, .percent: .real
        case .date: .date
        case .datetime: .dateTime
        case .time: .time
        case .location, .address: .compound
        }
    }
}

extension FieldSchema {
    /// Whether Salesforce does not index the field, so that it cannot be filtered, sorted or grouped.
    package var isUnindexed: Bool {
        switch type {
        case .textarea: length > 255
        case .encryptedstring, .base64, .location, .address: true
        default: false
        }
    }
}

extension FieldSchema {
    package var isGroupable: Bool { type != .textarea && !isUnindexed }
}

extension StringProtocol {
    var isASCII: Bool { utf8.allSatisfy { $0 < 0x80 } }
}
