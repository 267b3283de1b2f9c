// SPDX-License-Identifier: Apache-2.0

import RestSQLite
import SOQLCheck
import SOQLSyntax

extension JoinedRows {
    /// The SQL of a value.
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
        // A query without subtotals has none.
        case .subtotal(let value): return operand(value).applying("0", .integer)
        }
    }

    /// The SQL of a value that the records of several objects share; null where an object has no such field.
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

    /// An amount in the currency of a code, by the rates of the object CurrencyType; unknown without a rate.
    ///
    /// It is `nil` in an org with one currency, and of records that name none.
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

    /// The amount in the currency that the user has chosen; without one the user sees the record's own.
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

    /// `DISTANCE(field, GEOLOCATION(latitude, longitude), unit)`; null where the field has no place.
    private func distance(_ distance: SOQLDistance, _ place: ResolvedValue) -> Operand {
        func coordinate(_ key: String) -> SQLFragment {
            guard case .field(let field, let row) = place.source, let target = self.row(row).targets.first,
                let part = target.object.field(named: field.name)?.components.first(where: { $0.key == key }),
                let column = target.object.field(named: part.field)
            else { return "NULL" }
            return self.column(of: column, target)
        }
        let metres: SQLFragment = distance.unit == .miles ? "1609.344" : "1000.0"
        // bounded: the resolver refuses what is not on the globe
        let (latitude, longitude) = (SQLValue.real(distance.latitude.double), SQLValue.real(distance.longitude.double))
        let sql: SQLFragment = """
            (great_circle(\(coordinate("latitude")), \(coordinate("longitude")), \(latitude), \(longitude)) / \(metres))
            """
        return Operand(sql: sql, kind: .real, field: nil, isColumn: false, isOfParent: place.row?.isRoot == false)
    }
}

extension SObjectSchema {
    /// A field; of a polymorphic parent `Name` is the name field of each object, whatever it is called.
    fileprivate func sharedField(named name: String) -> FieldSchema? {
        field(named: name) ?? (name == "Name" ? fields.first(where: \.isNameField) : nil)
    }
}

extension SOQLAggregate {
    fileprivate func sql(_ operand: Operand) -> SQLFragment {
        switch self {
        // An id is never null, so that only rows are counted, for which an index is enough.
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
    /// The function of a text that begins with `YYYY-MM-DD` and goes on with `Thh`; null of null.
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
