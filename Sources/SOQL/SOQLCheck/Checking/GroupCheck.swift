// SPDX-License-Identifier: Apache-2.0

import SOQLSyntax

/// What expressions mean for a group: they are aggregates, or terms of GROUP BY.
struct GroupCheck {
    let scope: CheckScope
    let query: SOQLQuery
    private let terms: Set<String>

    init(_ scope: CheckScope, _ query: SOQLQuery) {
        (self.scope, self.query) = (scope, query)
        terms = Set(query.groupBy.map { scope.key(of: $0) })
    }

    private var check: QueryCheck { scope.check }

    /// An expression of the groups; noted unless it is an aggregate or one of the terms.
    func operand(_ expression: SOQLExpression, _ use: CheckScope.ExpressionUse) -> Operand? {
        if case .call(let call) = expression, call.function.uppercased() == "GROUPING" { return subtotal(call) }
        let operand = scope.operand(expression, use)
        if !expression.isAggregate { checkGrouped(expression, use) }
        return operand
    }

    private func checkGrouped(_ expression: SOQLExpression, _ use: CheckScope.ExpressionUse) {
        guard !terms.contains(scope.key(of: expression)) else { return }
        let complaint = use == .groupedOrdering ? "Ordered field" : "Field"
        check.add(
            .notGrouped, "\(complaint) must be grouped or aggregated: \(expression.text.shortened)",
            at: expression.position)
    }

    /// `GROUPING(field)`: 1 in a subtotal over the field, else 0.
    private func subtotal(_ call: SOQLCall) -> Operand? {
        let length = call.function.unicodeScalars.count
        guard query.grouping != .plain else {
            check.add(
                .misplaced, "GROUPING() needs GROUP BY ROLLUP or GROUP BY CUBE", at: call.position, length: length)
            return nil
        }
        guard let argument = call.argument else {
            check.add(.misplaced, "GROUPING() takes one field", at: call.position, length: length)
            return nil
        }
        let operand = scope.operand(argument, .grouping)
        checkGrouped(argument, .groupedSelection)
        return operand?.applying(.integer, at: call.position)
    }
}

extension CheckScope {
    /// An expression in a form in which equal ones are equal, however they are written.
    func key(of expression: SOQLExpression) -> String {
        switch expression {
        case .path(let path): relativeParts(of: path).joined(separator: ".").lowercased()
        case .call(let call): "\(call.function.uppercased())(\(call.argument.map { key(of: $0) } ?? ""))"
        case .distance: expression.text.lowercased()
        }
    }
}
