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
        if options.checksSpec { print(SpecCounts(api)) }
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
            let written = try SourceOutput(files, in: SourceFolder(output.folder, mark), of: "the specs give")
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

/// The number of definitions of each kind in an API.
struct SpecCounts: CustomStringConvertible {
    let counts: [(name: String, number: Int)]

    init(_ api: StoneAPI) {
        let types = api.namespaces.flatMap(\.types)
        let structs = types.compactMap { if case .structure(let id) = $0 { api[id] } else { nil } }
        let unions = types.compactMap { if case .union(let id) = $0 { api[id] } else { nil } }
        counts = [
            ("namespaces", api.namespaces.count),
            ("structs", structs.count),
            ("unions", unions.count),
            ("aliases", api.namespaces.flatMap(\.aliases).count),
            ("routes", api.namespaces.flatMap(\.routes).count),
            ("fields", structs.reduce(0) { $0 + $1.fields.count }),
            ("tags", unions.reduce(0) { $0 + $1.tags.count }),
        ]
    }

    var description: String { counts.map { "\($0.name): \($0.number)" }.joined(separator: "\n") }
}

struct Options {
    static let usage = """
        Usage: stonegen --check-spec (--spec FOLDER | FILE)...
               stonegen --output FOLDER --module NAME [OPTION...] (--spec FOLDER | FILE)...

          --spec FOLDER      reads all files of the folder whose names end in .stone
          --check-spec       prints how many definitions of each kind the specs have
          --output FOLDER    writes Swift sources into the folder, and removes others of its own there
          --module NAME      the name of the module that they make
          --namespaces A,B   writes these namespaces, with the types that they refer to; else all
          --routes FILE      writes the routes whose names the file lists (files/list_folder), one in a line
          --docs none|full   no text of the specs, or all of it, which is the default
          --type-table       writes a table of all types by their names as well, for tests of all of them
          --check            writes nothing; the status is 1 if what is in the folder is not what the specs give
          --help             prints this

        Faults are printed to the error output, those of the specs all together. The status is 0 if all went well, 1 if
        the specs have faults or --check finds a difference, and 2 if the call cannot be carried out.
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
    /// Whether a table of all types is written.
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
            guard let docs = SwiftOptions.Docs(rawValue: docs) else { throw CommandFault("--docs is none or full.") }
            self.docs = docs
        }
        if isHelp { return }
        if arguments.isEmpty { throw CommandFault(Self.usage) }
        if paths.isEmpty { throw CommandFault("No specs are given; add --spec FOLDER.") }
        output = try Self.output(given)
        if output == nil, !checksSpec {
            throw CommandFault("Add --output FOLDER to write Swift sources, or --check-spec to check the specs alone.")
        }
    }

    private static func output(_ given: CommandArguments) throws(CommandFault) -> (folder: String, module: String)? {
        guard let folder = given.value(of: "--output") else {
            let names = ["--module", "--namespaces", "--routes", "--docs", "--type-table", "--check"]
            if let useless = names.first(where: given.has) { throw CommandFault("\(useless) needs --output.") }
            return nil
        }
        guard let module = given.value(of: "--module") else { throw CommandFault("--output needs --module.") }
        guard isName(module) else {
            throw CommandFault("'\(module)' cannot be the name of a module; use letters, digits and underscores.")
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
        guard !names.isEmpty else { throw CommandFault("--namespaces needs names with commas between them.") }
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
        case .file: throw CommandFault("The file \(path) is larger than \(StoneLimits.fileBytes >> 20) MiB; divide it.")
        case .nothing, .symbolicLink: throw CommandFault("There is no file or folder \(path).")
        case .folder: throw CommandFault("\(path) is a folder, but here must be a file.")
        case .other: throw CommandFault("\(path) is neither a file nor a folder; save what it gives in a file.")
        }
        do {
            return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        } catch {
            throw CommandFault("The file \(path) cannot be read: \(SourceFault.reason(error)).")
        }
    }

    private static func files(at path: String) throws(CommandFault) -> [String] {
        guard case .folder = FileKind(behind: path) else { return [path] }
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: path)
        } catch {
            throw CommandFault("The folder \(path) cannot be read: \(SourceFault.reason(error)).")
        }
        // Files with a leading dot are hidden, such as the attribute copies in archives of a Mac.
        let specs = names.filter { $0.hasBytes(suffix: ".stone") && !$0.hasBytes(prefix: ".") }
        guard !specs.isEmpty else {
            throw CommandFault("The folder \(path) has no file whose name ends in .stone.")
        }
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
            "There is no namespace '\($0)'\($0.question(known.sorted()))"
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
                faults.append("\(file):\(index + 1): The route '\(name)' is in none of the --namespaces; add its own.")
            } else {
                faults.append("\(file):\(index + 1): There is no route '\(name)'\(name.question(names))")
            }
        }
        if wanted.isEmpty { faults = ["The file \(file) names no route."] }
        guard faults.isEmpty else { throw CommandFault(SourceFault(faults)) }
        return wanted
    }
}

extension String {
    /// Returns a question with the most similar names, or a full stop if there are none.
    fileprivate func question(_ names: some Sequence<String>) -> String {
        let near = nearest(3, in: names).map { "'\($0)'" }
        guard let last = near.last else { return "." }
        let list = near.dropLast().joined(separator: ", ")
        return "; did you mean \(list)\(list.isEmpty ? "" : " or ")\(last)?"
    }
}
