// SPDX-License-Identifier: Apache-2.0

import SOQLCheck
import SwiftSource

/// Writes the types of objects, as far as queries name them: what ids are of, and the values of picklists.
enum ObjectWriter {
    static func file(_ types: ObjectTypes, _ schema: QuerySchema, _ options: QueryOptions) -> SwiftFile {
        guard options.objects == .written else {
            return QueryEmitter.file(QueryEmitter.paths[1], options, nil, [])
        }
        let names = types.objects.keys.sorted { ($0.lowercased(), $0) < ($1.lowercased(), $1) }
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
        text.block("\(access)enum \(names.type(of: name)): RecordObject") { text in
            text.doc(["The name of the object in queries."])
            text.line("\(access)static let objectName = \((object?.name ?? name).swiftLiteral)")
            for field in picklists.sorted(by: { $0.name < $1.name }) {
                text.line()
                write(field, names.picklist(field.name, of: name) ?? "_", access, into: &text)
            }
        }
    }

    private static func write(
        _ field: QuerySchema.Field, _ name: String, _ access: String, into text: inout SwiftText
    ) {
        let cases = PicklistCases(field.picklistValues).all
        let label = Documentation.line(field.label, else: field.name)
        text.doc(["The values of \(label) (\(Documentation.code(field.name)))."])
        text.block("\(access)enum \(name): Picklist") { text in
            for one in cases {
                text.doc([Documentation.line(one.value.label, else: one.name) + "."])
                text.line("case \(SwiftIdentifiers.escaped(one.name))")
            }
            text.doc(["A value that the schema does not list."])
            text.line("case unlisted(String)")
            text.line()
            text.doc(["The values that the schema lists."])
            text.list("\(access)static let listed: [\(name)] = [", cases.map { "." + $0.name }, "]")
            text.line()
            text.doc(["The value of that name."])
            text.block("\(access)init(rawValue: String)") { text in
                text.line("self = Self.listed.first { $0.rawValue == rawValue } ?? .unlisted(rawValue)")
            }
            text.line()
            text.doc(["The value's name."])
            text.block("\(access)var rawValue: String") { text in
                text.line("switch self {")
                for one in cases { text.line("case .\(one.name): \(one.value.value.swiftLiteral)") }
                text.line("case .unlisted(let value): value")
                text.line("}")
            }
        }
    }
}
