// SPDX-License-Identifier: Apache-2.0

import RestJSON
import SwiftSource
import Testing

@testable import SOQLSwift
@testable import StoneCompiler

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Cases that once did not compile, in addition to the random sources that find such cases.
@Suite("Generated code with conflicting names and shapes compiles")
struct HardNamesTests {
    private static func object(_ name: String, _ fields: [JSONValue] = []) -> JSONValue {
        let id: JSONValue = ["name": "Id", "type": "id", "nillable": false]
        return ["name": JSONValue(name), "fields": JSONValue(JSONArray([id] + fields))]
    }

    private static func reference(_ name: String, to object: String) -> JSONValue {
        [
            "name": JSONValue(name), "type": "reference", "referenceTo": [JSONValue(object)],
            "relationshipName": JSONValue(name.replacing("__c", with: "__r")),
        ]
    }

    /// Objects whose types would hide types that generated code uses, inside models and inside the extensions of `SOQL`
    /// and `RestClient`.
    private static let hiding = [
        "ModelPath__c", "ModelChildren__c", "Model__c", "Fields__c", "Report", "ListView", "Condition__c", "Row__c",
        "Account_Row__c", "QueryRecords__c", "SOQLDate__c",
    ]

    private static let schema: JSONValue = {
        let values =
            (0..<1_000).map { JSONValue(["value": JSONValue("Value \($0)")]) }
            + ["\u{363}x", "\u{1DD9}", "a\u{200D}b", "\u{E0041}x"].map { ["value": JSONValue($0)] }
        let hard: [JSONValue] = [
            ["name": "Fill__c", "type": "string", "nillable": false],
            ["name": "Many__c", "type": "picklist", "picklistValues": JSONValue(JSONArray(values))],
            ["name": "Label__c", "label": "a\rimport Evil\u{2028}\0", "type": "anyType"],
            ["name": "_", "type": "string"],
        ]
        let references = hiding.enumerated().map { reference("Hard\($0)__c", to: $1) }
        return JSONValue(JSONArray([object("Account", hard + references)] + hiding.map { object($0) }))
    }()

    private static let queries: [(name: String, text: String)] =
        hiding.enumerated().map { number, object in
            ("of\(number)", "SELECT Id FROM \(object) WHERE Id = :Any AND Id != :in")
        } + [
            ("Account", "SELECT Id, Many__c FROM Account WHERE Many__c IN :let"),
            ("AccountRow", "SELECT Id FROM Account LIMIT :SOQL"),
            ("count", "SELECT COUNT() FROM Account"), ("class", "SELECT COUNT() FROM Account WHERE Id = :class"),
        ]

    @Test(
        "models and queries compile with every compiler setting",
        arguments: zip(SwiftCompiler.Settings.allCases, ["false", "true", "\"Models\""]))
    func models(settings: SwiftCompiler.Settings, models: String) throws {
        let access = models == "false" ? "public" : "package"
        let options = WrittenSources.QueryOptions(access: access, models: models)
        let complaints = try WrittenSources(settings)
            .models(Self.schema.bytes(pretty: true), Self.queries, options)
        #expect(complaints.isEmpty, "\(complaints.prefix(6_000))")
    }

    @Test(
        "the compiler names the required fields that a new record lacks",
        arguments: ["Account()", "Account { $0.industry = .energy }"])
    func required(call: String) throws {
        let complaints = try WrittenSources(.strict).use("import OrgModels\n\nlet account = \(call)\n")
        #expect(complaints.contains("error: 'init(_:)' is unavailable: a new Account needs name\n"), "\(complaints)")
    }

    private static let configuration = """
        namespace stone_cfg

        struct Route
            style String = "rpc"

        """

    private static let types = """
        namespace n
            "A paragraph.\rimport Evil"

        struct A
            b B
            deep C?
        struct B
            a A?
            c C
        struct C
            b B
            own C?
        union_closed Nothing
            "No value."
        struct Locals
            reader String(min_length=1)
            slot Int32
            writer Boolean
            checks String(max_length=2)
            enum Float64 = 5e-324
            small Float32 = -1e-40
            nothing Nothing
            _ String
        struct Entry
            union
                a_b EntryA
        struct EntryA extends Entry
            "One."
        struct EntryBase
            "Of another name than the fields of Entry."
        struct _
            "A name of an underscore."

        """

    private static let routes = """

        struct Content
            body String
            put String
        route put (Content, Void, Void)
            attrs
                style = "upload"
        route body (Content, Void, Void)
            attrs
                style = "upload"
        route check (Locals, Entry, Void)
        route all (Void, Void, Void)
        route client (Void, EntryBase, Void)
        route take (Content, _, Void)

        """

    @Test(
        "specs compile with and without routes, as a whole and in part",
        arguments: zip(
            SwiftCompiler.Settings.allCases, [["--type-table"], [], ["--namespaces", "empty", "--type-table"]]))
    func specs(settings: SwiftCompiler.Settings, options: [String]) throws {
        for more in ["", Self.routes] {
            let files = [
                ("stone_cfg.stone", Self.configuration), ("n.stone", Self.types + more),
                ("empty.stone", "namespace empty\n"), ("twins.stone", "namespace a_B\n\nroute x (Void, Void, Void)\n"),
                ("twin.stone", "namespace aB\n\nroute x (Void, Void, Void)\n"),
                ("client.stone", "namespace client\n\nroute call (Void, Void, Void)\n"),
                ("registry.stone", "namespace Api_registry\n\nroute x (Void, Void, Void)\n"),
            ]
            let complaints = try WrittenSources(settings).spec(files, options)
            #expect(complaints.isEmpty, "\(options)\n\(complaints.prefix(6_000))")
        }
    }
}

@Suite("Reserved names of generated code")
struct ReservedNamesTests {
    /// The modules that `import RestSDK` makes visible, including those that declare the single types that it exports.
    private static let restSDK = ["RestSDK", "RestAuth", "RestJSON", "RestTransport"]

    @Test("the lists contain exactly the public types of the modules")
    func complete() throws {
        let sdk = try PublicNames(of: Self.restSDK).types
        #expect(RuntimeNames.restSDK.sorted() == sdk.sorted())
        #expect(
            RuntimeNames.restModels.sorted() == (try PublicNames(of: ["RestModels"]).types).subtracting(sdk).sorted())
        #expect(RuntimeNames.stoneRuntime.sorted() == (try PublicNames(of: ["StoneRuntime"]).types).sorted())
    }

    @Test("the list of nested types contains exactly the types inside the types that generated code extends")
    func inside() throws {
        let nested = try PublicNames(of: ["RestSDK", "RestModels", "RestBulk", "RestTesting"]).nested
        let types = (nested["SOQL"] ?? []).union(nested["RestClient"] ?? [])
        #expect(RuntimeNames.insideExtended.sorted() == types.sorted())
    }

    @Test(
        "generated code uses only types that it declares, and names that are reserved",
        arguments: [
            ("Tests/OrgModels", ModelNames.reservedInside), ("Tests/NotesAPI", SwiftNames.types),
            ("Sources/Dropbox/DropboxAPI", SwiftNames.types),
        ])
    func written(folder: String, reserved: Set<String>) throws {
        let root = Checkout.root.appending(path: folder).resolvingSymlinksInPath()
        let paths = try FileManager.default.subpathsOfDirectory(atPath: root.path).filter { $0.hasSuffix(".swift") }
        let names = WrittenNames(
            try paths.map { String(decoding: try Data(contentsOf: root.appending(path: $0)), as: UTF8.self) })
        #expect(names.declared.count > 6 && names.bare.count > 20)
        // The generic parameter of a function, which hides every other type of that name.
        #expect(names.bare.subtracting(names.declared).subtracting(reserved).subtracting(["Output"]).sorted() == [])
    }
}
