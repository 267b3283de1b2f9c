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

/// Checks queries in files against a schema, and writes Swift functions of them; see `soqlgen --help`.
@main
enum SOQLGen {
    static func main() {
        do throws(CommandFault) {
            try run(Array(CommandLine.arguments.dropFirst()))
        } catch {
            report(error.message)
            exit(error.status)
        }
    }

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
            for warning in result.warnings { report("\(warning)") }
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
            throw CommandFault(error.message, status: error.isStale ? 1 : 2)
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

    /// The objects of all files together.
    private static func schema(_ paths: [String]) throws(CommandFault) -> QuerySchema {
        var (objects, last) = ([QuerySchema.Object](), "")
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

    private static func objects(of file: String) throws(CommandFault) -> [QuerySchema.Object] {
        let bytes = try InputFile.bytes(of: file, most: UInt(QuerySchema.maximumBytes))
        do throws(SchemaError) { return try QuerySchema(json: bytes).objects } catch {
            throw InputFile.fault(file, "\(error)", line: error.line, column: error.column)
        }
    }

    private static func report(_ message: String) {
        var rest = Array((message + "\n").utf8)[...]
        while !rest.isEmpty {
            let written = unsafe rest.withUnsafeBytes { bytes in
                unsafe write(STDERR_FILENO, bytes.baseAddress, bytes.count)
            }
            guard written > 0 else { return }
            rest = rest.dropFirst(written)
        }
    }
}

/// Files that the command reads.
enum InputFile {
    /// The bytes of a file that has no more than so many.
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

    /// The text of a file, which is UTF-8.
    static func text(of path: String, most: UInt) throws(CommandFault) -> String {
        guard let text = String(validating: try bytes(of: path, most: most), as: UTF8.self) else {
            throw fault(path, "the file is not UTF-8")
        }
        return text
    }

    /// A file, or the JSON files of a folder in the order of their names.
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
