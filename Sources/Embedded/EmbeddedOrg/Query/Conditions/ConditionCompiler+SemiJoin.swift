// SPDX-License-Identifier: Apache-2.0

import SOQLSyntax

extension ConditionCompiler {
    /// `operand [NOT] IN (SELECT field FROM object …)`.
    func compileSemiJoin(
        _ operand: Operand, _ inner: SOQLChildQuery, isNegated: Bool, isUnderOr: Bool
    ) throws(QueryError) -> SQLFragment {
        try compilation.countSemiJoin(at: inner.position)
        guard operand.kind == .id, operand.isColumn else {
            throw refusal("The left operand cannot be used in a semi join: \(operand.field.name)", operand.position)
        }
        guard !isUnderOr else {
            throw refusal("Semi join sub-selects are not supported with the 'OR' operator", inner.position)
        }
        guard !isInsideSemiJoin else {
            throw refusal("Nesting of semi join sub-selects is not supported", inner.position)
        }
        if let test = try compileExistence(operand, inner.query) { return isNegated ? "NOT \(test)" : test }
        let select = try compileInner(inner.query)
        guard isNegated else { return "\(operand.sql) IN (\(select))" }
        return "(\(operand.sql) NOT IN (\(select)) OR \(operand.sql) IS NULL)"
    }

    /// Whether there is a row that refers to the operand, looked up in the index of the reference.
    ///
    /// `nil` for a select with a condition, which is rather evaluated once. Nothing refers to null.
    private func compileExistence(_ operand: Operand, _ query: SOQLQuery) throws(QueryError) -> SQLFragment? {
        guard query.where == nil, query.scope == nil, case .field(.path(let path), _)? = query.select.first,
            scope.object.childRelationships.contains(where: {
                $0.childObject.lowercased() == query.from.path.text.lowercased()
                    && $0.field.lowercased() == path.text.lowercased()
            })
        else { return nil }
        let (inner, field) = try innerScope(query, path)
        let tests = [field.sql + " = " + operand.sql] + (inner.deletedFilter.map { [$0] } ?? [])
        return "EXISTS (SELECT 1\(inner.fromClause) WHERE \(tests.joined(separator: " AND ")))"
    }

    /// The inner select gives no null, which would make `NOT IN` unknown for every row.
    private func compileInner(_ query: SOQLQuery) throws(QueryError) -> SQLFragment {
        guard case .field(.path(let path), _)? = query.select.first else { return "NULL" }
        let (scope, field) = try innerScope(query, path)
        var filters: [SQLFragment] = ["\(field.sql) IS NOT NULL"]
        if let condition = query.where {
            filters.append(try ConditionCompiler(scope: scope, isInsideSemiJoin: true, depth: depth).compile(condition))
        }
        if let filter = scope.deletedFilter { filters.append(filter) }
        return "SELECT \(field.sql)\(scope.fromClause) WHERE \(filters.joined(separator: " AND "))"
    }

    private func innerScope(
        _ query: SOQLQuery, _ path: SOQLPath
    ) throws(QueryError) -> (scope: QueryScope, field: Operand) {
        try compilation.checkClauses(of: query)
        let object = try compilation.object(of: query.from)
        guard object.name != scope.object.name else {
            throw refusal(
                "The inner and outer selects should not be on the same object type", query.from.path.position)
        }
        let scope = try QueryScope(compilation, object: object, query)
        let field = try scope.resolve(path)
        guard field.kind == .id else {
            throw refusal("A semi join selects an id or a reference, not \(field.field.name)", path.position)
        }
        return (scope, field)
    }

    private func refusal(_ reason: String, _ position: SOQLPosition) -> QueryError {
        compilation.error(.malformedQuery, reason, at: position)
    }
}
