// SPDX-License-Identifier: Apache-2.0

import SwiftSource
import Testing

@testable import StoneCompiler

@Suite struct ModelTests {
    let api: StoneAPI

    init() throws {
        api = try StoneAPI(compiling: Specs.sources(in: Specs.notes))
    }

    private func structure(_ name: String) throws -> StoneStruct {
        try #require(api.structs.first { $0.name == name })
    }

    private func union(_ name: String) throws -> StoneUnion {
        try #require(api.unions.first { $0.name == name })
    }

    @Test func namespacesAreSortedAndTheSchemaIsApart() throws {
        #expect(api.namespaces.map(\.name) == ["common", "notes"])
        let schema = try #require(api.routeSchema)
        #expect(api[schema].fields.map(\.name).prefix(2) == ["auth", "host"])
    }

    @Test func integersOf64BitsAreExact() throws {
        let note = try structure("Note")
        let size = try #require(note.fields.first { $0.name == "size" })
        #expect(size.type == .integer(StoneIntegerType(size: .uint64)))
        let score = try #require(note.fields.first { $0.name == "score" })
        let bounds = (Int128(Int64.min), Int128(Int64.max))
        #expect(score.type == .integer(StoneIntegerType(size: .int64, minimum: bounds.0, maximum: bounds.1)))
    }

    @Test func anOpenUnionHasOneCatchAllThoughItsParentMayGiveIt() throws {
        for name in ["Rating", "State2", "Open", "LookupError"] {
            #expect(api.allTags(of: try union(name).id).count { $0.isCatchAll } == 1)
        }
        #expect(try union("LookupError").tags.map(\.name) == ["not_found"])
        #expect(!api.allTags(of: try union("Closed").id).contains(where: \.isCatchAll))
    }

    @Test func subtypesKnowTheirTags() throws {
        let entry = try structure("Entry")
        #expect(entry.subtypes?.members.map(\.tag) == ["note", "folder", "link"])
        #expect(entry.subtypes?.isClosed == false)
        #expect(entry.children.map { api[$0].name } == ["Note", "Folder", "Link"])
    }

    @Test func fieldsHaveTheirOrderDefaultsAndAnnotations() throws {
        let folder = try structure("Folder")
        let names = api.allFields(of: folder.id).map(\.name)
        #expect(names == ["id", "name", "children", "shelf", "marks", "cover", "parent", "color"])
        let note = try structure("Note")
        let annotations = Dictionary(uniqueKeysWithValues: note.fields.map { ($0.name, $0.annotations) })
        #expect(annotations["secret"] == StoneAnnotations() && annotations["length"] == StoneAnnotations())
        #expect(annotations["hidden_from_all"]?.omittedCaller == "internal")
        #expect(annotations["old_name"]?.isDeprecated == true && annotations["beta"]?.isPreview == true)
        let rating = note.fields.first { $0.name == "rating" }
        #expect(rating?.defaultValue == .tag(try union("Rating").id, "good"))
    }

    @Test func aliasesAreKeptAndCanBeSeenThrough() throws {
        let target = try #require(try structure("Link").fields.first)
        guard case .alias = target.type else {
            Issue.record("\(target.type)")
            return
        }
        #expect(api.isNullable(target.type))
        guard case .string(let type) = api.unwrapped(target.type).type else {
            Issue.record("\(api.unwrapped(target.type))")
            return
        }
        #expect(type == StoneStringType(minimumLength: 4, maximumLength: 40, pattern: "^id:[a-z0-9_-]+$"))
    }

    @Test func routesHaveVersionsAttributesAndSuccessors() throws {
        let notes = try #require(api.namespace(named: "notes"))
        let routes = notes.routes.map { api[$0] }
        #expect(routes.map(\.wireName) == ["create", "create_v2", "draw", "folders/all", "folders/list", "ping"])
        #expect(routes[0].deprecation?.successor == routes[1].id)
        #expect(routes[0].attribute("retries") == .integer(18_446_744_073_709_551_615))
        #expect(routes[0].attribute("scope") == nil)
        #expect(routes[1].attribute("style") == .tag(try union("Style").id, "upload"))
        #expect(routes[3].deprecation == StoneDeprecation() && routes[3].argument == .void)
    }

    @Test func documentationIsCutAtItsReferences() throws {
        let person = try structure("Person").id
        let route = try #require(api.routes.first { $0.name == "create" && $0.version == 1 })
        #expect(
            route.doc?.tokens == [
                .text("Makes a note. Use "), .route(RouteID(index: route.id.index + 1)), .text("; see "),
                .field(.structure(try structure("CreateArg").id), name: "text", isLocal: false), .text(", "),
                .field(.structure(person), name: "id", isLocal: false), .text(" and "), .type(.structure(person)),
                .text("."),
            ])
        let id = try #require(api.aliases.first { $0.name == "Id" })
        #expect(id.doc?.tokens.contains(.link(title: "the guide", address: "https://example.org/ids")) == true)
        #expect(api.namespaces[0].doc?.text == "What the notes service shares with its neighbours.")
        let old = try #require(try structure("Note").fields.first { $0.name == "old_name" })
        #expect(old.doc?.text == "Say \"name\" instead: \\ is a backslash.")
    }

    @Test func theResultIsTheSameEachTime() throws {
        let again = try StoneAPI(compiling: Specs.sources(in: Specs.notes))
        #expect(SpecDump(api: api).lines == SpecDump(api: again).lines)
    }
}

@Suite("Swift names")
struct NamesTests {
    @Test(
        "Members are camel case with uppercase acronyms",
        arguments: [
            ("path_lower", "pathLower"), ("id", "id"), ("shared_folder_id", "sharedFolderID"), ("url_name", "urlName"),
            ("preview_url", "previewURL"), ("file_ids", "fileIDs"), ("folders/list-all", "foldersListAll"),
            ("sha256", "sha256"), ("2fa_code", "_2faCode"), ("includeDeleted", "includeDeleted"),
            ("HTTPError", "httpError"), ("_x", "x"), ("a__b", "aB"), ("x_https", "xHTTPS"),
        ])
    func members(name: String, expected: String) {
        #expect(SwiftWords(name).lower == expected)
    }

    @Test("Type names begin with a capital letter")
    func types() {
        #expect(SwiftWords("metadata_union").upper == "MetadataUnion")
        #expect(SwiftWords("file_requests").upper == "FileRequests")
    }

    @Test("Names that Swift or the runtime needs get an underscore, and equal names get a number")
    func clashes() {
        let names = SwiftNames.members(["self", "init", "hash_value", "a_b", "aB", "a-b", "json"])
        #expect(
            names == [
                "self": "self_", "init": "init_", "hash_value": "hashValue_", "a_b": "aB", "aB": "aB_2", "a-b": "aB_3",
                "json": "json_",
            ])
        #expect(
            SwiftNames.cases(["none", "other", "default", "description"]) == [
                "none": "none_", "other": "other_", "default": "default", "description": "description",
            ])
        #expect(SwiftIdentifiers.escaped("default") == "`default`")
        #expect(SwiftIdentifiers.escaped("path") == "path")
    }

    @Test("Versions of routes, and types and namespaces that would hide others, get distinct names")
    func routes() throws {
        let spec = """
            namespace result

            struct Date
                "One."
            struct Type
                "Two."
            struct string_list
                "Three."
            union Optional
                a

            route foo (Void, Void, Void)
            route foo:2 (Void, Void, Void)
            route foo_2 (Void, Void, Void)
            route foo/2 (Void, Void, Void)

            """
        let api = try StoneAPI(compiling: [StoneSource(path: "a.stone", text: spec)])
        let names = SwiftNames(api, SwiftOptions(module: "M"))
        #expect(names[namespace: "result"] == "Result_")
        let namespace = try #require(api.namespace(named: "result"))
        #expect(namespace.routes.map { names[route: $0] }.sorted() == ["foo", "foo2", "foo2_2", "fooV2"])
        #expect(namespace.types.map { names[type: $0] }.sorted() == ["Date_", "Optional_", "StringList", "Type_"])
    }

    @Test("Strings become Swift literals")
    func literals() {
        #expect("a\"\\\n\t\u{1}é".swiftLiteral == #""a\"\\\n\t\u{1}é""#)
        #expect(#"\(x)"#.swiftLiteral == #""\\(x)""#)
    }
}
