// SPDX-License-Identifier: Apache-2.0

import BuiltPrograms
import Foundation

/// A directory in which the package's programs write sources, to be compiled.
final class WrittenSources {
    /// Options of `soqlgen`: the access level of the functions, and the location of the types of objects.
    struct QueryOptions {
        var access = "internal"
        /// `true`, `false`, or the quoted name of a module.
        var models = "false"
    }

    private let folder: URL
    private let compiler: SwiftCompiler
    private let settings: SwiftCompiler.Settings
    private let isKept: Bool

    /// Creates a directory for sources: `kept` for inspection, or a temporary directory.
    init(_ settings: SwiftCompiler.Settings, kept: URL? = nil) throws {
        (self.settings, isKept) = (settings, kept != nil)
        folder = (kept ?? FileManager.default.temporaryDirectory).appending(path: "codegen-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        compiler = SwiftCompiler(folder: folder)
    }

    deinit { if !isKept { try? FileManager.default.removeItem(at: folder) } }

    /// Writes models of a schema and functions of queries, and compiles them as one module or two.
    ///
    /// - Returns: the output of a failed program or of the compiler, which is empty if there are no errors.
    func models(_ schema: [UInt8], _ queries: [(name: String, text: String)], _ options: QueryOptions) throws -> String
    {
        try write([("schema.json", schema)], to: ".")
        let complaints = try run("soql", ["models", "--schema", "schema.json", "--output", "models"])
        guard complaints.isEmpty else { return complaints }
        try write([("Restated.swift", Array(try RestatedModels(sources(in: "models")).text.utf8))], to: "check")
        guard !queries.isEmpty else { return try compile(["models", "check"], "Models") }
        let json = "{\"access\": \"\(options.access)\", \"models\": \(options.models)}"
        try write([("options.json", Array(json.utf8))], to: ".")
        try write(queries.map { ($0.name + ".soql", Array($0.text.utf8)) }, to: "queries")
        let failed = try run(
            "soqlgen",
            ["--schema", "schema.json", "--module", "Queries", "--output", "rows", "--options", "options.json"]
                + queries.map { "queries/\($0.name).soql" })
        guard failed.isEmpty else { return failed }
        let isOne = options.models == "false"
        let models = try compile(isOne ? ["models", "check", "rows"] : ["models", "check"], "Models")
        return models.isEmpty && !isOne ? try compile(["rows"], "Queries") : models
    }

    /// Writes and compiles the types and routes of specs.
    ///
    /// - Returns: the output of the failed program or of the compiler, which is empty if there are no errors.
    func spec(_ files: [(name: String, text: String)], _ options: [String] = []) throws -> String {
        try write(files.map { ($0.name, Array($0.text.utf8)) }, to: "specs")
        let complaints = try run("stonegen", ["--output", "api", "--module", "Api"] + options + ["--spec", "specs"])
        return complaints.isEmpty ? try compile(["api"], "Api") : complaints
    }

    /// Compiles a source that uses modules of the tests, and returns the output of the compiler.
    func use(_ text: String) throws -> String {
        try write([("Use.swift", Array(text.utf8))], to: "use")
        return try compile(["use"], "Use")
    }

    func sources(in name: String) throws -> [String: String] {
        let files = try urls(in: name).map {
            ($0.lastPathComponent, String(decoding: try Data(contentsOf: $0), as: UTF8.self))
        }
        return Dictionary(uniqueKeysWithValues: files)
    }

    private func urls(in name: String) throws -> [URL] {
        let root = folder.appending(path: name)
        return try FileManager.default.subpathsOfDirectory(atPath: root.path).filter { $0.hasSuffix(".swift") }
            .map { root.appending(path: $0) }
    }

    private func write(_ files: [(name: String, bytes: [UInt8])], to path: String) throws {
        let target = folder.appending(path: path)
        try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
        for file in files { try Data(file.bytes).write(to: target.appending(path: file.name)) }
    }

    private func run(_ name: String, _ arguments: [String]) throws -> String {
        let program = try RunningProgram.cached(BuiltProgram.url(name), arguments, in: folder)
        return program.status == 0 ? "" : "\(name): \(program.errors)\nstatus \(program.status)"
    }

    private func compile(_ folders: [String], _ module: String) throws -> String {
        try compiler.complaints(about: folders.flatMap(urls), module: module, settings)
    }
}

/// The types of the models' properties, repeated at file level, where no type inside a model can hide them.
///
/// A property whose type is not the one that its source names at file level does not compile there.
struct RestatedModels {
    let text: String

    init(_ sources: [String: String]) {
        let checks = sources.sorted { $0.key < $1.key }.compactMap { name, text -> String? in
            let type = name.dropLast(".swift".count)
            guard text.contains("public struct \(type): RecordModel {") else { return nil }
            let lines = text.split(separator: "\n")
            let own = lines.compactMap { Self.restated($0, "    public var ", "model") }
            let fields = lines.compactMap { Self.restated($0, "        public var ", "fields") }
            return "func check(_ model: \(type), _ fields: \(type).Fields) {\n"
                + (own + fields).map { "    \($0)\n" }.joined() + "}\n"
        }
        text = """
            import RestModels

            #if canImport(FoundationEssentials)
            import FoundationEssentials
            #else
            import Foundation
            #endif

            // Some type of Foundation, so that the import is one that is needed.
            func check(_ date: Date) {}


            """ + checks.joined(separator: "\n")
    }

    private static func restated(_ line: Substring, _ head: String, _ value: String) -> String? {
        guard line.hasPrefix(head), let end = line.firstIndex(of: "{") else { return nil }
        let declaration = line[..<end].dropFirst(head.count)
        guard let colon = declaration.firstIndex(of: ":"), !declaration.hasPrefix("rawValue") else { return nil }
        let type = declaration[declaration.index(after: colon)...].filter { $0 != " " }
        return "let _: \(type) = \(value).\(declaration[..<colon])"
    }
}

/// The names of types in generated sources: the declared types, and the types that are written without a qualifier.
struct WrittenNames {
    private(set) var declared: Set<String> = []
    private(set) var bare: Set<String> = []

    init(_ sources: some Collection<String>) {
        for source in sources {
            var isText = false
            for line in source.split(separator: "\n") {
                let trimmed = line.drop { $0 == " " }
                if trimmed.hasPrefix("\"\"\"") {
                    isText.toggle()
                } else if !isText, !trimmed.hasPrefix("//"), !trimmed.hasPrefix("#"), !trimmed.hasPrefix("@"),
                    !trimmed.contains("import ")
                {
                    read(Self.withoutLiterals(trimmed))
                }
            }
        }
    }

    private static func withoutLiterals(_ line: Substring) -> String {
        var (isLiteral, isEscaped) = (false, false)
        return line.reduce(into: "") { text, character in
            if character == "\"", !isEscaped { isLiteral.toggle() }
            isEscaped = character == "\\" && !isEscaped
            text.append(isLiteral ? "\"" : character)
        }
    }

    private static let kinds: Set = ["struct", "enum", "typealias"]

    private mutating func read(_ line: String) {
        var word = "", before: Character = " ", last = ""
        for character in line + " " {
            if character.isLetter || character.isNumber || character == "_" {
                word.append(character)
                continue
            }
            if Self.kinds.contains(last) {
                if !word.isEmpty { declared.insert(word) }
            } else if word.first?.isUppercase == true, before != ".", before != "`" {
                bare.insert(word)
            }
            if !word.isEmpty { last = word }
            before = character
            word = ""
        }
    }
}

/// The public names of modules, as their sources declare them.
struct PublicNames {
    /// The types at file level, including single types that are re-exported from other modules.
    private(set) var types: Set<String> = []
    /// The nested types, by the name of the outer type.
    private(set) var nested: [String: Set<String>] = [:]
    private(set) var members: Set<String> = []

    init(of modules: [String]) throws {
        for module in modules {
            let folder = try Checkout.folder(of: module)
            for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) where path.hasSuffix(".swift")
            {
                let text = try Data(contentsOf: folder.appending(path: path))
                var outer = ""
                for line in text.split(separator: UInt8(ascii: "\n")) {
                    read(String(decoding: line, as: UTF8.self), &outer)
                }
            }
        }
    }

    private static let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "actor", "typealias"]
    private static let values: Set<Substring> = ["func", "var", "let", "case", "associatedtype"]

    private mutating func read(_ line: String, _ outer: inout String) {
        let isTop = !line.hasPrefix(" ")
        if isTop, line.hasPrefix("}") { outer = "" }
        let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "." && $0 != "@" }
        if isTop, let kind = words.firstIndex(where: { Self.kinds.contains($0) || $0 == "extension" }),
            kind + 1 < words.count
        {
            let name = words[kind + 1].split(separator: ".").last.map(String.init) ?? ""
            outer = String(words[kind + 1])
            if words[..<kind].contains("public"), words[kind] != "extension" { types.insert(name) }
        } else if words.contains("public") || line.contains("{ get") {
            if let kind = words.firstIndex(where: Self.kinds.contains), kind + 1 < words.count, line.hasPrefix("    p")
            {
                nested[outer, default: []].insert(String(words[kind + 1]))
            }
            if let kind = words.firstIndex(where: Self.values.contains), kind + 1 < words.count {
                members.insert(String(words[kind + 1]))
            }
        }
    }
}

enum Checkout {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// Returns the directory of a module, `Sources/DIRECTORY/MODULE`.
    static func folder(of module: String) throws -> URL {
        let sources = root.appending(path: "Sources")
        return try FileManager.default.contentsOfDirectory(atPath: sources.path).lazy
            .map { sources.appending(path: $0).appending(path: module).resolvingSymlinksInPath() }
            .first { FileManager.default.fileExists(atPath: $0.path) } ?? sources.appending(path: module)
    }
}
