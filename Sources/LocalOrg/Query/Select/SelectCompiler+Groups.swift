// SPDX-License-Identifier: Apache-2.0

import SOQLSyntax

extension SelectCompiler {
    /// A query with GROUP BY or aggregates.
    func compileGroups() throws(QueryError) -> CompiledQuery {
        try checkGroupLimit()
        let terms = try groupTerms()
        let groups = GroupTerms(terms: Set(terms.map(\.sql)))
        var columns = ColumnList()
        var selection = GroupSelection()
        for item in query.select { try add(item, groups, to: &selection) }
        let members = selection.members.map { name, operand in
            RecordShape.Member(name, .value(column: columns.position(of: operand.sql), operand.kind))
        }
        var filter = try filter()
        if !terms.isEmpty { filter += " GROUP BY \(terms.map(\.collated).joined(separator: ", "))" }
        if let having = query.having {
            filter += " HAVING \(try ConditionCompiler(scope: scope, groups: groups).compile(having))"
        }
        let order = try groupOrder(groups, selection)
        let shape = RecordShape(idColumn: nil, openings: [], members: members)
        return assemble(.groups(shape), columns: columns.sql, filter: filter, order: order)
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
        _ item: SOQLSelectItem, _ groups: GroupTerms, to selection: inout GroupSelection
    ) throws(QueryError) {
        guard case .field(let expression, let alias) = item else {
            throw compilation.error(
                .malformedQuery, "a query with groups or aggregates cannot have \(item.kind)", at: item.position)
        }
        let operand = try scope.operand(expression, .groupedSelection)
        try groups.check(operand, expression, "Field must be grouped or aggregated", compilation)
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

    private func groupOrder(_ groups: GroupTerms, _ selection: GroupSelection) throws(QueryError) -> SQLFragment {
        try order(isGrouped: true) { expression throws(QueryError) in
            if case .path(let path) = expression, path.parts.count == 1,
                let selected = selection.operand(named: path.last)
            {
                return selected
            }
            let operand = try scope.operand(expression, .groupedOrdering)
            try groups.check(operand, expression, "Ordered field must be grouped or aggregated", compilation)
            return operand
        }
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
