// SPDX-License-Identifier: Apache-2.0

import SwiftSource
import Testing

@testable import StoneCompiler

@Suite("Swift names")
struct NamesTests {
    @Test(
        "Names of members",
        arguments: [
            ("path_lower", "pathLower"), ("id", "id"), ("shared_folder_id", "sharedFolderID"), ("url_name", "urlName"),
            ("preview_url", "previewURL"), ("file_ids", "fileIDs"), ("folders/list-all", "foldersListAll"),
            ("sha256", "sha256"), ("2fa_code", "_2faCode"), ("includeDeleted", "includeDeleted"),
            ("HTTPError", "httpError"), ("_x", "x"), ("a__b", "aB"), ("x_https", "xHTTPS"),
        ])
    func members(name: String, expected: String) {
        #expect(SwiftWords(name).lower == expected)
    }

    @Test("Types begin with a capital")
    func types() {
        #expect(SwiftWords("metadata_union").upper == "MetadataUnion")
        #expect(SwiftWords("file_requests").upper == "FileRequests")
    }

    @Test("What Swift and the runtime need gets an underscore, what is spelt alike a number")
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

    @Test("Versions of routes, and types and namespaces that would hide others, have names of their own")
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

    @Test("Strings are literals of Swift")
    func literals() {
        #expect("a\"\\\n\t\u{1}é".swiftLiteral == #""a\"\\\n\t\u{1}é""#)
        #expect(#"\(x)"#.swiftLiteral == #""\\(x)""#)
    }
}
