// SPDX-License-Identifier: Apache-2.0

import BuiltPrograms
import Foundation
import RestJSON
import SOQLCheck
import Testing

/// The seeds of a run: five with every change, more in the nightly run, one to examine a failed seed.
enum Seeds {
    static let all: [UInt64] = {
        let environment = ProcessInfo.processInfo.environment
        if let seed = environment["CODEGEN_SEED"].flatMap({ UInt64($0) }) { return [seed] }
        // bounded: by the range
        let count = min(environment["CODEGEN_SEEDS"].flatMap { UInt64($0) } ?? 5, 100_000)
        return Array(1...max(count, 1))
    }()

    /// The directory that keeps the sources of a single seed for inspection.
    static let kept: URL? = ProcessInfo.processInfo.environment["CODEGEN_SEED"].map { seed in
        Checkout.root.appending(path: ".build/codegen/\(seed)")
    }

    static func advice(_ seed: UInt64) -> String {
        """
        error: sources of seed \(seed); 'CODEGEN_SEED=\(seed) .ci/test CompiledSourcesTests' repeats it and leaves them \
        in .build/codegen/\(seed)
        """
    }

    static func settings(_ seed: UInt64) -> SwiftCompiler.Settings {
        SwiftCompiler.Settings.allCases[Int(seed % UInt64(SwiftCompiler.Settings.allCases.count))]
    }
}

@Suite("Generated sources compile")
struct CompiledSourcesTests {
    private static let names = Result { HostileNames(try PublicNames(of: ["RestModels", "RestSDK", "StoneRuntime"])) }

    @Test("the output of soql models and soqlgen compiles for any schema", arguments: Seeds.all)
    func models(seed: UInt64) throws {
        let names = try Self.names.get()
        var chance = Chance(seed: seed)
        let schema = RandomSchema(chance, names).json.bytes(pretty: true)
        let queries = RandomQueries(chance, names, try QuerySchema(json: schema)).files.map { ($0.name, $0.text) }
        let options = WrittenSources.QueryOptions(
            access: chance.pick(["internal", "package", "public"]),
            models: chance.pick(["false", "true", "\"Models\""]))
        let complaints = try WrittenSources(Seeds.settings(seed), kept: Seeds.kept).models(schema, queries, options)
        #expect(complaints.isEmpty, "\(Seeds.advice(seed))\n\(complaints.prefix(6_000))")
    }

    @Test("the output of stonegen compiles for any spec", arguments: Seeds.all)
    func specs(seed: UInt64) throws {
        var chance = Chance(seed: seed)
        let spec = RandomSpec(chance, try Self.names.get())
        var options = ["--docs", chance.pick(["none", "full"])]
        if chance.percent(50) { options.append("--type-table") }
        if chance.percent(30) { options += ["--namespaces", chance.pick(spec.namespaces)] }
        let complaints = try WrittenSources(Seeds.settings(seed), kept: Seeds.kept).spec(spec.files, options)
        #expect(complaints.isEmpty, "\(Seeds.advice(seed))\n\(complaints.prefix(6_000))")
    }

    @Test("the spec and the calls of the article on specs compile", arguments: SwiftCompiler.Settings.allCases)
    func article(_ settings: SwiftCompiler.Settings) throws {
        let page = try String(contentsOf: Checkout.root.appending(path: "docs/stone-your-api.md"), encoding: .utf8)
        let specs = Self.blocks("stone", of: page)
        let calls = try #require(Self.blocks("text", of: page).first { $0.contains("StoneClient") })
        let written = try WrittenSources(settings)
        let files = specs.enumerated().map { ("spec\($0.offset).stone", $0.element) }
        let complaints = try written.spec(files, ["--docs", "full"])
        #expect(complaints.isEmpty, "\(complaints)")
        let api = try written.sources(in: "api").values.joined(separator: "\n")
        let reads = api.matches(of: /RouteInfo\(\s*"notes", "([^"]+)"[^)]*isRead: true/).map(\.1)
        #expect(specs.count == 2 && Set(reads) == ["get_note", "list_notes", "list_notes/continue"])
        let used = try written.use(calls.replacing("import NotesAPI", with: "import Api"))
        #expect(used.isEmpty, "\(used)")
    }

    private static func blocks(_ language: String, of page: String) -> [String] {
        page.components(separatedBy: "```\(language)\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
    }
}

/// The Swift compiler, with the modules that the tests were built with.
struct SwiftCompiler {
    /// The compiler settings of the app that contains the generated sources.
    enum Settings: CaseIterable {
        /// Swift 6 with the upcoming features, strict memory safety, and no warning.
        case strict
        /// Swift 5, as in older packages.
        case old
        /// Swift 6 with code on the main actor by default.
        case mainActor

        fileprivate var arguments: [String] {
            switch self {
            case .strict:
                let features = ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility"]
                return ["-swift-version", "6", "-warnings-as-errors", "-strict-memory-safety"]
                    + features.flatMap { ["-enable-upcoming-feature", $0] }
            case .old: return ["-swift-version", "5"]
            case .mainActor: return ["-swift-version", "6", "-default-isolation", "MainActor"]
            }
        }
    }

    let folder: URL

    private static let modules = BuiltProgram.url("soqlgen").deletingLastPathComponent().appending(path: "Modules")

    /// Compiles sources as a whole module that other modules can import.
    ///
    /// - Returns: the output of the compiler, which is empty if there are no errors.
    func complaints(about sources: [URL], module: String, _ settings: Settings) throws -> String {
        let output = folder.appending(path: "\(module).swiftmodule").path
        let job = ["-emit-module", "-emit-module-path", output, "-module-name", module, "-package-name", "app", "-wmo"]
        let imports = ["-I", folder.path, "-I", Self.modules.path] + (try Self.moduleMaps()).flatMap { ["-I", $0] }
        let program = try RunningProgram.cached(
            URL(filePath: "/usr/bin/env"),
            [Self.name] + job + settings.arguments + imports + sources.map(\.path).sorted(), in: folder)
        return program.status == 0 && program.errors.isEmpty ? "" : program.errors + "\nstatus \(program.status)"
    }

    private static var name: String { (ProcessInfo.processInfo.environment["SWIFT"] ?? "swift") + "c" }

    /// Returns the directories of the C libraries' module maps with which the modules were built.
    private static func moduleMaps() throws -> [String] {
        let sources = Checkout.root.appending(path: "Sources/System")
        return try FileManager.default.contentsOfDirectory(atPath: sources.path)
            .map { sources.appending(path: $0) }
            .filter { FileManager.default.fileExists(atPath: $0.appending(path: "module.modulemap").path) }.map(\.path)
    }
}

extension RunningProgram {
    /// Runs a program until it exits, with the user's cache, in which the compiler stores compiled modules.
    static func cached(_ program: URL, _ arguments: [String], in folder: URL) throws -> Outcome {
        let cache = ProcessInfo.processInfo.environment.filter { ["HOME", "XDG_CACHE_HOME"].contains($0.key) }
        return try run(program, arguments, environment: Process.toolEnvironment(adding: cache), in: folder)
    }
}
