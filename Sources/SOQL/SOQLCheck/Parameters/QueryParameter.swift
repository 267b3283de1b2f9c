// SPDX-License-Identifier: Apache-2.0

package import SOQLSyntax

/// A `:name` of a query, and what its value must be.
package struct QueryParameter: Sendable, Hashable {
    /// The name, without its colon.
    package let name: String
    /// Where it stands first.
    package let position: SOQLPosition
    /// What it is for there.
    package let place: VariablePlace
    /// What it is; `nil` when the schema does not tell.
    package internal(set) var type: ValueType?
    /// Whether it is a list of such values.
    package var isList: Bool { place.isWholeList }
    /// Whether it can be null at all of its places.
    package internal(set) var isNillable: Bool
}

/// What a literal is compared with.
struct ParameterUse {
    let type: ValueType?
    let isNillable: Bool
}

extension ConditionCheck {
    /// Notes what the literals of a test are compared with, as some may stand for variables.
    func noteParameters(_ comparison: SOQLComparison, _ operand: Operand?) {
        guard let operand, var type = operand.fieldType else { return }
        // Only a field itself has the values of the field: the text of toLabel() is none of the picklist.
        var isNillable = false
        if case .path = comparison.left {
            isNillable = operand.field?.isNillable ?? true
        } else {
            type = ValueType(kind: type.kind)
        }
        switch comparison.right {
        case .literal(let value):
            let takesNull = isNillable && [.equal, .notEqual].contains(comparison.operator)
            check.note(ParameterUse(type: type, isNillable: takesNull), at: value.position)
        case .list(let values):
            for value in values { check.note(ParameterUse(type: type, isNillable: false), at: value.position) }
        case .pattern, .query: break
        }
    }
}
