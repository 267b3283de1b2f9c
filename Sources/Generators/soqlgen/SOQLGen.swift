// SPDX-License-Identifier: Apache-2.0

import RestBase
import SOQLCheck
import SOQLSwift
import SwiftSource

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Checks query files against a schema, and generates Swift functions for them (see `soqlgen --help`).
@main
enum SOQLGen {
    static func main() { CommandFault.report(run) }

    private static func run(_ arguments: [String]) throws(CommandFault) {
        let options = try Options(arguments)
        guard !options.isHelp else { return print(Options.usage) }
        let query = try queryOptions(options)
        let schema = try schema(options.schemas)
        var sources: [QuerySource] = []
        for path in options.queries {
            sources.append(QuerySource(path: path, text: try InputFile.text(of: path, most: 1 << 20)))
        }
        let files: [SwiftFile]
        do throws(QueryFaults) {
            let result = try QueryEmitter.files(of: sources, schema: schema, query)
            for warning in result.warnings { CommandFault.warn("\(warning)") }
            files = result.files
        } catch {
            throw CommandFault(error.diagnostics.map(\.description).joined(separator: "\n"), status: 1)
        }
        try save(files, options)
    }

    private static func save(_ files: [SwiftFile], _ options: Options) throws(CommandFault) {
        do throws(SourceFault) {
            let mark = SourceMark(tool: "soqlgen", label: "module", value: options.module)
            let output = try SourceOutput(files, in: SourceFolder(options.output, mark), of: "the queries give")
            if options.checksOutput { try output.check() } else { print(try output.write()) }
        } catch {
            throw CommandFault(error)
        }
    }

    private static func queryOptions(_ options: Options) throws(CommandFault) -> QueryOptions {
        var query = QueryOptions(module: options.module)
        for path in options.models {
            let text = try InputFile.text(of: path, most: 16 << 20)
            query.modeled.formUnion(ModelEmitter.objects(in: text).map { $0.lowercased() })
        }
        guard let path = options.options else { return query }
        let bytes = try InputFile.bytes(of: path, most: 1 << 20)
        do throws(SchemaError) { try query.read(json: bytes) } catch {
            throw InputFile.fault(path, error.message, line: error.line, column: error.column)
        }
        return query
    }

    /// Returns the objects of all files together.
    private static func schema(_ paths: [String]) throws(CommandFault) -> QuerySchema {
        var (objects, last) = ([ObjectDescription](), "")
        for path in paths {
            for file in try InputFile.schemas(at: path) {
                objects += try self.objects(of: file)
                last = file
            }
        }
        do throws(SchemaError) { return try QuerySchema(objects: objects) } catch {
            throw InputFile.fault(last, "the schemas do not fit together: \(error.message)")
        }
    }

    private static func objects(of file: String) throws(CommandFault) -> [ObjectDescription] {
        let bytes = try InputFile.bytes(of: file, most: UInt(QuerySchema.maximumBytes))
        do throws(SchemaError) { return try QuerySchema(json: bytes).objects } catch {
            throw InputFile.fault(file, "\(error)", line: error.line, column: error.column)
        }
    }
}

enum InputFile {
    /// Returns the bytes of a file of at most `most` bytes.
    static func bytes(of path: String, most: UInt) throws(CommandFault) -> [UInt8] {
        switch FileKind(behind: path) {
        case .file(let size) where size <= most: break
        case .file: throw fault(path, "the file is larger than \(most) bytes")
        case .nothing: throw fault(path, "there is no such file")
        case .folder: throw fault(path, "this is a folder, not a file")
        case .symbolicLink, .other: throw fault(path, "this is no ordinary file")
        }
        do {
            return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        } catch {
            throw fault(path, "the file cannot be read: \(SourceFault.reason(error))")
        }
    }

    static func text(of path: String, most: UInt) throws(CommandFault) -> String {
        guard let text = String(validating: try bytes(of: path, most: most), as: UTF8.self) else {
            throw fault(path, "the file is not UTF-8")
        }
        return text
    }

    /// Returns a file, or the JSON files of a directory, sorted by name.
    static func schemas(at path: String) throws(CommandFault) -> [String] {
        guard case .folder = FileKind(behind: path) else { return [path] }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        let files = names.filter { $0.hasBytes(suffix: ".json") }.sorted().map { "\(path)/\($0)" }
        guard !files.isEmpty else { throw fault(path, "the folder has no JSON files") }
        return files
    }

    static func fault(_ path: String, _ message: String, line: Int = 1, column: Int = 1) -> CommandFault {
        CommandFault("\(QueryDiagnostic(path, line: line, column: column, message))", status: 1)
    }
}

struct Options {
    static let usage = """
        Usage: soqlgen --schema FILE... --module NAME --output FOLDER [--options FILE] [--check] QUERY.soql...

          --schema FILE    the objects that the queries are about, as 'soql schema pull' saves them, or a folder of such
                           files; may be repeated
          --module NAME    the name of the module that the sources become a part of
          --output FOLDER  writes Queries.swift and QueryObjects.swift into the folder
          --options FILE   JSON: "access" is internal, package or public; "models" is true, false, or the name of the
                           module that has the types of the objects
          --model FILE     a source that 'soql models' wrote for the module; the types in it are not written again; may be
                           repeated
          --check          writes nothing; the status is 1 if what is in the folder is not what the queries give
          --help           prints this

        Each file has one query, which becomes a function of RestClient. Faults are printed to the error output as
        compilers print them. The status is 0 if all went well, 1 if a query, the schema or the options have faults or
        --check finds a difference, and 2 if the call cannot be carried out.
        """

    let queries: [String]
    let schemas: [String], models: [String]
    let module: String, output: String
    let options: String?
    let checksOutput: Bool, isHelp: Bool

    init(_ arguments: [String]) throws(CommandFault) {
        let given = try CommandArguments(
            arguments, of: "soqlgen",
            known: (["--check", "--help"], ["--module", "--output", "--options"], ["--schema", "--model"]))
        (queries, schemas, models) = (
            given.values(of: [""]), given.values(of: ["--schema"]), given.values(of: ["--model"])
        )
        (module, output) = (given.value(of: "--module") ?? "", given.value(of: "--output") ?? "")
        options = given.value(of: "--options")
        (checksOutput, isHelp) = (given.has("--check"), given.has("--help"))
        if isHelp { return }
        if arguments.isEmpty { throw CommandFault(Self.usage) }
        if schemas.isEmpty { throw CommandFault("Add --schema FILE; 'soql schema pull -o FILE' makes one.") }
        if output.isEmpty { throw CommandFault("Add --output FOLDER.") }
        if queries.isEmpty { throw CommandFault("Add the files of the queries.") }
        try checkModule()
    }

    private func checkModule() throws(CommandFault) {
        let isFree = module.unicodeScalars.allSatisfy { $0 == "_" || $0.properties.isXIDContinue }
        guard isFree, module.unicodeScalars.first?.properties.numericType == nil, !module.isEmpty else {
            throw CommandFault("--module needs the name of a module: letters, digits and underscores.")
        }
    }
}
