// SPDX-License-Identifier: Apache-2.0

import SOQLSyntax

/// What expressions mean for a group: they are aggregates, or terms of GROUP BY.
struct GroupScope {
    let scope: QueryScope
    let grouping: SOQLGrouping
    /// The terms of GROUP BY.
    let terms: Set<SQLFragment>
    /// The terms that these groups are subtotals over, and so have no value of.
    var absent: Set<SQLFragment> = []

    init(_ scope: QueryScope, _ grouping: SOQLGrouping, _ terms: [Operand]) {
        self.scope = scope
        self.grouping = grouping
        self.terms = Set(terms.map(\.sql))
    }

    private var compilation: Compilation { scope.compilation }

    /// The SQL of an expression of these groups.
    ///
    /// It throws unless the expression is an aggregate or one of the terms.
    func operand(_ expression: SOQLExpression, _ use: QueryScope.ExpressionUse) throws(QueryError) -> Operand {
        if case .call(let call) = expression, call.function.uppercased() == "GROUPING" { return try isSubtotal(call) }
        var operand = try scope.operand(expression, use)
        guard !expression.isAggregate else { return operand }
        try check(operand, expression, use)
        if absent.contains(operand.sql) { operand.sql = "NULL" }
        return operand
    }

    private func check(
        _ operand: Operand, _ expression: SOQLExpression, _ use: QueryScope.ExpressionUse
    ) throws(QueryError) {
        guard !terms.contains(operand.sql) else { return }
        let complaint = use == .groupedOrdering ? "Ordered field" : "Field"
        throw compilation.error(
            .malformedQuery, "\(complaint) must be grouped or aggregated: \(expression.text.shortened)",
            at: expression.position)
    }

    /// `GROUPING(field)`: 1 in a subtotal over the field, else 0.
    private func isSubtotal(_ call: SOQLCall) throws(QueryError) -> Operand {
        guard grouping != .plain else {
            throw compilation.error(
                .malformedQuery, "GROUPING() needs GROUP BY ROLLUP or GROUP BY CUBE", at: call.position)
        }
        guard let argument = call.argument else {
            throw compilation.error(.malformedQuery, "GROUPING() takes one field", at: call.position)
        }
        let operand = try scope.operand(argument, .grouping)
        try check(operand, argument, .groupedSelection)
        return operand.applying(absent.contains(operand.sql) ? "1" : "0", .integer, position: call.position)
    }

    // MARK: Subtotals

    /// One scope for each set of groups that the query asks for, the finest first.
    func sets(_ terms: [Operand]) -> [GroupScope] {
        let count = terms.count
        // A bit for each term that is absent; ROLLUP leaves terms out from the right.
        let masks =
            switch grouping {
            case .plain: [0]
            case .rollup: (0...count).map { ((1 << $0) - 1) << (count - $0) }
            case .cube: Array(0..<1 << count)
            }
        return masks.map { mask in
            var set = self
            for (index, term) in terms.enumerated() where mask >> index & 1 == 1 { set.absent.insert(term.sql) }
            return set
        }
    }
}
