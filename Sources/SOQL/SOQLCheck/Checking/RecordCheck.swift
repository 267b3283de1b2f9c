// SPDX-License-Identifier: Apache-2.0

import RestBase
import SOQLSyntax

/// Checks the select list of a query for records.
struct RecordCheck {
    let query: SOQLQuery
    let scope: CheckScope
    let depth: Int

    private var check: QueryCheck { scope.check }

    func run() {
        var seen: Set<String> = []
        for item in query.select { add(item, &seen) }
    }

    private func add(_ item: SOQLSelectItem, _ seen: inout Set<String>) {
        switch item {
        case .count(let position):
            check.add(.misplaced, "COUNT() is not allowed in a subquery", at: position.wrappedValue)
        case .children(let children, let alias): add(children, alias, &seen)
        case .field(let expression, let alias): add(expression, alias, &seen)
        case .typeof(let typeof):
            TypeofCheck(typeof: typeof, scope: scope).run()
            if !seen.insert(key(typeof.reference)).inserted { duplicate(.path(typeof.reference)) }
        case .fields(let group): add(group, &seen)
        }
    }

    private func key(_ path: SOQLPath) -> String {
        scope.relativeParts(of: path).joined(separator: ".").lowercased()
    }

    private func duplicate(_ expression: SOQLExpression) {
        check.add(
            .duplicate, "duplicate field selected: \(expression.text.shortened)", at: expression.position)
    }

    // MARK: Fields

    private func add(_ expression: SOQLExpression, _ alias: SOQLName?, _ seen: inout Set<String>) {
        _ = scope.operand(expression, .selection)
        if let alias { return add(expression, as: alias, &seen) }
        guard let path = expression.namingPath(isGrouped: false) else {
            if case .distance = expression { return }
            return check.add(
                .notGrouped, "Field must be grouped or aggregated: \(expression.text.shortened)",
                at: expression.position)
        }
        if !seen.insert(key(path)).inserted { duplicate(expression) }
    }

    private func add(_ expression: SOQLExpression, as alias: SOQLName, _ seen: inout Set<String>) {
        guard expression.isPrinted else {
            return check.add(.misplaced, "only aggregate expressions use field aliasing", at: alias.position)
        }
        if !seen.insert(alias.text.lowercased()).inserted {
            check.add(.duplicate, "duplicate alias: \(alias.text.shortened)", at: alias.position)
        }
    }

    private func add(_ group: SOQLPlaced<SOQLFieldGroup>, _ seen: inout Set<String>) {
        if group.value != .standard, !(query.limit.map { $0.value <= 200 } ?? false) {
            check.add(
                .limits, "The SOQL FIELDS function must have a LIMIT of at most 200", at: group.position)
        }
        for field in scope.object?.fields ?? [] where group.value.has(field) {
            if !seen.insert(field.name.lowercased()).inserted {
                check.add(.duplicate, "duplicate field selected: \(field.name)", at: group.position)
            }
        }
    }

    // MARK: Children

    private func add(_ children: SOQLChildQuery, _ alias: SOQLName?, _ seen: inout Set<String>) {
        check.countChildQuery(at: children.position)
        if depth >= 4 { check.add(.limits, "subqueries go at most 5 levels down", at: children.position) }
        let inner = children.query
        check.checkClauses(of: inner)
        if inner.isAggregate || inner.having != nil {
            check.add(
                .misplaced, "only root queries support aggregate expressions",
                at: inner.groupBy.first?.position ?? inner.select[0].position)
        }
        let name = alias?.text ?? scope.relativeParts(of: inner.from.path).joined(separator: ".")
        if !seen.insert(name.lowercased()).inserted {
            check.add(.duplicate, "duplicate subquery of the relationship \(name)", at: children.position)
        }
        let childScope = CheckScope(check, object: object(of: inner.from), inner)
        let select = SelectCheck(query: inner, scope: childScope, depth: depth + 1)
        check.checkWindow(of: inner, insideOf: query)
        check.refuseUsage(of: inner, in: "a subquery")
        RecordCheck(query: inner, scope: childScope, depth: depth + 1).run()
        select.filter()
        select.order { childScope.operand($0, .ordering) }
    }

    private func object(of source: SOQLSource) -> QuerySchema.Object? {
        guard let object = scope.object else { return nil }
        let parts = scope.relativeParts(of: source.path)
        if parts.count == 1, let found = object.childRelationship(named: parts[0]) {
            return check.target(found.childObject, of: source.path)
        }
        check.add(
            .unknownChildRelationship,
            Message.unknownRelationship(source.path.text.shortened, in: "FROM part of query call"),
            at: source.path.position, near: parts.last ?? "", object.childRelationships.map(\.name))
        return nil
    }
}

extension SOQLExpression {
    /// Whether it gives a value that may have a name of its own in a query for records.
    fileprivate var isPrinted: Bool {
        if case .distance = self { return true }
        return namingPath(isGrouped: false) != namingPath(isGrouped: true)
    }
}

extension SOQLFieldGroup {
    /// Whether a field belongs to the group; what an org has added ends with `__c`.
    func has(_ field: QuerySchema.Field) -> Bool {
        let isCustom = field.name.hasBytes(suffix: "__c")
        return switch self {
        case .all: true
        case .standard: !isCustom
        case .custom: isCustom
        }
    }
}
