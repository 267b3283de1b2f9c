// SPDX-License-Identifier: Apache-2.0

import SOQLSyntax

/// The clause of an expression, which determines the functions that it can use.
package enum ExpressionUse: Sendable {
    case condition, having, ordering, grouping, selection
    case groupedOrdering, groupedSelection

    var allowsAggregates: Bool { self == .having || self == .groupedOrdering || self == .groupedSelection }
    var allowsDistance: Bool { self == .selection || self == .condition || self == .ordering }
    var isSelection: Bool { self == .selection || self == .groupedSelection }

    fileprivate static let timeZone = "convertTimezone"

    /// The names of the functions that can be called in the clause.
    package var functions: [String] {
        DateFunction.allCases.map(\.rawValue)
            + SOQLPrintFunction.allCases.filter { $0 == .label || isSelection }.map(\.rawValue)
            + (allowsAggregates ? SOQLAggregate.allCases.map(\.rawValue) + ["GROUPING"] : [])
            + (allowsDistance ? ["DISTANCE"] : [])
    }

    /// The names of the functions that can be arguments of `function`.
    package static func functions(inside function: String) -> [String] {
        if DateFunction(rawValue: function.uppercased()) != nil { return [timeZone] }
        return SOQLPrintFunction(named: function) == .format ? groupedSelection.functions : []
    }
}

extension ResolverScope {
    /// Resolves a field, a function or an aggregate.
    func value(_ expression: SOQLExpression, _ use: ExpressionUse) -> ResolvedValue? {
        switch expression {
        case .path(let path): return value(of: way(path), below: root)
        case .call(let call):
            if let aggregate = call.aggregate { return self.aggregate(aggregate, call, use) }
            if let function = DateFunction(rawValue: call.function.uppercased()) { return apply(function, call) }
            if let function = SOQLPrintFunction(named: call.function) { return apply(function, call, use) }
            return unsupported(call)
        case .distance(let distance): return self.distance(distance, use)
        }
    }

    /// Resolves a field in a branch of TYPEOF, or a function applied to the field.
    func value(_ expression: SOQLExpression, inBranch row: ResolvedRow) -> ResolvedValue? {
        switch expression {
        case .path(let path): return value(of: Way(path: path, parts: path.parts), below: row)
        case .call(let call):
            guard let function = SOQLPrintFunction(named: call.function) else { return unsupported(call) }
            return apply(function, call, .selection, inBranch: row)
        // It has no name, so it cannot be part of a branch.
        case .distance: return nil
        }
    }

    private func unsupported(_ call: SOQLCall) -> ResolvedValue? {
        resolver.add(
            .misplaced, "the function \(call.function.shortened)() is not supported here", at: call.position)
        return nil
    }

    /// Adds a finding at the name of a function.
    func refuse(_ rule: Rule, _ call: SOQLCall, _ message: String) -> ResolvedValue? {
        resolver.add(rule, message, at: call.position, length: call.function.unicodeScalars.count)
        return nil
    }

    // MARK: Aggregates and dates

    private func aggregate(_ aggregate: SOQLAggregate, _ call: SOQLCall, _ use: ExpressionUse) -> ResolvedValue? {
        guard use.allowsAggregates else {
            return refuse(.misplaced, call, "the aggregate \(aggregate.rawValue)() is not allowed in this clause")
        }
        guard case .path(let path)? = call.argument else {
            return refuse(.misplaced, call, "\(aggregate.rawValue)() takes one field")
        }
        guard let value = value(of: way(path), below: root) else { return nil }
        guard aggregate.accepts(value) else {
            return refuse(
                .notAggregatable, call, "field \(value.name) does not support aggregate operator \(aggregate.rawValue)")
        }
        return ResolvedValue(
            source: .aggregate(aggregate, value), name: value.name, kind: aggregate.kind(of: value),
            references: value.references, position: call.position, length: call.function.unicodeScalars.count,
            start: call.position)
    }

    private func apply(_ function: DateFunction, _ call: SOQLCall) -> ResolvedValue? {
        guard let argument = call.argument else {
            return refuse(.misplaced, call, "\(function.rawValue)() takes one field")
        }
        guard let value = dateArgument(argument) else { return nil }
        guard value.kind.map({ function.accepts($0) }) ?? true else {
            return refuse(.wrongArgument, call, "\(function.rawValue)() cannot be applied to \(value.name)")
        }
        return value.applying({ .date(function, $0) }, function.kind, at: call.position)
    }

    /// Resolves the argument of a date function: a field, alone or in `convertTimezone()`, which uses UTC.
    private func dateArgument(_ argument: SOQLExpression) -> ResolvedValue? {
        switch argument {
        case .path(let path): return value(of: way(path), below: root)
        case .call(let call):
            guard call.function.lowercased() == ExpressionUse.timeZone.lowercased(),
                case .path(let path)? = call.argument
            else {
                return unsupported(call)
            }
            guard let value = value(of: way(path), below: root) else { return nil }
            guard value.kind ?? .dateTime == .dateTime else {
                return refuse(.wrongArgument, call, "convertTimezone() takes a dateTime field, not \(value.name)")
            }
            return value
        case .distance(let distance):
            resolver.add(.misplaced, "a function of dates does not take DISTANCE()", at: distance.position, length: 8)
            return nil
        }
    }

    // MARK: Printing

    private func apply(
        _ function: SOQLPrintFunction, _ call: SOQLCall, _ use: ExpressionUse, inBranch row: ResolvedRow? = nil
    ) -> ResolvedValue? {
        guard function == .label || use.isSelection else {
            return refuse(.misplaced, call, "the function \(call.function)() is allowed in the select list only")
        }
        guard function != .format else { return formatted(call, use, row) }
        guard case .path(let path)? = call.argument else {
            return function == .label
                ? unsupported(call) : refuse(.misplaced, call, "convertCurrency() takes one field")
        }
        let way = row == nil ? way(path) : Way(path: path, parts: path.parts)
        guard let value = value(of: way, below: row ?? root) else { return nil }
        if function == .label {
            guard value.kind ?? .text == .text else {
                return refuse(.wrongArgument, call, "toLabel() takes a picklist, not \(value.name)")
            }
            return value.applying({ .label($0) }, .text, at: value.position)
        }
        guard value.field?.kind ?? .currency == .currency else {
            return refuse(.wrongArgument, call, "convertCurrency() takes a currency field, not \(value.name)")
        }
        return value.applying({ .currency($0) }, .real, at: call.position)
    }

    private func formatted(_ call: SOQLCall, _ use: ExpressionUse, _ row: ResolvedRow?) -> ResolvedValue? {
        guard let argument = call.argument else { return refuse(.misplaced, call, "FORMAT() takes one field") }
        let value = if let row { self.value(argument, inBranch: row) } else { self.value(argument, use) }
        guard let value else { return nil }
        if let kind = value.kind, ![.integer, .real, .date, .dateTime].contains(kind) {
            return refuse(
                .wrongArgument, call, "FORMAT() takes a number, a date or a currency field, not \(value.name)")
        }
        return value.applying({ .format($0) }, .text, at: call.position)
    }

    // MARK: Distances

    private func distance(_ distance: SOQLDistance, _ use: ExpressionUse) -> ResolvedValue? {
        guard use.allowsDistance else {
            resolver.add(
                .misplaced, "DISTANCE() is not allowed in a query for groups", at: distance.position, length: 8)
            return nil
        }
        // bounded: by the check that follows
        if abs(distance.latitude.double) > 90 || abs(distance.longitude.double) > 180 {
            resolver.add(
                .outsideRange, "a latitude is between -90 and 90, and a longitude between -180 and 180",
                at: distance.position, length: 8)
        }
        guard let value = value(of: way(distance.field), below: root) else { return nil }
        guard value.kind ?? .compound == .compound else {
            resolver.add(
                .wrongArgument,
                "DISTANCE() takes a geolocation or an address, not \(distance.field.text.shortened)",
                at: distance.field.position)
            return nil
        }
        return value.applying({ .distance(distance, $0) }, .real, at: distance.position)
    }
}

extension SOQLAggregate {
    fileprivate func accepts(_ value: ResolvedValue) -> Bool {
        guard let kind = value.kind else { return true }
        let isOpen = value.field.map { $0.isAggregatable && $0.kind != .multipicklist } ?? true
        guard isOpen, kind != .compound else { return false }
        return switch self {
        case .count, .countDistinct: true
        case .sum, .average: kind == .integer || kind == .real
        case .minimum, .maximum: kind != .boolean
        }
    }

    fileprivate func kind(of value: ResolvedValue) -> ValueKind? {
        switch self {
        case .count, .countDistinct: .integer
        case .average: .real
        case .sum, .minimum, .maximum: value.kind
        }
    }
}

/// The date functions, whose fiscal year is the calendar year.
package enum DateFunction: String, Sendable, CaseIterable {
    case calendarYear = "CALENDAR_YEAR", calendarQuarter = "CALENDAR_QUARTER", calendarMonth = "CALENDAR_MONTH"
    case fiscalYear = "FISCAL_YEAR", fiscalQuarter = "FISCAL_QUARTER", fiscalMonth = "FISCAL_MONTH"
    case dayInMonth = "DAY_IN_MONTH", dayInWeek = "DAY_IN_WEEK", dayInYear = "DAY_IN_YEAR"
    case weekInMonth = "WEEK_IN_MONTH", weekInYear = "WEEK_IN_YEAR"
    case dayOnly = "DAY_ONLY", hourInDay = "HOUR_IN_DAY"

    package var kind: ValueKind { self == .dayOnly ? .date : .integer }

    func accepts(_ kind: ValueKind) -> Bool {
        kind == .dateTime || (kind == .date && self != .dayOnly && self != .hourInDay)
    }
}
