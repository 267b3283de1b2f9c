// SPDX-License-Identifier: Apache-2.0

import RestSQLite
import SOQLCheck
import SOQLSyntax

extension JoinedRows {
    func operand(_ value: ResolvedValue) -> Operand {
        switch value.source {
        case .field(let field, let row):
            let isOfParent = !row.isRoot
            guard let target = self.row(row).targets.first, let field = target.object.field(named: field.name) else {
                return Operand(sql: "NULL", kind: value.kind ?? .text, field: nil, isOfParent: isOfParent)
            }
            return Operand(
                sql: column(of: field, target), kind: field.type.kind, field: field, isOfParent: isOfParent)
        case .name(let row), .type(let row): return shared(value, self.row(row))
        case .date(let function, let value):
            let operand = operand(value)
            return operand.applying(function.sql(operand.sql), function.kind)
        case .aggregate(let aggregate, let inner):
            let operand = operand(inner)
            return operand.applying(aggregate.sql(operand), value.kind ?? .text)
        case .label(let value): return operand(value).labelled
        case .format(let value):
            let operand = operand(value)
            return operand.applying(PrintedValue(operand).sql, .text)
        case .currency(let value): return inUsersCurrency(value)
        case .distance(let distance, let place): return self.distance(distance, place)
        // A query without subtotals never returns 1.
        case .subtotal(let value): return operand(value).applying("0", .integer)
        }
    }

    /// Returns the SQL of a field that several objects have in common, which is null for objects without the field.
    func shared(_ value: ResolvedValue, _ row: Row) -> Operand {
        if case .label(let inner) = value.source { return shared(inner, row).labelled }
        let sql: SQLFragment
        if case .type = value.source {
            let cases = row.targets.map { target -> SQLFragment in
                " WHEN \(target.alias).\"Id\" IS NOT NULL THEN \(string: target.object.name)"
            }
            sql = "(CASE\(cases.joined(separator: "")) END)"
        } else {
            sql = row.coalesced(
                row.targets.compactMap { target in
                    let field = target.object.sharedField(named: value.name)
                    return field.flatMap { $0.type.kind == value.kind ? column(of: $0, target) : nil }
                })
        }
        return Operand(sql: sql, kind: value.kind ?? .text, field: nil, isOfParent: true)
    }

    // MARK: Amounts and distances

    /// Returns an amount converted to a currency with the rates of CurrencyType, which is null without a rate.
    ///
    /// Returns `nil` if the org has one currency, or if the records have no currency code.
    func amount(_ value: ResolvedValue, in code: SQLFragment) -> Operand? {
        guard case .field(_, let row) = value.source, let target = self.row(row).targets.first,
            let currency = target.object.field(named: "CurrencyIsoCode"),
            let rates = compilation.schema.object(named: "CurrencyType"),
            rates.field(named: "IsoCode") != nil, rates.field(named: "ConversionRate") != nil
        else { return nil }
        let operand = operand(value)
        guard operand.field?.type == .currency else { return nil }
        func rate(_ code: SQLFragment) -> SQLFragment {
            "(SELECT \"ConversionRate\" FROM \"CurrencyType\" WHERE \"IsoCode\" = \(code) AND \"IsDeleted\" = 0)"
        }
        return operand.applying("(\(operand.sql) / \(rate(column(of: currency, target))) * \(rate(code)))", .real)
    }

    /// Returns the amount in the user's default currency, or in the record's currency if the user has none.
    private func inUsersCurrency(_ value: ResolvedValue) -> Operand {
        let operand = operand(value)
        guard let field = compilation.schema.object(named: "User")?.field(named: "DefaultCurrencyIsoCode") else {
            return operand
        }
        let user = SQLValue.text(compilation.options.userID ?? "")
        guard let amount = amount(value, in: "(SELECT \(name: field.name) FROM \"User\" WHERE \"Id\" = \(user))") else {
            return operand
        }
        return amount.applying("coalesce(\(amount.sql), \(operand.sql))", .real)
    }

    /// Compiles `DISTANCE(field, GEOLOCATION(latitude, longitude), unit)`, which is null if the field has no location.
    private func distance(_ distance: SOQLDistance, _ place: ResolvedValue) -> Operand {
        func coordinate(_ key: String) -> SQLFragment {
            guard case .field(let field, let row) = place.source, let target = self.row(row).targets.first,
                let part = target.object.field(named: field.name)?.components.first(where: { $0.key == key }),
                let column = target.object.field(named: part.field)
            else { return "NULL" }
            return self.column(of: column, target)
        }
        let metres: SQLFragment = distance.unit == .miles ? "1609.344" : "1000.0"
        // bounded: the resolver rejects other coordinates
        let (latitude, longitude) = (SQLValue.real(distance.latitude.double), SQLValue.real(distance.longitude.double))
        let sql: SQLFragment = """
            (great_circle(\(coordinate("latitude")), \(coordinate("longitude")), \(latitude), \(longitude)) / \(metres))
            """
        return Operand(sql: sql, kind: .real, field: nil, isColumn: false, isOfParent: place.row?.isRoot == false)
    }
}

extension SObjectSchema {
    /// Returns a field, which for `Name` of a polymorphic parent is the name field of each object.
    fileprivate func sharedField(named name: String) -> FieldSchema? {
        field(named: name) ?? (name == "Name" ? fields.first(where: \.isNameField) : nil)
    }
}

extension SOQLAggregate {
    fileprivate func sql(_ operand: Operand) -> SQLFragment {
        switch self {
        // An id is never null, so count the rows, for which an index is enough.
        case .count where operand.field?.type == .id && !operand.isOfParent: "count(*)"
        case .count: "count(\(operand.sql))"
        case .countDistinct: "count(DISTINCT \(operand.collated))"
        case .sum: "sum(\(operand.sql))"
        case .average: "avg(\(operand.sql))"
        case .minimum: operand.extreme("min")
        case .maximum: operand.extreme("max")
        }
    }
}

extension DateFunction {
    /// Returns the function of a string that begins with `YYYY-MM-DD` and continues with `Thh`, or null for null.
    fileprivate func sql(_ text: SQLFragment) -> SQLFragment {
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
