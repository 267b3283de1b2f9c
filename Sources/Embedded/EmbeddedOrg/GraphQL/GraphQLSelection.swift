// SPDX-License-Identifier: Apache-2.0

import RestJSON

/// A field as it is to be answered: fragments, directives and variables are resolved.
struct GraphQLSelection {
    let key: String
    let name: String
    let arguments: [GraphQLDocument.Argument]
    /// The types that it is for, all of them; it is for every type when there is none.
    let types: Set<String>
    var children: [GraphQLSelection]
    let position: GraphQLProblem.Position

    /// The value of an argument; `nil` when it is absent or null.
    func argument(_ name: String) -> GraphQLDocument.Value? {
        arguments.first { $0.name == name }.map(\.value).flatMap { $0 == .null ? nil : $0 }
    }
}

/// Resolves the selections of an operation.
struct GraphQLResolver {
    private let fragments: [String: GraphQLDocument.Fragment]
    private var variables: [String: GraphQLDocument.Value] = [:]
    private var open: Set<String> = []
    private var count = 0

    /// The most fields of an operation, with those of its fragments as often as they are spread.
    private static let maximumFields = 5_000
    /// How many fragments may be spread inside each other.
    private static let mostSpreads = 50

    /// The fields of the operation that is meant, with the values of its variables.
    static func selections(
        of document: GraphQLDocument, operation name: String?, variables: JSONObject
    ) throws(GraphQLProblem) -> [GraphQLSelection] {
        let fitting = document.operations.filter { name == nil || $0.name == name }
        guard fitting.count == 1, let operation = fitting.first else {
            throw .validation(
                fitting.isEmpty ? "there is no such operation" : "name the operation that is meant", nil)
        }
        guard operation.kind == "query" else {
            throw .validation("the embedded org knows no \(operation.kind)", operation.position)
        }
        var resolver = GraphQLResolver(fragments: document.fragments)
        for variable in operation.variables {
            let given = variables[variable.name].map { GraphQLDocument.Value($0) } ?? variable.initial
            guard given != nil && given != .null || !variable.isRequired else {
                throw .validation("the variable '\(variable.name)' must have a value", variable.position)
            }
            resolver.variables[variable.name] = given ?? .null
        }
        return try merged(try resolver.resolve(operation.selections, types: []))
    }

    private init(fragments: [String: GraphQLDocument.Fragment]) {
        self.fragments = fragments
    }

    private mutating func resolve(
        _ selections: [GraphQLDocument.Selection], types: Set<String>
    ) throws(GraphQLProblem) -> [GraphQLSelection] {
        var result: [GraphQLSelection] = []
        for selection in selections {
            switch selection {
            case .field(let field):
                if try isIncluded(field.directives) { result.append(try self.field(field, types)) }
            case .inline(let type, let directives, let inner):
                guard try isIncluded(directives) else { continue }
                result += try resolve(inner, types: type.map { types.union([$0]) } ?? types)
            case .spread(let name, let directives, let position):
                guard try isIncluded(directives) else { continue }
                guard let fragment = fragments[name] else {
                    throw .validation("the fragment '\(name.prefix(60))' is not there", position)
                }
                guard open.insert(name).inserted, open.count <= Self.mostSpreads else {
                    throw .validation("the fragment '\(name.prefix(60))' spreads itself, or too deeply", position)
                }
                defer { open.remove(name) }
                result += try resolve(fragment.selections, types: types.union([fragment.type]))
            }
        }
        return result
    }

    private mutating func field(
        _ field: GraphQLDocument.Field, _ types: Set<String>
    ) throws(GraphQLProblem) -> GraphQLSelection {
        count += 1
        guard count <= Self.maximumFields else {
            throw .validation("the operation has more than \(Self.maximumFields) fields", field.position)
        }
        var arguments: [GraphQLDocument.Argument] = []
        for argument in field.arguments {
            arguments.append(.init(name: argument.name, value: try value(argument.value)))
        }
        return GraphQLSelection(
            key: field.key, name: field.name, arguments: arguments, types: types,
            children: try resolve(field.selections, types: []), position: field.position)
    }

    private struct Place: Hashable {
        let key: String
        let types: Set<String>
    }

    /// The fields, of those with the same key one with the children of all: they must be the same field.
    private static func merged(_ fields: [GraphQLSelection]) throws(GraphQLProblem) -> [GraphQLSelection] {
        var (result, places) = ([GraphQLSelection](), [Place: Int]())
        for field in fields {
            let place = Place(key: field.key, types: field.types)
            guard let known = places[place] else {
                places[place] = result.count
                result.append(field)
                continue
            }
            guard result[known].name == field.name, result[known].arguments == field.arguments else {
                throw .validation("'\(field.key.prefix(60))' stands for two different fields", field.position)
            }
            result[known].children += field.children
        }
        for place in result.indices where !result[place].children.isEmpty {
            result[place].children = try merged(result[place].children)
        }
        return result
    }

    private func isIncluded(_ directives: [GraphQLDocument.Directive]) throws(GraphQLProblem) -> Bool {
        var isIncluded = true
        for directive in directives {
            guard ["include", "skip"].contains(directive.name), let condition = directive.arguments.first,
                condition.name == "if", case .boolean(let flag) = try value(condition.value)
            else {
                throw .validation(
                    "'@\(directive.name.prefix(60))' is not known, or its 'if' is no boolean", directive.position)
            }
            if flag != (directive.name == "include") { isIncluded = false }
        }
        return isIncluded
    }

    private func value(_ value: GraphQLDocument.Value) throws(GraphQLProblem) -> GraphQLDocument.Value {
        switch value {
        case .variable(let name, let position):
            guard let value = variables[name] else {
                throw .validation("the variable '\(name.prefix(60))' is not declared", position)
            }
            return value
        case .list(let list):
            var values: [GraphQLDocument.Value] = []
            for element in list { values.append(try self.value(element)) }
            return .list(values)
        case .object(let members):
            var values: [GraphQLDocument.Value.Member] = []
            for member in members { values.append(.init(name: member.name, value: try self.value(member.value))) }
            return .object(values)
        default: return value
        }
    }
}

extension GraphQLDocument.Value {
    /// The value of a variable.
    init(_ json: JSONValue) {
        switch json.kind {
        case .null: self = .null
        case .bool: self = .boolean(json.bool ?? false)
        case .number:
            let text = json.numberText ?? "0"
            self =
                text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") }
                ? .int(text) : .float(text)
        case .string: self = .string(json.string ?? "")
        case .array: self = .list((json.array ?? []).map { GraphQLDocument.Value($0) })
        case .object:
            self = .object((json.object ?? [:]).map { Member(name: $0.key, value: GraphQLDocument.Value($0.value)) })
        }
    }
}
