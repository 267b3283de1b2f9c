// SPDX-License-Identifier: Apache-2.0

import SOQLCheck
import SwiftSource

/// Writes the types of objects, as far as queries name them: what ids are of, and the values of picklists.
enum ObjectWriter {
    static func file(_ types: ObjectTypes, _ schema: QuerySchema, _ options: QueryOptions) -> SwiftFile {
        guard options.objects == .written else {
            return QueryEmitter.file(QueryEmitter.paths[1], options, nil, [])
        }
        let names = types.objects.keys.filter { !options.modeled.contains($0.lowercased()) }.sorted {
            ($0.lowercased(), $0) < ($1.lowercased(), $1)
        }
        let parts = names.map { name in
            var text = SwiftText()
            write(name, types.objects[name] ?? [], schema.object(named: name), types.names, options, into: &text)
            return text
        }
        return QueryEmitter.file(QueryEmitter.paths[1], options, nil, parts)
    }

    private static func write(
        _ name: String, _ picklists: Set<QuerySchema.Field>, _ object: QuerySchema.Object?, _ names: ModelNames,
        _ options: QueryOptions, into text: inout SwiftText
    ) {
        let access = options.accessWord
        let label = object.map { Documentation.line($0.label, else: name) + " " } ?? ""
        text.doc(["The object \(label)(\(Documentation.code(name)))."])
        text.block("nonisolated \(access)enum \(names.type(of: name)): RecordObject") { text in
            text.doc(["The name of the object in queries."])
            text.line("\(access)static let objectName = \((object?.name ?? name).swiftLiteral)")
            for field in picklists.sorted(by: { $0.name < $1.name }) {
                text.line()
                PicklistWriter(names.picklist(field.name, of: name) ?? "_", field, access: access).write(to: &text)
            }
        }
    }
}
