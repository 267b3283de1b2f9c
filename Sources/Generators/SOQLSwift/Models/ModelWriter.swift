// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
package import SOQLCheck
package import SwiftSource

/// Writes the objects of a schema as Swift models that use `RestModels`, one file for each object.
///
/// Equal objects result in identical files, and a change of one field changes only the lines about the field.
package enum ModelEmitter {
    /// The emitter's version, which is written to every file.
    package static let version = "1"
    /// The mark that identifies a file of models.
    package static let mark = SourceMark(tool: "soql models", label: "kind", value: "models")
    /// The file of the objects that models refer to and that have no models.
    static let others = "OtherObjects"

    /// Returns the files of a schema's objects, sorted by path.
    package static func files(of schema: QuerySchema, module: String? = nil) -> [SwiftFile] {
        let names = ModelNames(schema, module: module)
        var files = schema.objects.map { ModelWriter($0, names, schema).file }
        if let others = others(schema, names) { files.append(others) }
        return files.sorted { $0.path < $1.path }
    }

    /// Returns the objects whose types are in a file of `soql models`, or an empty list for other files.
    package static func objects(in text: String) -> [String] {
        let lines = text.split(byte: "\n", maxSplits: 3, omittingEmptySubsequences: false)
        guard mark.value(in: text) == mark.value, lines.count > 3 else { return [] }
        if let start = lines[2].firstRange(bytes: "; object: ") {
            return [String(lines[2][start.upperBound...].prefix(beforeAny: ";)"))]
        }
        return lines[3].split(byte: "\n").compactMap {
            $0.cut(byte: "\"").flatMap {
                $0.before.hasBytes("static let objectName") ? String($0.after.prefix(before: "\"")) : nil
            }
        }
    }

    /// Returns the file of the objects that have ids in the models and no models.
    private static func others(_ schema: QuerySchema, _ names: ModelNames) -> SwiftFile? {
        let targets = schema.objects.flatMap(\.fields).filter { $0.referenceTo.count == 1 }.map { $0.referenceTo[0] }
        let unknown = Dictionary(
            targets.filter { schema.object(named: $0) == nil }.map { (names.type(of: $0), $0) }
        ) { min($0, $1) }
        guard !unknown.isEmpty else { return nil }
        var text = SwiftText()
        for (position, (type, object)) in unknown.sorted(by: { $0.key < $1.key }).enumerated() {
            if position > 0 { text.line() }
            text.doc(["The object \(Documentation.code(object)), which has no generated model."])
            text.block("nonisolated public enum \(type): RecordObject") { text in
                text.doc(["The API name."])
                text.line("public static let objectName = \(object.swiftLiteral)")
            }
        }
        return SwiftFile(
            path: "\(others).swift", text: header("references") + "public import RestModels\n\n" + body(text))
    }

    /// Returns the header of a file.
    static func header(_ note: String) -> String {
        """
        // SPDX-License-Identifier: Apache-2.0
        // swift-format-ignore-file
        // Written by soql models \(version) (kind: models; \(note)).
        // Do not change it; run soql models again when the org has changed.


        """
    }

    static func body(_ text: SwiftText) -> String { text.lines.joined(separator: "\n") + "\n" }
}

struct ModelWriter {
    private let object: ObjectDescription
    private let name: String
    private let properties: [ModelProperty]
    private let relations: [ModelRelation]
    private let picklists: [PicklistWriter]

    init(_ object: ObjectDescription, _ names: ModelNames, _ schema: QuerySchema) {
        self.object = object
        name = names.type(of: object.name)
        properties = object.fields.map { ModelProperty($0, of: object.name, names) }
        relations = object.relations(names, schema)
        picklists = object.fields.compactMap { field in
            names.picklist(field.name, of: object.name).map { PicklistWriter($0, field) }
        }
    }

    var file: SwiftFile {
        let describe = object.sorted.compact.bytes(pretty: false, sortedKeys: true)
        let hash = SourceHash.hash(of: [(object.name, describe)])
        var text = SwiftText()
        write(to: &text)
        let head = ModelEmitter.header("object: \(object.name); describe: \(hash)") + imports
        return SwiftFile(path: "\(name).swift", text: head + ModelEmitter.body(text))
    }

    private var imports: String {
        guard properties.contains(where: { $0.type.needsFoundation }) else { return "public import RestModels\n\n" }
        return """
            public import RestModels

            #if canImport(FoundationEssentials)
            public import FoundationEssentials
            #else
            public import Foundation
            #endif


            """
    }

    private func write(to text: inout SwiftText) {
        let label = Documentation.line(object.summary.label, else: object.name)
        text.doc(["\(label) (\(Documentation.code(object.name)))."])
        text.block("public struct \(name): RecordModel") { text in
            text.doc(["The values of the record and their changes."])
            text.line("public var record: ModelRecord")
            text.line()
            text.doc(["Creates the model of a record."])
            text.line("public init(record: ModelRecord) { self.record = record }")
            text.line()
            initializer(&text)
            text.line()
            shape(&text)
            for property in properties where !property.isID {
                text.line()
                property.declare(in: &text)
            }
            for relation in relations {
                text.line()
                relation.declare(in: &text)
            }
            for picklist in picklists {
                text.line()
                picklist.write(to: &text)
            }
            text.line()
            fields(&text)
        }
    }

    private func initializer(_ text: inout SwiftText) {
        let required = properties.filter(\.isRequired)
        text.doc(["Creates a new record" + (required.isEmpty ? "." : " with its required fields.")])
        let parameters = required.map { "\($0.name): \($0.type.swift)" }
        let fill = required.contains { $0.name == "fill" } ? "_fill" : "fill"
        text.list("public init(", parameters + ["_ \(fill): (inout \(name)) -> Void = { _ in }"], ") {")
        text.line("    record = ModelRecord()")
        for property in required { text.line("    self.\(property.name) = \(property.name)") }
        text.line("    \(fill)(&self)")
        text.line("}")
        if !required.isEmpty { unavailableInitializer(required, &text) }
    }

    /// Without this, the compiler names a parameter of another initializer if a required field is missing.
    private func unavailableInitializer(_ required: [ModelProperty], _ text: inout SwiftText) {
        let fields = required.map { $0.name.without("`") }.joined(separator: ", ")
        text.line()
        text.doc(["A new record needs values for its required fields."])
        text.line("@available(*, unavailable, message: \("a new \(name) needs \(fields)".swiftLiteral))")
        text.line("public init(_ fill: (inout \(name)) -> Void = { _ in }) { record = ModelRecord() }")
    }

    private func shape(_ text: inout SwiftText) {
        text.doc(["The fields and relationships of the object."])
        text.line("public static let shape = ModelShape(")
        text.line("    \(object.name.swiftLiteral),")
        text.line("    \"\"\"")
        for property in properties { text.line("    \(property.shape)") }
        let lists = [("parents", relations.filter { !$0.isList }), ("children", relations.filter(\.isList))]
            .filter { !$0.1.isEmpty }
        text.line("    \"\"\"" + (lists.isEmpty ? ")" : ","))
        for (position, (label, relations)) in lists.enumerated() {
            text.line("    \(label): [")
            for relation in relations {
                text.line("        \(relation.relationship.swiftLiteral): \(relation.model).self,")
            }
            text.line("    ]" + (position + 1 < lists.count ? "," : ")"))
        }
    }

    private func fields(_ text: inout SwiftText) {
        text.doc(["The fields for use in queries."])
        text.block("public struct Fields: ModelFields") { text in
            text.doc(["The model that has these fields."])
            text.line("public typealias Model = \(name)")
            text.doc(["The path of relationships from the object of a query."])
            text.line("public let _path: ModelPath")
            text.doc(["Creates the fields at the end of a path."])
            text.line("public init(_path: ModelPath) { self._path = _path }")
            text.line()
            for property in properties { property.declareField(in: &text) }
            for relation in relations { relation.declareField(in: &text) }
        }
    }
}

struct PicklistWriter {
    private let name: String
    private let field: ObjectDescription.Field
    private let cases: [PicklistCases.Case]
    /// The access modifier followed by a space, or an empty string for internal declarations.
    private let access: String

    init(_ name: String, _ field: ObjectDescription.Field, access: String = "public ") {
        (self.name, self.field, self.access) = (name, field, access)
        cases = PicklistCases(field.picklistValues).all
    }

    func write(to text: inout SwiftText) {
        text.doc(["The values of \(Documentation.code(field.name))."])
        text.block("\(access)enum \(name): Picklist") { text in
            for item in cases {
                let note = item.value.isActive ? "" : " (inactive)"
                text.doc([Documentation.line(item.value.label, else: item.name) + note + "."])
                text.line("case \(SwiftIdentifiers.escaped(item.name))")
            }
            text.doc(["A value that the org did not list when this code was generated."])
            text.line("case unlisted(String)")
            text.line()
            text.doc(["Creates the value with this API name."])
            text.block("\(access)init(rawValue: String)") { text in
                // Compiling a switch over a thousand strings, which a picklist can have, takes 15 seconds.
                text.line("self = Self.listed.first { $0.rawValue == rawValue } ?? .unlisted(rawValue)")
            }
            text.line()
            text.doc(["The API name of the value."])
            text.block("\(access)var rawValue: String") { text in
                text.line("switch self {")
                for item in cases {
                    text.line("case .\(SwiftIdentifiers.escaped(item.name)): \(item.value.value.swiftLiteral)")
                }
                text.line("case .unlisted(let value): value")
                text.line("}")
            }
            text.line()
            text.doc(["The values that the org lists, in the org's order."])
            text.line("\(access)static let listed: [Self] = [")
            for item in cases { text.line("    .\(SwiftIdentifiers.escaped(item.name)),") }
            text.line("]")
        }
    }
}
