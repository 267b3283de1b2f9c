// SPDX-License-Identifier: Apache-2.0

import RestText
import SOQLSyntax

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
            name: variable.name, position: variable.position, place: standIn.place,
            type: standIn.place.type(comparedWith: use?.type), isNillable: use?.isNillable ?? false)
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
                suggestions: []))
    }
}

extension VariablePlace {
    /// What a value is there; the operand's type is `nil` where it is not known.
    fileprivate func type(comparedWith operand: ValueType?) -> ValueType? {
        switch self {
        case .literal, .list, .item: operand
        case .sets, .set: operand ?? ValueType(kind: .text)
        case .pattern: ValueType(kind: .text)
        case .count, .days: ValueType(kind: .integer)
        case .degrees: ValueType(kind: .real)
        }
    }
}
