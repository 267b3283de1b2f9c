// SPDX-License-Identifier: Apache-2.0

import RestBase
package import SOQLSyntax

/// A `:name` in a query, and the type of its value.
package struct QueryParameter: Sendable, Hashable {
    package let name: String
    /// The position of the first use.
    package let position: SOQLPosition
    /// The syntactic context of the first use.
    package let place: SOQLPlace
    /// The type, or `nil` if the schema does not define it.
    package internal(set) var type: ValueType?
    /// Whether the value is a list of values of this type.
    package var isList: Bool { place.isWholeList }
    /// Whether null is allowed in all uses.
    package internal(set) var isNillable: Bool
}

/// The value that a literal is compared with.
struct ParameterUse {
    let type: ValueType?
    let isNillable: Bool
}

extension ConditionResolver {
    /// Records the operand of each literal, because a literal can be the stand-in of a variable.
    func noteParameters(_ comparison: SOQLComparison, _ left: ResolvedValue?) {
        guard let left, var type = left.type else { return }
        // Only the field itself has the field's values. The result of toLabel() is not a picklist value.
        var isNillable = false
        if left.argument == nil {
            isNillable = left.field?.isNillable ?? true
        } else {
            type = ValueType(kind: type.kind)
        }
        switch comparison.right {
        case .literal(let value):
            let takesNull = isNillable && [.equal, .notEqual].contains(comparison.operator)
            scope.resolver.note(ParameterUse(type: type, isNillable: takesNull), at: value.position)
        case .list(let values):
            for value in values {
                scope.resolver.note(ParameterUse(type: type, isNillable: false), at: value.position)
            }
        case .pattern, .query: break
        }
    }
}

/// Merges the uses of each variable of a query into parameters.
struct ParameterReader {
    /// The statement of the query, which converts positions to those in the file.
    let statement: Statement
    private(set) var parameters: [QueryParameter] = []
    private(set) var findings: [Finding] = []
    private var positions: [String: Int] = [:]
    private var spellings: [String: String] = [:]

    init(_ statement: Statement) {
        self.statement = statement
    }

    mutating func add(_ standIn: StandIns.StandIn, _ use: ParameterUse?) {
        let variable = standIn.variable
        let found = QueryParameter(
            name: variable.name, position: variable.position, place: variable.place,
            type: variable.place.type(comparedWith: use?.type), isNillable: use?.isNillable ?? false)
        guard let index = positions[variable.name] else {
            checkName(variable)
            positions[variable.name] = parameters.count
            return parameters.append(found)
        }
        parameters[index] = merged(parameters[index], found)
    }

    /// Merges a further use into a parameter, which stays unchanged after a conflict.
    private mutating func merged(_ parameter: QueryParameter, _ found: QueryParameter) -> QueryParameter {
        var merged = parameter
        merged.isNillable = parameter.isNillable && found.isNillable
        if found.isList != parameter.isList {
            let forms = found.isList ? ("a list", "one value") : ("one value", "a list")
            conflict(found, parameter, forms.0, forms.1)
        } else if let type = found.type, let known = parameter.type {
            guard let both = known.merged(with: type) else {
                conflict(found, parameter, type.description, known.description)
                return parameter
            }
            merged.type = both
        } else {
            merged.type = parameter.type ?? found.type
        }
        return merged
    }

    private mutating func conflict(_ found: QueryParameter, _ first: QueryParameter, _ here: String, _ there: String) {
        let (line, column) = statement.place(line: first.position.line, column: first.position.column)
        let place = "line \(line), column \(column)"
        add(
            .parameterType, "':\(found.name)' is \(here) here, but \(there) at \(place); use two parameters",
            found.name, found.position)
    }

    private mutating func checkName(_ variable: SOQLVariable) {
        let name = variable.name
        if name.hasBytes(".") {
            add(
                .parameterName, "':\(name)' has a full stop; use letters, digits and underscores", name,
                variable.position)
        }
        if let other = spellings.updateValue(name, forKey: name.lowercased()) {
            add(
                .parameterName,
                "':\(name)' and ':\(other)' differ only in case; spell them the same way, or rename one of them", name,
                variable.position)
        }
    }

    private mutating func add(_ rule: Rule, _ message: String, _ name: String, _ position: SOQLPosition) {
        findings.append(
            Finding(
                rule: rule, message: message, position: position, length: name.unicodeScalars.count + 1,
                start: position, suggestions: []))
    }
}

extension SOQLPlace {
    /// Returns the type of a value in this context, or `nil` if it depends on an unknown operand.
    fileprivate func type(comparedWith operand: ValueType?) -> ValueType? {
        switch self {
        case .sets, .set: operand ?? ValueType(kind: .text)
        case .pattern: ValueType(kind: .text)
        case .count, .days: ValueType(kind: .integer)
        case .degrees: ValueType(kind: .real)
        default: operand
        }
    }

    /// A literal that is valid in this context, or one that the parser rejects if no value is allowed.
    var standIn: String {
        switch self {
        case .list: "(null)"
        case .sets: "('')"
        case .set, .pattern: "''"
        case .count, .days: "1"
        case .degrees: "0"
        default: "null"
        }
    }
}

/// The type of a value: its kind, and its field if all values come from one field.
package struct ValueType: Sendable, Hashable {
    package struct Origin: Sendable, Hashable {
        package let object: String
        package let field: ObjectDescription.Field

        /// The qualified name: `Account.Industry`.
        package var name: String { "\(object).\(field.name)" }
    }

    package let kind: ValueKind
    /// The field that the values belong to, or `nil` for functions and for values used with several fields.
    package var origin: Origin?
    /// The objects whose records an id can identify, or an empty list if they are unknown.
    package var references: [String] = []

    /// The type as written in messages: `Account.Industry (picklist)`.
    var description: String {
        origin.map { "\($0.name) (\($0.field.kind.rawValue))" } ?? "a value of type \(kind.name)"
    }

    /// The type of the values that belong to both types, or `nil` if there are none.
    func merged(with other: ValueType) -> ValueType? {
        guard self != other else { return self }
        switch (kind, other.kind) {
        case (.id, .id):
            if references.isEmpty || other.references.isEmpty { return ValueType(kind: .id) }
            let common = references.filter(other.references.contains)
            return common.isEmpty ? nil : ValueType(kind: .id, references: common)
        case (.integer, .real), (.real, .integer): return ValueType(kind: .integer)
        default: return kind == other.kind ? ValueType(kind: kind) : nil
        }
    }
}

extension ResolvedValue {
    /// The type with the underlying field, or `nil` if it is unknown.
    var type: ValueType? {
        guard let kind else { return nil }
        let origin = origin.flatMap { field, row in
            row.objects.first.map { ValueType.Origin(object: $0.name, field: field) }
        }
        return ValueType(kind: kind, origin: origin, references: references)
    }
}
