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

/// Checks `TYPEOF What WHEN Account THEN Phone ELSE Name END`.
struct TypeofCheck {
    let typeof: SOQLTypeof
    let scope: CheckScope

    private var check: QueryCheck { scope.check }

    func run() {
        if check.isSecurityEnforced, !typeof.otherwise.isEmpty {
            check.add(
                .misplaced, "TYPEOF with ELSE is not allowed beside WITH SECURITY_ENFORCED", at: typeof.position)
        }
        let path = typeof.reference
        let way = CheckScope.Way(path: path, parts: scope.relativeParts(of: path))
        let row = scope.parent(way, count: way.parts.count, below: scope.root)
        if let row, !row.isPolymorphic {
            return check.add(
                .typeof, "TYPEOF takes a polymorphic relationship, not '\(path.text.shortened)'", at: path.position)
        }
        checkBranches(row)
        for field in typeof.otherwise { otherwise(field) }
    }

    private func checkBranches(_ row: CheckScope.Row?) {
        var names: Set<String> = []
        for branch in typeof.branches {
            let name = branch.object.text
            if !names.insert(name.lowercased()).inserted {
                check.add(.duplicate, "TYPEOF has two branches for '\(name.shortened)'", at: branch.object.position)
            }
            guard let row, let object = object(of: branch, row) else { continue }
            let own = CheckScope.Row(objects: [object], key: "\(row.key)#\(object.name)")
            for field in branch.fields { _ = scope.operand(field, below: own) }
        }
    }

    /// The object of a branch.
    private func object(of branch: SOQLTypeof.Branch, _ row: CheckScope.Row) -> QuerySchema.Object? {
        let name = branch.object.text
        if let object = row.objects.first(where: { $0.name.lowercased() == name.lowercased() }) { return object }
        guard !row.lacks(name) else { return check.target(name, of: typeof.reference) }
        check.add(
            .typeofObject, "'\(typeof.reference.text.shortened)' does not lead to '\(name.shortened)'",
            at: branch.object.position, near: name, row.references)
        return nil
    }

    /// A field behind ELSE, which is one of the object Name.
    private func otherwise(_ field: SOQLExpression) {
        guard scope.object != nil, let path = field.namingPath(isGrouped: false) else { return }
        guard path.parts.count > 1 || NameFields.kind(of: path.last) == nil else { return }
        check.add(
            .unknownField, Message.unknownField(path.parts[0].shortened, of: "Name"), at: path.position,
            near: path.last, NameFields.all)
    }
}

/// What expressions mean for a group: they are aggregates, or terms of GROUP BY.
struct GroupCheck {
    let scope: CheckScope
    let query: SOQLQuery
    private let terms: Set<String>

    init(_ scope: CheckScope, _ query: SOQLQuery) {
        (self.scope, self.query) = (scope, query)
        terms = Set(query.groupBy.map { scope.key(of: $0) })
    }

    private var check: QueryCheck { scope.check }

    /// An expression of the groups; noted unless it is an aggregate or one of the terms.
    func operand(_ expression: SOQLExpression, _ use: CheckScope.ExpressionUse) -> Operand? {
        if case .call(let call) = expression, call.function.uppercased() == "GROUPING" { return subtotal(call) }
        let operand = scope.operand(expression, use)
        if !expression.isAggregate { checkGrouped(expression, use) }
        return operand
    }

    private func checkGrouped(_ expression: SOQLExpression, _ use: CheckScope.ExpressionUse) {
        guard !terms.contains(scope.key(of: expression)) else { return }
        let complaint = use == .groupedOrdering ? "Ordered field" : "Field"
        check.add(
            .notGrouped, "\(complaint) must be grouped or aggregated: \(expression.text.shortened)",
            at: expression.position)
    }

    /// `GROUPING(field)`: 1 in a subtotal over the field, else 0.
    private func subtotal(_ call: SOQLCall) -> Operand? {
        let length = call.function.unicodeScalars.count
        guard query.grouping != .plain else {
            check.add(
                .misplaced, "GROUPING() needs GROUP BY ROLLUP or GROUP BY CUBE", at: call.position, length: length)
            return nil
        }
        guard let argument = call.argument else {
            check.add(.misplaced, "GROUPING() takes one field", at: call.position, length: length)
            return nil
        }
        let operand = scope.operand(argument, .grouping)
        checkGrouped(argument, .groupedSelection)
        return operand?.applying(.integer, at: call.position)
    }
}

extension CheckScope {
    /// An expression in a form in which equal ones are equal, however they are written.
    func key(of expression: SOQLExpression) -> String {
        switch expression {
        case .path(let path): relativeParts(of: path).joined(separator: ".").lowercased()
        case .call(let call): "\(call.function.uppercased())(\(call.argument.map { key(of: $0) } ?? ""))"
        case .distance: expression.text.lowercased()
        }
    }
}
