// SPDX-License-Identifier: Apache-2.0

import SOQLSyntax

/// The value of one entry of a select list.
struct RowLeaf {
    let value: RowValue
    var isNillable: Bool
    /// The name of the field at the bottom, as the schema spells it.
    let key: String

    init(_ value: RowValue, isNillable: Bool, key: String) {
        (self.value, self.isNillable, self.key) = (value, isNillable, key)
    }

    /// What an expression gives; `nil` for a type that is not known.
    init?(_ expression: SOQLExpression, _ operand: Operand) {
        key = operand.field?.name ?? NameFields.spelling(of: operand.name) ?? operand.name
        let origin = operand.object.flatMap { object in
            operand.field.map { ValueType.Origin(object: object, field: $0) }
        }
        if expression.givesFieldValues, let origin {
            value = .field(origin)
        } else if let kind = operand.kind {
            value = .value(ValueType(kind: kind, references: kind == .id ? operand.references : []))
        } else {
            return nil
        }
        isNillable = !expression.isCount && (expression.isAggregate || operand.field?.isNillable ?? (key != "Id"))
        if case .distance = expression { isNillable = true }
    }
}

extension SOQLExpression {
    /// Whether the values are such as the field at the bottom has.
    fileprivate var givesFieldValues: Bool {
        guard case .call(let call) = self else { return if case .path = self { true } else { false } }
        switch call.aggregate {
        case .minimum, .maximum, .sum: return true
        case .count, .countDistinct, .average: return false
        case nil: return PrintFunction(rawValue: call.function.uppercased()) == .currency
        }
    }

    /// Whether it is a number of rows, of which there is one for no rows too.
    fileprivate var isCount: Bool {
        guard case .call(let call) = self else { return false }
        return call.aggregate == .count || call.aggregate == .countDistinct || isSubtotal
    }

    /// Whether it is `GROUPING(field)`.
    var isSubtotal: Bool { if case .call(let call) = self { call.function.uppercased() == "GROUPING" } else { false } }
}
