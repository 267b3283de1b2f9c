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
            let output = try SourceOutput(files, in: SourceDirectory(options.output, mark), of: "the queries")
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
            throw InputFile.fault(last, "the schemas cannot be combined: \(error.message)")
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
        case .nothing: throw fault(path, "the file does not exist")
        case .folder: throw fault(path, "the path is a directory; give a file")
        case .symbolicLink, .other: throw fault(path, "the path is not a regular file")
        }
        do { return Array(try Data(contentsOf: URL(fileURLWithPath: path))) } catch {
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
        guard !files.isEmpty else { throw fault(path, "the directory has no JSON files") }
        return files
    }

    static func fault(_ path: String, _ message: String, line: Int = 1, column: Int = 1) -> CommandFault {
        CommandFault("\(QueryDiagnostic(path, line: line, column: column, message))", status: 1)
    }
}

struct Options {
    static let usage = """
        Usage: soqlgen --schema FILE... --module NAME --output DIR [--options FILE] [--check] QUERY.soql...

          --schema FILE    read the objects from a file of 'soql schema pull', or from a directory of such files; can
                           be repeated
          --module NAME    write the sources for the module with this name
          --output DIR     write Queries.swift and QueryObjects.swift to this directory
          --options FILE   read options from JSON: "access" is internal, package or public; "models" is true, false, or
                           the name of the module with the types of the objects
          --model FILE     do not write the types in this file of 'soql models'; can be repeated
          --check          write nothing, and exit with 1 if the sources are not up to date
          --help           print this text

        Each file contains one query, which becomes a function of RestClient. Errors are printed to standard error in
        the format of compilers. Exit codes: 0 success, 1 errors in a query, the schema or the options, or a difference
        found by --check, 2 usage error or a file that cannot be read or written.
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
        if schemas.isEmpty { throw CommandFault("no schema; use --schema FILE with a file of 'soql schema pull'") }
        if output.isEmpty { throw CommandFault("no output directory; use --output DIR") }
        if queries.isEmpty { throw CommandFault("no queries; give their files") }
        try checkModule()
    }

    private func checkModule() throws(CommandFault) {
        let isFree = module.unicodeScalars.allSatisfy { $0 == "_" || $0.properties.isXIDContinue }
        guard isFree, module.unicodeScalars.first?.properties.numericType == nil, !module.isEmpty else {
            throw CommandFault("invalid --module; use letters, digits and underscores")
        }
    }
}
