// SPDX-License-Identifier: Apache-2.0

import RestText
import SwiftSource

/// Writes a struct: stored properties, an initializer that takes them all, and its two requirements.
struct StructWriter {
    private let plan: SwiftPlan
    private let id: StructID
    private let name: String
    private let properties: [SwiftProperty]
    private let docs: SwiftDocs
    /// The struct whose fields all subtypes have, where this one is that of unknown subtypes.
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
        text.line("/// The fields that can be why a call fails.")
        guard inner.count > 9 else {
            return text.line("public var innerErrors: [any Error] { \(inner.joined(separator: " + ")) }")
        }
        // The compiler takes too long to find the type of a longer sum.
        text.block("public var innerErrors: [any Error]") { text in
            text.line("let lists: [[any Error]] = [\(inner.joined(separator: ", "))]")
            text.line("return lists.flatMap { $0 }")
        }
    }
}

extension SwiftPlan {
    /// The errors that a value of a type carries, as an expression; `nil` for a type that is none.
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
