// SPDX-License-Identifier: Apache-2.0

import RestBase
import SOQLSyntax

/// Resolves WHERE and HAVING clauses.
struct ConditionResolver {
    let scope: ResolverScope
    /// The groups, if this is a HAVING clause.
    var groups: GroupResolver?
    /// Whether this is the WHERE clause of a semi-join, which must not contain another semi-join.
    var isInsideSemiJoin = false

    private var resolver: Resolver { scope.resolver }

    /// Resolves a condition, omitting tests of unknown fields.
    func resolve(_ condition: SOQLCondition, isUnderOr: Bool = false) -> ResolvedCondition? {
        switch condition {
        case .comparison(let comparison): test(comparison, isUnderOr: isUnderOr)
        case .not(let inner): resolve(inner, isUnderOr: isUnderOr).map { .not($0) }
        case .and(let terms): .and(terms.compactMap { resolve($0, isUnderOr: isUnderOr) })
        case .or(let terms): .or(terms.compactMap { resolve($0, isUnderOr: true) })
        }
    }

    private func test(_ comparison: SOQLComparison, isUnderOr: Bool) -> ResolvedCondition? {
        let value = left(comparison.left)
        if case .distance = comparison.left, ![.less, .greater].contains(comparison.operator) {
            resolver.add(
                .wrongOperator, "DISTANCE() is compared by < and > only", at: comparison.left.position, length: 8)
        }
        noteParameters(comparison, value)
        guard let right = right(comparison, value, isUnderOr: isUnderOr), let value else {
            resolver.isComplete = false
            return nil
        }
        return .test(ResolvedTest(value: value, operator: comparison.operator, right: right))
    }

    private func left(_ expression: SOQLExpression) -> ResolvedValue? {
        let value = if let groups { groups.value(expression, .having) } else { scope.value(expression, .condition) }
        if let value, !value.isFilterable {
            resolver.add(
                .notFilterable, "field '\(value.name)' can not be filtered in a query call", at: value.position,
                length: value.length, start: value.start)
            return nil
        }
        return value
    }

    private func right(
        _ comparison: SOQLComparison, _ left: ResolvedValue?, isUnderOr: Bool
    ) -> ResolvedTest.Right? {
        switch comparison.right {
        case .literal(let value):
            compare(left, comparison.operator, value)
            return .literal(value)
        case .pattern(let pattern):
            if let left, left.kind ?? .text != .text { invalidOperator(left) }
            return .pattern(pattern)
        case .query(let query):
            return semiJoin(left, comparison.left, query, isUnderOr: isUnderOr).map { .query($0) }
        case .list(let values):
            if [.includes, .excludes].contains(comparison.operator) {
                sets(left, values)
            } else {
                list(left, values)
            }
            return .list(values)
        }
    }

    private func invalidOperator(_ value: ResolvedValue) {
        resolver.add(
            .wrongOperator, "invalid operator on \(value.field?.kind.rawValue ?? value.kind?.name ?? "") field",
            at: value.position, length: value.length, start: value.start)
    }

    // MARK: Values

    private func compare(_ left: ResolvedValue?, _ comparison: SOQLOperator, _ value: SOQLValue) {
        if let left, left.kind == .boolean, comparison != .equal, comparison != .notEqual {
            return invalidOperator(left)
        }
        if case .currency = value.literal, groups != nil {
            return resolver.add(
                .misplaced, "an aggregate cannot be compared with an amount in a currency", at: value.position)
        }
        literal(value, left)
    }

    private func list(_ left: ResolvedValue?, _ values: [SOQLValue]) {
        for value in values { literal(value, left) }
        let plain = values.filter { if case .currency = $0.literal { false } else { true } }
        if plain.count < values.count, let first = plain.first {
            resolver.add(
                .misplaced, "a list has currency codes at all of its amounts, or at none", at: first.position)
        }
    }

    /// Checks the values of `INCLUDES` and `EXCLUDES`, in which `;` separates the members of a set.
    private func sets(_ left: ResolvedValue?, _ values: [SOQLValue]) {
        guard let left, let field = left.field else { return }
        guard field.kind == .multipicklist, left.isColumn else { return invalidOperator(left) }
        for value in values {
            guard case .string(let set) = value.literal else {
                wrongType(left, value)
                continue
            }
            for member in set.split(byte: ";") { picklist(String(member), field, value) }
        }
    }

    /// Checks that a literal has the operand's type, and a value that the field can have.
    private func literal(_ value: SOQLValue, _ operand: ResolvedValue?) {
        guard let operand, let kind = operand.kind else { return value.literal.isValid ? () : invalid(value) }
        switch (value.literal, kind) {
        case (.null, _), (.string(""), .text), (.string(""), .id), (.boolean, .boolean): break
        case (.date, .date), (.time, .time), (.dateTime, .dateTime), (.formula, .date), (.formula, .dateTime):
            if !value.literal.isValid { invalid(value) }
        case (.string(let text), .text): if let field = operand.field { picklist(text, field, value) }
        case (.string(let text), .id): identifier(text, operand, value)
        case (.number(let number), .integer) where number.isInteger, (.number(let number), .real):
            // bounded: only whether there is such a number
            guard !number.double.isFinite else { break }
            resolver.add(
                .outsideRange, "the number \(number.text.shortened) is outside the valid range", at: value.position)
        case (.currency, .real) where operand.field?.kind ?? .currency == .currency && operand.isColumn: break
        default: wrongType(operand, value)
        }
    }

    private func invalid(_ value: SOQLValue) {
        if case .formula(let formula) = value.literal {
            return resolver.add(
                .outsideRange, "the number of \(formula.text) is outside the valid range", at: value.position)
        }
        resolver.add(.invalidDate, "Invalid date: \(value.literal.text)", at: value.position)
    }

    private func wrongType(_ operand: ResolvedValue, _ value: SOQLValue) {
        resolver.add(.wrongType, Message.wrongType(operand.name, operand.kind ?? .text), at: value.position)
    }

    private func identifier(_ text: String, _ operand: ResolvedValue, _ value: SOQLValue) {
        // An EntityDefinition can be referenced by the name of the object.
        guard operand.field?.referenceTo != ["EntityDefinition"] else { return }
        let letters = text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) }
        guard !letters || (text.utf8.count != 15 && text.utf8.count != 18) else { return }
        resolver.add(.invalidID, "invalid ID field: \(text.shortened)", at: value.position)
    }

    private func picklist(_ text: String, _ field: ObjectDescription.Field, _ value: SOQLValue) {
        guard field.kind == .picklist || field.kind == .multipicklist, !field.picklistValues.isEmpty,
            !field.picklistValues.contains(where: { $0.value.lowercased() == text.lowercased() })
        else { return }
        resolver.add(
            .picklistValue, "the picklist \(field.name) has no value '\(text.shortened)'", at: value.position,
            near: text, field.picklistValues.map(\.value))
    }
}

extension ConditionResolver {
    /// Resolves `value [NOT] IN (SELECT field FROM object …)`.
    private func semiJoin(
        _ value: ResolvedValue?, _ left: SOQLExpression, _ inner: SOQLChildQuery, isUnderOr: Bool
    ) -> ResolvedSemiJoin? {
        resolver.countSemiJoin(at: inner.position)
        if let value, value.kind ?? .id != .id || !value.isColumn {
            refuse("The left operand cannot be used in a semi join: \(value.name)", left.position)
        }
        if isUnderOr {
            refuse("Semi join sub-selects are not supported with the 'OR' operator", inner.position)
        }
        if isInsideSemiJoin { refuse("Nesting of semi join sub-selects is not supported", inner.position) }
        return resolve(inner.query)
    }

    private func resolve(_ query: SOQLQuery) -> ResolvedSemiJoin? {
        resolver.checkClauses(of: query)
        let object = resolver.object(of: query.from)
        if let object, object.name == scope.object?.name {
            refuse("The inner and outer selects should not be on the same object type", query.from.path.position)
        }
        let inner = ResolverScope(resolver, object: object, query)
        var value: ResolvedValue?
        if case .field(.path(let path), _)? = query.select.first {
            value = inner.value(.path(path), .condition)
            if let value, value.kind ?? .id != .id {
                refuse("A semi join selects an id or a reference, not \(value.name)", path.position)
            }
        }
        let condition = query.where.flatMap {
            ConditionResolver(scope: inner, isInsideSemiJoin: true).resolve($0)
        }
        guard let object, let value else { return nil }
        return ResolvedSemiJoin(
            query: query, object: object, joined: inner.joined, value: value, condition: condition)
    }

    private func refuse(_ message: String, _ position: SOQLPosition) {
        resolver.add(.semiJoin, message, at: position)
    }
}
