// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestBase
import SOQLSyntax

extension ConditionCompiler {
    /// `operand operator literal`.
    func compare(
        _ operand: Operand, _ comparison: SOQLOperator, _ value: SOQLValue
    ) throws(QueryError) -> SQLFragment {
        guard operand.kind != .boolean || comparison == .equal || comparison == .notEqual else {
            throw invalidOperator(operand)
        }
        if case .formula(let formula) = value.literal {
            return compare(operand, comparison, try days(of: formula, operand, value))
        }
        let bound = try binding(value, operand)
        guard bound != .null else { return compareWithNull(operand, comparison) }
        if operand.kind == .boolean {
            return isTrue(operand, (bound == .integer(1)) == (comparison == .equal))
        }
        return switch comparison {
        case .equal: "\(operand.equated(with: [bound])) = \(bound)"
        // A row without a value has another value than any literal.
        case .notEqual: "(\(operand.equated(with: [bound])) <> \(bound) OR \(operand.sql) IS NULL)"
        case .less: "\(operand.collated) < \(bound)"
        case .lessOrEqual: "\(operand.collated) <= \(bound)"
        case .greater: "\(operand.collated) > \(bound)"
        case .greaterOrEqual: "\(operand.collated) >= \(bound)"
        case .like, .in, .notIn, .includes, .excludes: "0"
        }
    }

    /// Whether a check box is ticked; one of a parent that does not exist is not.
    private func isTrue(_ operand: Operand, _ expected: Bool) -> SQLFragment {
        let test: SQLFragment = "\(operand.sql) = \(.integer(expected ? 1 : 0))"
        return operand.isOfParent && !expected ? "(\(test) OR \(operand.sql) IS NULL)" : test
    }

    private func compareWithNull(_ operand: Operand, _ comparison: SOQLOperator) -> SQLFragment {
        switch comparison {
        case .equal: "\(operand.sql) IS NULL"
        case .notEqual: "\(operand.sql) IS NOT NULL"
        default: "0"
        }
    }

    // MARK: Ranges of days

    private func compare(
        _ operand: Operand, _ comparison: SOQLOperator, _ days: DayBounds
    ) -> SQLFragment {
        let (start, end) = (days.start, days.end)
        return switch comparison {
        case .equal: "(\(operand.sql) >= \(start) AND \(operand.sql) < \(end))"
        case .notEqual: "(\(operand.sql) < \(start) OR \(operand.sql) >= \(end) OR \(operand.sql) IS NULL)"
        case .less: "\(operand.sql) < \(start)"
        case .lessOrEqual: "\(operand.sql) < \(end)"
        case .greater: "\(operand.sql) >= \(end)"
        default: "\(operand.sql) >= \(start)"
        }
    }

    /// The bounds of a formula as they are stored; the end does not belong to it.
    private struct DayBounds {
        let start: SQLValue
        let end: SQLValue
    }

    private func days(
        of formula: SOQLDateFormula, _ operand: Operand, _ value: SOQLValue
    ) throws(QueryError) -> DayBounds {
        guard operand.kind == .date || operand.kind == .dateTime else { throw wrongType(operand, value) }
        guard let days = compilation.dates.days(of: formula) else {
            throw compilation.error(
                .numberOutsideRange, "the number of \(formula.text) is outside the valid range", at: value.position)
        }
        return DayBounds(start: start(of: days.lowerBound, operand), end: start(of: days.upperBound, operand))
    }

    /// A day as it is stored, or its first moment in UTC.
    private func start(of day: CivilDay, _ operand: Operand) -> SQLValue {
        guard operand.kind == .dateTime else { return .text(day.date.text) }
        return .text(WireTime.datetime(milliseconds: Int64(day.number) * 86_400_000))
    }

    // MARK: Values

    /// A literal as a parameter of the field's type; the empty text is null, as the platform stores none.
    func binding(_ value: SOQLValue, _ operand: Operand) throws(QueryError) -> SQLValue {
        switch (value.literal, operand.kind) {
        // An empty check box is one that is not ticked, so null is false and everything else is true.
        case (.null, .boolean): return .integer(0)
        case (.null, _): return .null
        case (.string(""), .text), (.string(""), .id): return .null
        case (.string(let text), .text): return .text(text)
        case (.string(let text), .id): return .text(try identifier(text, operand, value))
        case (.boolean(let flag), .boolean): return .integer(flag ? 1 : 0)
        case (.number(let number), .integer) where number.isInteger: return try numeric(number, value)
        case (.number(let number), .real): return try numeric(number, value)
        case (.date(let date), .date):
            guard date.isValid else { throw invalidDate(value) }
            return .text(date.text)
        case (.time(let time), .time):
            guard time.isValid else { throw invalidDate(value) }
            return .text(time.wireText)
        case (.dateTime(let dateTime), .dateTime):
            guard let text = dateTime.wireText else { throw invalidDate(value) }
            return .text(text)
        default: throw wrongType(operand, value)
        }
    }

    private func numeric(_ number: SOQLNumber, _ value: SOQLValue) throws(QueryError) -> SQLValue {
        if let integer = number.integer { return .integer(integer) }
        // bounded: it goes on as it is
        let double = number.double
        guard double.isFinite else {
            throw compilation.error(
                .numberOutsideRange, "the number \(number.text.shortened) is outside the valid range",
                at: value.position)
        }
        return .real(double)
    }

    private func identifier(
        _ text: String, _ operand: Operand, _ value: SOQLValue
    ) throws(QueryError) -> String {
        // The definition of an object can be named by the object.
        if operand.field.referenceTo == ["EntityDefinition"],
            let position = compilation.schema.objects.firstIndex(where: { $0.name.lowercased() == text.lowercased() })
        {
            return RecordID.make(entityAt: position)
        }
        guard let id = RecordID.normalized(text) else {
            throw compilation.error(.invalidFilterOperator, "invalid ID field: \(text.shortened)", at: value.position)
        }
        return id
    }

    private func invalidDate(_ value: SOQLValue) -> QueryError {
        compilation.error(.malformedQuery, "Invalid date: \(value.literal.text)", at: value.position)
    }

    func wrongType(_ operand: Operand, _ value: SOQLValue) -> QueryError {
        if case .currency = value.literal, operand.kind == .real {
            return compilation.error(
                .notEnabled,
                "a currency literal is not supported here: this org has one currency, so write \(value.literal.text) "
                    + "without its code", at: value.position)
        }
        let should = operand.kind.isQuoted ? "should" : "should not"
        return compilation.error(
            .invalidField,
            """
            value of filter criterion for field '\(operand.field.name)' must be of type \(operand.kind.name) and \
            \(should) be enclosed in quotes
            """, at: value.position)
    }
}

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
