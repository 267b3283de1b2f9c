// SPDX-License-Identifier: Apache-2.0

import SOQLSyntax

extension QueryScope {
    /// Where an expression stands, which decides what functions it may have.
    enum ExpressionUse {
        case condition, having, ordering, grouping, selection
        case groupedOrdering, groupedSelection

        var allowsAggregates: Bool { self == .having || self == .groupedOrdering || self == .groupedSelection }
        var isSelection: Bool { self == .selection || self == .groupedSelection }
    }

    /// The SQL of a field, a date function or an aggregate.
    func operand(_ expression: SOQLExpression, _ use: ExpressionUse) throws(QueryError) -> Operand {
        switch expression {
        case .path(let path): return try resolve(path)
        case .call(let call):
            if let aggregate = call.aggregate { return try self.aggregate(aggregate, call, use) }
            if let function = DateFunction(rawValue: call.function.uppercased()) { return try apply(function, call) }
            if let function = PrintFunction(rawValue: call.function.uppercased()) {
                return try apply(function, call, use)
            }
            throw unsupported(call)
        case .distance(let distance): return try self.distance(distance, use)
        }
    }

    func unsupported(_ call: SOQLCall) -> QueryError {
        compilation.error(
            .malformedQuery, "the function \(call.function.shortened)() is not supported here", at: call.position)
    }

    // MARK: Aggregates

    private func aggregate(
        _ aggregate: SOQLAggregate, _ call: SOQLCall, _ use: ExpressionUse
    ) throws(QueryError) -> Operand {
        guard use.allowsAggregates else {
            throw compilation.error(
                .malformedQuery, "the aggregate \(aggregate.rawValue)() is not allowed in this clause",
                at: call.position)
        }
        guard case .path(let path)? = call.argument else {
            throw compilation.error(.malformedQuery, "\(aggregate.rawValue)() takes one field", at: call.position)
        }
        let operand = try resolve(path)
        guard aggregate.accepts(operand.field) else {
            throw compilation.error(
                .invalidField, "field \(operand.field.name) does not support aggregate operator \(aggregate.rawValue)",
                at: call.position)
        }
        return operand.applying(aggregate.sql(operand), aggregate.kind(operand), position: call.position)
    }

    // MARK: Dates

    private func apply(_ function: DateFunction, _ call: SOQLCall) throws(QueryError) -> Operand {
        guard let argument = call.argument else {
            throw compilation.error(.malformedQuery, "\(function.rawValue)() takes one field", at: call.position)
        }
        let operand = try dateArgument(argument)
        guard function.accepts(operand.kind) else {
            throw compilation.error(
                .invalidField, "\(function.rawValue)() cannot be applied to \(operand.field.name)", at: call.position)
        }
        return operand.applying(function.sql(operand.sql), function.kind, position: call.position)
    }

    /// The argument of a date function: a field, alone or in `convertTimezone()`, which gives UTC too.
    private func dateArgument(_ argument: SOQLExpression) throws(QueryError) -> Operand {
        switch argument {
        case .path(let path): return try resolve(path)
        case .call(let call):
            guard call.function.uppercased() == "CONVERTTIMEZONE", case .path(let path)? = call.argument else {
                throw unsupported(call)
            }
            let operand = try resolve(path)
            guard operand.kind == .dateTime else {
                throw compilation.error(
                    .invalidField, "convertTimezone() takes a dateTime field, not \(operand.field.name)",
                    at: call.position)
            }
            return operand.applying(operand.sql, .dateTime, position: call.position)
        case .distance(let distance):
            throw compilation.error(
                .malformedQuery, "a function of dates does not take DISTANCE()", at: distance.position)
        }
    }
}

extension SOQLAggregate {
    func accepts(_ field: FieldSchema) -> Bool {
        guard !field.isUnindexed, field.type != .multipicklist else { return false }
        return switch self {
        case .count, .countDistinct: true
        case .sum, .average: field.type.kind == .integer || field.type.kind == .real
        case .minimum, .maximum: field.type.kind != .boolean
        }
    }

    func sql(_ operand: Operand) -> SQLFragment {
        switch self {
        // An id is never null, so that only rows are counted, for which an index is enough.
        case .count where operand.field.type == .id && !operand.isOfParent: "count(*)"
        case .count: "count(\(operand.sql))"
        case .countDistinct: "count(DISTINCT \(operand.collated))"
        case .sum: "sum(\(operand.sql))"
        case .average: "avg(\(operand.sql))"
        case .minimum: operand.extreme("min")
        case .maximum: operand.extreme("max")
        }
    }

    func kind(_ operand: Operand) -> ValueKind {
        switch self {
        case .count, .countDistinct: .integer
        case .average: .real
        case .sum, .minimum, .maximum: operand.kind
        }
    }
}

/// The functions of dates.
///
/// They work in UTC, unless `convertTimezone` is inside; the fiscal year is the calendar year.
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

    /// The function of a text that begins with `YYYY-MM-DD` and goes on with `Thh`; null of null.
    func sql(_ text: SQLFragment) -> SQLFragment {
        switch self {
        case .calendarYear, .fiscalYear: "CAST(substr(\(text), 1, 4) AS INTEGER)"
        case .calendarMonth, .fiscalMonth: "CAST(substr(\(text), 6, 2) AS INTEGER)"
        case .calendarQuarter, .fiscalQuarter: "(CAST(substr(\(text), 6, 2) AS INTEGER) + 2) / 3"
        case .dayInMonth: "CAST(substr(\(text), 9, 2) AS INTEGER)"
        case .dayInWeek: "CAST(strftime('%w', substr(\(text), 1, 10)) AS INTEGER) + 1"
        case .dayInYear: "CAST(strftime('%j', substr(\(text), 1, 10)) AS INTEGER)"
        case .weekInMonth: "(CAST(substr(\(text), 9, 2) AS INTEGER) + 6) / 7"
        case .weekInYear: "(CAST(strftime('%j', substr(\(text), 1, 10)) AS INTEGER) + 6) / 7"
        case .dayOnly: "substr(\(text), 1, 10)"
        case .hourInDay: "CAST(substr(\(text), 12, 2) AS INTEGER)"
        }
    }
}
