// SPDX-License-Identifier: Apache-2.0

import SOQLSyntax

/// Compiles WHERE and HAVING.
///
/// Every test is true or false in the end: what SQL calls unknown counts as false.
struct ConditionCompiler {
    let scope: QueryScope
    /// The terms of GROUP BY when this is a HAVING clause.
    var groups: GroupTerms?
    /// Whether this is the WHERE of a semi-join, which must not contain another.
    var isInsideSemiJoin = false

    var compilation: Compilation { scope.compilation }

    /// A condition and how many parentheses stand inside each other in it.
    struct Compiled {
        let sql: SQLFragment
        var nesting = 0
    }

    /// SQLite's parser has a stack of 100 entries, of which a level of parentheses takes three.
    static let maximumNesting = 20
    /// SQLite limits the depth of an expression to 1,000, and a chain of AND is as deep as it is long; so a long chain
    /// becomes a tree with this many branches.
    private static let branches = 16

    /// The condition as one SQL expression.
    func compile(_ condition: SOQLCondition) throws(QueryError) -> SQLFragment {
        try compiled(condition, isUnderOr: false).sql
    }

    private func compiled(_ condition: SOQLCondition, isUnderOr: Bool) throws(QueryError) -> Compiled {
        switch condition {
        case .comparison(let comparison):
            return Compiled(sql: try compile(comparison, isUnderOr: isUnderOr))
        case .not(let inner):
            let inner = try compiled(inner, isUnderOr: isUnderOr)
            return try nested("(\(inner.sql)) IS NOT TRUE", inner.nesting + 1)
        case .and(let terms): return try joined(terms, by: " AND ", isUnderOr: isUnderOr)
        case .or(let terms): return try joined(terms, by: " OR ", isUnderOr: true)
        }
    }

    private func joined(
        _ conditions: [SOQLCondition], by separator: SQLFragment, isUnderOr: Bool
    ) throws(QueryError) -> Compiled {
        var terms: [Compiled] = []
        for condition in conditions { terms.append(try compiled(condition, isUnderOr: isUnderOr)) }
        while terms.count > 1 {
            terms = stride(from: 0, to: terms.count, by: Self.branches).map { start in
                let branch = terms[start..<min(start + Self.branches, terms.count)]
                let nesting = branch.map(\.nesting).max() ?? 0
                return Compiled(sql: "(\(branch.map(\.sql).joined(separator: separator)))", nesting: nesting + 1)
            }
        }
        return try nested(terms[0].sql, terms[0].nesting)
    }

    private func nested(_ sql: SQLFragment, _ nesting: Int) throws(QueryError) -> Compiled {
        guard nesting <= Self.maximumNesting else {
            throw QueryError(.tooComplicated, "the condition of the query is nested too deeply")
        }
        return Compiled(sql: sql, nesting: nesting)
    }

    // MARK: One test

    private func compile(_ comparison: SOQLComparison, isUnderOr: Bool) throws(QueryError) -> SQLFragment {
        let operand = try left(comparison.left)
        switch comparison.right {
        case .literal(let value): return try compare(operand, comparison.operator, value)
        case .pattern(let pattern): return try match(operand, pattern)
        case .query(let query):
            return try compileSemiJoin(
                operand, query, isNegated: comparison.operator == .notIn, isUnderOr: isUnderOr)
        case .list(let values):
            switch comparison.operator {
            case .includes, .excludes: return try matchSets(operand, comparison.operator, values)
            default: return try compareList(operand, values, isNegated: comparison.operator == .notIn)
            }
        }
    }

    private func left(_ expression: SOQLExpression) throws(QueryError) -> Operand {
        let operand = try scope.operand(expression, groups == nil ? .condition : .having)
        guard !operand.isColumn || !operand.field.isLongText else {
            throw compilation.error(
                .invalidField, "field '\(operand.field.name)' can not be filtered in a query call", at: operand.position
            )
        }
        try groups?.check(operand, expression, "Field must be grouped or aggregated", compilation)
        return operand
    }

    func invalidOperator(_ operand: Operand) -> QueryError {
        compilation.error(
            .invalidFilterOperator, "invalid operator on \(operand.field.type.rawValue) field", at: operand.position)
    }
}

/// The terms of GROUP BY, to tell whether a field stands for the whole group.
struct GroupTerms {
    let terms: Set<SQLFragment>

    /// Throws unless the expression is an aggregate or one of the terms.
    func check(
        _ operand: Operand, _ expression: SOQLExpression, _ complaint: String, _ compilation: Compilation
    ) throws(QueryError) {
        guard !expression.isAggregate, !terms.contains(operand.sql) else { return }
        throw compilation.error(.malformedQuery, "\(complaint): \(expression.text.shortened)", at: expression.position)
    }
}
