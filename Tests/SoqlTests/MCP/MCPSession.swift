// SPDX-License-Identifier: Apache-2.0

import BuiltPrograms
import Foundation
import RestJSON

/// `soql mcp` at pipes, into which a test writes lines.
final class MCPSession {
    private let process = Process.tool()
    private let input = Pipe(), output = Pipe(), errors = Pipe()
    private var rest: [UInt8] = []

    /// Without an environment it serves the sample org.
    init(_ options: [String] = [], environment: [String: String] = [:]) throws {
        process.executableURL = Command.executable
        process.arguments = ["mcp"] + (environment.isEmpty ? ["--sample"] : []) + options
        process.environment = Process.toolEnvironment(adding: environment)
        (process.standardInput, process.standardOutput, process.standardError) = (input, output, errors)
        try process.run()
    }

    deinit { if process.isRunning { process.terminate() } }

    func send(_ line: String) throws { try send(Array(line.utf8)) }

    func send(_ line: [UInt8]) throws {
        try input.fileHandleForWriting.write(contentsOf: Data(line + [UInt8(ascii: "\n")]))
    }

    /// Sends a request.
    func ask(_ id: String, _ method: String, _ parameters: String = "{}") throws {
        try send(#"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(parameters)}"#)
    }

    /// The next message; `nil` at the end.
    func next() throws -> JSONValue? {
        while true {
            if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                let line = Array(rest[..<end])
                rest.removeFirst(end + 1)
                return try JSONValue(parsing: line)
            }
            let data = output.fileHandleForReading.availableData
            guard !data.isEmpty else { return .none }
            rest += data
        }
    }

    /// Ends the input, and gives the exit status and everything that was still printed.
    func finish() throws -> (status: Int32, messages: [JSONValue]) {
        try input.fileHandleForWriting.close()
        var messages: [JSONValue] = []
        while let message = try next() { messages.append(message) }
        process.waitUntilExit()
        return (process.terminationStatus, messages)
    }
}
