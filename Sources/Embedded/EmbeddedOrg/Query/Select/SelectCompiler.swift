// SPDX-License-Identifier: Apache-2.0

import SOQLSyntax

/// Compiles a query at the top: records, groups or a count.
struct SelectCompiler {
    let query: SOQLQuery
    let scope: QueryScope
    /// How many queries stand around this one.
    var depth = 0

    var compilation: Compilation { scope.compilation }

    func compile() throws(QueryError) -> CompiledQuery {
        try checkWindow()
        if query.isCount {
            try checkUsage("COUNT()")
            return try compileCount()
        }
        guard query.isAggregate else { return try compileRecords() }
        try checkUsage("a query for groups")
        return try compileGroups()
    }

    func assemble(
        _ shape: CompiledQuery.Shape, columns: SQLFragment, filter: SQLFragment, order: SQLFragment
    ) -> CompiledQuery {
        CompiledQuery(
            shape: shape, object: scope.object.name, limit: query.limit?.value, columns: columns,
            source: scope.source, filter: filter, order: order, offset: query.offset?.value ?? 0)
    }

    // MARK: Count and records

    private func compileCount() throws(QueryError) -> CompiledQuery {
        if let position = query.groupBy.first?.position {
            throw compilation.error(.malformedQuery, "COUNT() cannot be grouped; use COUNT(Id)", at: position)
        }
        if let position = query.orderBy.first?.expression.position {
            throw compilation.error(.malformedQuery, "COUNT() cannot be ordered", at: position)
        }
        return assemble(.count, columns: "", filter: try filter(), order: "")
    }

    private func compileRecords() throws(QueryError) -> CompiledQuery {
        let record = try RecordSelection(query: query, scope: scope).compile()
        let filter = try filter()
        let order = try order { expression throws(QueryError) in try scope.operand(expression, .ordering) }
        var columns = ColumnList()
        let shape = record.shape(scope, &columns)
        var compiled = assemble(.records(shape), columns: columns.sql, filter: filter, order: order)
        // Of other objects the org keeps no views, and the clause changes nothing.
        compiled.usage = scope.object.isViewed ? query.usage?.value : nil
        return compiled
    }

    /// Refuses FOR VIEW and FOR REFERENCE where there are no records that the user could look at.
    func checkUsage(_ place: String) throws(QueryError) {
        guard let usage = query.usage else { return }
        throw compilation.error(
            .malformedQuery, "FOR \(usage.value.rawValue) is not allowed in \(place)", at: usage.position)
    }

    // MARK: Clauses

    /// ` WHERE …` of the condition and the deleted rows.
    func filter() throws(QueryError) -> SQLFragment {
        let tests = try tests()
        return tests.isEmpty ? "" : " WHERE \(tests.joined(separator: " AND "))"
    }

    /// What every row of the answer fulfils.
    func tests() throws(QueryError) -> [SQLFragment] {
        var tests: [SQLFragment] = []
        if let condition = query.where {
            tests.append(try ConditionCompiler(scope: scope, depth: depth).compile(condition))
        }
        if let name = query.scope, let test = try compilation.test(of: name, scope) { tests.append(test) }
        if let deleted = scope.deletedFilter { tests.append(deleted) }
        return tests
    }

    /// ` ORDER BY …`; records that compare equal, and all without an order, keep the order of the table.
    ///
    /// So pages do not depend on chance, nor on the index that the database takes.
    func order(
        isGrouped: Bool = false, _ resolve: (SOQLExpression) throws(QueryError) -> Operand
    ) throws(QueryError) -> SQLFragment {
        var terms: [SQLFragment] = []
        var seen: Set<SQLFragment> = []
        for ordering in query.orderBy {
            let operand = try resolve(ordering.expression)
            guard !operand.isColumn || operand.field.isSortable else {
                throw compilation.error(
                    .invalidField, "field '\(operand.field.name)' can not be sorted in a query call",
                    at: ordering.expression.position)
            }
            // What was compared before decides nothing any more.
            guard seen.insert(operand.sql).inserted else { continue }
            let direction: SQLFragment = ordering.isDescending ? " DESC" : " ASC"
            let nulls: SQLFragment = ordering.nulls == .last ? " NULLS LAST" : " NULLS FIRST"
            terms += operand.sortTerms(direction + nulls)
        }
        if !isGrouped { terms.append(lastTerm) }
        guard !terms.isEmpty else { return "" }
        return " ORDER BY \(terms.joined(separator: ", "))"
    }

    /// The number of the row, plain only where an index can give the whole order.
    ///
    /// A plain one lets SQLite walk a table by an index that gives another order, and sort all the same.
    private var lastTerm: SQLFragment {
        guard let first = query.orderBy.first?.expression else { return scope.rowOrder }
        guard case .path(let path) = first, scope.joinedChildren.isEmpty else { return "+\(scope.rowOrder)" }
        let parts = scope.relativeParts(of: path)
        let field = parts.count == 1 ? scope.object.field(named: parts[0]) : nil
        let isServed = field.map { $0.isOrdered && $0.type != .picklist } ?? false
        return isServed ? scope.rowOrder : "+\(scope.rowOrder)"
    }

    private func checkWindow() throws(QueryError) {
        if let limit = query.limit, limit.value < 0 {
            throw compilation.error(.malformedQuery, "LIMIT must not be negative: \(limit.value)", at: limit.position)
        }
        if let offset = query.offset, offset.value < 0 {
            throw compilation.error(
                .malformedQuery, "OFFSET must not be negative: \(offset.value)", at: offset.position)
        }
        if let offset = query.offset, offset.value > 2_000 {
            throw compilation.error(
                .numberOutsideRange, "Maximum SOQL offset allowed is 2000", at: offset.position)
        }
    }

    /// Checks the LIMIT and OFFSET of a child query against those of the query around it.
    func checkWindow(insideOf outer: SOQLQuery) throws(QueryError) {
        try checkWindow()
        if let offset = query.offset, outer.limit?.value != 1 {
            throw compilation.error(
                .malformedQuery, "OFFSET in a subquery needs a parent query with LIMIT 1", at: offset.position)
        }
    }
}

/// The columns of a statement, each once.
struct ColumnList {
    private var columns: [SQLFragment] = []
    private var positions: [SQLFragment: Int] = [:]

    /// The position of a column, which is added when it is new.
    mutating func position(of column: SQLFragment) -> Int {
        if let known = positions[column] { return known }
        positions[column] = columns.count
        columns.append(column)
        return columns.count - 1
    }

    var sql: SQLFragment { columns.joined(separator: ", ") }
}

extension FieldSchema {
    var isSortable: Bool { !isUnindexed && type != .multipicklist }
}
