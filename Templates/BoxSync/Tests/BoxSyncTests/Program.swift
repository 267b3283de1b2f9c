// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The command, run in the folder of a sandbox.
final class Program: Sendable {
    /// What came of it.
    struct Outcome {
        /// The exit code, or the number of the signal that ended it.
        let status: Int32
        let output: String
        let errors: String
    }

    private let process: Process
    private let files: [URL]
    private let ends: AsyncStream<Int32>

    /// Starts it.
    ///
    /// - Parameters:
    ///   - words: the words after its name.
    ///   - sandbox: where it runs, and the box that it talks to.
    ///   - shell: what a shell does before, if there is one.
    ///   - input: its standard input.
    ///   - changes: what is otherwise in the environment; an empty variable counts as none.
    /// - Throws: when it cannot be started.
    init(
        _ words: [String], in sandbox: Sandbox, shell: String? = nil, input: FileHandle = .nullDevice,
        changes: [String: String] = [:]
    ) throws {
        process = Process()
        let (ends, end) = AsyncStream.makeStream(of: Int32.self)
        self.ends = ends
        files = ["out", "err"].map { sandbox.folder.appending(path: ".\(UUID().uuidString).\($0)") }
        for file in files { try Data().write(to: file) }
        process.executableURL = shell == nil ? Self.url : URL(filePath: "/bin/sh")
        process.arguments = shell.map { ["-c", "\($0); exec \"$0\" \"$@\"", Self.url.path] + words } ?? words
        process.currentDirectoryURL = sandbox.folder
        process.environment = sandbox.environment.merging(changes) { $1 }
        process.standardInput = input
        process.standardOutput = try FileHandle(forWritingTo: files[0])
        process.standardError = try FileHandle(forWritingTo: files[1])
        process.terminationHandler = { end.yield($0.terminationStatus) }
        try process.run()
    }

    /// What it has written to standard error so far.
    var errors: String { (try? String(contentsOf: files[1], encoding: .utf8)) ?? "" }

    func kill() { Foundation.kill(process.processIdentifier, SIGKILL) }
    func interrupt() { process.interrupt() }

    /// Waits for its end.
    func outcome() async throws -> Outcome {
        var ends = ends.makeAsyncIterator()
        let status = await ends.next() ?? -1
        return Outcome(status: status, output: try String(contentsOf: files[0], encoding: .utf8), errors: errors)
    }

    /// Runs it to its end.
    static func run(_ words: String..., in sandbox: Sandbox) async throws -> Outcome {
        try await Program(words, in: sandbox).outcome()
    }

    /// Where the build has put it: beside the tests, or in a folder around them.
    private static let url: URL = {
        let tests = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        let folders = sequence(first: tests.deletingLastPathComponent()) {
            $0.path == "/" ? nil : $0.deletingLastPathComponent()
        }
        let places = folders.map { $0.appending(path: "boxsync") }
        return places.first { FileManager.default.isExecutableFile(atPath: $0.path) && !$0.hasDirectoryPath } ?? tests
    }()
}
