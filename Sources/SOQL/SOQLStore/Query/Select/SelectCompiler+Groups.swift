// SPDX-License-Identifier: Apache-2.0

import SOQLCheck
import SOQLSyntax

extension SelectCompiler {
    func compileGroups(_ columns: [ResolvedColumn]) throws(OrgError) -> CompiledQuery {
        let terms = query.groups.map { rows.operand($0) }
        let groups = GroupRows(rows: rows)
        guard query.query.grouping == .plain else { return try compileSubtotals(columns, terms) }
        var list = ColumnList()
        let members = selection(columns, groups).map { name, operand in
            RecordShape.Member(name, .value(column: list.position(of: operand.sql), operand.kind))
        }
        let tests = try filter()
        let order = order(isGrouped: true) { groups.operand($0) }
        let filter = try tests + groupClauses(terms, groups)
        let shape = RecordShape(idColumn: nil, openings: [], members: members)
        return assemble(.groups(shape), columns: list.sql, filter: filter, order: order)
    }

    private func selection(_ columns: [ResolvedColumn], _ groups: GroupRows) -> [(name: String, operand: Operand)] {
        columns.compactMap { column in column.value.map { (column.name, groups.operand($0)) } }
    }

    /// ` GROUP BY … HAVING …` of one set of groups, to be called after the rest of the query is compiled.
    private func groupClauses(_ terms: [Operand], _ groups: GroupRows) throws(OrgError) -> SQLFragment {
        var having = SQLFragment.empty
        if let condition = query.having {
            having = " HAVING \(try ConditionCompiler(rows: rows, groups: groups).compile(condition))"
        }
        let present = terms.filter { !groups.absent.contains($0.sql) }
        // For the grand total of subtotals, all rows are one group.
        guard !present.isEmpty else { return terms.isEmpty ? having : " GROUP BY NULL\(having)" }
        // With a plus sign, SQLite sorts the rows, which is faster than reading every record through an index.
        let sign: SQLFragment = rows.isCovered(by: present) ? "" : "+"
        return " GROUP BY \(present.map { "\(sign)\($0.collated)" }.joined(separator: ", "))\(having)"
    }

    // MARK: ROLLUP and CUBE

    /// Compiles a query with subtotals to one select for each set of groups, with a common order.
    ///
    /// Without ORDER BY, each subtotal follows its groups.
    private func compileSubtotals(
        _ columns: [ResolvedColumn], _ terms: [Operand]
    ) throws(OrgError) -> CompiledQuery {
        let tests = try filter()
        var selects: [SQLFragment] = []
        var shape = RecordShape(idColumn: nil, openings: [], members: [])
        var order = SQLFragment.empty
        for set in GroupRows.sets(query.query.grouping, terms, rows) {
            let selection = selection(columns, set)
            var columns: [SQLFragment] = selection.enumerated().map { number, member in
                "\(member.operand.sql) AS \"c\(number: number)\""
            }
            var sorted = 0
            order = self.order(isGrouped: true) { value in
                let operand = set.operand(value)
                defer { sorted += 1 }
                columns.append("\(operand.sql) AS \"o\(number: sorted)\"")
                var column = operand
                column.sql = "\"o\(number: sorted)\""
                return column
            }
            if query.order.isEmpty { order = natural(terms, set, &columns) }
            // Call this before `fromClause`, because it can add joins.
            let clauses = try groupClauses(terms, set)
            selects.append("SELECT \(columns.joined(separator: ", "))\(rows.fromClause)\(tests)\(clauses)")
            let members = selection.enumerated().map { number, member in
                RecordShape.Member(member.name, .value(column: number, member.operand.kind))
            }
            shape = RecordShape(idColumn: nil, openings: [], members: members)
        }
        let names = shape.members.indices.map { "\"c\(number: $0)\"" as SQLFragment }
        var compiled = assemble(.groups(shape), columns: names.joined(separator: ", "), filter: "", order: order)
        compiled.subtotals = "(\(selects.joined(separator: " UNION ALL ")))"
        return compiled
    }

    private func natural(
        _ terms: [Operand], _ set: GroupRows, _ columns: inout [SQLFragment]
    ) -> SQLFragment {
        var order: [SQLFragment] = []
        for (number, term) in terms.enumerated() {
            let isAbsent = set.absent.contains(term.sql)
            columns.append("\(isAbsent ? "1" : "0") AS \"g\(number: number)\"")
            columns.append("\(isAbsent ? "NULL" : term.sql) AS \"v\(number: number)\"")
            var value = term
            value.sql = "\"v\(number: number)\""
            order.append("\"g\(number: number)\"")
            order += value.sortTerms()
        }
        return " ORDER BY \(order.joined(separator: ", "))"
    }
}

struct GroupRows {
    let rows: JoinedRows
    /// The terms that these groups are subtotals over, which have no value.
    var absent: Set<SQLFragment> = []

    func operand(_ value: ResolvedValue) -> Operand {
        if case .subtotal(let term) = value.source {
            let operand = rows.operand(term)
            return operand.applying(absent.contains(operand.sql) ? "1" : "0", .integer)
        }
        var operand = rows.operand(value)
        if absent.contains(operand.sql) { operand.sql = "NULL" }
        return operand
    }

    /// Returns the sets of groups that a query requests, the finest first.
    static func sets(_ grouping: SOQLGrouping, _ terms: [Operand], _ rows: JoinedRows) -> [GroupRows] {
        let count = terms.count
        // One bit for each absent term. ROLLUP removes terms from the right.
        let masks =
            switch grouping {
            case .plain: [0]
            case .rollup: (0...count).map { ((1 << $0) - 1) << (count - $0) }
            case .cube: Array(0..<1 << count)
            }
        return masks.map { mask in
            let absent = terms.enumerated().filter { mask >> $0.offset & 1 == 1 }.map(\.element.sql)
            return GroupRows(rows: rows, absent: Set(absent))
        }
    }
}
