// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestBase
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

extension QueryScope {
    /// An amount in the currency of a code, by the rates of the object CurrencyType; unknown without a rate.
    ///
    /// It is `nil` in an org with one currency, and of records that name none.
    func amount(
        _ operand: Operand, _ path: SOQLPath, _ row: Parent? = nil, in code: SQLFragment
    ) throws(QueryError) -> Operand? {
        guard operand.field.type == .currency, let rates = compilation.schema.object(named: "CurrencyType"),
            rates.field(named: "IsoCode") != nil, rates.field(named: "ConversionRate") != nil
        else { return nil }
        let own = SOQLPath(path.parts.dropLast() + ["CurrencyIsoCode"], position: path.position)
        guard let currency = try? resolve(own, row) else { return nil }
        let (from, to) = (Self.rate(currency.sql), Self.rate(code))
        return operand.applying("(\(operand.sql) / \(from) * \(to))", .real, position: operand.position)
    }

    /// The amount in the currency that the user has chosen.
    func inUsersCurrency(_ operand: Operand, _ path: SOQLPath, _ row: Parent?) throws(QueryError) -> Operand {
        guard let field = compilation.schema.object(named: "User")?.field(named: "DefaultCurrencyIsoCode") else {
            return operand
        }
        let user = SQLValue.text(compilation.options.userID ?? "")
        let code: SQLFragment = "(SELECT \(name: field.name) FROM \"User\" WHERE \"Id\" = \(user))"
        guard var converted = try amount(operand, path, row, in: code) else { return operand }
        // A user without a currency sees the record's own.
        converted.sql = "coalesce(\(converted.sql), \(operand.sql))"
        return converted
    }

    private static func rate(_ code: SQLFragment) -> SQLFragment {
        "(SELECT \"ConversionRate\" FROM \"CurrencyType\" WHERE \"IsoCode\" = \(code) AND \"IsDeleted\" = 0)"
    }
}

extension QueryScope {
    /// `DISTANCE(field, GEOLOCATION(latitude, longitude), unit)`; null where the field has no place.
    func distance(_ distance: SOQLDistance, _ use: ExpressionUse) throws(QueryError) -> Operand {
        guard [.selection, .condition, .ordering].contains(use) else {
            throw compilation.error(
                .malformedQuery, "DISTANCE() is not allowed in a query for groups", at: distance.position)
        }
        // bounded: by the check that follows
        let place = (distance.latitude.double, distance.longitude.double)
        guard abs(place.0) <= 90, abs(place.1) <= 180 else {
            throw compilation.error(
                .numberOutsideRange, "a latitude is between -90 and 90, and a longitude between -180 and 180",
                at: distance.position)
        }
        let names = try coordinates(of: distance.field)
        let (latitude, longitude) = (try resolve(names.latitude), try resolve(names.longitude))
        let metres: SQLFragment = distance.unit == .miles ? "1609.344" : "1000.0"
        let sql: SQLFragment = """
            great_circle(\(latitude.sql), \(longitude.sql), \(.real(place.0)), \(.real(place.1))) / \(metres)
            """
        return Operand(
            sql: "(\(sql))", kind: .real, field: FieldSchema(name: "DISTANCE", label: "Distance", type: .double),
            name: "DISTANCE", isColumn: false, isOfParent: latitude.isOfParent, position: distance.position)
    }

    /// The two fields that a place consists of: those of an address, or of a field of its own.
    private func coordinates(of path: SOQLPath) throws(QueryError) -> (latitude: SOQLPath, longitude: SOQLPath) {
        let name = path.last
        let stem: String
        let suffix: String
        if name.lowercased().hasBytes(suffix: "__c") {
            (stem, suffix) = (name.dropLast(3) + "__", "__s")
        } else if name.lowercased().hasBytes(suffix: "address") {
            (stem, suffix) = (String(name.dropLast(7)), "")
        } else {
            _ = try resolve(path)
            throw compilation.error(
                .invalidField, "DISTANCE() takes a geolocation or an address, not \(path.text.shortened)",
                at: path.position)
        }
        let parents = Array(path.parts.dropLast())
        return (
            SOQLPath(parents + [stem + "Latitude" + suffix], position: path.position),
            SOQLPath(parents + [stem + "Longitude" + suffix], position: path.position)
        )
    }
}
