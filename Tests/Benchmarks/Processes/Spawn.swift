// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestBase

/// A program failed, so that its time is meaningless.
struct CommandFailed: Error {
    let command: String
    let status: Int32
}

func output(_ program: String, _ arguments: [String], environment: [String: String]) throws -> String {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("output-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    try run(program, arguments, environment: environment, output: file.path)
    return try String(contentsOf: file, encoding: .utf8)
}

/// Runs a program, and discards its output, writes it to a file, or (`nil`) inherits our output.
///
/// `Process` polls for the end at intervals that are longer than these programs run, so this waits for the child
/// itself.
func run(
    _ program: String, _ arguments: [String],
    inheriting inherited: [String: String] = ProcessInfo.processInfo.environment, environment: [String: String] = [:],
    output: String? = "/dev/null"
) throws {
    let stream = output.map { ChildProcess.Stream.file($0, flags: O_WRONLY | O_CREAT) } ?? .inherited
    let ending: ChildProcess.Ending
    do throws(ChildProcess.NotStarted) {
        ending = try ChildProcess(
            program, arguments, environment: inherited.merging(environment) { $1 },
            streams: (.inherited, stream, .inherited)
        ).wait()
    } catch {
        throw CommandFailed(command: program, status: error.code)
    }
    guard ending.status == 0 else {
        throw CommandFailed(command: program, status: ending.status ?? ending.signal ?? -1)
    }
}

/// Runs an area of this program in a separate process, with additional environment variables.
///
/// - Returns: its exit status, or the signal that ended it.
func runArea(_ area: String, _ environment: [String: String]) async -> Int32 {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread {
            do {
                try run(CommandLine.arguments[0], [area], environment: environment)
                continuation.resume(returning: 0)
            } catch {
                continuation.resume(returning: (error as? CommandFailed)?.status ?? -1)
            }
        }
    }
}
