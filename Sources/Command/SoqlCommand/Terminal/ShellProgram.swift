// SPDX-License-Identifier: Apache-2.0

import Dispatch
import RestBase

/// A program that uses the terminal temporarily, such as a pager or an editor, started by a shell command.
enum ShellProgram {
    /// Gives the terminal and Control-C to a program with default signal handlers until it exits.
    ///
    /// - Parameters:
    ///   - line: The shell command, in which `$1` and so on are the arguments.
    ///   - arguments: The arguments, which the shell does not interpret.
    ///   - descriptor: The standard input, or `nil` to inherit that of this process.
    ///   - variables: The environment.
    ///   - ended: Receives the exit status, or `nil` if a signal terminated the program.
    /// - Returns: Whether the program was started.
    static func run(
        _ line: String, _ arguments: [String] = [], reading descriptor: Int32? = nil,
        environment variables: [String: String] = Settings.all, ended: @escaping @Sendable (Int32?) -> Void
    ) -> Bool {
        StatusLine.leave(true)
        let before = signal(SIGINT, SIG_IGN)
        // A session handles any number of interrupts, and another command only the first.
        let takeBack: @Sendable () -> Void = {
            signal(SIGINT, before)
            StatusLine.leave(false)
        }
        let child = try? ChildProcess(
            "/bin/sh", ["-c", line, "sh"] + arguments, environment: variables,
            streams: (descriptor.map { .descriptor($0) } ?? .inherited, .inherited, .inherited))
        guard let child else {
            takeBack()
            return false
        }
        DispatchQueue(label: "soql.program").async {
            let status = child.wait().status
            takeBack()
            ended(status)
        }
        return true
    }
}

/// The user's editor, which uses the terminal until it exits.
enum EditorProgram {
    private static var command: String { Settings.value("VISUAL") ?? Settings.value("EDITOR") ?? "vi" }

    /// Lets the user edit text in a temporary file that only this user can read.
    static func edit(_ text: String) async throws -> String {
        let folder = Settings.value("TMPDIR") ?? "/tmp"
        var template = Array("\(folder)/soql-XXXXXX.soql".utf8CString)
        // The name of the file replaces the template.
        let file = unsafe mkstemps(&template, 5)
        guard file >= 0 else { throw CommandFailure("cannot create a file in \(folder): \(systemMessage(errno))") }
        let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        defer { unsafe unlink(path) }
        do {
            defer { close(file) }
            try StandardOutput.write(Array((text + "\n").utf8), to: file)
        }
        let status = await run(path)
        guard status == 0 else { throw CommandFailure("the editor '\(command)' failed") }
        return try StandardInput.read(file: path)
    }

    private static func run(_ path: String) async -> Int32? {
        await withCheckedContinuation { continuation in
            let isStarted = ShellProgram.run("\(command) \"$1\"", [path]) { continuation.resume(returning: $0) }
            if !isStarted { continuation.resume(returning: nil) }
        }
    }
}
