// SPDX-License-Identifier: Apache-2.0

import RestBase
package import SwiftSource

/// Writes an API as Swift files that use `StoneRuntime`, which are identical for equal APIs and options.
package enum SwiftEmitter {
    /// The emitter's version, which is written to every file.
    package static let version = "1"

    /// The maximum number of types in one file.
    static let typesPerFile = 60

    /// Returns the files of an API, sorted by path.
    ///
    /// - Throws: all constructs that cannot be expressed in Swift, with their positions.
    package static func files(of api: StoneAPI, _ options: SwiftOptions) throws(StoneError) -> [SwiftFile] {
        let plan = try SwiftPlan(api, options)
        let checks = CheckWriter(plan)
        var files = plan.namespaces.flatMap { NamespaceWriter(plan, $0, checks).files }
        files.append(TableWriter(plan: plan).routes)
        if options.hasTypeTable { files.append(TableWriter(plan: plan).types) }
        return files.sorted { $0.path < $1.path }
    }
}

package struct SwiftOptions: Sendable {
    /// The amount of documentation in the files.
    package enum Docs: String, Sendable, CaseIterable {
        /// No documentation from the specs.
        case none
        /// The documentation from the specs.
        case full
    }

    package var module: String
    /// The namespaces whose types and routes are written, with the types that they need, or `nil` for all.
    package var namespaces: Set<String>?
    /// The routes that are written, such as `files/list_folder`, with the types that they need, or `nil` for all.
    package var routes: Set<String>?
    package var docs = Docs.full
    /// The hash of the specs in the header of each file.
    package var specHash = ""
    /// Whether to add a table that decodes and encodes each type by its name, for tests.
    package var hasTypeTable = false

    package init(module: String) { self.module = module }

    /// The names of the enum with all routes and of the enum with all types.
    var registry: String { module + "Registry" }
    var typeTable: String { module + "Types" }

    /// The options in one line.
    var summary: String {
        let lists = [
            namespaces.map { "namespaces: \($0.sorted().joined(separator: ","))" },
            routes.map { "routes: \($0.count)" },
        ]
        return (["module: \(module)", "docs: \(docs.rawValue)"] + lists.compactMap { $0 }).joined(separator: "; ")
    }
}

extension SwiftOptions {
    /// Returns a hash of the contents of specs, which does not depend on the order of the files.
    package static func hash(of sources: [StoneSource]) -> String {
        SourceHash.hash(
            of: sources.map { ($0.path.split(byte: "/").last.map(String.init) ?? "", $0.bytes) })
    }
}

/// A generated file with its header, the imports that its code needs, and its parts.
struct SourceFile {
    let text: String

    init(_ options: SwiftOptions, _ parts: [SwiftText]) {
        var lines = [
            "// SPDX-License-Identifier: Apache-2.0",
            "// swift-format-ignore-file",
            "// Written by stonegen \(SwiftEmitter.version) (\(options.summary)) from specs with the hash \(options.specHash).",
            "// Do not change it; change the specs and run stonegen again.",
            "",
        ]
        let words = SwiftCodeWords(parts)
        if words.hasRuntimeTypes {
            lines.append(words.all.contains("public") ? "public import StoneRuntime" : "import StoneRuntime")
        }
        if words.all.contains("HTTPBody") { lines.append("public import RestSDK") }
        if words.all.contains("Date") {
            lines += [
                "", "#if canImport(FoundationEssentials)", "public import FoundationEssentials", "#else",
                "public import Foundation", "#endif",
            ]
        }
        if lines.last != "" { lines.append("") }
        let body = parts.map { $0.lines.joined(separator: "\n") }.joined(separator: "\n\n")
        text = lines.joined(separator: "\n") + "\n" + body + "\n"
    }
}

/// The words in code outside of comments and literals.
private struct SwiftCodeWords {
    private(set) var all: Set<Substring> = []
    var hasRuntimeTypes: Bool {
        all.contains { word in SwiftNames.runtimeTypes.contains(String(word.prefix(before: "."))) }
    }

    init(_ parts: [SwiftText]) {
        for line in parts.lazy.flatMap(\.lines) { add(line) }
    }

    private mutating func add(_ line: String) {
        let bytes = line.utf8
        guard !bytes.drop(while: { $0 == UInt8(ascii: " ") }).starts(with: "//".utf8) else { return }
        let (quote, escape) = (UInt8(ascii: "\""), UInt8(ascii: "\\"))
        var (isLiteral, isEscaped) = (false, false)
        // The contents of a literal are separators, like its quotes.
        let words = bytes.split { byte in
            defer {
                isLiteral = isLiteral != (byte == quote && !isEscaped)
                isEscaped = byte == escape && !isEscaped
            }
            return isLiteral || !Self.isPart(byte)
        }
        for word in words { all.insert(Substring(word)) }
    }

    /// Returns whether a byte belongs to a word.
    ///
    /// A dot does, so that `A.B` is not the word `B`.
    private static func isPart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "`"), 0x80...:
            true
        default: false
        }
    }
}

/// Writes the tables of all routes and of all types.
struct TableWriter {
    let plan: SwiftPlan

    var routes: SwiftFile {
        let all = plan.namespaces.filter { $0.routes.contains(where: plan.selection.routes.contains) }
            .map { "\(plan.names[namespace: $0.name]).Routes.all" }
        var text = SwiftText()
        text.line("/// All routes of the module by name, such as `files/list_folder`.")
        text.block("nonisolated public enum \(plan.options.registry)") { text in
            text.line("/// The description of each route.")
            guard !all.isEmpty else { return text.line("public static let routes: [String: RouteInfo] = [:]") }
            text.line("public static let routes: [String: RouteInfo] = Dictionary(")
            text.line("    [\(all.joined(separator: ", "))].joined().map { ($0.id, $0) }) { first, _ in first }")
        }
        return SwiftFile(path: "\(plan.options.registry).swift", text: SourceFile(plan.options, [text]).text)
    }

    /// The maximum number of entries in a list, because the optimizer takes minutes for one long list.
    private static let entriesPerPart = 40

    /// The table that decodes and encodes a value of each type, for tests.
    var types: SwiftFile {
        let types = plan.namespaces.flatMap { namespace in
            plan.declarations(of: namespace).map { type in
                "(\"\(namespace.name).\(plan.api.name(of: type).name)\", \(plan.name(type)).self)"
            }
        }
        var text = SwiftText()
        text.line("/// All types by their names in the specs.")
        text.block("nonisolated public enum \(plan.options.typeTable)") { text in
            let parts = stride(from: 0, to: types.count, by: Self.entriesPerPart).map { start in
                Array(types[start...].prefix(Self.entriesPerPart))
            }
            text.line("/// The types and their names.")
            text.block("public static var all: [(name: String, type: any StoneType.Type)]") { text in
                text.list("[", parts.indices.map { "part\($0)" }, parts.isEmpty ? "]" : "].flatMap { $0 }")
            }
            for (number, part) in parts.enumerated() {
                text.line()
                text.block("private static var part\(number): [(name: String, type: any StoneType.Type)]") { text in
                    text.list("[", part, "]")
                }
            }
        }
        return SwiftFile(path: "\(plan.options.typeTable).swift", text: SourceFile(plan.options, [text]).text)
    }
}
