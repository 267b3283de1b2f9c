// SPDX-License-Identifier: Apache-2.0

import SOQLSyntax

extension SelectCompiler {
    /// A query with GROUP BY or aggregates.
    func compileGroups() throws(QueryError) -> CompiledQuery {
        try checkGroupLimit()
        let terms = try groupTerms()
        let groups = GroupScope(scope, query.grouping, terms)
        guard query.grouping == .plain else { return try compileSubtotals(terms, groups) }
        let selection = try selection(groups)
        var columns = ColumnList()
        let members = selection.members.map { name, operand in
            RecordShape.Member(name, .value(column: columns.position(of: operand.sql), operand.kind))
        }
        let rows = try filter()
        let order = try order(isGrouped: true) { expression throws(QueryError) in
            try ordered(expression, groups, selection)
        }
        let filter = try rows + groupClauses(terms, groups)
        let shape = RecordShape(idColumn: nil, openings: [], members: members)
        return assemble(.groups(shape), columns: columns.sql, filter: filter, order: order)
    }

    /// ` GROUP BY … HAVING …` of one set of groups, asked for when the rest of the query is compiled.
    private func groupClauses(_ terms: [Operand], _ groups: GroupScope) throws(QueryError) -> SQLFragment {
        var having = SQLFragment.empty
        if let condition = query.having {
            having = " HAVING \(try ConditionCompiler(scope: scope, groups: groups).compile(condition))"
        }
        let present = terms.filter { !groups.absent.contains($0.sql) }
        // The total of subtotals: all rows are one group.
        guard !present.isEmpty else { return terms.isEmpty ? having : " GROUP BY NULL\(having)" }
        // With a plus SQLite sorts what it groups, which is quicker than reading every record by way of an index.
        let sign: SQLFragment = scope.isCovered(by: present) ? "" : "+"
        return " GROUP BY \(present.map { "\(sign)\($0.collated)" }.joined(separator: ", "))\(having)"
    }

    private func selection(_ groups: GroupScope) throws(QueryError) -> GroupSelection {
        var selection = GroupSelection()
        for item in query.select { try add(item, groups, to: &selection) }
        return selection
    }

    // MARK: ROLLUP and CUBE

    /// A query with subtotals: one select for each set of groups, together in one order.
    ///
    /// Without ORDER BY each subtotal follows the groups that it is of.
    private func compileSubtotals(_ terms: [Operand], _ groups: GroupScope) throws(QueryError) -> CompiledQuery {
        guard terms.count <= 3 else {
            throw compilation.error(
                .malformedQuery, "GROUP BY \(query.grouping.rawValue) takes at most 3 fields",
                at: query.groupBy[3].position)
        }
        let rows = try filter()
        var selects: [SQLFragment] = []
        var shape = RecordShape(idColumn: nil, openings: [], members: [])
        var order = SQLFragment.empty
        for set in groups.sets(terms) {
            let selection = try selection(set)
            var columns: [SQLFragment] = selection.members.enumerated().map { number, member in
                "\(member.operand.sql) AS \"c\(number: number)\""
            }
            var sorted = 0
            order = try self.order(isGrouped: true) { expression throws(QueryError) in
                let operand = try ordered(expression, set, selection)
                defer { sorted += 1 }
                columns.append("\(operand.sql) AS \"o\(number: sorted)\"")
                var column = operand
                column.sql = "\"o\(number: sorted)\""
                return column
            }
            if query.orderBy.isEmpty { order = natural(terms, set, &columns) }
            // Before the joins are asked for, as it may add some.
            let clauses = try groupClauses(terms, set)
            selects.append("SELECT \(columns.joined(separator: ", "))\(scope.fromClause)\(rows)\(clauses)")
            let members = selection.members.enumerated().map { number, member in
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
        _ terms: [Operand], _ set: GroupScope, _ columns: inout [SQLFragment]
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

    /// The select list of a query for groups while it is being read.
    private struct GroupSelection {
        private(set) var members: [(name: String, operand: Operand)] = []
        private var positions: [String: Int] = [:]
        var unnamed = 0

        /// The operand of an alias.
        func operand(named name: String) -> Operand? {
            positions[name.lowercased()].map { members[$0].operand }
        }

        /// Adds a member; `false` when there is one of that name.
        mutating func add(_ name: String, _ operand: Operand) -> Bool {
            guard positions.updateValue(members.count, forKey: name.lowercased()) == nil else { return false }
            members.append((name, operand))
            return true
        }
    }

    private func checkGroupLimit() throws(QueryError) {
        guard query.groupBy.isEmpty, let limit = query.limit else { return }
        throw compilation.error(
            .malformedQuery, "Non-grouped query that uses overall aggregate functions cannot also use LIMIT",
            at: limit.position)
    }

    private func groupTerms() throws(QueryError) -> [Operand] {
        var terms: [Operand] = []
        for expression in query.groupBy {
            let operand = try scope.operand(expression, .grouping)
            guard !operand.isColumn || operand.field.isSortable else {
                throw compilation.error(
                    .invalidField, "field '\(operand.field.name)' can not be grouped in a query call",
                    at: expression.position)
            }
            terms.append(operand)
        }
        return terms
    }

    private func add(
        _ item: SOQLSelectItem, _ groups: GroupScope, to selection: inout GroupSelection
    ) throws(QueryError) {
        guard case .field(let expression, let alias) = item else {
            throw compilation.error(
                .malformedQuery, "a query with groups or aggregates cannot have \(item.kind)", at: item.position)
        }
        let operand = try groups.operand(expression, .groupedSelection)
        let name = name(of: expression, operand, alias, &selection)
        guard selection.add(name, operand) else {
            throw compilation.error(
                .malformedQuery, "duplicate alias: \(name)", at: alias?.position ?? expression.position)
        }
    }

    private func name(
        of expression: SOQLExpression, _ operand: Operand, _ alias: SOQLName?, _ selection: inout GroupSelection
    ) -> String {
        if let alias { return alias.text }
        if case .path = expression { return operand.name }
        defer { selection.unnamed += 1 }
        return "expr\(selection.unnamed)"
    }

    /// An expression of ORDER BY: an alias of the select list, or one of the groups' own.
    private func ordered(
        _ expression: SOQLExpression, _ groups: GroupScope, _ selection: GroupSelection
    ) throws(QueryError) -> Operand {
        if case .path(let path) = expression, path.parts.count == 1,
            let selected = selection.operand(named: path.last)
        {
            return selected
        }
        return try groups.operand(expression, .groupedOrdering)
    }
}

extension SOQLSelectItem {
    /// What the entry is, for a message.
    fileprivate var kind: String {
        switch self {
        case .children: "subqueries"
        case .typeof: "TYPEOF"
        case .fields: "FIELDS()"
        case .count: "COUNT()"
        case .field: "fields"
        }
    }
}

/// What expressions mean for a group: they are aggregates, or terms of GROUP BY.
struct GroupScope {
    let scope: QueryScope
    let grouping: SOQLGrouping
    /// The terms of GROUP BY.
    let terms: Set<SQLFragment>
    /// The terms that these groups are subtotals over, and so have no value of.
    var absent: Set<SQLFragment> = []

    init(_ scope: QueryScope, _ grouping: SOQLGrouping, _ terms: [Operand]) {
        self.scope = scope
        self.grouping = grouping
        self.terms = Set(terms.map(\.sql))
    }

    private var compilation: Compilation { scope.compilation }

    /// The SQL of an expression of these groups.
    ///
    /// It throws unless the expression is an aggregate or one of the terms.
    func operand(_ expression: SOQLExpression, _ use: QueryScope.ExpressionUse) throws(QueryError) -> Operand {
        if case .call(let call) = expression, call.function.uppercased() == "GROUPING" { return try isSubtotal(call) }
        var operand = try scope.operand(expression, use)
        guard !expression.isAggregate else { return operand }
        try check(operand, expression, use)
        if absent.contains(operand.sql) { operand.sql = "NULL" }
        return operand
    }

    private func check(
        _ operand: Operand, _ expression: SOQLExpression, _ use: QueryScope.ExpressionUse
    ) throws(QueryError) {
        guard !terms.contains(operand.sql) else { return }
        let complaint = use == .groupedOrdering ? "Ordered field" : "Field"
        throw compilation.error(
            .malformedQuery, "\(complaint) must be grouped or aggregated: \(expression.text.shortened)",
            at: expression.position)
    }

    /// `GROUPING(field)`: 1 in a subtotal over the field, else 0.
    private func isSubtotal(_ call: SOQLCall) throws(QueryError) -> Operand {
        guard grouping != .plain else {
            throw compilation.error(
                .malformedQuery, "GROUPING() needs GROUP BY ROLLUP or GROUP BY CUBE", at: call.position)
        }
        guard let argument = call.argument else {
            throw compilation.error(.malformedQuery, "GROUPING() takes one field", at: call.position)
        }
        let operand = try scope.operand(argument, .grouping)
        try check(operand, argument, .groupedSelection)
        return operand.applying(absent.contains(operand.sql) ? "1" : "0", .integer, position: call.position)
    }

    // MARK: Subtotals

    /// One scope for each set of groups that the query asks for, the finest first.
    func sets(_ terms: [Operand]) -> [GroupScope] {
        let count = terms.count
        // A bit for each term that is absent; ROLLUP leaves terms out from the right.
        let masks =
            switch grouping {
            case .plain: [0]
            case .rollup: (0...count).map { ((1 << $0) - 1) << (count - $0) }
            case .cube: Array(0..<1 << count)
            }
        return masks.map { mask in
            var set = self
            for (index, term) in terms.enumerated() where mask >> index & 1 == 1 { set.absent.insert(term.sql) }
            return set
        }
    }
}
