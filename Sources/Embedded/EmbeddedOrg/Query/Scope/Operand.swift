// SPDX-License-Identifier: Apache-2.0

import LocalServer
import SOQLSyntax

/// What a test, ORDER BY, GROUP BY or a select list is about: some SQL and what it gives.
struct Operand {
    var sql: SQLFragment
    let kind: ValueKind
    /// The field at the bottom; its name goes into messages.
    let field: FieldSchema
    /// The name the answer gives it.
    let name: String
    /// Whether the value is a column itself, not that of a function.
    var isColumn = true
    /// Whether it belongs to a parent, and so is null where there is no parent.
    var isOfParent = false
    let position: SOQLPosition

    /// The SQL with the collation of its kind.
    var collated: SQLFragment { sql + kind.collation }

    /// The SQL with the collation for whether it equals one of these values.
    ///
    /// What is ASCII equals nothing else, so SQLite can look it up in the index of a unique column. Without an index
    /// SQLite's own collation is quicker.
    func equated(with values: [SQLValue]) -> SQLFragment {
        guard !field.isOrdered else { return collated }
        let isASCII = values.allSatisfy { if case .text(let text) = $0 { text.isASCII } else { true } }
        return kind == .text && isASCII ? "\(sql) COLLATE NOCASE" : collated
    }

    func applying(_ sql: SQLFragment, _ kind: ValueKind, position: SOQLPosition) -> Operand {
        Operand(
            sql: sql, kind: kind, field: field, name: name, isColumn: false, isOfParent: isOfParent, position: position)
    }
}
