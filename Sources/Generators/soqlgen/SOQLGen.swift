// SPDX-License-Identifier: Apache-2.0

import SOQLCheck
import SOQLSwift
import SwiftSource

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
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
