// SPDX-License-Identifier: Apache-2.0

import SwiftSource

/// Writes the rules of the spec for the fields of arguments.
struct CheckWriter {
    private let plan: SwiftPlan
    /// The types that have rules, or parts with rules.
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

    /// The rules of a type; `nil` for one that has none.
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
    /// The types of what is checked in a value.
    fileprivate func ruledTypes(of declaration: StoneDeclaration) -> [StoneType] {
        switch declaration {
        case .structure(let id) where api[id].subtypes != nil:
            (api[id].subtypes?.members ?? []).map { .structure($0.type) }
        case .structure(let id): members.fields(of: id).all.map(\.type)
        case .union(let id): members.tags(of: id).known.map(\.type)
        case .alias: []
        }
    }

    /// The statements that apply a type's rules to a value.
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

    /// The arguments after the value; trailing ones that are absent are left out.
    private static func arguments(_ values: String?...) -> String {
        guard let last = values.lastIndex(where: { $0 != nil }) else { return "" }
        return values[...last].map { ", \($0 ?? "nil")" }.joined()
    }
}
