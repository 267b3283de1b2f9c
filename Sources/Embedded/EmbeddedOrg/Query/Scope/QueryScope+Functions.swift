// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestText
import SOQLSyntax

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
