// SPDX-License-Identifier: Apache-2.0

import SOQLSyntax

extension ConditionCheck {
    /// `operand [NOT] IN (SELECT field FROM object …)`.
    func semiJoin(_ operand: Operand?, _ left: SOQLExpression, _ inner: SOQLChildQuery, isUnderOr: Bool) {
        check.countSemiJoin(at: inner.position)
        if let operand, operand.kind ?? .id != .id || !operand.isColumn {
            refuse("The left operand cannot be used in a semi join: \(operand.name)", left.position)
        }
        if isUnderOr {
            refuse("Semi join sub-selects are not supported with the 'OR' operator", inner.position)
        }
        if isInsideSemiJoin { refuse("Nesting of semi join sub-selects is not supported", inner.position) }
        run(inner.query)
    }

    private func run(_ query: SOQLQuery) {
        check.checkClauses(of: query)
        let object = check.object(of: query.from)
        if let object, object.name == scope.object?.name {
            refuse("The inner and outer selects should not be on the same object type", query.from.path.position)
        }
        let inner = CheckScope(check, object: object, query)
        if case .field(.path(let path), _)? = query.select.first, let field = inner.resolve(path),
            field.kind ?? .id != .id
        {
            refuse("A semi join selects an id or a reference, not \(field.name)", path.position)
        }
        if let condition = query.where { ConditionCheck(scope: inner, isInsideSemiJoin: true).run(condition) }
    }

    private func refuse(_ message: String, _ position: SOQLPosition) {
        check.add(.semiJoin, message, at: position)
    }
}
