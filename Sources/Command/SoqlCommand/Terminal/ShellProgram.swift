// SPDX-License-Identifier: Apache-2.0

import Dispatch
import RestBase

/// A program that gets the terminal for a while, such as a pager or an editor, started by a line for the shell.
enum ShellProgram {
    /// Gives the terminal to a program until it ends; Control-C is the program's meanwhile.
    ///
    /// It has the signals as a shell has them.
    ///
    /// - Parameters:
    ///   - line: for the shell; `$1` and so on are the arguments.
    ///   - arguments: are taken as they are.
    ///   - descriptor: its standard input; `nil` for the one of this process.
    ///   - variables: its environment.
    ///   - ended: gets its exit status; `nil` when a signal ended it.
    /// - Returns: whether it was started.
    static func run(
        _ line: String, _ arguments: [String] = [], reading descriptor: Int32? = nil,
        environment variables: [String: String] = Settings.all, ended: @escaping @Sendable (Int32?) -> Void
    ) -> Bool {
        StatusLine.leave(true)
        let before = signal(SIGINT, SIG_IGN)
        // A session outlives any number of interrupts, another command the first one.
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

/// The user's own editor, which has the terminal until it ends.
enum EditorProgram {
    /// The command that the environment names.
    private static var command: String { Settings.value("VISUAL") ?? Settings.value("EDITOR") ?? "vi" }

    /// Lets the user edit a text, in a file that only this user can read and that is gone afterwards.
    ///
    /// - Throws: ``CommandFailure``, and ``UsageError`` for what cannot be read back.
    static func edit(_ text: String) async throws -> String {
        let folder = Settings.value("TMPDIR") ?? "/tmp"
        var template = Array("\(folder)/soql-XXXXXX.soql".utf8CString)
        // The name of the file is put into the place of the template.
        let file = unsafe mkstemps(&template, 5)
        guard file >= 0 else { throw CommandFailure("no file can be made in \(folder): \(systemMessage(errno))") }
        let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        defer { unsafe unlink(path) }
        do {
            defer { close(file) }
            try StandardOutput.write(Array((text + "\n").utf8), to: file)
        }
        let status = await run(path)
        guard status == 0 else { throw CommandFailure("the editor '\(command)' ended with an error") }
        return try StandardInput.read(file: path)
    }

    /// Runs the editor to its end.
    private static func run(_ path: String) async -> Int32? {
        await withCheckedContinuation { continuation in
            let isStarted = ShellProgram.run("\(command) \"$1\"", [path]) { continuation.resume(returning: $0) }
            if !isStarted { continuation.resume(returning: nil) }
        }
    }
}
