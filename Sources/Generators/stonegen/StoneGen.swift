// SPDX-License-Identifier: Apache-2.0

import RestBase
import StoneCompiler
import SwiftSource

/// Reads Stone specs, and writes Swift sources of them; see `stonegen --help`.
@main
enum StoneGen {
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

/// Why the command ends without doing what it was asked.
struct CommandFault: Error {
    let message: String
    /// 1 if the specs have faults or sources are stale, 2 if the call cannot be carried out.
    let status: Int32

    init(_ message: String, status: Int32 = 2) {
        self.message = message
        self.status = status
    }

    /// All faults of specs.
    init(_ error: StoneError) {
        let count = error.diagnostics.count
        self.init("\(error)\n\(count) \(count == 1 ? "error" : "errors")", status: 1)
    }

    /// What the folder of the sources says.
    init(_ fault: SourceFault) { self.init(fault.message, status: fault.isStale ? 1 : 2) }

    /// A list of faults, cut off where nobody reads on.
    init(_ faults: [String]) { self.init(SourceFault(faults)) }

    /// What the system says about an error, such as `No space left on device`.
    static func reason(_ error: any Error) -> String { SourceFault.reason(error) }
}

/// How many definitions of each kind an interface has.
struct SpecCounts: CustomStringConvertible {
    let counts: [(name: String, number: Int)]

    init(_ api: StoneAPI) {
        let structs = api.namespaces.flatMap(\.structs).map { api[$0] }
        let unions = api.namespaces.flatMap(\.unions).map { api[$0] }
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
