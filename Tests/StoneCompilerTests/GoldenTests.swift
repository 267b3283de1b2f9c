// SPDX-License-Identifier: Apache-2.0

import NotesAPI
import StoneCompiler
import StoneRuntime
import SwiftSource
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The sources that are generated from the specs of the notes service.
enum NotesSpec {
    static let golden = Specs.root.appending(path: "Tests/NotesAPI")

    static func sources() throws -> [StoneSource] { try Specs.sources(in: Specs.notes) }

    static func options(_ sources: [StoneSource]) -> SwiftOptions {
        var options = SwiftOptions(module: "NotesAPI")
        options.hasTypeTable = true
        options.specHash = SwiftOptions.hash(of: sources)
        return options
    }

    static func files() throws -> [SwiftFile] {
        let sources = try sources()
        return try SwiftEmitter.files(of: StoneAPI(compiling: sources), options(sources))
    }
}

@Suite("Generated sources of specs")
struct GoldenTests {
    /// If the environment variable `WRITE_GOLDEN_FILES` is set, the checked-in sources are written again.
    @Test("The checked-in sources are what the specs produce now")
    func golden() throws {
        let files = try NotesSpec.files()
        #expect(files.count >= 8)
        for file in files {
            let url = NotesSpec.golden.appending(path: file.path)
            if ProcessInfo.processInfo.environment["WRITE_GOLDEN_FILES"] != nil {
                try FileManager.default.createDirectory(
                    at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(file.text.utf8).write(to: url)
            }
            let text = String(decoding: try Data(contentsOf: url), as: UTF8.self)
            #expect(text == file.text, "\(file.path) is stale; run the tests once with WRITE_GOLDEN_FILES=1")
        }
        let written = try FileManager.default.subpathsOfDirectory(
            atPath: NotesSpec.golden.resolvingSymlinksInPath().path
        )
        .filter { $0.hasSuffix(".swift") }
        #expect(Set(written) == Set(files.map(\.path)))
    }

    @Test("Equal specs give equal sources, in any order of their files")
    func order() throws {
        let sources = try NotesSpec.sources()
        let options = NotesSpec.options(sources)
        #expect(SwiftOptions.hash(of: sources.reversed()) == options.specHash)
        let one = try SwiftEmitter.files(of: StoneAPI(compiling: sources), options)
        let two = try SwiftEmitter.files(of: StoneAPI(compiling: sources), options)
        #expect(one == two)
    }

    @Test("A selection of routes includes the types that the routes need, and no others")
    func selection() throws {
        let api = try StoneAPI(compiling: NotesSpec.sources())
        var options = SwiftOptions(module: "NotesAPI")
        options.routes = ["notes/folders/list"]
        let text = try SwiftEmitter.files(of: api, options).map(\.text).joined()
        #expect(text.contains("public struct Page:"))
        #expect(text.contains("func foldersList("))
        #expect(!text.contains("CreateArg"))
        options.routes = nil
        options.namespaces = ["common"]
        let common = try SwiftEmitter.files(of: api, options).map(\.path)
        #expect(common.contains("Common/Common+Types.swift"))
        #expect(!common.contains { $0.hasPrefix("Notes/") })
    }

    @Test("Without the spec's documentation, no comment only repeats a name")
    func docs() throws {
        let api = try StoneAPI(compiling: NotesSpec.sources())
        var options = SwiftOptions(module: "NotesAPI")
        options.docs = .none
        let text = try SwiftEmitter.files(of: api, options).map(\.text).joined()
        #expect(!text.contains("What people see"))
        #expect(text.contains("/// Calls `notes/create`.") && text.contains("/// It may still change without notice."))
        #expect(!text.contains("/// The field `") && !text.contains("/// The tag `"))
    }

    @Test(
        "Files of lists have a maximum length, and lines of code are short except for long expressions")
    func shape() throws {
        for file in try NotesSpec.files() {
            #expect(file.text.hasPrefix("// SPDX-License-Identifier: Apache-2.0\n// swift-format-ignore-file\n"))
            #expect(file.text.hasSuffix("\n") && !file.text.hasSuffix("\n\n"))
            let comments = file.text.split(separator: "\n").filter { $0.contains("///") }
            #expect(comments.allSatisfy { $0.count <= 120 })
        }
    }

    @Test(
        "Open unions can be extended, and deprecated definitions cause warnings",
        arguments: [
            (
                "#if hasAttribute(nonexhaustive)\n    @nonexhaustive\n    #endif\n    public enum Rating: StoneError {",
                true
            ),
            ("#endif\n    public enum Entry: StoneValue {", true),
            ("{\n    public enum Base: StoneValue {", true),
            ("@available(*, deprecated)\n        case painted(String)", true),
            ("@available(*, deprecated)\n        public init(from reader: StoneReader)", true),
            ("@available(*, deprecated)\n        public var oldName: String {", true),
            ("@available(*, deprecated, message: \"use createV2\")\n    public func create(", true),
            // A case that is a default, or that is in a complete list of cases, is deprecated only in its
            // documentation.
            ("/// It should not be used any more.\n        case good", true),
            ("/// It should not be used any more.\n        case light\n\n", true),
            ("@available(*, deprecated)\n        case good", false),
        ])
    func attributes(text: String, isThere: Bool) throws {
        #expect(try NotesSpec.files().contains { $0.text.contains(text) } == isThere)
    }
}

@Suite("The notes service")
struct NotesTests {
    @Test("All routes are found by name")
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
