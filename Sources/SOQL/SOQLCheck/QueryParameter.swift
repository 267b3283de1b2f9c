// SPDX-License-Identifier: Apache-2.0

import RestBase
package import SOQLSyntax

/// A `:name` of a query, and what its value must be.
package struct QueryParameter: Sendable, Hashable {
    /// The name, without its colon.
    package let name: String
    /// Where it stands first.
    package let position: SOQLPosition
    /// What it is for there.
    package let place: SOQLPlace
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

extension ConditionResolver {
    /// Notes what the literals of a test are compared with, as some may stand for variables.
    func noteParameters(_ comparison: SOQLComparison, _ left: ResolvedValue?) {
        guard let left, var type = left.type else { return }
        // Only a field itself has the values of the field: the text of toLabel() is none of the picklist.
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

/// Puts together the parameters of a query from the places where they stand.
struct ParameterReader {
    /// The statement of the query, which maps positions to those in the file.
    let statement: Statement
    private(set) var parameters: [QueryParameter] = []
    private(set) var findings: [Finding] = []
    private var positions: [String: Int] = [:]
    private var spellings: [String: String] = [:]

    init(_ statement: Statement) {
        self.statement = statement
    }

    /// Takes one variable and what it is compared with.
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

    /// A parameter and one more use of it; a conflict leaves it as it was.
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
            .parameterType, "':\(found.name)' stands for \(here), but for \(there) at \(place); use two parameters",
            found.name, found.position)
    }

    private mutating func checkName(_ variable: SOQLVariable) {
        let name = variable.name
        if name.hasBytes(".") {
            add(.parameterName, "':\(name)' has a full stop; a parameter's name has none", name, variable.position)
        }
        if let other = spellings.updateValue(name, forKey: name.lowercased()) {
            add(
                .parameterName,
                "':\(name)' and ':\(other)' differ in case only; spell them alike, or give one another name", name,
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
    /// What a value is there; the operand's type is `nil` where it is not known.
    fileprivate func type(comparedWith operand: ValueType?) -> ValueType? {
        switch self {
        case .sets, .set: operand ?? ValueType(kind: .text)
        case .pattern: ValueType(kind: .text)
        case .count, .days: ValueType(kind: .integer)
        case .degrees: ValueType(kind: .real)
        default: operand
        }
    }

    /// A literal that can be there, or one that is refused where no value can be.
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

/// What a value is: of which kind, and of which field, where that tells more.
package struct ValueType: Sendable, Hashable {
    /// A field of an object.
    package struct Origin: Sendable, Hashable {
        /// The object's name.
        package let object: String
        /// The field.
        package let field: ObjectDescription.Field

        /// The field as people write it: `Account.Industry`.
        package var name: String { "\(object).\(field.name)" }
    }

    /// What it holds.
    package let kind: ValueKind
    /// The field whose values these are; `nil` for those of functions, and for what is used for several fields.
    package var origin: Origin?
    /// Of an id, the objects whose records it can name; empty when they are not known.
    package var references: [String] = []

    /// The type in a message: `Account.Industry (picklist)`.
    var description: String {
        origin.map { "\($0.name) (\($0.field.kind.rawValue))" } ?? "a value of type \(kind.name)"
    }

    /// What is a value of both; `nil` when nothing is.
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
    /// What it is, with the field at the bottom; `nil` for a type that is not known.
    var type: ValueType? {
        guard let kind else { return nil }
        let origin = origin.flatMap { field, row in
            row.objects.first.map { ValueType.Origin(object: $0.name, field: field) }
        }
        return ValueType(kind: kind, origin: origin, references: references)
    }
}
