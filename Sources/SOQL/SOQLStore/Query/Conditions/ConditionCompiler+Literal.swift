// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestSQLite
import SOQLCheck
import SOQLSyntax

extension ConditionCompiler {
    func compare(
        _ operand: Operand, _ comparison: SOQLOperator, _ value: SOQLValue
    ) throws(OrgError) -> SQLFragment {
        if case .formula(let formula) = value.literal {
            return compare(operand, comparison, try days(of: formula, operand, value.position))
        }
        let bound = try binding(value, operand)
        guard bound != .null else { return compareWithNull(operand, comparison) }
        if operand.kind == .boolean {
            return isTrue(operand, (bound == .integer(1)) == (comparison == .equal))
        }
        return switch comparison {
        case .equal: "\(operand.equated(with: [bound])) = \(bound)"
        // A row without a value differs from every literal.
        case .notEqual: "(\(operand.equated(with: [bound])) <> \(bound) OR \(operand.sql) IS NULL)"
        case .less: "\(operand.collated) < \(bound)"
        case .lessOrEqual: "\(operand.collated) <= \(bound)"
        case .greater: "\(operand.collated) > \(bound)"
        case .greaterOrEqual: "\(operand.collated) >= \(bound)"
        case .like, .in, .notIn, .includes, .excludes: "0"
        }
    }

    /// Tests a checkbox, which counts as not checked for a parent that does not exist.
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

    /// The stored bounds of a date formula, without the end.
    private struct DayBounds {
        let start: SQLValue
        let end: SQLValue
    }

    private func days(
        of formula: SOQLDateFormula, _ operand: Operand, _ position: SOQLPosition
    ) throws(OrgError) -> DayBounds {
        guard let days = compilation.dates.days(of: formula) else {
            throw compilation.error(
                .numberOutsideRange, "the number of \(formula.text) is outside the valid range", at: position)
        }
        return DayBounds(start: start(of: days.lowerBound, operand), end: start(of: days.upperBound, operand))
    }

    /// The stored form of a day, or of the first time of the day in UTC.
    private func start(of day: CivilDay, _ operand: Operand) -> SQLValue {
        guard operand.kind == .dateTime else { return .text(day.date.text) }
        return .text(WireTime.datetime(milliseconds: Int64(day.number) * 86_400_000))
    }

    // MARK: Values

    /// Returns a literal as a parameter of the field's type.
    ///
    /// The empty string is null, as in Salesforce.
    ///
    /// - Throws: `OrgError` for a time that has no four-digit year in UTC, as stored times do.
    func binding(_ value: SOQLValue, _ operand: Operand) throws(OrgError) -> SQLValue {
        switch (value.literal, operand.kind) {
        // An empty checkbox is not checked, so null is false.
        case (.null, .boolean): return .integer(0)
        case (.null, _), (.string(""), _): return .null
        case (.string(let text), .id): return .text(identifier(text, operand))
        case (.string(let text), _): return .text(text)
        case (.boolean(let flag), _): return .integer(flag ? 1 : 0)
        // bounded: the resolver rejects invalid numbers
        case (.number(let number), _): return number.integer.map { .integer($0) } ?? .real(number.double)
        case (.date(let date), _): return .text(date.text)
        case (.time(let time), _): return .text(time.wireText)
        case (.dateTime(let dateTime), _):
            guard let text = dateTime.wireText else {
                throw compilation.error(.malformedQuery, "Invalid date: \(value.literal.text)", at: value.position)
            }
            return .text(text)
        // Both are compared elsewhere.
        case (.formula, _), (.currency, _): return .null
        }
    }

    /// Returns an id with 18 characters, or the id of an EntityDefinition for the name of its object.
    private func identifier(_ text: String, _ operand: Operand) -> String {
        if operand.field?.referenceTo == ["EntityDefinition"],
            let position = compilation.schema.objects.firstIndex(where: { $0.name.lowercased() == text.lowercased() })
        {
            return RecordID.make(entityAt: position)
        }
        return RecordID.normalized(text) ?? text
    }
}

extension ConditionCompiler {
    /// Compiles `operand [NOT] IN (SELECT field FROM object …)`.
    func semiJoin(
        _ operand: Operand, _ inner: ResolvedSemiJoin, isNegated: Bool
    ) throws(OrgError) -> SQLFragment {
        try compilation.checkClauses(of: inner.query)
        let rows = try JoinedRows(compilation, inner.object, inner.query, joined: inner.joined)
        let field = rows.operand(inner.value)
        if let test = existence(operand, inner, rows, field) { return isNegated ? "NOT \(test)" : test }
        // Exclude nulls from the inner select, because they would make `NOT IN` unknown for every row.
        var filters: [SQLFragment] = ["\(field.sql) IS NOT NULL"]
        if let condition = inner.condition {
            filters.append(try ConditionCompiler(rows: rows, depth: depth).compile(condition))
        }
        if let filter = rows.deletedFilter { filters.append(filter) }
        let select: SQLFragment = "SELECT \(field.sql)\(rows.fromClause) WHERE \(filters.joined(separator: " AND "))"
        guard isNegated else { return "\(operand.sql) IN (\(select))" }
        return "(\(operand.sql) NOT IN (\(select)) OR \(operand.sql) IS NULL)"
    }

    /// Compiles a test for a row that refers to the operand, which uses the index of the reference.
    ///
    /// Returns `nil` for a select with a condition, which is better evaluated once. No row refers to null.
    private func existence(
        _ operand: Operand, _ inner: ResolvedSemiJoin, _ rows: JoinedRows, _ field: Operand
    ) -> SQLFragment? {
        guard inner.condition == nil, inner.value.row?.isRoot == true,
            self.rows.object.childRelationships.contains(where: {
                $0.object == inner.object.name && $0.field == field.field?.name
            })
        else { return nil }
        let tests = [field.sql + " = " + operand.sql] + (rows.deletedFilter.map { [$0] } ?? [])
        return "EXISTS (SELECT 1\(rows.fromClause) WHERE \(tests.joined(separator: " AND ")))"
    }
}
