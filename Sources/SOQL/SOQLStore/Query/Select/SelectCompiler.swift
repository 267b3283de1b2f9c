// SPDX-License-Identifier: Apache-2.0

import SOQLCheck
import SOQLSyntax

struct SelectCompiler {
    let query: ResolvedQuery
    let rows: JoinedRows
    /// The number of enclosing queries.
    var depth = 0

    var compilation: Compilation { rows.compilation }

    func compile() throws(OrgError) -> CompiledQuery {
        switch query.selection {
        case .count: return assemble(.count, columns: "", filter: try filter(), order: "")
        case .groups(let columns): return try compileGroups(columns)
        case .records(let record):
            let node = try node(of: record)
            let filter = try filter()
            let order = order { rows.operand($0) }
            var columns = ColumnList()
            let shape = node.shape(compilation, &columns)
            var compiled = assemble(.records(shape), columns: columns.sql, filter: filter, order: order)
            // The org does not record views of other objects, so the clause has no effect.
            compiled.usage = rows.object.isViewed ? query.query.usage?.value : nil
            return compiled
        }
    }

    func assemble(
        _ shape: CompiledQuery.Shape, columns: SQLFragment, filter: SQLFragment, order: SQLFragment
    ) -> CompiledQuery {
        CompiledQuery(
            shape: shape, object: rows.object.name, limit: query.query.limit?.value, columns: columns,
            source: rows.source, filter: filter, order: order, offset: query.query.offset?.value ?? 0)
    }

    // MARK: Clauses

    /// ` WHERE …` with the condition and the test for deleted rows.
    func filter() throws(OrgError) -> SQLFragment {
        let tests = try tests()
        return tests.isEmpty ? "" : " WHERE \(tests.joined(separator: " AND "))"
    }

    /// Returns the tests that every row of the result passes.
    func tests() throws(OrgError) -> [SQLFragment] {
        var tests: [SQLFragment] = []
        if let condition = query.condition {
            tests.append(try ConditionCompiler(rows: rows, depth: depth).compile(condition))
        }
        if let name = query.query.scope, let test = try compilation.test(of: name, rows) { tests.append(test) }
        if let deleted = rows.deletedFilter { tests.append(deleted) }
        return tests
    }

    /// ` ORDER BY …`, with the row number as the last term, so that pages do not depend on the index that is used.
    func order(isGrouped: Bool = false, _ operand: (ResolvedValue) -> Operand) -> SQLFragment {
        var terms: [SQLFragment] = []
        var seen: Set<SQLFragment> = []
        for entry in query.order {
            let operand = operand(entry.value)
            // A repeated value does not affect the order.
            guard seen.insert(operand.sql).inserted else { continue }
            let direction: SQLFragment = entry.ordering.isDescending ? " DESC" : " ASC"
            let nulls: SQLFragment = entry.ordering.nulls == .last ? " NULLS LAST" : " NULLS FIRST"
            terms += operand.sortTerms(direction + nulls)
        }
        if !isGrouped { terms.append(lastTerm) }
        guard !terms.isEmpty else { return "" }
        return " ORDER BY \(terms.joined(separator: ", "))"
    }

    /// The row number, without a plus sign only if an index can provide the whole order.
    ///
    /// Without the plus sign, SQLite can walk a table by an index with another order and sort nevertheless.
    private var lastTerm: SQLFragment {
        guard let first = query.order.first?.value else { return rows.rowOrder }
        guard case .field(let field, let row) = first.source, row.isRoot, rows.children.isEmpty,
            let field = rows.object.field(named: field.name), field.isOrdered, field.type != .picklist
        else { return "+\(rows.rowOrder)" }
        return rows.rowOrder
    }
}

/// The distinct columns of a statement.
struct ColumnList {
    private var columns: [SQLFragment] = []
    private var positions: [SQLFragment: Int] = [:]

    /// Returns the position of a column, which is added if it is new.
    mutating func position(of column: SQLFragment) -> Int {
        if let known = positions[column] { return known }
        positions[column] = columns.count
        columns.append(column)
        return columns.count - 1
    }

    var sql: SQLFragment { columns.joined(separator: ", ") }
}
