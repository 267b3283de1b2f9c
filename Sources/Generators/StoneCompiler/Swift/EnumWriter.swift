// SPDX-License-Identifier: Apache-2.0

import SwiftSource

/// A case of an enum: a tag with its payload.
struct SwiftCase {
    /// The location of a tag's payload in JSON.
    enum Payload {
        case none
        /// A member with the tag's name.
        case nested(StoneType)
        /// Members next to the tag.
        case flattened(StoneType, isNullable: Bool)
    }

    let tag: String
    let name: String
    let payload: Payload
    var doc: StoneDoc?
    var isPreview = false
    var isDeprecated = false

    /// Returns the payload's Swift type, or `nil` if there is no payload.
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
    /// Whether there is a case for unknown tags.
    let isOpen: Bool
    private let docs: SwiftDocs
    /// The maximum number of cases in a switch without `default`, slightly below the compiler's limit.
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

    /// The struct of the common fields of all subtypes, which a value of an unknown subtype has.
    private var base: String? {
        guard case .structure(let id) = declaration, isOpen else { return nil }
        return plan.baseName(id)
    }

    func write(to text: inout SwiftText) {
        let isIndirect = plan.cycles.indirect.contains(declaration)
        let type = plan.errors.contains(declaration) ? "StoneError" : "StoneValue"
        let list = isListed ? ", CaseIterable" : ""
        text.doc(docs.paragraphs(plan.api.doc(of: declaration)))
        // An additional tag does not break switches in other packages, which have an `@unknown default`.
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

    /// Whether the type has no values, because it is a closed union without tags.
    ///
    /// Such a type is a struct that cannot be created. For an enum without cases, the compiler would warn about
    /// unreachable code after every use of a value.
    private var isEmpty: Bool { cases.isEmpty && !isOpen }

    /// Whether the type can list all of its values.
    private var isListed: Bool {
        !isOpen && !cases.isEmpty && cases.allSatisfy { if case .none = $0.payload { true } else { false } }
    }

    /// Whether code that uses a case gets a deprecation warning.
    ///
    /// There is no warning for the default of a field, because it would affect code that omits the field. There is also
    /// none in a type that lists its values, because the compiler cannot synthesize the list.
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
            text.line("/// A tag that the specs do not define.")
            text.line("case other(UnknownTag\(base.map { ", base: \($0)" } ?? ""))")
        }
        text.line()
    }

    private func reading(_ text: inout SwiftText) {
        // Creating a deprecated case causes a warning except in deprecated code. No user calls this initializer by
        // name.
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
            var branches = cases.map { item in
                let hasPayload = if case .none = item.payload { false } else { true }
                return (
                    pattern: ".\(SwiftIdentifiers.escaped(item.name))" + (hasPayload ? "(let value)" : ""),
                    hasPayload: hasPayload, body: plan.write(item)
                )
            }
            if isOpen { branches.append((".other(let tag\(base == nil ? "" : ", _"))", true, ["writer.unknown(tag)"])) }
            text.line("switch self {")
            for (place, (pattern, hasPayload, body)) in branches.enumerated() {
                var (head, body) = ("case \(pattern):", body)
                // The last branch of a long switch is `default`.
                if place == branches.count - 1, cases.count >= Self.mostCases {
                    head = "default:"
                    if hasPayload { body = ["if case \(pattern) = self { \(body.joined(separator: "; ")) }"] }
                }
                text.line(body.count == 1 ? "\(head) \(body[0])" : head)
                for line in body.dropFirst(body.count == 1 ? 1 : 0) { text.line("    " + line) }
            }
            text.line("}")
        }
    }

    /// Writes accessors for the parent's fields that work for every subtype.
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
        text.line("/// The errors in the value of the tag.")
        text.block("public var innerErrors: [any Error]") { text in
            text.line("switch self {")
            for line in inner { text.line(line) }
            if inner.count < cases.count || isOpen { text.line("default: []") }
            text.line("}")
        }
    }
}

extension SwiftPlan {
    /// Returns the location of the payload of a tag with this type.
    func payload(_ type: StoneType) -> SwiftCase.Payload {
        let (inner, isNullable) = api.unwrapped(type)
        switch inner {
        case .void: return .none
        case .structure(let id) where api[id].subtypes == nil: return .flattened(type, isNullable: isNullable)
        default: return .nested(type)
        }
    }

    /// Returns the struct whose fields are next to a tag.
    func payloadStruct(_ item: SwiftCase) -> StructID? {
        guard case .flattened(let type, _) = item.payload else { return nil }
        return api.structure(api.unwrapped(type).type)
    }

    /// Returns an expression that decodes a case's payload, or `nil` if there is no payload.
    func read(_ item: SwiftCase) -> String? {
        switch item.payload {
        case .none: nil
        case .nested(let type): read(type, "reader.payload(tag)")
        case .flattened(_, let isNullable): "try reader.\(isNullable ? "optionalFlattened" : "flattened")(tag)"
        }
    }

    /// Returns statements that encode a case.
    func write(_ item: SwiftCase) -> [String] {
        let tag = "writer.tag(\(item.tag.swiftLiteral))"
        switch item.payload {
        case .none: return [tag]
        case .nested(let type): return [tag, write(type, item.tag, "value")]
        case .flattened(_, let isNullable): return [tag, "value\(isNullable ? "?" : "").write(to: writer)"]
        }
    }
}
