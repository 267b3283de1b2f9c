// SPDX-License-Identifier: Apache-2.0

@_exported import BuiltPrograms
import Foundation
import RestJSON

/// A program that runs as a real process: the built `soql`, or another one.
typealias Command = RunningProgram

extension Command {
    static let executable = BuiltProgram.url("soql")

    /// Starts the program, with additional variables to a tool's environment, which has no org and no login.
    convenience init(
        _ arguments: [String], environment: [String: String] = [:], input text: String? = "",
        program: URL = Command.executable
    ) throws {
        try self.init(program, arguments, environment: Self.environment(adding: environment), input: text)
    }

    static func environment(adding more: [String: String]) -> [String: String] { Process.toolEnvironment(adding: more) }

    static func run(
        _ arguments: String..., environment: [String: String] = [:], input: String = ""
    ) async throws -> Outcome {
        try await Command(arguments, environment: environment, input: input).finish()
    }
}

/// A `soql mcp` process connected by pipes.
final class MCPSession {
    private let command: Command

    /// Starts the server with the environment, or with the sample org if it is empty.
    init(_ options: [String] = [], environment: [String: String] = [:]) throws {
        command = try Command(
            ["mcp"] + (environment.isEmpty ? ["--sample"] : []) + options, environment: environment, input: nil)
    }

    deinit { if command.process.isRunning { command.process.terminate() } }

    func send(_ line: String) throws { try send(Array(line.utf8)) }

    func send(_ line: [UInt8]) throws { try command.send(line + [UInt8(ascii: "\n")]) }

    func ask(_ id: String, _ method: String, _ parameters: String = "{}") throws {
        try send(#"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(parameters)}"#)
    }

    /// Returns the next message, or `nil` at the end.
    func next() throws -> JSONValue? { try command.nextLine().map { try JSONValue(parsing: $0) } }

    /// Ends the input.
    ///
    /// - Returns: the exit status, and all messages that were still printed.
    func finish() throws -> (status: Int32, messages: [JSONValue]) {
        try command.closeInput()
        var messages: [JSONValue] = []
        while let message = try next() { messages.append(message) }
        command.process.waitUntilExit()
        return (command.process.terminationStatus, messages)
    }
}
