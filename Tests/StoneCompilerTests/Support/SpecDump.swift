// SPDX-License-Identifier: Apache-2.0

@testable import StoneCompiler

/// Writes an interface as `Oracle/dump_ir.py` does: a line for each definition.
struct SpecDump {
    let api: StoneAPI

    var lines: [String] {
        var lines: [String] = []
        for namespace in api.namespaces {
            lines.append(line("namespace", namespace.name, self.namespace(namespace)))
            for declaration in namespace.types { lines.append(type(declaration)) }
            for id in namespace.aliases { lines.append(alias(api[id])) }
            for id in namespace.annotations { lines.append(annotation(api[id])) }
            for id in namespace.routes { lines.append(route(api[id])) }
        }
        return lines
    }

    private func line(_ kind: String, _ name: String, _ json: StoneJSON) -> String {
        "\(kind) \(name) \(json.canonical)"
    }

    private func namespace(_ namespace: StoneNamespace) -> StoneJSON {
        .made([("doc", .text(namespace.doc?.text)), ("uses", .array(namespace.uses.map { .string($0) }))])
    }

    private func type(_ declaration: StoneDeclaration) -> String {
        switch declaration {
        case .structure(let id): line("struct", name(declaration), structure(api[id]))
        case .union(let id): line("union", name(declaration), union(api[id]))
        case .alias(let id): alias(api[id])
        }
    }

    func name(_ declaration: StoneDeclaration) -> String {
        let (namespace, name) = api.name(of: declaration)
        return "\(namespace).\(name)"
    }

    private func structure(_ structure: StoneStruct) -> StoneJSON {
        let subtypes = structure.subtypes.map { subtypes in
            let members = subtypes.members.map {
                StoneJSON.array([.string($0.tag), .string(name(.structure($0.type)))])
            }
            return StoneJSON.made([("closed", .boolean(subtypes.isClosed)), ("members", .array(members))])
        }
        return .made([
            ("allFields", .array(api.allFields(of: structure.id).map { .string($0.name) })),
            ("doc", doc(structure.doc)),
            ("fields", .array(structure.fields.map(field))),
            ("parent", .text(structure.parent.map { name(.structure($0)) })),
            ("subtypes", subtypes ?? .null),
        ])
    }

    private func union(_ union: StoneUnion) -> StoneJSON {
        .made([
            ("allTags", .array(api.allTags(of: union.id).map { .string($0.name) })),
            ("closed", .boolean(union.isClosed)),
            ("doc", doc(union.doc)),
            ("parent", .text(union.parent.map { name(.union($0)) })),
            ("tags", .array(union.tags.map(tag))),
        ])
    }

    private func field(_ field: StoneField) -> StoneJSON {
        .made([
            ("annotations", annotations(field.annotations)), ("default", field.defaultValue.map(literal)),
            ("doc", doc(field.doc)), ("name", .string(field.name)), ("type", SpecTypeDump(api: api).json(field.type)),
        ])
    }

    private func tag(_ tag: StoneTag) -> StoneJSON {
        .made([
            ("annotations", annotations(tag.annotations)), ("catchAll", tag.isCatchAll ? .boolean(true) : nil),
            ("doc", doc(tag.doc)), ("name", .string(tag.name)), ("type", SpecTypeDump(api: api).json(tag.type)),
        ])
    }

    private func doc(_ doc: StoneDoc?) -> StoneJSON { .array([.text(doc?.raw), .text(doc?.text)]) }

    private func literal(_ literal: StoneLiteral) -> StoneJSON {
        switch literal {
        case .null: .null
        case .boolean(let value): .boolean(value)
        case .integer(let value): .integer(value)
        case .float(let value): .float(value)
        case .string(let value): .string(value)
        case .tag(let id, let tag): .made([("tag", .string(tag)), ("union", .string(name(.union(id))))])
        }
    }

    private func annotations(_ annotations: StoneAnnotations) -> StoneJSON {
        .made([
            ("deprecated", .boolean(annotations.isDeprecated)), ("omitted", .text(annotations.omittedCaller)),
            ("preview", .boolean(annotations.isPreview)),
        ])
    }

    private func alias(_ alias: StoneAlias) -> String {
        line(
            "alias", "\(alias.namespace).\(alias.name)",
            .made([("doc", doc(alias.doc)), ("type", SpecTypeDump(api: api).json(alias.type))]))
    }

    private func route(_ route: StoneRoute) -> String {
        let types = SpecTypeDump(api: api)
        let deprecation = route.deprecation.map { deprecation in
            let by = deprecation.successor.map {
                StoneJSON.array([.string(api[$0].name), .integer(Int128(api[$0].version))])
            }
            return StoneJSON.made([("by", by ?? .null)])
        }
        return line(
            "route", "\(route.namespace).\(route.name):\(route.version)",
            .made([
                ("argument", types.json(route.argument)),
                ("attributes", .made(route.attributes.map { ($0.name, literal($0.value)) })),
                ("deprecated", deprecation ?? .null), ("doc", doc(route.doc)), ("error", types.json(route.error)),
                ("result", types.json(route.result)), ("version", .integer(Int128(route.version))),
            ]))
    }

    private func annotation(_ annotation: StoneAnnotation) -> String {
        let json: StoneJSON =
            switch annotation.kind {
            case .deprecated: .made([("type", .string("Deprecated"))])
            case .preview: .made([("type", .string("Preview"))])
            case .omitted(let caller): .made([("caller", .string(caller)), ("type", .string("Omitted"))])
            case .ignored: .made([("type", .string("ignored"))])
            }
        return line("annotation", "\(annotation.namespace).\(annotation.name)", json)
    }
}
