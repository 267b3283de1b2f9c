// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestText
import SOQLCheck
import SwiftSource

/// Writes the model of an object.
struct ModelWriter {
    private let object: QuerySchema.Object
    private let name: String
    private let properties: [ModelProperty]
    private let relations: [ModelRelation]
    private let picklists: [PicklistWriter]

    init(_ object: QuerySchema.Object, _ names: ModelNames, _ schema: QuerySchema) {
        self.object = object
        name = names.type(of: object.name)
        properties = object.fields.map { ModelProperty($0, of: object.name, names) }
        relations = object.relations(names, schema)
        picklists = object.fields.compactMap { field in
            names.picklist(field.name, of: object.name).map { PicklistWriter($0, field) }
        }
    }

    var file: SwiftFile {
        let describe = object.json.bytes(pretty: false, sortedKeys: true)
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
        text.doc(["\(Documentation.line(object.label, else: object.name)) (\(Documentation.code(object.name)))."])
        text.block("public struct \(name): RecordModel") { text in
            text.doc(["The values, and what was changed of them."])
            text.line("public var record: ModelRecord")
            text.line()
            text.doc(["The model of a record."])
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
        text.doc(["A new record" + (required.isEmpty ? "." : ", with what the org asks of one.")])
        let parameters = required.map { "\($0.name): \($0.type.swift)" }
        let fill = required.contains { $0.name == "fill" } ? "_fill" : "fill"
        text.list("public init(", parameters + ["_ \(fill): (inout \(name)) -> Void = { _ in }"], ") {")
        text.line("    record = ModelRecord()")
        for property in required { text.line("    self.\(property.name) = \(property.name)") }
        text.line("    \(fill)(&self)")
        text.line("}")
        if !required.isEmpty { unavailableInitializer(required, &text) }
    }

    /// Without it, the compiler names a parameter of some other initializer where a required field was left out.
    private func unavailableInitializer(_ required: [ModelProperty], _ text: inout SwiftText) {
        let fields = required.map { $0.name.without("`") }.joined(separator: ", ")
        text.line()
        text.doc(["A new record needs values of its required fields."])
        text.line("@available(*, unavailable, message: \("a new \(name) needs \(fields)".swiftLiteral))")
        text.line("public init(_ fill: (inout \(name)) -> Void = { _ in }) { record = ModelRecord() }")
    }

    private func shape(_ text: inout SwiftText) {
        text.doc(["What is known of the object."])
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
        text.doc(["The fields, for queries."])
        text.block("public struct Fields: ModelFields") { text in
            text.doc(["The model that they are of."])
            text.line("public typealias Model = \(name)")
            text.doc(["Where they are, seen from the object of a query."])
            text.line("public let _path: ModelPath")
            text.doc(["The fields at a place."])
            text.line("public init(_path: ModelPath) { self._path = _path }")
            text.line()
            for property in properties { property.declareField(in: &text) }
            for relation in relations { relation.declareField(in: &text) }
        }
    }
}
