// SPDX-License-Identifier: Apache-2.0

import SwiftSource

/// A field of a struct as a property.
struct SwiftProperty {
    private let plan: SwiftPlan
    let field: StoneField
    let name: String
    /// Whether the field leads around a cycle of structs, so that its value is kept in an array.
    private let isBoxed: Bool

    static func properties(of id: StructID, _ plan: SwiftPlan) -> [SwiftProperty] {
        plan.members.fields(of: id).all.map { SwiftProperty($0, of: id, plan) }
    }

    /// A field, own or inherited, of a struct: what it is called depends on the struct's other fields.
    init(_ field: StoneField, of id: StructID, _ plan: SwiftPlan) {
        self.plan = plan
        self.field = field
        name = plan.members.fields(of: id).names[field.name] ?? field.name
        isBoxed = plan.cycles.isOnCycle(plan.api.declaration(of: field.type), of: .structure(id))
    }

    var escaped: String { SwiftIdentifiers.escaped(name) }

    /// The Swift type.
    var type: String { plan.swiftType(field.type) }

    private var isNullable: Bool { plan.api.isNullable(field.type) }

    /// A deprecated property is computed over one that is not, as code that sets it warns.
    private var hasStorage: Bool { field.annotations.isDeprecated || isBoxed }

    /// What the struct's own code reads.
    ///
    /// The array of a field that must be there always has an element.
    var stored: String {
        if isBoxed { return "_\(name)" + (isNullable ? ".first" : "[0]") }
        return field.annotations.isDeprecated ? "_\(name)" : escaped
    }

    /// What the struct's own code reads beside parameters and variables, of which some have names of their own.
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

    /// The parameter of an initializer or of a method.
    var parameter: String { parameter(named: escaped) }

    func parameter(named name: String) -> String {
        let fallback =
            field.defaultValue.map { " = \(plan.literal($0, of: field.type))" } ?? (isNullable ? " = nil" : "")
        return "\(name): \(type)\(fallback)"
    }

    /// A statement that sets the property, beside parameters and variables.
    func assignment(_ value: String, beside locals: String...) -> String {
        if isBoxed { return "_\(name) = [\(value)]" + (isNullable ? ".compactMap { $0 }" : "") }
        if field.annotations.isDeprecated { return "_\(name) = \(value)" }
        return (locals + [value]).contains(escaped) ? "self.\(name) = \(value)" : "\(escaped) = \(value)"
    }

    func read(_ slot: String) -> String { plan.read(field.type, slot, default: field.defaultValue) }

    var write: String { plan.write(field.type, field.name, stored(beside: "writer")) }
}
