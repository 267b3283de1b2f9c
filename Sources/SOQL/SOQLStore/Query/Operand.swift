// SPDX-License-Identifier: Apache-2.0

import RestSQLite
import SOQLCheck

/// The SQL of a resolved value, and what it gives.
struct Operand {
    var sql: SQLFragment
    let kind: ValueKind
    /// The field at the bottom; `nil` for one that several objects share.
    let field: FieldSchema?
    /// Whether the value is a column itself, not that of a function.
    var isColumn = true
    /// Whether it belongs to a parent, and so is null where there is no parent.
    var isOfParent = false

    /// The SQL with the collation of its kind.
    var collated: SQLFragment { sql + kind.collation }

    /// The SQL with the collation for whether it equals one of these values.
    ///
    /// What is ASCII equals nothing else, so SQLite can look it up in the index of a unique column. Without an index
    /// SQLite's own collation is quicker.
    func equated(with values: [SQLValue]) -> SQLFragment {
        guard field?.isOrdered != true else { return collated }
        let isASCII = values.allSatisfy { if case .text(let text) = $0 { text.isASCII } else { true } }
        return kind == .text && isASCII ? "\(sql) COLLATE NOCASE" : collated
    }

    /// What a function makes of it.
    func applying(_ sql: SQLFragment, _ kind: ValueKind) -> Operand {
        Operand(sql: sql, kind: kind, field: field, isColumn: false, isOfParent: isOfParent)
    }
}

extension Operand {
    /// The place of a picklist's value in its list; values outside it come last, and null has no place.
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

    /// What rows are sorted by: a picklist by the order of its list, texts without case.
    func sortTerms(_ suffix: SQLFragment = "") -> [SQLFragment] {
        [rank, collated].compactMap { $0.map { $0 + suffix } }
    }

    /// The least or the greatest value of a group, in the same order.
    func extreme(_ function: SQLFragment) -> SQLFragment {
        guard let rank else { return "\(function)(\(collated))" }
        return "substr(\(function)((printf('%05d', \(rank)) || \(sql)) COLLATE UNICODE_NOCASE), 6)"
    }
}

extension ValueKind {
    /// How `<`, ORDER BY and GROUP BY compare values of this kind.
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
    /// What cannot be filtered, sorted or grouped: it is not in the platform's indexes.
    package var isUnindexed: Bool {
        switch type {
        case .textarea: length > 255
        case .encryptedstring, .base64, .location, .address: true
        default: false
        }
    }
}

extension FieldSchema {
    /// Whether GROUP BY takes it.
    package var isGroupable: Bool { type != .textarea && !isUnindexed }
}

extension StringProtocol {
    /// Whether no character is beyond ASCII.
    var isASCII: Bool { utf8.allSatisfy { $0 < 0x80 } }
}
