// SPDX-License-Identifier: Apache-2.0

@testable import StoneCore

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
            for id in namespace.annotationTypes { lines.append(annotationType(api[id])) }
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
            ("examples", examples(structure.examples)),
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
            ("examples", examples(union.examples)),
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

    private func examples(_ examples: [StoneExample]) -> StoneJSON {
        .array(examples.map { .array([.string($0.label), .text($0.doc?.text), $0.value]) })
    }

    private func doc(_ doc: StoneDoc?) -> StoneJSON { .array([.text(doc?.raw), .text(doc?.text)]) }

    private func literal(_ literal: StoneLiteral) -> StoneJSON {
        guard case .tag(let id, let tag) = literal else { return StoneJSON(literal) }
        return .made([("tag", .string(tag)), ("union", .string(name(.union(id))))])
    }

    private func annotations(_ annotations: StoneAnnotations) -> StoneJSON {
        let custom = annotations.custom.map { StoneJSON.string("\(api[$0].namespace).\(api[$0].name)") }
        let redaction = annotations.redaction.map { StoneJSON.array([.string($0.kind.rawValue), .text($0.pattern)]) }
        return .made([
            ("custom", .array(custom)), ("deprecated", .boolean(annotations.isDeprecated)),
            ("omitted", .text(annotations.omittedCaller)), ("preview", .boolean(annotations.isPreview)),
            ("redacted", redaction ?? .null),
        ])
    }

    private func alias(_ alias: StoneAlias) -> String {
        line(
            "alias", "\(alias.namespace).\(alias.name)",
            .made([
                ("annotations", annotations(alias.annotations)), ("doc", doc(alias.doc)),
                ("type", SpecTypeDump(api: api).json(alias.type)),
            ]))
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
        let json: StoneJSON
        switch annotation.kind {
        case .deprecated: json = .made([("type", .string("Deprecated"))])
        case .preview: json = .made([("type", .string("Preview"))])
        case .omitted(let caller): json = .made([("caller", .string(caller)), ("type", .string("Omitted"))])
        case .redacted(let redaction):
            json = .made([("pattern", .text(redaction.pattern)), ("type", .string(redaction.kind.rawValue))])
        case .custom(let id, let arguments):
            let type = "\(api[id].namespace).\(api[id].name)"
            json = .made([("arguments", .array(arguments.map(literal))), ("type", .string(type))])
        }
        return line("annotation", "\(annotation.namespace).\(annotation.name)", json)
    }

    private func annotationType(_ type: StoneAnnotationType) -> String {
        let parameters = type.parameters.map { parameter in
            StoneJSON.made([
                ("default", parameter.defaultValue.map(literal)), ("doc", doc(parameter.doc)),
                ("name", .string(parameter.name)), ("type", SpecTypeDump(api: api).json(parameter.type)),
            ])
        }
        return line(
            "annotation_type", "\(type.namespace).\(type.name)",
            .made([("doc", doc(type.doc)), ("parameters", .array(parameters))]))
    }
}
