// SPDX-License-Identifier: Apache-2.0

import RestBase
import SwiftSource

/// Writes a struct with stored properties, a memberwise initializer and the two protocol requirements.
struct StructWriter {
    private let plan: SwiftPlan
    private let id: StructID
    private let name: String
    private let properties: [SwiftProperty]
    private let docs: SwiftDocs
    /// Whether this is the struct of unknown subtypes, with the fields that all subtypes have.
    private let isBase: Bool

    init(_ plan: SwiftPlan, _ id: StructID, name: String, isBase: Bool = false) {
        self.plan = plan
        self.id = id
        self.name = name
        self.isBase = isBase
        properties = SwiftProperty.properties(of: id, plan)
        docs = SwiftDocs(plan: plan)
    }

    func write(to text: inout SwiftText) {
        let value = plan.api[id]
        text.doc(isBase ? ["The fields that all subtypes of `\(value.name)` have."] : docs.paragraphs(value.doc))
        text.block("public struct \(name): \(conformance)") { text in
            for property in properties { property.declare(in: &text, docs) }
            if !properties.isEmpty { text.line() }
            initializer(&text)
            text.line()
            reading(&text)
            text.line()
            writing(&text)
            errors(&text)
        }
    }

    private var conformance: String {
        let isError = plan.errors.contains(.structure(id)) && !isBase
        let isDescribed = properties.contains { $0.name == "description" }
        let type = isError ? "StoneError" : "StoneValue"
        return isDescribed ? "Described" + type : type
    }

    private func initializer(_ text: inout SwiftText) {
        text.list("public init(", properties.map(\.parameter), ") {")
        for property in properties { text.line("    \(property.assignment(property.escaped))") }
        text.line("}")
    }

    private func reading(_ text: inout SwiftText) {
        text.block("public init(from reader: StoneReader) throws(StoneFailure)") { text in
            let names = properties.map(\.field.name).joined(separator: " ")
            guard !properties.isEmpty else { return text.line("_ = try reader.fields(\"\")") }
            text.line("let slot = try reader.fields(\"\(names)\")")
            for (number, property) in properties.enumerated() {
                let slot = number == 0 ? "slot" : "slot + \(number)"
                text.line(property.assignment(property.read(slot), beside: "reader", "slot"))
            }
        }
    }

    private func writing(_ text: inout SwiftText) {
        guard !properties.isEmpty else { return text.line("public func write(to writer: StoneWriter) {}") }
        text.block("public func write(to writer: StoneWriter)") { text in
            for property in properties { text.line(property.write) }
        }
    }

    private func errors(_ text: inout SwiftText) {
        guard plan.errors.contains(.structure(id)), !isBase else { return }
        let inner = properties.compactMap { property in
            plan.errorList(property.field.type, property.stored)
        }
        guard !inner.isEmpty else { return }
        text.line()
        text.line("/// The errors in the fields.")
        guard inner.count > 9 else {
            return text.line("public var innerErrors: [any Error] { \(inner.joined(separator: " + ")) }")
        }
        // Type-checking a longer sum takes the compiler too long.
        text.block("public var innerErrors: [any Error]") { text in
            text.line("let lists: [[any Error]] = [\(inner.joined(separator: ", "))]")
            text.line("return lists.flatMap { $0 }")
        }
    }
}

extension SwiftPlan {
    /// Returns an expression for the errors in a value of a type, or `nil` if the type has no errors.
    func errorList(_ type: StoneType, _ value: String) -> String? {
        let (inner, isNullable) = api.unwrapped(type)
        switch inner {
        case .structure(let id) where errors.contains(.structure(id)): break
        case .union(let id) where errors.contains(.union(id)): break
        case .list(let list):
            guard let element = api.declaration(of: list.element), errors.contains(element), !isNullable,
                !api.isNullable(list.element)
            else { return nil }
            return value
        default: return nil
        }
        return isNullable ? "[\(value)].compactMap { $0 }" : "[\(value)]"
    }
}

struct SwiftProperty {
    private let plan: SwiftPlan
    let field: StoneField
    let name: String
    /// Whether the field is on a cycle of structs, so that its value is stored in an array.
    private let isBoxed: Bool

    static func properties(of id: StructID, _ plan: SwiftPlan) -> [SwiftProperty] {
        plan.members.fields(of: id).all.map { SwiftProperty($0, of: id, plan) }
    }

    /// Creates the property for a field, own or inherited, whose name depends on the struct's other fields.
    init(_ field: StoneField, of id: StructID, _ plan: SwiftPlan) {
        self.plan = plan
        self.field = field
        name = plan.members.fields(of: id).names[field.name] ?? field.name
        isBoxed = plan.cycles.isOnCycle(plan.api.declaration(of: field.type), of: .structure(id))
    }

    var escaped: String { SwiftIdentifiers.escaped(name) }

    var type: String { plan.swiftType(field.type) }

    private var isNullable: Bool { plan.api.isNullable(field.type) }

    /// Whether the property is computed over a stored one, because setting a deprecated property causes a warning.
    private var hasStorage: Bool { field.annotations.isDeprecated || isBoxed }

    /// The expression that the struct's own code reads.
    ///
    /// The array of a required field always has one element.
    var stored: String {
        if isBoxed { return "_\(name)" + (isNullable ? ".first" : "[0]") }
        return field.annotations.isDeprecated ? "_\(name)" : escaped
    }

    /// Returns the expression that the struct's own code reads where `locals` are defined.
    func stored(beside locals: String...) -> String { locals.contains(stored) ? "self.\(stored)" : stored }

    func declare(in text: inout SwiftText, _ docs: SwiftDocs) {
        let notes = field.annotations.isPreview ? ["It may still change without notice."] : []
        if hasStorage {
            text.line(
                isBoxed
                    ? "var _\(name): [\(plan.plainType(plan.api.unwrapped(field.type).type))]" : "var _\(name): \(type)"
            )
        }
        text.doc(docs.paragraphs(field.doc, notes: notes))
        guard hasStorage else { return text.line("public var \(escaped): \(type)") }
        if field.annotations.isDeprecated { text.line("@available(*, deprecated)") }
        text.block("public var \(escaped): \(type)") { text in
            text.line("get { \(stored) }")
            text.line("set { \(assignment("newValue")) }")
        }
    }

    /// The parameter in an initializer or a method.
    var parameter: String { parameter(named: escaped) }

    func parameter(named name: String) -> String {
        let fallback =
            field.defaultValue.map { " = \(plan.literal($0, of: field.type))" } ?? (isNullable ? " = nil" : "")
        return "\(name): \(type)\(fallback)"
    }

    /// Returns a statement that sets the property where `locals` are defined.
    func assignment(_ value: String, beside locals: String...) -> String {
        if isBoxed { return "_\(name) = [\(value)]" + (isNullable ? ".compactMap { $0 }" : "") }
        if field.annotations.isDeprecated { return "_\(name) = \(value)" }
        return (locals + [value]).contains(escaped) ? "self.\(name) = \(value)" : "\(escaped) = \(value)"
    }

    func read(_ slot: String) -> String { plan.read(field.type, slot, default: field.defaultValue) }

    var write: String { plan.write(field.type, field.name, stored(beside: "writer")) }
}

/// Writes the rules of the spec for the fields of arguments.
struct CheckWriter {
    private let plan: SwiftPlan
    /// The types that have rules, directly or in their parts.
    private let ruled: Set<StoneDeclaration>

    init(_ plan: SwiftPlan) {
        self.plan = plan
        var users: [StoneDeclaration: [StoneDeclaration]] = [:]
        var open: [StoneDeclaration] = []
        for declaration in plan.arguments {
            let types = plan.ruledTypes(of: declaration)
            if types.contains(where: { !plan.rules($0, "\"\"", "value", []).isEmpty }) { open.append(declaration) }
            for part in types.flatMap({ plan.api.declarations(in: $0) }) {
                users[part, default: []].append(declaration)
            }
        }
        var ruled: Set<StoneDeclaration> = []
        while let next = open.popLast() {
            if ruled.insert(next).inserted { open += users[next] ?? [] }
        }
        self.ruled = ruled
    }

    /// Returns the rules of a type, or `nil` if it has none.
    func rules(of declaration: StoneDeclaration) -> SwiftText? {
        guard ruled.contains(declaration), plan.selection.declarations.contains(declaration) else { return nil }
        var text = SwiftText()
        text.block("extension \(plan.name(declaration)): StoneValidated") { text in
            text.block("public func check(_ checks: StoneChecks) throws(ValidationFailure)") { text in
                switch declaration {
                case .structure(let id) where !plan.api.isEnum(declaration):
                    for property in SwiftProperty.properties(of: id, plan) {
                        let type = property.field.type
                        let value = property.stored(beside: "checks")
                        for rule in plan.rules(type, property.field.name.swiftLiteral, value, ruled) {
                            text.line(rule)
                        }
                    }
                default: cases(declaration, &text)
                }
            }
        }
        return text
    }

    private func cases(_ declaration: StoneDeclaration, _ text: inout SwiftText) {
        var rest = 0
        text.line("switch self {")
        let writer = EnumWriter(plan, declaration)
        for item in writer.cases {
            let rules: [String] =
                switch item.payload {
                case .none: []
                case .nested(let type), .flattened(let type, _):
                    plan.rules(type, item.tag.swiftLiteral, "value", ruled)
                }
            guard !rules.isEmpty else {
                rest += 1
                continue
            }
            text.line("case .\(SwiftIdentifiers.escaped(item.name))(let value):")
            for rule in rules { text.line("    " + rule) }
        }
        if rest > 0 || writer.isOpen { text.line("default: break") }
        text.line("}")
    }
}

extension SwiftPlan {
    /// Returns the types of the checked parts of a value.
    fileprivate func ruledTypes(of declaration: StoneDeclaration) -> [StoneType] {
        switch declaration {
        case .structure(let id) where api[id].subtypes != nil:
            (api[id].subtypes?.members ?? []).map { .structure($0.type) }
        case .structure(let id): members.fields(of: id).all.map(\.type)
        case .union(let id): members.tags(of: id).known.map(\.type)
        case .alias: []
        }
    }

    /// Returns the statements that apply a type's rules to a value.
    fileprivate func rules(
        _ type: StoneType, _ name: String, _ value: String, _ ruled: Set<StoneDeclaration>
    ) -> [String] {
        switch api.unwrapped(type).type {
        case .string(let rule):
            let arguments = Self.arguments(
                rule.minimumLength.map(String.init), rule.maximumLength.map(String.init), rule.pattern?.swiftLiteral)
            return arguments.isEmpty ? [] : ["try checks.string(\(name), \(value)\(arguments))"]
        case .integer(let rule):
            let arguments = Self.arguments(rule.minimum.map { "\($0)" }, rule.maximum.map { "\($0)" })
            return arguments.isEmpty ? [] : ["try checks.range(\(name), \(value)\(arguments))"]
        case .float(let rule):
            let arguments = Self.arguments(
                rule.minimum.map(rule.size.literal), rule.maximum.map(rule.size.literal))
            return arguments.isEmpty ? [] : ["try checks.range(\(name), \(value)\(arguments))"]
        case .list(let list):
            let arguments = Self.arguments(list.minimumItems.map(String.init), list.maximumItems.map(String.init))
            let own = arguments.isEmpty ? [] : ["try checks.list(\(name), \(value)\(arguments))"]
            let inner = rules(list.element, "name", "value", ruled)
            guard !inner.isEmpty else { return own }
            return own + [
                "try checks.each(\(name), \(value)) { (checks, name, value) throws(ValidationFailure) in "
                    + inner.joined(separator: "; ") + " }"
            ]
        case .map(let key, let element):
            let inner = rules(.string(key), "name", "key", ruled) + rules(element, "name", "value", ruled)
            guard !inner.isEmpty else { return [] }
            return [
                "try checks.entries(\(name), \(value)) { (checks, name, key, value) throws(ValidationFailure) in "
                    + inner.joined(separator: "; ") + " }"
            ]
        case .structure(let id): return ruled.contains(.structure(id)) ? ["try checks.value(\(name), \(value))"] : []
        case .union(let id): return ruled.contains(.union(id)) ? ["try checks.value(\(name), \(value))"] : []
        default: return []
        }
    }

    /// Returns the arguments after the value, without trailing `nil` arguments.
    private static func arguments(_ values: String?...) -> String {
        guard let last = values.lastIndex(where: { $0 != nil }) else { return "" }
        return values[...last].map { ", \($0 ?? "nil")" }.joined()
    }
}
