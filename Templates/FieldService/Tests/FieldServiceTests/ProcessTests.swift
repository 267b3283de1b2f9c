// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite("The app as a process", .timeLimit(.minutes(1)))
struct ProcessTests {
    @Test("has its edits after it was killed, and sends them once")
    func kill() async throws {
        let sandbox = try await Sandbox()
        let first = try App(in: sandbox, "sync\nquit\n")
        #expect(try await first.output(until: "Pending changes: 0\n").contains("Synced: "))
        let edits = "list\nset 1 Subject=Replace the pump\nnew Check the valve\nsync\n"
        let offline = try App(in: sandbox, server: "http://127.0.0.1:9", edits)
        #expect(try await offline.output(until: "Pending changes: 2\n").contains("7* is pending."))
        offline.kill()

        let last = try App(in: sandbox, "sync\nquit\n")
        #expect(try await last.output(until: "Pending changes: 0\n").contains("1 created, 1 updated"))
        #expect(try await sandbox.values(of: "Subject", "00000001") == ["Replace the pump"])
        #expect(try await sandbox.values(of: "Subject", "Check the valve").count == 1)
    }
}

/// The app in a separate process, whose input stays open, and whose output is a file.
struct App {
    private let process = Process()
    private let input = Pipe()
    private let output: URL

    init(in sandbox: Sandbox, server: String? = nil, _ commands: String) throws {
        output = URL(filePath: "\(sandbox.file).\(UUID().uuidString)")
        try Data().write(to: output)
        process.executableURL = Self.program
        process.arguments = [sandbox.file]
        process.environment = [
            "SF_LOGIN_URL": server ?? sandbox.org.instanceURL, "SF_CLIENT_ID": sandbox.org.clientID,
            "SF_CLIENT_SECRET": sandbox.org.clientSecret,
        ]
        (process.standardInput, process.standardOutput) = (input, try FileHandle(forWritingTo: output))
        try process.run()
        input.fileHandleForWriting.write(Data(commands.utf8))
    }

    /// Returns the output when it ends with a text.
    func output(until end: String) async throws -> String {
        while true {
            let text = try String(contentsOf: output, encoding: .utf8)
            if text.hasSuffix(end) || !process.isRunning { return text }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    func kill() {
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// The built program: next to the tests, or in a directory above.
    private static let program = sequence(first: URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()) {
        $0.path == "/" ? nil : $0.deletingLastPathComponent()
    }.map { $0.deletingLastPathComponent().appending(path: "FieldService") }.first {
        FileManager.default.isExecutableFile(atPath: $0.path) && !$0.hasDirectoryPath
    }
}
