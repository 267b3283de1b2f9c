// SPDX-License-Identifier: Apache-2.0

import LocalServer
import SOQLSyntax

extension ConditionCompiler {
    /// `Amount > USD5000`: the amount of each record is compared in the currency of the literal.
    ///
    /// - Throws: the refusal of such a literal, where there is one currency.
    func compare(
        _ left: SOQLExpression, _ operand: Operand, _ comparison: SOQLOperator, _ value: SOQLValue,
        _ currency: SOQLCurrency
    ) throws(QueryError) -> SQLFragment {
        guard groups == nil else {
            throw compilation.error(
                .malformedQuery, "an aggregate cannot be compared with an amount in a currency", at: value.position)
        }
        guard case .path(let path) = left,
            let amount = try scope.amount(operand, path, in: "\(.text(currency.code))")
        else { throw wrongType(operand, value) }
        return try compare(amount, comparison, SOQLValue(.number(currency.amount), position: value.position))
    }

    /// A list of amounts in currencies; all of them have one, or none.
    func compareAmounts(
        _ left: SOQLExpression, _ operand: Operand, _ values: [SOQLValue], isNegated: Bool
    ) throws(QueryError) -> SQLFragment {
        var tests = SQLTree()
        for value in values {
            guard case .currency(let currency) = value.literal else {
                throw compilation.error(
                    .malformedQuery, "a list has currency codes at all of its amounts, or at none", at: value.position)
            }
            tests.append(try compare(left, operand, .equal, value, currency))
        }
        let test = tests.joined(by: " OR ")
        return isNegated ? "(\(test)) IS NOT TRUE" : test
    }
}

extension SOQLValue {
    /// The literal as an amount in a currency.
    var currency: SOQLCurrency? { if case .currency(let currency) = literal { currency } else { nil } }
}
