// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A program of a pair that failed, so that its time means nothing.
struct CommandFailed: Error {
    let command: String
    let status: Int32
}

/// Runs a program to its end and gives what it printed.
func output(_ program: String, _ arguments: [String], environment: [String: String]) throws -> String {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("output-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    try run(program, arguments, environment: environment, output: file.path)
    return try String(contentsOf: file, encoding: .utf8)
}

/// Runs a program to its end with its output thrown away, or written to a file, or (`nil`) to our own output.
///
/// `Process` looks for the end at intervals that are longer than these programs live, so this waits for the child
/// itself.
func run(
    _ program: String, _ arguments: [String],
    inheriting inherited: [String: String] = ProcessInfo.processInfo.environment, environment: [String: String] = [:],
    output: String? = "/dev/null"
) throws {
    #if canImport(Darwin)
    var actions: posix_spawn_file_actions_t?
    #else
    var actions = unsafe posix_spawn_file_actions_t()
    #endif
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    if let output {
        unsafe posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, O_WRONLY | O_CREAT, 0o600)
    }
    let variables = inherited.merging(environment) { $1 }.map { "\($0)=\($1)" }
    var child = pid_t()
    // The strings are copied for the call and freed after it; the child has its own copy by then.
    let words = unsafe ([program] + arguments).map { unsafe strdup($0) } + [nil]
    let settings = unsafe variables.map { unsafe strdup($0) } + [nil]
    defer { unsafe (words + settings).forEach { unsafe free($0) } }
    let failure = unsafe posix_spawn(&child, program, &actions, nil, words, settings)
    guard failure == 0 else { throw CommandFailed(command: program, status: failure) }
    var status: Int32 = 0
    while unsafe waitpid(child, &status, 0) < 0 && errno == EINTR {}
    guard status == 0 else { throw CommandFailed(command: program, status: status) }
}

/// Runs an area of this program in a process of its own, with further settings in its environment.
///
/// - Returns: how it ended, as `waitpid` tells it; 0 for success.
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
