// SPDX-License-Identifier: Apache-2.0

import BuiltPrograms
import Dispatch
import Foundation

/// The command line of one user, with a folder of its own for the logins.
struct CommandSession {
    private let soql: URL
    private let folder: URL

    init(_ soql: URL) throws {
        self.soql = soql
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("logins-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }

    /// Runs the command to its end.
    ///
    /// - Returns: what it printed.
    /// - Throws: `LoginPeer.Failure` for a command that failed.
    @discardableResult
    func run(_ words: [String], secret: String? = nil) throws -> String {
        try start(words, secret: secret).finish()
    }

    func start(_ words: [String], secret: String? = nil) throws -> RunningCommand {
        var environment = ["XDG_DATA_HOME": folder.path, "PATH": "/usr/bin:/bin"]
        environment["SF_CLIENT_SECRET"] = secret
        return try RunningCommand(soql, words, environment, errors: folder.appendingPathComponent("errors"))
    }
}

/// A command that runs.
final class RunningCommand {
    private let process = Process.tool()
    private let output = Pipe()
    private let errors: URL
    private let name: String

    init(_ soql: URL, _ words: [String], _ environment: [String: String], errors: URL) throws {
        (self.errors, name) = (errors, words.joined(separator: " "))
        guard FileManager.default.createFile(atPath: errors.path, contents: nil) else {
            throw LoginPeer.Failure("\(errors.path) cannot be written")
        }
        process.executableURL = soql
        process.arguments = words
        process.environment = environment
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        // A command that waits for ever must not hold up whoever runs it.
        DispatchQueue.global().asyncAfter(deadline: .now() + 60) { [process] in
            if process.isRunning { process.terminate() }
        }
    }

    /// The first line that it prints.
    func line() throws -> String {
        var line: [UInt8] = []
        while line.last != UInt8(ascii: "\n") {
            let more = output.fileHandleForReading.availableData
            guard !more.isEmpty else { break }
            line += more
        }
        return String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Waits for the end.
    @discardableResult
    func finish() throws -> String {
        let printed = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            let complaint = (try? String(contentsOf: errors, encoding: .utf8)) ?? ""
            throw LoginPeer.Failure("soql \(name) ended with \(process.terminationStatus): \(complaint)")
        }
        return String(decoding: printed, as: UTF8.self)
    }

    func end() {
        process.terminate()
        process.waitUntilExit()
    }
}
