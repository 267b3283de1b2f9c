// SPDX-License-Identifier: Apache-2.0

import StoneCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Reads Stone specs: `stonegen --check-spec (--spec FOLDER | FILE)...`.
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
        do throws(StoneError) {
            api = try StoneCompiler.compile(sources)
        } catch {
            let count = error.diagnostics.count
            throw CommandFault("\(error)\n\(count) \(count == 1 ? "error" : "errors")", status: 1)
        }
        if options.checksSpec { print(SpecCounts(api)) }
        if let output = options.output { try SwiftOutput(options, sources).write(api, to: output) }
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
    /// 1 if the specs have faults, 2 if the call has one.
    let status: Int32

    init(_ message: String, status: Int32 = 2) {
        self.message = message
        self.status = status
    }
}
