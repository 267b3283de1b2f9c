// SPDX-License-Identifier: Apache-2.0

import SwiftSource

/// A case of an enum: a tag with the value beside it.
struct SwiftCase {
    /// Where the value of a tag stands.
    enum Payload {
        case none
        /// Under the tag's own name.
        case nested(StoneType)
        /// Its fields stand beside the tag.
        case flattened(StoneType, isNullable: Bool)
    }

    let tag: String
    let name: String
    let payload: Payload
    var doc: StoneDoc?
    var isPreview = false
    var isDeprecated = false

    /// The payload's type in Swift; `nil` for none.
    func type(_ plan: SwiftPlan) -> String? {
        switch payload {
        case .none: nil
        case .nested(let type), .flattened(let type, _): plan.swiftType(type)
        }
    }
}

/// Writes a union, or a struct that enumerates its subtypes, as an enum with payloads.
struct EnumWriter {
    let plan: SwiftPlan
    let declaration: StoneDeclaration
    let cases: [SwiftCase]
    /// Whether there is a case for tags that are not known.
    let isOpen: Bool
    private let docs: SwiftDocs
    /// The most cases of a switch without `default`: the compiler gives up a little above.
    private static let mostCases = 600

    init(_ plan: SwiftPlan, _ declaration: StoneDeclaration) {
        self.plan = plan
        self.declaration = declaration
        docs = SwiftDocs(plan: plan)
        switch declaration {
        case .union(let id):
            let tags = plan.members.tags(of: id)
            cases = tags.known.map { tag in
                SwiftCase(
                    tag: tag.name, name: tags.names[tag.name] ?? tag.name, payload: plan.payload(tag.type),
                    doc: tag.doc,
                    isPreview: tag.annotations.isPreview, isDeprecated: tag.annotations.isDeprecated)
            }
            isOpen = tags.catchAll != nil
        case .structure(let id):
            let members = plan.api[id].subtypes?.members ?? []
            let names = SwiftNames.cases(members.map(\.tag))
            cases = members.map { member in
                SwiftCase(
                    tag: member.tag, name: names[member.tag] ?? member.tag,
                    payload: .flattened(.structure(member.type), isNullable: false), doc: plan.api[member.type].doc)
            }
            isOpen = !(plan.api[id].subtypes?.isClosed ?? true)
        case .alias: (cases, isOpen) = ([], false)
        }
    }

    /// The struct of the fields that all subtypes have, which a value of an unknown subtype carries.
    private var base: String? {
        guard case .structure(let id) = declaration, isOpen else { return nil }
        return plan.baseName(id)
    }

    func write(to text: inout SwiftText) {
        let isIndirect = plan.cycles.indirect.contains(declaration)
        let type = plan.errors.contains(declaration) ? "StoneError" : "StoneValue"
        let list = isListed ? ", CaseIterable" : ""
        text.doc(docs.paragraphs(plan.api.doc(of: declaration)))
        // A tag more is no new case to the switches of another package, which have an `@unknown default`.
        if isOpen { for line in ["#if hasAttribute(nonexhaustive)", "@nonexhaustive", "#endif"] { text.line(line) } }
        let kind = isEmpty ? "struct" : isIndirect ? "indirect enum" : "enum"
        text.block("public \(kind) \(plan.names[type: declaration]): \(type)\(list)") { text in
            if isEmpty { text.line("private init() {}") } else { declare(&text) }
            reading(&text)
            text.line()
            writing(&text)
            accessors(&text)
            errors(&text)
        }
    }

    /// Whether there is no value: a closed union without a tag.
    ///
    /// It is a struct that nobody can make, as the compiler warns of code behind each place where a value of an enum
    /// without cases would be.
    private var isEmpty: Bool { cases.isEmpty && !isOpen }

    /// Whether the type can name all of its values.
    private var isListed: Bool {
        !isOpen && !cases.isEmpty && cases.allSatisfy { if case .none = $0.payload { true } else { false } }
    }

    /// Whether code that names a case is warned.
    ///
    /// A default of a field is none, as whoever leaves out the field would be warned, nor is a case of a type that
    /// lists its values, as the compiler would make no list.
    private func warns(_ item: SwiftCase) -> Bool {
        item.isDeprecated && !isListed && !plan.isDefault(item.tag, of: declaration)
    }

    private func declare(_ text: inout SwiftText) {
        for item in cases {
            let notes =
                (item.isPreview ? ["It may still change without notice."] : [])
                + (item.isDeprecated ? ["It should not be used any more."] : [])
            text.doc(docs.paragraphs(item.doc, notes: notes))
            if warns(item) { text.line("@available(*, deprecated)") }
            text.line("case \(SwiftIdentifiers.escaped(item.name))" + (item.type(plan).map { "(\($0))" } ?? ""))
        }
        if isOpen {
            text.line("/// A tag that this version does not know.")
            text.line("case other(UnknownTag\(base.map { ", base: \($0)" } ?? ""))")
        }
        text.line()
    }

    private func reading(_ text: inout SwiftText) {
        // Making a value of a deprecated case warns everywhere but in what is deprecated itself. Nobody calls this
        // initializer by its name.
        if cases.contains(where: warns) { text.line("@available(*, deprecated)") }
        text.block("public init(from reader: StoneReader) throws(StoneFailure)") { text in
            text.line("let tag = try reader.union(\"\(cases.map(\.tag).joined(separator: " "))\")")
            text.line("switch tag.number {")
            for (number, item) in cases.enumerated() {
                let value = plan.read(item)
                text.line(
                    "case \(number): self = .\(SwiftIdentifiers.escaped(item.name))" + (value.map { "(\($0))" } ?? ""))
            }
            let unknown = base == nil ? "" : ", base: try reader.flattened(tag)"
            text.line(
                isOpen
                    ? "default: self = .other(reader.unknown(tag)\(unknown))" : "default: throw reader.unknownTag(tag)")
            text.line("}")
        }
    }

    private func writing(_ text: inout SwiftText) {
        text.block("public func write(to writer: StoneWriter)") { text in
            guard !cases.isEmpty || isOpen else { return }
            switching(&text, bind: { _ in true }) {
                plan.write($0)
            } other: {
                ["writer.unknown(tag)"]
            }
        }
    }

    /// A switch over all cases.
    ///
    /// - Parameters:
    ///   - text: where it is written.
    ///   - bind: whether a case's payload is used.
    ///   - body: the statements of a case; an expression alone is its value.
    ///   - other: the statements of a tag that is not known.
    private func switching(
        _ text: inout SwiftText, bind: (SwiftCase) -> Bool, _ body: (SwiftCase) -> [String], other: () -> [String]
    ) {
        let isLong = cases.count + 1 > Self.mostCases
        text.line("switch self {")
        for item in isLong && !isOpen ? Array(cases.dropLast()) : cases {
            if case .none = item.payload {
                branch(&text, "case .\(SwiftIdentifiers.escaped(item.name)):", body(item))
            } else {
                let pattern = bind(item) ? "(let value)" : ""
                branch(&text, "case .\(SwiftIdentifiers.escaped(item.name))\(pattern):", body(item))
            }
        }
        let unknown = base == nil ? "(let tag)" : "(let tag, _)"
        switch (isOpen, isLong) {
        case (true, false): branch(&text, "case .other\(unknown):", other())
        case (true, true): branch(&text, "default:", ["if case .other\(unknown) = self { \(other()[0]) }"])
        case (false, true): longest(&text, body)
        case (false, false): break
        }
        text.line("}")
    }

    /// The last case of a closed union that is too long.
    private func longest(_ text: inout SwiftText, _ body: (SwiftCase) -> [String]) {
        guard let last = cases.last else { return }
        guard case .none = last.payload else {
            let name = SwiftIdentifiers.escaped(last.name)
            return branch(
                &text, "default:", ["if case .\(name)(let value) = self { \(body(last).joined(separator: "; ")) }"])
        }
        branch(&text, "default:", body(last))
    }

    private func branch(_ text: inout SwiftText, _ head: String, _ body: [String]) {
        guard body.count != 1 else { return text.line("\(head) \(body[0])") }
        text.line(head)
        for line in body { text.line("    " + line) }
    }

    /// The parent's fields, whichever subtype a value is of.
    private func accessors(_ text: inout SwiftText) {
        guard case .structure(let id) = declaration else { return }
        for property in SwiftProperty.properties(of: id, plan) {
            text.line()
            text.doc(docs.paragraphs(property.field.doc))
            if property.field.annotations.isDeprecated { text.line("@available(*, deprecated)") }
            text.block("public var \(property.escaped): \(property.type)") { text in
                text.line("switch self {")
                for item in cases {
                    guard let subtype = plan.payloadStruct(item) else { continue }
                    let name = SwiftProperty(property.field, of: subtype, plan).escaped
                    text.line("case .\(SwiftIdentifiers.escaped(item.name))(let value): value.\(name)")
                }
                if isOpen { text.line("case .other(_, let base): base.\(property.escaped)") }
                text.line("}")
            }
        }
    }

    private func errors(_ text: inout SwiftText) {
        guard plan.errors.contains(declaration) else { return }
        let inner = cases.compactMap { item -> String? in
            switch item.payload {
            case .none: nil
            case .nested(let type), .flattened(let type, _):
                plan.errorList(type, "value").map { "case .\(SwiftIdentifiers.escaped(item.name))(let value): \($0)" }
            }
        }
        guard !inner.isEmpty else { return }
        text.line()
        text.line("/// What the tag carries that can be why a call fails.")
        text.block("public var innerErrors: [any Error]") { text in
            text.line("switch self {")
            for line in inner { text.line(line) }
            if inner.count < cases.count || isOpen { text.line("default: []") }
            text.line("}")
        }
    }
}

extension SwiftPlan {
    /// Where the value of a tag of a type stands.
    func payload(_ type: StoneType) -> SwiftCase.Payload {
        let (inner, isNullable) = api.unwrapped(type)
        switch inner {
        case .void: return .none
        case .structure(let id) where api[id].subtypes == nil: return .flattened(type, isNullable: isNullable)
        default: return .nested(type)
        }
    }

    /// The struct whose fields stand beside a tag.
    func payloadStruct(_ item: SwiftCase) -> StructID? {
        guard case .flattened(let type, _) = item.payload else { return nil }
        return api.structure(api.unwrapped(type).type)
    }

    /// An expression that reads a case's payload; `nil` for none.
    func read(_ item: SwiftCase) -> String? {
        switch item.payload {
        case .none: nil
        case .nested(let type): read(type, "reader.payload(tag)")
        case .flattened(_, let isNullable): "try reader.\(isNullable ? "optionalFlattened" : "flattened")(tag)"
        }
    }

    /// Statements that write a case.
    func write(_ item: SwiftCase) -> [String] {
        let tag = "writer.tag(\(item.tag.swiftLiteral))"
        switch item.payload {
        case .none: return [tag]
        case .nested(let type): return [tag, write(type, item.tag, "value")]
        case .flattened(_, let isNullable): return [tag, "value\(isNullable ? "?" : "").write(to: writer)"]
        }
    }
}
