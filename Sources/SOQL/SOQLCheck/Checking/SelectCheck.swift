// SPDX-License-Identifier: Apache-2.0

import SOQLSyntax

/// Checks a query at the top, or one for children: records, groups or a count.
struct SelectCheck {
    let query: SOQLQuery
    let scope: CheckScope
    /// How many queries stand around this one.
    var depth = 0

    var check: QueryCheck { scope.check }

    func run() {
        check.checkWindow(of: query)
        if query.isCount {
            count()
        } else if query.isAggregate {
            check.refuseUsage(of: query, in: "a query for groups")
            groups()
        } else {
            RecordCheck(query: query, scope: scope, depth: depth).run()
            filter()
            order { scope.operand($0, .ordering) }
        }
    }

    /// Checks the condition on rows.
    func filter() {
        if let condition = query.where { ConditionCheck(scope: scope).run(condition) }
    }

    private func count() {
        check.refuseUsage(of: query, in: "COUNT()")
        if let position = query.groupBy.first?.position {
            check.add(.misplaced, "COUNT() cannot be grouped; use COUNT(Id)", at: position)
        }
        if let position = query.orderBy.first?.expression.position {
            check.add(.misplaced, "COUNT() cannot be ordered", at: position)
        }
        filter()
    }

    /// Checks ORDER BY.
    func order(_ resolve: (SOQLExpression) -> Operand?) {
        for ordering in query.orderBy {
            guard let operand = resolve(ordering.expression), !operand.isSortable else { continue }
            check.add(
                .notSortable, "field '\(operand.name)' can not be sorted in a query call", at: operand.position,
                length: operand.length)
        }
    }

    // MARK: Groups

    private func groups() {
        if query.groupBy.isEmpty, let limit = query.limit {
            check.add(
                .limits, "Non-grouped query that uses overall aggregate functions cannot also use LIMIT",
                at: limit.position)
        }
        let groups = GroupCheck(scope, query)
        terms()
        var names: [String: SOQLExpression] = [:]
        for item in query.select { add(item, groups, &names) }
        filter()
        if let condition = query.having { ConditionCheck(scope: scope, groups: groups).run(condition) }
        order { expression in
            if case .path(let path) = expression, path.parts.count == 1, names[path.last.lowercased()] != nil {
                return nil
            }
            return groups.operand(expression, .groupedOrdering)
        }
    }

    private func terms() {
        if query.grouping != .plain, query.groupBy.count > 3 {
            check.add(
                .limits, "GROUP BY \(query.grouping.rawValue) takes at most 3 fields", at: query.groupBy[3].position)
        }
        for expression in query.groupBy {
            guard let operand = scope.operand(expression, .grouping), !operand.isGroupable else { continue }
            check.add(
                .notGroupable, "field '\(operand.name)' can not be grouped in a query call", at: operand.position,
                length: operand.length)
        }
    }

    private func add(_ item: SOQLSelectItem, _ groups: GroupCheck, _ names: inout [String: SOQLExpression]) {
        guard case .field(let expression, let alias) = item else {
            return check.add(
                .misplaced, "a query with groups or aggregates cannot have \(item.kind)", at: item.position)
        }
        _ = groups.operand(expression, .groupedSelection)
        guard let name = alias?.text ?? expression.ownName else { return }
        if names.updateValue(expression, forKey: name.lowercased()) != nil {
            check.add(.duplicate, "duplicate alias: \(name)", at: alias?.position ?? expression.position)
        }
    }
}

extension SOQLExpression {
    /// The name that the value has without an alias; functions have none of their own.
    fileprivate var ownName: String? { if case .path(let path) = self { path.last } else { nil } }
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
