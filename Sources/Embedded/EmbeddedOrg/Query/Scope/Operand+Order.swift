// SPDX-License-Identifier: Apache-2.0

import SOQLSyntax

extension Operand {
    /// The place of a picklist's value in its list; values outside it come last, and null has no place.
    private var rank: SQLFragment? {
        guard isColumn, field.type == .picklist, !field.picklistValues.isEmpty else { return nil }
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
