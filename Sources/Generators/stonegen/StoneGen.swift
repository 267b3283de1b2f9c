// SPDX-License-Identifier: Apache-2.0

import RestBase
import StoneCompiler
import SwiftSource

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Reads Stone specs, and generates Swift source files for them (see `stonegen --help`).
@main
enum StoneGen {
    static func main() { CommandFault.report(run) }

    private static func run(_ arguments: [String]) throws(CommandFault) {
        let options = try Options(arguments)
        guard !options.isHelp else { return print(Options.usage) }
        let sources = try SpecFiles.read(options.paths)
        let api: StoneAPI
        do throws(StoneError) { api = try StoneAPI(compiling: sources) } catch { throw CommandFault(error) }
        if options.checksSpec { print(api.counts) }
        if let output = options.output { try generate(api, sources, options, to: output) }
    }

    private static func generate(
        _ api: StoneAPI, _ sources: [StoneSource], _ options: Options, to output: (folder: String, module: String)
    ) throws(CommandFault) {
        let wanted = try WantedNames(options, api)
        var swift = SwiftOptions(module: output.module)
        swift.namespaces = wanted.namespaces
        swift.routes = wanted.routes
        swift.docs = options.docs
        swift.hasTypeTable = options.hasTypeTable
        swift.specHash = SwiftOptions.hash(of: sources)
        let files: [SwiftFile]
        do throws(StoneError) { files = try SwiftEmitter.files(of: api, swift) } catch { throw CommandFault(error) }
        do throws(SourceFault) {
            let mark = SourceMark(tool: "stonegen", label: "module", value: output.module)
            let written = try SourceOutput(files, in: SourceDirectory(output.folder, mark), of: "the specs")
            if options.checksOutput { try written.check() } else { print(try written.write()) }
        } catch {
            throw CommandFault(error)
        }
    }
}

extension CommandFault {
    init(_ error: StoneError) {
        let count = error.diagnostics.count
        self.init("\(error)\n\(count) \(count == 1 ? "error" : "errors")", status: 1)
    }
}

extension StoneAPI {
    /// The number of definitions of each kind, one on each line.
    fileprivate var counts: String {
        let types = namespaces.flatMap(\.types)
        let structs = types.compactMap { if case .structure(let id) = $0 { self[id] } else { nil } }
        let unions = types.compactMap { if case .union(let id) = $0 { self[id] } else { nil } }
        return """
            namespaces: \(namespaces.count)
            structs: \(structs.count)
            unions: \(unions.count)
            aliases: \(namespaces.flatMap(\.aliases).count)
            routes: \(namespaces.flatMap(\.routes).count)
            fields: \(structs.flatMap(\.fields).count)
            tags: \(unions.flatMap(\.tags).count)
            """
    }
}

struct Options {
    static let usage = """
        Usage: stonegen --check-spec (--spec DIR | FILE)...
               stonegen --output DIR --module NAME [OPTION...] (--spec DIR | FILE)...

          --spec DIR         read all .stone files of this directory
          --check-spec       print the number of definitions of each kind in the specs
          --output DIR       write Swift sources to this directory, and remove stale generated files
          --module NAME      write the sources for the module with this name
          --namespaces A,B   write these namespaces and the types that they refer to (default: all)
          --routes FILE      write only the routes that the file lists (files/list_folder), one per line
          --docs none|full   omit or include the documentation of the specs (default: full)
          --type-table       also write a table of all types by name, for tests
          --check            write nothing, and exit with 1 if the sources are not up to date
          --help             print this text

        Errors are printed to standard error, all errors of the specs together. Exit codes: 0 success, 1 errors in the
        specs or a difference found by --check, 2 usage error or a file that cannot be read or written.
        """

    /// The files and directories, as given.
    let paths: [String]
    let checksSpec: Bool
    let isHelp: Bool
    /// Whether the existing files are compared, and no files are written.
    let checksOutput: Bool
    let namespaces: [String]?
    /// The file with the names of the routes.
    let routes: String?
    let hasTypeTable: Bool
    private(set) var docs = SwiftOptions.Docs.full
    /// The output directory and the module name, or `nil` if no source files are written.
    private(set) var output: (folder: String, module: String)?

    init(_ arguments: [String]) throws(CommandFault) {
        let given = try CommandArguments(
            arguments, of: "stonegen",
            known: (
                ["--check-spec", "--check", "--type-table", "--help"],
                ["--output", "--module", "--namespaces", "--routes", "--docs"], ["--spec"]
            ))
        isHelp = given.has("--help")
        checksSpec = given.has("--check-spec")
        checksOutput = given.has("--check")
        hasTypeTable = given.has("--type-table")
        paths = given.values(of: ["--spec", ""])
        routes = given.value(of: "--routes")
        namespaces = try Self.namespaces(given)
        if let docs = given.value(of: "--docs") {
            guard let docs = SwiftOptions.Docs(rawValue: docs) else { throw CommandFault("--docs takes none or full") }
            self.docs = docs
        }
        if isHelp { return }
        if arguments.isEmpty { throw CommandFault(Self.usage) }
        if paths.isEmpty { throw CommandFault("no specs; use --spec DIR") }
        output = try Self.output(given)
        if output == nil, !checksSpec {
            throw CommandFault("no action; use --output DIR to write Swift sources, or --check-spec to check the specs")
        }
    }

    private static func output(_ given: CommandArguments) throws(CommandFault) -> (folder: String, module: String)? {
        guard let folder = given.value(of: "--output") else {
            let names = ["--module", "--namespaces", "--routes", "--docs", "--type-table", "--check"]
            if let useless = names.first(where: given.has) { throw CommandFault("\(useless) needs --output") }
            return nil
        }
        guard let module = given.value(of: "--module") else { throw CommandFault("--output needs --module") }
        guard isName(module) else {
            throw CommandFault("invalid module name '\(module)'; use letters, digits and underscores")
        }
        return (folder, module)
    }

    private static func isName(_ text: String) -> Bool {
        let isFree = text.unicodeScalars.allSatisfy { $0.isASCII && ($0 == "_" || $0.properties.isXIDContinue) }
        return isFree && text.unicodeScalars.first?.properties.numericType == nil
    }

    private static func namespaces(_ given: CommandArguments) throws(CommandFault) -> [String]? {
        guard let text = given.value(of: "--namespaces") else { return nil }
        let names = text.split(byte: ",").flatMap(\.words).map(String.init)
        guard !names.isEmpty else { throw CommandFault("--namespaces needs names separated by commas") }
        return names
    }
}

enum SpecFiles {
    /// Reads the files at the paths, or the `.stone` files of directories, sorted by name.
    ///
    /// A file that several paths refer to is read once.
    static func read(_ paths: [String]) throws(CommandFault) -> [StoneSource] {
        var sources: [StoneSource] = []
        var known: Set<String> = []
        for path in paths {
            for file in try files(at: path) where known.insert(FileKind.resolved(file)).inserted {
                sources.append(StoneSource(path: file, bytes: try bytes(of: file)))
            }
        }
        return sources
    }

    static func bytes(of path: String) throws(CommandFault) -> [UInt8] {
        switch FileKind(behind: path) {
        case .file(let size) where size <= StoneLimits.fileBytes: break
        case .file: throw CommandFault("\(path) is larger than \(StoneLimits.fileBytes >> 20) MiB; split it")
        case .nothing, .symbolicLink: throw CommandFault("\(path) does not exist")
        case .folder: throw CommandFault("\(path) is a directory; give a file")
        case .other: throw CommandFault("\(path) is not a file or directory; save its content in a file")
        }
        do { return Array(try Data(contentsOf: URL(fileURLWithPath: path))) } catch {
            throw CommandFault("\(path) cannot be read: \(SourceFault.reason(error))")
        }
    }

    private static func files(at path: String) throws(CommandFault) -> [String] {
        guard case .folder = FileKind(behind: path) else { return [path] }
        let names: [String]
        do { names = try FileManager.default.contentsOfDirectory(atPath: path) } catch {
            throw CommandFault("\(path) cannot be read: \(SourceFault.reason(error))")
        }
        // Files with a leading dot are hidden, such as the attribute copies in archives of a Mac.
        let specs = names.filter { $0.hasBytes(suffix: ".stone") && !$0.hasBytes(prefix: ".") }
        guard !specs.isEmpty else { throw CommandFault("\(path) has no .stone files") }
        return specs.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map { "\(path)/\($0)" }
    }
}

/// The requested namespaces and routes, all of which the specs must have.
struct WantedNames {
    /// The namespaces, or `nil` for all.
    let namespaces: Set<String>?
    /// The routes, or `nil` for all.
    let routes: Set<String>?

    init(_ options: Options, _ api: StoneAPI) throws(CommandFault) {
        namespaces = try Self.namespaces(options.namespaces, in: api)
        routes = try Self.routes(in: options.routes, api, namespaces)
    }

    private static func namespaces(_ wanted: [String]?, in api: StoneAPI) throws(CommandFault) -> Set<String>? {
        guard let wanted else { return nil }
        let known = Set(api.namespaces.map(\.name))
        let faults = wanted.filter { !known.contains($0) }.map {
            "unknown namespace '\($0)'\($0.question(known.sorted()))"
        }
        guard faults.isEmpty else { throw CommandFault(SourceFault(faults)) }
        return Set(wanted)
    }

    /// Returns the names in the lines of a file, where a number sign begins a comment.
    private static func routes(
        in file: String?, _ api: StoneAPI, _ namespaces: Set<String>?
    ) throws(CommandFault) -> Set<String>? {
        guard let file else { return nil }
        let known = Dictionary(api.routes.map { ("\($0.namespace)/\($0.wireName)", $0.namespace) }) { first, _ in first
        }
        let names = known.keys.sorted()
        var wanted: Set<String> = []
        var faults: [String] = []
        let lines = String(decoding: try SpecFiles.bytes(of: file), as: UTF8.self).lines
        for (index, line) in lines.enumerated() {
            let name = line.prefix(before: "#").words.joined()
            guard !name.isEmpty else { continue }
            wanted.insert(name)
            if let namespace = known[name] {
                guard namespaces?.contains(namespace) == false else { continue }
                faults.append("\(file):\(index + 1): route '\(name)' is not in --namespaces; add its namespace")
            } else {
                faults.append("\(file):\(index + 1): unknown route '\(name)'\(name.question(names))")
            }
        }
        if wanted.isEmpty { faults = ["\(file) has no routes; list one per line"] }
        guard faults.isEmpty else { throw CommandFault(SourceFault(faults)) }
        return wanted
    }
}

extension String {
    /// Returns a question with the most similar names, or an empty string if there are none.
    fileprivate func question(_ names: some Sequence<String>) -> String {
        let near = nearest(3, in: names).map { "'\($0)'" }
        guard let last = near.last else { return "" }
        let list = near.dropLast().joined(separator: ", ")
        return "; did you mean \(list)\(list.isEmpty ? "" : " or ")\(last)?"
    }
}
