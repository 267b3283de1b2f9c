// SPDX-License-Identifier: Apache-2.0

import LocalServer
import SOQLSyntax

/// Compiles WHERE and HAVING.
///
/// Every test is true or false in the end: what SQL calls unknown counts as false.
struct ConditionCompiler {
    let scope: QueryScope
    /// The groups when this is a HAVING clause.
    var groups: GroupScope?
    /// Whether this is the WHERE of a semi-join, which must not contain another.
    var isInsideSemiJoin = false
    /// How many queries stand around this one's.
    var depth = 0

    var compilation: Compilation { scope.compilation }

    /// The condition as one SQL expression.
    func compile(_ condition: SOQLCondition) throws(QueryError) -> SQLFragment {
        let sql = try compile(condition, isUnderOr: false)
        guard sql.parenthesisDepth <= SQLTree.maximumDepth - depth * SQLTree.depthOfChildQuery else {
            throw QueryError(.tooComplicated, "the condition of the query is nested too deeply")
        }
        return sql
    }

    private func compile(_ condition: SOQLCondition, isUnderOr: Bool) throws(QueryError) -> SQLFragment {
        switch condition {
        case .comparison(let comparison): return try compile(comparison, isUnderOr: isUnderOr)
        case .not(let inner): return "(\(try compile(inner, isUnderOr: isUnderOr))) IS NOT TRUE"
        case .and(let terms): return try tree(terms, isUnderOr: isUnderOr).joined(by: " AND ")
        case .or(let terms): return try tree(terms, isUnderOr: true).joined(by: " OR ")
        }
    }

    private func tree(_ conditions: [SOQLCondition], isUnderOr: Bool) throws(QueryError) -> SQLTree {
        var tree = SQLTree()
        for condition in conditions { tree.append(try compile(condition, isUnderOr: isUnderOr)) }
        return tree
    }

    // MARK: One test

    private func compile(_ comparison: SOQLComparison, isUnderOr: Bool) throws(QueryError) -> SQLFragment {
        let operand = try left(comparison.left)
        if case .distance = comparison.left, ![.less, .greater].contains(comparison.operator) {
            throw compilation.error(
                .invalidFilterOperator, "DISTANCE() is compared by < and > only", at: operand.position)
        }
        switch comparison.right {
        case .literal(let value):
            guard let currency = value.currency else { return try compare(operand, comparison.operator, value) }
            return try compare(comparison.left, operand, comparison.operator, value, currency)
        case .pattern(let pattern): return try match(operand, pattern)
        case .query(let query):
            return try compileSemiJoin(
                operand, query, isNegated: comparison.operator == .notIn, isUnderOr: isUnderOr)
        case .list(let values):
            switch comparison.operator {
            case .includes, .excludes: return try matchSets(operand, comparison.operator, values)
            default:
                let isNegated = comparison.operator == .notIn
                guard values.contains(where: { $0.currency != nil }) else {
                    return try compareList(operand, values, isNegated: isNegated)
                }
                return try compareAmounts(comparison.left, operand, values, isNegated: isNegated)
            }
        }
    }

    private func left(_ expression: SOQLExpression) throws(QueryError) -> Operand {
        let operand =
            if let groups { try groups.operand(expression, .having) } else {
                try scope.operand(expression, .condition)
            }
        guard !operand.isColumn || !operand.field.isUnindexed else {
            throw compilation.error(
                .invalidField, "field '\(operand.field.name)' can not be filtered in a query call", at: operand.position
            )
        }
        return operand
    }

    func invalidOperator(_ operand: Operand) -> QueryError {
        compilation.error(
            .invalidFilterOperator, "invalid operator on \(operand.field.type.rawValue) field", at: operand.position)
    }
}

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
