// SPDX-License-Identifier: Apache-2.0

import BuiltPrograms
import Foundation
import RestJSON

/// A program that runs as a real process: the built `soql`, or another one.
final class Command {
    /// What a run of the command left behind.
    struct Outcome {
        let status: Int32
        let output: String
        let errors: String
    }

    /// The command ended before it printed what the test waits for.
    struct OutputEnded: Error {
        let text: String
    }

    static let executable = BuiltProgram.url("soql")

    let process = Process.tool()
    private let input = Pipe(), output = Pipe(), errors = Pipe()
    /// What was read and not taken yet.
    private var rest: [UInt8] = []

    /// Starts it.
    ///
    /// - Parameters:
    ///   - arguments: without the program's name.
    ///   - environment: is added to that of every tool, which has no org in it.
    ///   - text: all that it can read; `nil` for what the test writes later.
    ///   - program: the file to run.
    /// - Throws: an error when it does not start.
    init(
        _ arguments: [String], environment: [String: String] = [:], input text: String? = "",
        program: URL = Command.executable
    ) throws {
        process.executableURL = program
        process.arguments = arguments
        process.environment = Self.environment(adding: environment)
        (process.standardInput, process.standardOutput, process.standardError) = (input, output, errors)
        try process.run()
        guard let text else { return }
        // A program that reads nothing may have ended.
        try? input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
        try closeInput()
    }

    /// The environment of a run: that of every tool, which has no org and no login in it, and more.
    static func environment(adding more: [String: String]) -> [String: String] { Process.toolEnvironment(adding: more) }

    /// Runs the command to its end.
    static func run(
        _ arguments: String..., environment: [String: String] = [:], input: String = ""
    ) async throws -> Outcome {
        try await Command(arguments, environment: environment, input: input).finish()
    }

    func send(_ bytes: [UInt8]) throws { try input.fileHandleForWriting.write(contentsOf: Data(bytes)) }

    func closeInput() throws { try input.fileHandleForWriting.close() }

    /// The next line of standard output; `nil` at the end.
    func nextLine() -> [UInt8]? {
        while true {
            if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                defer { rest.removeFirst(end + 1) }
                return Array(rest[..<end])
            }
            let data = output.fileHandleForReading.availableData
            guard !data.isEmpty else { return nil }
            rest += data
        }
    }

    /// The lines up to and with the first one that contains the words, read from standard output.
    func outputLines(through words: String) throws -> [String] {
        var lines: [String] = []
        while let line = nextLine() {
            lines.append(String(decoding: line, as: UTF8.self))
            if lines.last?.contains(words) == true { return lines }
        }
        throw OutputEnded(text: lines.joined(separator: "\n"))
    }

    /// Waits for the end and collects what was printed.
    func finish() async -> Outcome {
        let (output, errors) = (output, errors)
        async let printed = Self.text(of: output)
        async let complained = Self.text(of: errors)
        let (text, complaints) = await (printed, complained)
        process.waitUntilExit()
        return Outcome(status: process.terminationStatus, output: text, errors: complaints)
    }

    private static func text(of pipe: Pipe) async -> String {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                let data = (try? pipe.fileHandleForReading.readToEnd()) ?? Data()
                continuation.resume(returning: String(decoding: data, as: UTF8.self))
            }
        }
    }
}

/// `soql mcp` at pipes, into which a test writes lines.
final class MCPSession {
    private let command: Command

    /// Without an environment it serves the sample org.
    init(_ options: [String] = [], environment: [String: String] = [:]) throws {
        command = try Command(
            ["mcp"] + (environment.isEmpty ? ["--sample"] : []) + options, environment: environment, input: nil)
    }

    deinit { if command.process.isRunning { command.process.terminate() } }

    func send(_ line: String) throws { try send(Array(line.utf8)) }

    func send(_ line: [UInt8]) throws { try command.send(line + [UInt8(ascii: "\n")]) }

    /// Sends a request.
    func ask(_ id: String, _ method: String, _ parameters: String = "{}") throws {
        try send(#"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(parameters)}"#)
    }

    /// The next message; `nil` at the end.
    func next() throws -> JSONValue? { try command.nextLine().map { try JSONValue(parsing: $0) } }

    /// Ends the input, and gives the exit status and everything that was still printed.
    func finish() throws -> (status: Int32, messages: [JSONValue]) {
        try command.closeInput()
        var messages: [JSONValue] = []
        while let message = try next() { messages.append(message) }
        command.process.waitUntilExit()
        return (command.process.terminationStatus, messages)
    }
}
