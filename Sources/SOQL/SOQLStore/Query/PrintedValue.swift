// SPDX-License-Identifier: Apache-2.0

import SOQLCheck

extension Operand {
    /// The picklist labels of the values.
    var labelled: Operand {
        guard let field, field.type == .picklist else { return self }
        let cases = field.picklistValues.filter { $0.label != $0.value }.map { choice in
            " WHEN \(string: choice.value) THEN \(string: choice.label)" as SQLFragment
        }
        guard !cases.isEmpty else { return self }
        let sql: SQLFragment = "(CASE \(self.sql) COLLATE NOCASE\(cases.joined(separator: "")) ELSE \(self.sql) END)"
        return applying(sql, .text)
    }
}

/// A value as formatted by FORMAT(), which is null for null.
struct PrintedValue {
    private let value: SQLFragment
    private let kind: ValueKind
    private let type: FieldType?

    init(_ operand: Operand) {
        (kind, type) = (operand.kind, operand.field?.type)
        value = operand.sql
    }

    var sql: SQLFragment {
        switch kind {
        // The resolver rejects these.
        case .id, .text, .boolean, .time, .compound: value
        case .integer: number(decimals: 0, keepsZeros: false)
        case .real where type == .currency: number(prefix: "'$'", decimals: 2, keepsZeros: true)
        case .real where type == .percent: "(\(number(decimals: 3, keepsZeros: false)) || '%')"
        case .real: number(decimals: 3, keepsZeros: false)
        case .date: date
        case .dateTime: "(\(date) || ', ' || \(clock))"
        }
    }

    /// Formats a number with groups of three digits and decimals, without trailing zeros unless `keepsZeros` is true.
    private func number(prefix: SQLFragment = "''", decimals: Int, keepsZeros: Bool) -> SQLFragment {
        let size: SQLFragment = "round(abs(\(value)), \(number: decimals))"
        let whole: SQLFragment = "printf('%,d', CAST(\(size) AS INTEGER))"
        let digits: SQLFragment = "substr(printf('%.\(number: decimals)f', \(size)), \(number: -decimals - 1))"
        let fraction = keepsZeros ? digits : "rtrim(rtrim(\(digits), '0'), '.')" as SQLFragment
        let text = decimals == 0 ? whole : "\(whole) || \(fraction)" as SQLFragment
        return """
            CASE WHEN \(value) IS NOT NULL THEN CASE WHEN \(value) < 0 THEN '-' ELSE '' END || \(prefix) || \(text) END
            """
    }

    /// `1/29/2026`.
    private var date: SQLFragment {
        """
        CAST(substr(\(value), 6, 2) AS INTEGER) || '/' || CAST(substr(\(value), 9, 2) AS INTEGER) || '/' || \
        substr(\(value), 1, 4)
        """
    }

    /// `3:05 PM`.
    private var clock: SQLFragment {
        """
        ((CAST(substr(\(value), 12, 2) AS INTEGER) + 11) % 12 + 1) || substr(\(value), 14, 3) || \
        CASE WHEN substr(\(value), 12, 2) < '12' THEN ' AM' ELSE ' PM' END
        """
    }
}
