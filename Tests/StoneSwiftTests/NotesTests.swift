// SPDX-License-Identifier: Apache-2.0

import NotesAPI
import RestJSON
import StoneCore
import StoneRuntime
import Testing

/// What the compiled sources of the notes service do.
@Suite("The notes service")
struct NotesTests {
    private static func text(_ value: StoneJSON) throws -> String {
        switch value {
        case .null: "null"
        case .boolean(let flag): "\(flag)"
        case .integer(let number): "\(number)"
        case .float(let number): "\(number)"
        case .string(let text): "\(JSONValue(text))"
        case .array(let values): "[" + (try values.map { try Self.text($0) }.joined(separator: ",")) + "]"
        case .object(let members):
            "{" + (try members.map { "\(JSONValue($0.name)):\(try Self.text($0.value))" }.joined(separator: ",")) + "}"
        }
    }

    @Test("Every example of the specs is read and written again as it was")
    func examples() throws {
        let api = try StoneCompiler.compile(NotesSpec.sources())
        let types = Dictionary(uniqueKeysWithValues: NotesAPITypes.all.map { ($0.name, $0.type) })
        var count = 0
        for namespace in api.namespaces {
            for type in namespace.types {
                let name = api.name(of: type).name
                let examples =
                    switch type {
                    case .structure(let id): api[id].examples
                    case .union(let id): api[id].examples
                    case .alias: [StoneExample]()
                    }
                for example in examples {
                    let value = try JSONValue(parsing: Self.text(example.value))
                    let type = try #require(types["\(namespace.name).\(name)"])
                    let again = try JSONValue(parsing: type.init(json: value).json())
                    #expect(again == value, "\(name) \(example.label)")
                    count += 1
                }
            }
        }
        #expect(count > 30)
    }

    @Test("All routes are found by their names")
    func registry() {
        let routes = NotesAPIRegistry.routes
        #expect(routes["notes/create_v2"]?.style == "upload")
        #expect(routes["notes/create_v2"]?.auth == ["app", "user"])
        #expect(routes["notes/create"]?.isDeprecated == true)
        #expect(routes["notes/create_v2"]?.isPreview == true)
        #expect(routes["notes/create"]?.isPreview == false)
        #expect(routes["notes/folders/list"]?.host == "content")
    }
}
