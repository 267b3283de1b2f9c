// SPDX-License-Identifier: Apache-2.0

import BuiltPrograms
import Foundation
import Synchronization

/// Runs the built `soql` as a real process.
struct Command {
    /// What a run of the command left behind.
    struct Outcome {
        let status: Int32
        let output: String
        let errors: String
    }

    static let executable = BuiltProgram.url("soql")

    let process = Process.tool()
    private let output = Pipe()
    private let errors = Pipe()

    /// Prepares a run; `environment` is added to that of every tool, which has no org in it.
    init(
        _ arguments: [String], environment: [String: String] = [:], input: String? = nil,
        program: URL = Self.executable
    ) throws {
        process.executableURL = program
        process.arguments = arguments
        process.environment = Self.environment(adding: environment)
        process.standardOutput = output
        process.standardError = errors
        let inputPipe = Pipe()
        process.standardInput = inputPipe
        try process.run()
        try inputPipe.fileHandleForWriting.write(contentsOf: Data((input ?? "").utf8))
        try inputPipe.fileHandleForWriting.close()
    }

    /// The environment of a run: that of every tool, which has no org and no login in it, and more.
    static func environment(adding more: [String: String]) -> [String: String] { Process.toolEnvironment(adding: more) }

    /// Waits for the end and collects what was printed.
    func finish() async -> Outcome {
        async let printed = Self.text(of: output)
        async let complained = Self.text(of: errors)
        let (output, errors) = await (printed, complained)
        process.waitUntilExit()
        return Outcome(status: process.terminationStatus, output: output, errors: errors)
    }

    /// The lines up to and with the first one that contains the words, read from standard output.
    func outputLines(through words: String) throws -> [Substring] {
        var text = ""
        while true {
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            if let last = lines.firstIndex(where: { $0.contains(words) }) { return Array(lines[...last]) }
            let data = output.fileHandleForReading.availableData
            guard !data.isEmpty else { throw OutputEnded(text: text) }
            text += String(decoding: data, as: UTF8.self)
        }
    }

    /// The command ended before it printed what the test waits for.
    struct OutputEnded: Error {
        let text: String
    }

    private static func text(of pipe: Pipe) async -> String {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                let data = (try? pipe.fileHandleForReading.readToEnd()) ?? Data()
                continuation.resume(returning: String(decoding: data, as: UTF8.self))
            }
        }
    }

    /// Runs the command to its end.
    static func run(
        _ arguments: String..., environment: [String: String] = [:], input: String? = nil
    ) async throws -> Outcome {
        try await Command(arguments, environment: environment, input: input).finish()
    }
}
