// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import StoneCompiler

/// The compiler understands specs in the same way as the Stone compiler in Python.
@Suite struct OracleTests {
    @Test func theNotesSpecMeansTheSame() throws {
        try compare(Specs.notes, least: 30)
    }

    @Test(.enabled(if: Specs.hasDropbox)) func theDropboxSpecMeansTheSame() throws {
        try compare(Specs.dropbox, least: 2_700)
    }

    private func compare(_ folder: URL, least: Int) throws {
        let expected = try StonePython.lines("dump_ir.py", Specs.files(in: folder).map(\.path))
        let found = SpecDump(api: try StoneAPI(compiling: Specs.sources(in: folder))).lines
        #expect(expected.count >= least)
        #expect(expected.count == found.count)
        for (expected, found) in zip(expected, found) {
            #expect(expected == found)
        }
    }
}

/// The specs of Stone's own tests, with the results of the Python compiler.
///
/// Examples, redactions and annotation types are skipped, so errors in them are not found.
@Suite struct StoneSuiteTests {
    struct Case: Decodable, CustomStringConvertible {
        let specs: [[String]]
        let parserOnly: Bool
        let accepted: Bool
        let message: String?
        let line: Int?
        let file: String?

        var description: String {
            "\(message ?? "accepted") (line \(line ?? 0))\n" + specs.map { $0[1] }.joined(separator: "\n----\n")
        }

        var sources: [StoneSource] { specs.map { StoneSource(path: $0[0], text: $0[1]) } }

        /// Whether the error is in a part that this compiler skips: examples, redactions and annotation types.
        var isPassed: Bool {
            [
                "xample", "edactor", "Unexpected BOOLEAN", "Parameter 's' must", "parameters of annotation types",
                "either positional or keyword",
            ].contains { message?.contains($0) == true }
        }

        /// The errors of this compiler, or of its parser alone if the case tests only the parser.
        var faults: [StoneDiagnostic] {
            if !parserOnly { return Specs.faults(specs.map { ($0[0], $0[1]) }) }
            let files = sources.map { SourceLines($0) }
            var all = Diagnostics()
            for (index, source) in sources.enumerated() {
                var parser = Parser(source, file: index)
                _ = parser.parse()
                all.add(parser.diagnostics)
            }
            do throws(StoneError) { try all.check(in: files) } catch { return error.diagnostics }
            return []
        }
    }

    static func cases() throws -> [Case] {
        try JSONDecoder().decode([Case].self, from: Data(contentsOf: StonePython.suite))
    }

    @Test func everyVerdictIsTheSame() throws {
        let cases = try Self.cases()
        #expect(cases.count >= 250)
        for each in cases {
            let faults = each.faults
            #expect(faults.isEmpty == (each.accepted || each.isPassed), "\(each)\nours: \(faults.map(\.description))")
        }
    }

    @Test func faultsStandWhereStoneSeesThem() throws {
        let refused = try Self.cases().filter { !$0.accepted && !$0.isPassed && $0.line != nil }
        #expect(refused.count >= 85)
        for each in refused {
            let lines = each.faults.map(\.line)
            #expect(lines.contains(each.line ?? 0), "\(each)\nours: \(each.faults.map(\.description))")
        }
    }
}

/// Writes an API in the format of `Oracle/dump_ir.py`: one line for each definition.
struct SpecDump {
    let api: StoneAPI

    var lines: [String] {
        var lines: [String] = []
        for namespace in api.namespaces {
            lines.append(line("namespace", namespace.name, self.namespace(namespace)))
            for declaration in namespace.types { lines.append(type(declaration)) }
            for id in namespace.aliases { lines.append(alias(api[id])) }
            for id in namespace.routes { lines.append(route(api[id])) }
        }
        return lines
    }

    private func line(_ kind: String, _ name: String, _ json: StoneJSON) -> String {
        "\(kind) \(name) \(json.canonical)"
    }

    private func namespace(_ namespace: StoneNamespace) -> StoneJSON {
        .made([("doc", .text(namespace.doc?.text))])
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

    private func doc(_ doc: StoneDoc?) -> StoneJSON { .text(doc?.text) }

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
}

/// Writes types in the format of `Oracle/dump_ir.py`.
struct SpecTypeDump {
    let api: StoneAPI

    func json(_ type: StoneType) -> StoneJSON {
        switch type {
        case .void: named("Void")
        case .boolean: named("Boolean")
        case .bytes: named("Bytes")
        case .integer(let type):
            named(
                type.size.rawValue, ("min_value", type.minimum.map { .integer($0) }),
                ("max_value", type.maximum.map { .integer($0) }))
        case .float(let type):
            named(
                type.size.rawValue, ("min_value", type.minimum.map { .float($0) }),
                ("max_value", type.maximum.map { .float($0) }))
        case .string(let type): string(type)
        case .timestamp(let format): named("Timestamp", ("format", .string(format)))
        case .list(let list):
            named(
                "List", ("of", json(list.element)), ("min_items", number(list.minimumItems)),
                ("max_items", number(list.maximumItems)))
        case .map(let key, let value): named("Map", ("key", string(key)), ("of", json(value)))
        case .nullable(let inner): named("Nullable", ("of", json(inner)))
        case .alias(let id): named("alias", ("to", name(.alias(id))))
        case .structure(let id): named("struct", ("to", name(.structure(id))))
        case .union(let id): named("union", ("to", name(.union(id))))
        }
    }

    private func string(_ type: StoneStringType) -> StoneJSON {
        named(
            "String", ("min_length", number(type.minimumLength)), ("max_length", number(type.maximumLength)),
            ("pattern", type.pattern.map { .string($0) }))
    }

    private func named(_ name: String, _ members: (String, StoneJSON?)...) -> StoneJSON {
        .made([("name", .string(name))] + members)
    }

    private func number(_ number: Int?) -> StoneJSON? { number.map { .integer(Int128($0)) } }

    private func name(_ declaration: StoneDeclaration) -> StoneJSON { .string(SpecDump(api: api).name(declaration)) }
}

/// A JSON value whose numbers are as exact as those in specs.
indirect enum StoneJSON {
    typealias Member = (name: String, value: StoneJSON)

    case null
    case boolean(Bool)
    case integer(Int128)
    case float(Double)
    case string(String)
    case array([StoneJSON])
    case object([Member])

    /// The value on one line with sorted members, in the format of Python's `json`.
    var canonical: String {
        switch self {
        case .null: "null"
        case .boolean(let value): value ? "true" : "false"
        case .integer(let number): "\(number)"
        case .float(let number): "\(number)"
        case .string(let text): Self.quoted(text)
        case .array(let values): "[" + values.map(\.canonical).joined(separator: ",") + "]"
        case .object(let members): Self.object(members)
        }
    }

    private static func object(_ members: [Member]) -> String {
        let sorted = members.sorted { $0.name.unicodeScalars.lexicographicallyPrecedes($1.name.unicodeScalars) }
        return "{" + sorted.map { quoted($0.name) + ":" + $0.value.canonical }.joined(separator: ",") + "}"
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    static func made(_ members: [(String, StoneJSON?)]) -> StoneJSON {
        .object(members.compactMap { name, value in value.map { (name, $0) } })
    }

    static func text(_ text: String?) -> StoneJSON { text.map { .string($0) } ?? .null }
}
