// SPDX-License-Identifier: Apache-2.0

import SOQLSyntax

extension CheckScope {
    /// Where an expression stands, which decides what functions it may have.
    enum ExpressionUse {
        case condition, having, ordering, grouping, selection
        case groupedOrdering, groupedSelection

        var allowsAggregates: Bool { self == .having || self == .groupedOrdering || self == .groupedSelection }
        var isSelection: Bool { self == .selection || self == .groupedSelection }
    }

    /// A field, a function or an aggregate.
    func operand(_ expression: SOQLExpression, _ use: ExpressionUse) -> Operand? {
        switch expression {
        case .path(let path): return resolve(path)
        case .call(let call):
            if let aggregate = call.aggregate { return self.aggregate(aggregate, call, use) }
            if let function = DateFunction(rawValue: call.function.uppercased()) { return apply(function, call) }
            if let function = PrintFunction(rawValue: call.function.uppercased()) { return apply(function, call, use) }
            return unsupported(call)
        case .distance(let distance): return self.distance(distance, use)
        }
    }

    private func unsupported(_ call: SOQLCall) -> Operand? {
        check.add(
            .misplaced, "the function \(call.function.shortened)() is not supported here", at: call.position)
        return nil
    }

    /// Notes a fault of a call, whose function is to blame.
    private func refuse(_ rule: Rule, _ call: SOQLCall, _ message: String) -> Operand? {
        check.add(rule, message, at: call.position, length: call.function.unicodeScalars.count)
        return nil
    }

    // MARK: Aggregates and dates

    private func aggregate(_ aggregate: SOQLAggregate, _ call: SOQLCall, _ use: ExpressionUse) -> Operand? {
        guard use.allowsAggregates else {
            return refuse(.misplaced, call, "the aggregate \(aggregate.rawValue)() is not allowed in this clause")
        }
        guard case .path(let path)? = call.argument else {
            return refuse(.misplaced, call, "\(aggregate.rawValue)() takes one field")
        }
        let operand = resolve(path)
        guard operand.map({ aggregate.accepts($0) }) ?? true else {
            let name = operand?.name ?? path.text
            return refuse(
                .notAggregatable, call, "field \(name) does not support aggregate operator \(aggregate.rawValue)")
        }
        return Operand(
            field: operand?.field, object: operand?.object, references: operand?.references ?? [],
            name: operand?.name ?? path.last, kind: aggregate.kind(of: operand), isColumn: false,
            position: call.position, length: call.function.unicodeScalars.count)
    }

    private func apply(_ function: DateFunction, _ call: SOQLCall) -> Operand? {
        guard let argument = call.argument else {
            return refuse(.misplaced, call, "\(function.rawValue)() takes one field")
        }
        guard let operand = dateArgument(argument) else { return nil }
        guard operand.kind.map({ function.accepts($0) }) ?? true else {
            return refuse(.wrongArgument, call, "\(function.rawValue)() cannot be applied to \(operand.name)")
        }
        return operand.applying(function.kind, at: call.position)
    }

    /// The argument of a date function: a field in UTC, or in the user's time zone.
    private func dateArgument(_ argument: SOQLExpression) -> Operand? {
        switch argument {
        case .path(let path): return resolve(path)
        case .call(let call):
            guard call.function.uppercased() == "CONVERTTIMEZONE", case .path(let path)? = call.argument else {
                return unsupported(call)
            }
            guard let operand = resolve(path) else { return nil }
            guard operand.kind ?? .dateTime == .dateTime else {
                return refuse(
                    .wrongArgument, call, "convertTimezone() takes a dateTime field, not \(operand.name)")
            }
            return operand.applying(.dateTime, at: call.position)
        case .distance(let distance):
            check.add(.misplaced, "a function of dates does not take DISTANCE()", at: distance.position, length: 8)
            return nil
        }
    }

    // MARK: Printing

    /// A function of a field; of one below a certain row, if a row is given.
    func apply(_ function: PrintFunction, _ call: SOQLCall, _ use: ExpressionUse, below row: Row? = nil) -> Operand? {
        guard function == .label || use.isSelection else {
            return refuse(
                .misplaced, call, "the function \(call.function)() is allowed in the select list only")
        }
        guard function != .format else { return formatted(call, use, row) }
        guard case .path(let path)? = call.argument else {
            return function == .label
                ? unsupported(call) : refuse(.misplaced, call, "convertCurrency() takes one field")
        }
        let operand = if let row { resolve(path.parts, below: row, path) } else { resolve(path) }
        guard let operand else { return nil }
        if function == .label, operand.kind ?? .text != .text {
            return refuse(.wrongArgument, call, "toLabel() takes a picklist, not \(operand.name)")
        }
        if function == .currency, operand.field?.type ?? "currency" != "currency" {
            return refuse(
                .wrongArgument, call, "convertCurrency() takes a currency field, not \(operand.name)")
        }
        return function == .label ? operand : operand.applying(.real, at: call.position)
    }

    private func formatted(_ call: SOQLCall, _ use: ExpressionUse, _ row: Row?) -> Operand? {
        guard let argument = call.argument else { return refuse(.misplaced, call, "FORMAT() takes one field") }
        let operand = if let row { self.operand(argument, below: row) } else { self.operand(argument, use) }
        guard let operand else { return nil }
        if let kind = operand.kind, ![.integer, .real, .date, .dateTime].contains(kind) {
            return refuse(
                .wrongArgument, call, "FORMAT() takes a number, a date or a currency field, not \(operand.name)")
        }
        return operand.applying(.text, at: call.position)
    }

    /// A field below a certain row, or a function that prints it.
    func operand(_ expression: SOQLExpression, below row: Row) -> Operand? {
        switch expression {
        case .path(let path): return resolve(path.parts, below: row, path)
        case .call(let call):
            guard let function = PrintFunction(rawValue: call.function.uppercased()) else { return unsupported(call) }
            return apply(function, call, .selection, below: row)
        case .distance(let distance):
            check.add(.misplaced, "DISTANCE() is not allowed inside TYPEOF", at: distance.position, length: 8)
            return nil
        }
    }

    // MARK: Distances

    private func distance(_ distance: SOQLDistance, _ use: ExpressionUse) -> Operand? {
        guard [.selection, .condition, .ordering].contains(use) else {
            check.add(.misplaced, "DISTANCE() is not allowed in a query for groups", at: distance.position, length: 8)
            return nil
        }
        // bounded: by the check that follows
        if abs(distance.latitude.double) > 90 || abs(distance.longitude.double) > 180 {
            check.add(
                .outsideRange, "a latitude is between -90 and 90, and a longitude between -180 and 180",
                at: distance.position, length: 8)
        }
        guard let operand = resolve(distance.field) else { return nil }
        guard operand.kind ?? .compound == .compound else {
            check.add(
                .wrongArgument,
                "DISTANCE() takes a geolocation or an address, not \(distance.field.text.shortened)",
                at: distance.field.position)
            return nil
        }
        return operand.applying(.real, at: distance.position)
    }
}
