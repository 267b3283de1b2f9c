// SPDX-License-Identifier: Apache-2.0

import SOQLSyntax

/// Resolves the clauses of a query for records, groups or a count.
struct SelectResolver {
    let query: SOQLQuery
    let scope: ResolverScope
    /// The number of enclosing queries.
    var depth = 0

    private var resolver: Resolver { scope.resolver }

    /// Resolves a top-level query, or returns `nil` if its object is unknown.
    func resolve() -> ResolvedQuery? {
        resolver.checkWindow(of: query)
        if query.isCount { return count() }
        guard query.isAggregate else { return records() }
        resolver.refuseUsage(of: query, in: "a query for groups")
        return groups()
    }

    func resolveChildren(of outer: SOQLQuery) -> ResolvedQuery? {
        resolver.checkWindow(of: query, insideOf: outer)
        resolver.refuseUsage(of: query, in: "a subquery")
        return records()
    }

    private func records() -> ResolvedQuery? {
        let record = RecordResolver(query: query, scope: scope, depth: depth).resolve()
        let condition = condition()
        return made(.records(record), condition, order: order { scope.value($0, .ordering) })
    }

    private func made(
        _ selection: ResolvedQuery.Selection, _ condition: ResolvedCondition?, groups: [ResolvedValue] = [],
        having: ResolvedCondition? = nil, order: [ResolvedOrdering] = []
    ) -> ResolvedQuery? {
        scope.object.map { object in
            ResolvedQuery(
                query: query, object: object, joined: scope.joined, selection: selection, condition: condition,
                groups: groups, having: having, order: order)
        }
    }

    private func condition() -> ResolvedCondition? {
        query.where.flatMap { ConditionResolver(scope: scope).resolve($0) }
    }

    private func count() -> ResolvedQuery? {
        resolver.refuseUsage(of: query, in: "COUNT()")
        if let position = query.groupBy.first?.position {
            resolver.add(.misplaced, "COUNT() cannot be grouped; use COUNT(Id)", at: position)
        }
        if let position = query.orderBy.first?.expression.position {
            resolver.add(.misplaced, "COUNT() cannot be ordered", at: position)
        }
        return made(.count, condition())
    }

    private func order(_ value: (SOQLExpression) -> ResolvedValue?) -> [ResolvedOrdering] {
        query.orderBy.compactMap { ordering in
            guard let value = value(ordering.expression) else {
                resolver.isComplete = false
                return nil
            }
            if !value.isSortable {
                resolver.add(
                    .notSortable, "field '\(value.name)' can not be sorted in a query call", at: value.position,
                    length: value.length, start: value.start)
            }
            return ResolvedOrdering(value: value, ordering: ordering)
        }
    }

    // MARK: Groups

    private func groups() -> ResolvedQuery? {
        if query.groupBy.isEmpty, let limit = query.limit {
            resolver.add(
                .limits, "Non-grouped query that uses overall aggregate functions cannot also use LIMIT",
                at: limit.position)
        }
        let groups = GroupResolver(scope, query)
        let terms = terms()
        var selection = GroupSelection()
        for item in query.select { add(item, groups, &selection) }
        let condition = condition()
        let having = query.having.flatMap { ConditionResolver(scope: scope, groups: groups).resolve($0) }
        let order = order { expression in
            if case .path(let path) = expression, path.parts.count == 1,
                let selected = selection.values[path.last.lowercased()]
            {
                return selected
            }
            return groups.value(expression, .groupedOrdering)
        }
        return made(.groups(selection.columns), condition, groups: terms, having: having, order: order)
    }

    private func terms() -> [ResolvedValue] {
        if query.grouping != .plain, query.groupBy.count > 3 {
            resolver.add(
                .limits, "GROUP BY \(query.grouping.rawValue) takes at most 3 fields", at: query.groupBy[3].position)
        }
        return query.groupBy.compactMap { expression in
            guard let value = scope.value(expression, .grouping) else {
                resolver.isComplete = false
                return nil
            }
            if !value.isGroupable {
                resolver.add(
                    .notGroupable, "field '\(value.name)' can not be grouped in a query call", at: value.position,
                    length: value.length, start: value.start)
            }
            return value
        }
    }

    /// The select list of a query for groups while it is read.
    private struct GroupSelection {
        var columns: [ResolvedColumn] = []
        /// The values that ORDER BY can name.
        var values: [String: ResolvedValue?] = [:]
        var unnamed = 0
    }

    private func add(_ item: SOQLSelectItem, _ groups: GroupResolver, _ selection: inout GroupSelection) {
        guard case .field(let expression, let alias) = item else {
            return resolver.add(
                .misplaced, "a query with groups or aggregates cannot have \(item.kind)", at: item.position)
        }
        let value = groups.value(expression, .groupedSelection)
        var name = alias?.text
        // Functions have no names.
        if name == nil, case .path(let path) = expression { name = value?.name ?? path.last }
        if let name, selection.values.updateValue(value, forKey: name.lowercased()) != nil {
            resolver.add(.duplicate, "duplicate alias: \(name)", at: alias?.position ?? expression.position)
        }
        if name == nil {
            name = "expr\(selection.unnamed)"
            selection.unnamed += 1
        }
        selection.columns.append(ResolvedColumn(name: name ?? "", value: value, expression: expression))
    }
}

extension SOQLSelectItem {
    /// The kind of entry, as written in messages.
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

/// Resolves expressions about groups, which must be aggregates or terms of GROUP BY.
struct GroupResolver {
    private let scope: ResolverScope
    private let query: SOQLQuery
    private let terms: Set<String>

    init(_ scope: ResolverScope, _ query: SOQLQuery) {
        (self.scope, self.query) = (scope, query)
        terms = Set(query.groupBy.map { scope.key(of: $0) })
    }

    /// Resolves an expression, with a finding if it is neither an aggregate nor one of the terms.
    func value(_ expression: SOQLExpression, _ use: ExpressionUse) -> ResolvedValue? {
        if case .call(let call) = expression, call.function.uppercased() == "GROUPING" { return subtotal(call) }
        let value = scope.value(expression, use)
        if !expression.isAggregate { checkGrouped(expression, use) }
        return value
    }

    private func checkGrouped(_ expression: SOQLExpression, _ use: ExpressionUse) {
        guard !terms.contains(scope.key(of: expression)) else { return }
        let complaint = use == .groupedOrdering ? "Ordered field" : "Field"
        scope.resolver.add(
            .notGrouped, "\(complaint) must be grouped or aggregated: \(expression.text.shortened)",
            at: expression.position)
    }

    /// Resolves `GROUPING(field)`: 1 in a subtotal over the field, otherwise 0.
    private func subtotal(_ call: SOQLCall) -> ResolvedValue? {
        guard query.grouping != .plain else {
            return scope.refuse(.misplaced, call, "GROUPING() needs GROUP BY ROLLUP or GROUP BY CUBE")
        }
        guard let argument = call.argument else {
            return scope.refuse(.misplaced, call, "GROUPING() takes one field")
        }
        let value = scope.value(argument, .grouping)
        checkGrouped(argument, .groupedSelection)
        return value?.applying({ .subtotal($0) }, .integer, at: call.position)
    }
}

extension ResolverScope {
    /// A normalized form of an expression, to compare expressions.
    fileprivate func key(of expression: SOQLExpression) -> String {
        switch expression {
        case .path(let path): way(path).parts.joined(separator: ".").lowercased()
        case .call(let call): "\(call.function.uppercased())(\(call.argument.map { key(of: $0) } ?? ""))"
        case .distance: expression.text.lowercased()
        }
    }
}
