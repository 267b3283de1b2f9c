// SPDX-License-Identifier: Apache-2.0

import BuiltPrograms
import EmbeddedOrg
import Foundation
import Testing

@testable import soql

@Suite("Results in files", .timeLimit(.minutes(1)))
struct OutputFileTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "output-\(UUID())").path
    private static let query = "SELECT Id FROM Account LIMIT 3"

    init() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    }

    private var names: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() } }

    private func run(_ arguments: String...) async throws -> Command.Outcome {
        try await Command(["--sample"] + arguments).finish()
    }

    @Test("a file has the format of its ending and the permissions of the process's mask; nothing goes elsewhere")
    func written() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let run = try await run("--output", "\(folder)/a.ndjson", Self.query)
        #expect(run.status == 0 && run.output.isEmpty)
        #expect(run.errors == "3 records in \(folder)/a.ndjson\n")
        #expect(try String(contentsOfFile: "\(folder)/a.ndjson", encoding: .utf8).split(separator: "\n").count == 3)
        let mask = umask(0)
        umask(mask)
        let mode = try FileManager.default.attributesOfItem(atPath: "\(folder)/a.ndjson")[.posixPermissions] as? Int
        #expect(mode == 0o666 & ~Int(mask))
        #expect(try names == ["a.ndjson"])
        let quiet = try await self.run("-q", "-o", "\(folder)/a.ndjson", Self.query)
        #expect(quiet.status == 0 && quiet.errors.isEmpty)
    }

    @Test("a failed query, a result cut short and a folder leave what was there")
    func failed() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = "\(folder)/a.csv"
        try Data("before".utf8).write(to: URL(filePath: file))
        #expect(try await run("-o", file, "SELECT Nothing FROM Account").status == 1)
        let org = try await LocalOrg.start(LocalOrgConfiguration(records: 4_500))
        org.faults.add(.delay(.seconds(20)), matching: "/query/")
        let environment = ["SF_INSTANCE_URL": org.instanceURL, "SF_ACCESS_TOKEN": org.issueCredential().accessToken]
        for number in [SIGINT, SIGTERM] {
            org.faults.add(.delay(.seconds(20)), matching: "/query/")
            let before = org.journal.entries.count { $0.target.contains("/query/") }
            let command = try Command(["-o", file, "SELECT Id FROM Account"], environment: environment)
            while org.journal.entries.count(where: { $0.target.contains("/query/") }) == before { await Task.yield() }
            kill(command.process.processIdentifier, number)
            #expect(await command.finish().status == (number == SIGINT ? 130 : SIGTERM))
            #expect(command.process.terminationReason == (number == SIGINT ? .exit : .uncaughtSignal))
        }
        await org.stop()
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "before")
        #expect(try names == ["a.csv"])
        let inFolder = try await run("-o", folder, Self.query)
        #expect(inFolder.status == 1 && inFolder.errors.contains("Is a directory"))
    }

    @Test("a link stays a link; a full disk is told")
    func links() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Data("before".utf8).write(to: URL(filePath: "\(folder)/target.csv"))
        try FileManager.default.createSymbolicLink(atPath: "\(folder)/link", withDestinationPath: "target.csv")
        #expect(try await run("-o", "\(folder)/link", Self.query).status == 0)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/link") == "target.csv")
        #expect(try String(contentsOfFile: "\(folder)/target.csv", encoding: .utf8).hasPrefix("Id\n001"))
        #expect(try names == ["link", "target.csv"])
        let full = try await run("-o", "/dev/full", Self.query)
        #expect(full.status == 1 && full.errors.contains("No space left on device"))
        #expect(try await run("-o", "/dev/null", Self.query).status == 0)
        let shell = try await shell("\"$0\" '\(Self.query)' >/dev/full")
        #expect(shell.status == 1 && shell.errors.contains("No space left on device"))
    }

    @Test("links are followed to a file that is not there yet, link after link; a circle of links is an error")
    func danglingLinks() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let manager = FileManager.default
        try manager.createDirectory(atPath: "\(folder)/place", withIntermediateDirectories: false)
        try manager.createSymbolicLink(atPath: "\(folder)/first", withDestinationPath: "place/second")
        try manager.createSymbolicLink(atPath: "\(folder)/place/second", withDestinationPath: "\(folder)/new.csv")
        for _ in 1...2 {
            #expect(try await run("-o", "\(folder)/first", Self.query).status == 0)
            #expect(try String(contentsOfFile: "\(folder)/new.csv", encoding: .utf8).hasPrefix("Id\n001"))
            #expect(try names == ["first", "new.csv", "place"])
            #expect(try manager.destinationOfSymbolicLink(atPath: "\(folder)/first") == "place/second")
        }
        try manager.createSymbolicLink(atPath: "\(folder)/circle", withDestinationPath: "circle")
        let circle = try await run("-o", "\(folder)/circle", Self.query)
        #expect(circle.status == 1 && circle.errors.contains("symbolic links"))
    }

    @Test("a file that is replaced keeps its permissions, so that a private one stays private")
    func permissions() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = "\(folder)/a.csv"
        try Data("before".utf8).write(to: URL(filePath: file))
        for mode in [0o600, 0o640] {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
            #expect(try await run("-o", file, Self.query).status == 0)
            #expect(try String(contentsOfFile: file, encoding: .utf8).hasPrefix("Id\n001"))
            #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == mode)
        }
    }

    @Test("a named pipe is written to, and a reader that goes is no failure")
    func pipes() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let pipe = "\(folder)/pipe"
        try #require(unsafe mkfifo(pipe, 0o600) == 0)
        let read = try await shell("cat '\(pipe)' & \"$0\" --sample -q -o '\(pipe)' '\(Self.query)'; wait")
        #expect(read.status == 0 && read.output.hasPrefix("Id\n001") && read.errors.isEmpty)
        #expect(try names == ["pipe"])
        let gone = try await shell(
            "\"$0\" --sample --format ndjson 'SELECT Id, Name, Phone FROM Contact' | head -n 1; exit ${PIPESTATUS[0]}")
        #expect(gone.status == 0 && gone.errors.isEmpty && gone.output.split(separator: "\n").count == 1)
    }

    /// Runs a line of the shell whose `$0` is the command.
    private func shell(_ line: String) async throws -> (status: Int32, output: String, errors: String) {
        let (process, output, errors) = (Process.tool(), Pipe(), Pipe())
        process.executableURL = URL(filePath: "/bin/bash")
        process.arguments = ["-c", line, Command.executable.path]
        (process.standardOutput, process.standardError) = (output, errors)
        try process.run()
        let printed = try output.fileHandleForReading.readToEnd() ?? Data()
        let complained = try errors.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (
            process.terminationStatus, String(decoding: printed, as: UTF8.self),
            String(decoding: complained, as: UTF8.self)
        )
    }
}
