// SPDX-License-Identifier: Apache-2.0

import LocalServer
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
