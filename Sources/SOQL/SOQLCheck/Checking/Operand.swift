// SPDX-License-Identifier: Apache-2.0

import SOQLSyntax

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
