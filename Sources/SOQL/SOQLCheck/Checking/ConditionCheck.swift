// SPDX-License-Identifier: Apache-2.0

import RestBase
import SOQLSyntax

/// Checks WHERE and HAVING.
struct ConditionCheck {
    let scope: CheckScope
    /// The groups when this is a HAVING clause.
    var groups: GroupCheck?
    /// Whether this is the WHERE of a semi-join, which must not contain another.
    var isInsideSemiJoin = false

    var check: QueryCheck { scope.check }

    func run(_ condition: SOQLCondition, isUnderOr: Bool = false) {
        switch condition {
        case .comparison(let comparison): run(comparison, isUnderOr: isUnderOr)
        case .not(let inner): run(inner, isUnderOr: isUnderOr)
        case .and(let terms): for term in terms { run(term, isUnderOr: isUnderOr) }
        case .or(let terms): for term in terms { run(term, isUnderOr: true) }
        }
    }

    private func run(_ comparison: SOQLComparison, isUnderOr: Bool) {
        let operand = left(comparison.left)
        if case .distance = comparison.left, ![.less, .greater].contains(comparison.operator) {
            check.add(
                .wrongOperator, "DISTANCE() is compared by < and > only", at: comparison.left.position, length: 8)
        }
        noteParameters(comparison, operand)
        switch comparison.right {
        case .literal(let value): compare(operand, comparison.operator, value, comparison.left)
        case .pattern: if let operand, operand.kind ?? .text != .text { invalidOperator(operand) }
        case .query(let query):
            semiJoin(operand, comparison.left, query, isUnderOr: isUnderOr)
        case .list(let values):
            if [.includes, .excludes].contains(comparison.operator) { return sets(operand, values) }
            for value in values { literal(value, operand) }
            // A list has currency codes at all of its amounts, or at none.
            let amounts = values.filter { if case .currency = $0.literal { true } else { false } }
            if !amounts.isEmpty, amounts.count < values.count, let first = values.first {
                check.add(
                    .wrongType, "a list has currency codes at all of its amounts, or at none", at: first.position)
            }
        }
    }

    private func left(_ expression: SOQLExpression) -> Operand? {
        let operand =
            if let groups { groups.operand(expression, .having) } else { scope.operand(expression, .condition) }
        if let operand, !operand.isFilterable {
            check.add(
                .notFilterable, "field '\(operand.name)' can not be filtered in a query call", at: operand.position,
                length: operand.length)
            return nil
        }
        return operand
    }

    private func invalidOperator(_ operand: Operand) {
        check.add(
            .wrongOperator, "invalid operator on \(operand.field?.type ?? operand.kind?.name ?? "") field",
            at: operand.position, length: operand.length)
    }

    // MARK: Values

    private func compare(
        _ operand: Operand?, _ comparison: SOQLOperator, _ value: SOQLValue, _ left: SOQLExpression
    ) {
        if let operand, operand.kind == .boolean, comparison != .equal, comparison != .notEqual {
            return invalidOperator(operand)
        }
        if case .currency = value.literal, groups != nil {
            return check.add(
                .misplaced, "an aggregate cannot be compared with an amount in a currency", at: value.position)
        }
        literal(value, operand)
    }

    /// `INCLUDES` and `EXCLUDES`, whose sets have `;` between their values.
    private func sets(_ operand: Operand?, _ values: [SOQLValue]) {
        guard let operand, let field = operand.field else { return }
        guard field.type == "multipicklist", operand.isColumn else { return invalidOperator(operand) }
        for value in values {
            guard case .string(let set) = value.literal else {
                wrongType(operand, value)
                continue
            }
            for member in set.split(byte: ";") { picklist(String(member), field, value) }
        }
    }

    /// Whether a literal is of the operand's type, and a value that such a field can have.
    private func literal(_ value: SOQLValue, _ operand: Operand?) {
        guard let operand, let kind = operand.kind else { return value.literal.isValid ? () : invalid(value) }
        switch (value.literal, kind) {
        case (.null, _), (.string(""), .text), (.string(""), .id), (.boolean, .boolean): break
        case (.date, .date), (.time, .time), (.dateTime, .dateTime), (.formula, .date), (.formula, .dateTime):
            if !value.literal.isValid { invalid(value) }
        case (.string(let text), .text): if let field = operand.field { picklist(text, field, value) }
        case (.string(let text), .id): identifier(text, operand, value)
        case (.number(let number), .integer) where number.isInteger: break
        case (.number(let number), .real):
            // bounded: only whether there is such a number
            guard !number.double.isFinite else { break }
            check.add(
                .outsideRange, "the number \(number.text.shortened) is outside the valid range", at: value.position)
        case (.currency, .real) where operand.field?.type ?? "currency" == "currency" && operand.isColumn: break
        default: wrongType(operand, value)
        }
    }

    private func invalid(_ value: SOQLValue) {
        if case .formula(let formula) = value.literal {
            return check.add(
                .outsideRange, "the number of \(formula.text) is outside the valid range", at: value.position)
        }
        check.add(.invalidDate, "Invalid date: \(value.literal.text)", at: value.position)
    }

    private func wrongType(_ operand: Operand, _ value: SOQLValue) {
        check.add(.wrongType, Message.wrongType(operand.name, operand.kind ?? .text), at: value.position)
    }

    private func identifier(_ text: String, _ operand: Operand, _ value: SOQLValue) {
        // The definition of an object can be named by the object.
        guard operand.field?.referenceTo != ["EntityDefinition"] else { return }
        let letters = text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) }
        guard !letters || (text.utf8.count != 15 && text.utf8.count != 18) else { return }
        check.add(.invalidID, "invalid ID field: \(text.shortened)", at: value.position)
    }

    private func picklist(_ text: String, _ field: QuerySchema.Field, _ value: SOQLValue) {
        guard field.type == "picklist" || field.type == "multipicklist", !field.picklistValues.isEmpty,
            !field.picklistValues.contains(where: { $0.value.lowercased() == text.lowercased() })
        else { return }
        check.add(
            .picklistValue, "the picklist \(field.name) has no value '\(text.shortened)'", at: value.position,
            near: text, field.picklistValues.map(\.value))
    }
}

extension ConditionCheck {
    /// `operand [NOT] IN (SELECT field FROM object …)`.
    func semiJoin(_ operand: Operand?, _ left: SOQLExpression, _ inner: SOQLChildQuery, isUnderOr: Bool) {
        check.countSemiJoin(at: inner.position)
        if let operand, operand.kind ?? .id != .id || !operand.isColumn {
            refuse("The left operand cannot be used in a semi join: \(operand.name)", left.position)
        }
        if isUnderOr {
            refuse("Semi join sub-selects are not supported with the 'OR' operator", inner.position)
        }
        if isInsideSemiJoin { refuse("Nesting of semi join sub-selects is not supported", inner.position) }
        run(inner.query)
    }

    private func run(_ query: SOQLQuery) {
        check.checkClauses(of: query)
        let object = check.object(of: query.from)
        if let object, object.name == scope.object?.name {
            refuse("The inner and outer selects should not be on the same object type", query.from.path.position)
        }
        let inner = CheckScope(check, object: object, query)
        if case .field(.path(let path), _)? = query.select.first, let field = inner.resolve(path),
            field.kind ?? .id != .id
        {
            refuse("A semi join selects an id or a reference, not \(field.name)", path.position)
        }
        if let condition = query.where { ConditionCheck(scope: inner, isInsideSemiJoin: true).run(condition) }
    }

    private func refuse(_ message: String, _ position: SOQLPosition) {
        check.add(.semiJoin, message, at: position)
    }
}

/// What a test, ORDER BY, GROUP BY or a select list is about, as far as it is known.
struct Operand {
    /// The field at the bottom; `nil` for one of a record of several objects.
    let field: QuerySchema.Field?
    /// The object that has the field.
    var object: String?
    /// Of an id, the objects whose records it can name; empty when they are not known.
    var references: [String] = []
    /// The field's name for messages.
    let name: String
    /// What it gives; `nil` for a type that is not known.
    let kind: ValueKind?
    /// Whether the value is a field itself, not that of a function.
    var isColumn = true
    let position: SOQLPosition
    let length: Int

    /// What a function makes of it.
    func applying(_ kind: ValueKind?, at position: SOQLPosition) -> Operand {
        Operand(
            field: field, object: object, references: references, name: name, kind: kind, isColumn: false,
            position: position, length: length)
    }

    var isFilterable: Bool { field.map { !isColumn || $0.isFilterable } ?? true }

    var isSortable: Bool {
        field.map { !isColumn || ($0.isSortable && $0.type != "multipicklist") } ?? true
    }

    var isGroupable: Bool {
        field.map { !isColumn || ($0.isGroupable && $0.type != "multipicklist") } ?? true
    }
}

extension SOQLAggregate {
    /// Whether the aggregate takes a field.
    func accepts(_ operand: Operand) -> Bool {
        guard let kind = operand.kind else { return true }
        let isOpen = operand.field.map { $0.isAggregatable && $0.type != "multipicklist" } ?? true
        guard isOpen, kind != .compound else { return false }
        return switch self {
        case .count, .countDistinct: true
        case .sum, .average: kind == .integer || kind == .real
        case .minimum, .maximum: kind != .boolean
        }
    }

    /// What it gives.
    func kind(of operand: Operand?) -> ValueKind? {
        switch self {
        case .count, .countDistinct: .integer
        case .average: .real
        case .sum, .minimum, .maximum: operand?.kind
        }
    }
}

/// The functions of dates.
enum DateFunction: String {
    case calendarYear = "CALENDAR_YEAR", calendarQuarter = "CALENDAR_QUARTER", calendarMonth = "CALENDAR_MONTH"
    case fiscalYear = "FISCAL_YEAR", fiscalQuarter = "FISCAL_QUARTER", fiscalMonth = "FISCAL_MONTH"
    case dayInMonth = "DAY_IN_MONTH", dayInWeek = "DAY_IN_WEEK", dayInYear = "DAY_IN_YEAR"
    case weekInMonth = "WEEK_IN_MONTH", weekInYear = "WEEK_IN_YEAR"
    case dayOnly = "DAY_ONLY", hourInDay = "HOUR_IN_DAY"

    var kind: ValueKind { self == .dayOnly ? .date : .integer }

    func accepts(_ kind: ValueKind) -> Bool {
        kind == .dateTime || (kind == .date && self != .dayOnly && self != .hourInDay)
    }
}

/// The functions that give a field as a reader wants to see it.
enum PrintFunction: String {
    case label = "TOLABEL", format = "FORMAT", currency = "CONVERTCURRENCY"
}
