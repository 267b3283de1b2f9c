// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestTesting
import Testing

@testable import SoqlCommand

@Suite("Results in files", .timeLimit(.minutes(1)))
struct OutputFileTests {
    private let place: TemporaryDirectory
    private var folder: String { place.path }
    private static let query = "SELECT Id FROM Account LIMIT 3"

    init() throws { place = try TemporaryDirectory() }

    private func run(_ arguments: String...) async throws -> Command.Outcome {
        try await Command(["--sample"] + arguments).finish()
    }

    @Test("a file has the format of its extension and the permissions of the process's mask")
    func written() async throws {
        let run = try await run("--output", "\(folder)/a.ndjson", Self.query)
        #expect(run.status == 0 && run.output.isEmpty)
        #expect(run.errors == "3 records in \(folder)/a.ndjson\n")
        #expect(try String(contentsOfFile: "\(folder)/a.ndjson", encoding: .utf8).split(separator: "\n").count == 3)
        let mask = umask(0)
        umask(mask)
        let mode = try FileManager.default.attributesOfItem(atPath: "\(folder)/a.ndjson")[.posixPermissions] as? Int
        #expect(mode == 0o666 & ~Int(mask))
        #expect(place.names == ["a.ndjson"])
        let quiet = try await self.run("-q", "-o", "\(folder)/a.ndjson", Self.query)
        #expect(quiet.status == 0 && quiet.errors.isEmpty)
    }

    @Test("a failed query, an interrupted result and a directory as output leave existing content")
    func failed() async throws {
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
            #expect(await command.finish().status == (number == SIGINT ? 130 : -SIGTERM))
            #expect(command.process.terminationReason == (number == SIGINT ? .exit : .uncaughtSignal))
        }
        await org.stop()
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "before")
        #expect(place.names == ["a.csv"])
        let inDirectory = try await run("-o", folder, Self.query)
        #expect(inDirectory.status == 1 && inDirectory.errors.contains("Is a directory"))
    }

    @Test("a symbolic link is preserved, and a full disk is reported")
    func links() async throws {
        try Data("before".utf8).write(to: URL(filePath: "\(folder)/target.csv"))
        try FileManager.default.createSymbolicLink(atPath: "\(folder)/link", withDestinationPath: "target.csv")
        #expect(try await run("-o", "\(folder)/link", Self.query).status == 0)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/link") == "target.csv")
        #expect(try String(contentsOfFile: "\(folder)/target.csv", encoding: .utf8).hasPrefix("Id\n001"))
        #expect(place.names == ["link", "target.csv"])
        let full = try await run("-o", "/dev/full", Self.query)
        #expect(full.status == 1 && full.errors.contains("No space left on device"))
        #expect(try await run("-o", "/dev/null", Self.query).status == 0)
        let shell = try await shell("\"$0\" '\(Self.query)' >/dev/full")
        #expect(shell.status == 1 && shell.errors.contains("No space left on device"))
    }

    @Test("symbolic links are followed to a file that does not exist yet, and a loop of links is an error")
    func danglingLinks() async throws {
        let manager = FileManager.default
        try manager.createDirectory(atPath: "\(folder)/place", withIntermediateDirectories: false)
        try manager.createSymbolicLink(atPath: "\(folder)/first", withDestinationPath: "place/second")
        try manager.createSymbolicLink(atPath: "\(folder)/place/second", withDestinationPath: "\(folder)/new.csv")
        for _ in 1...2 {
            #expect(try await run("-o", "\(folder)/first", Self.query).status == 0)
            #expect(try String(contentsOfFile: "\(folder)/new.csv", encoding: .utf8).hasPrefix("Id\n001"))
            #expect(place.names == ["first", "new.csv", "place"])
            #expect(try manager.destinationOfSymbolicLink(atPath: "\(folder)/first") == "place/second")
        }
        try manager.createSymbolicLink(atPath: "\(folder)/circle", withDestinationPath: "circle")
        let circle = try await run("-o", "\(folder)/circle", Self.query)
        #expect(circle.status == 1 && circle.errors.contains("symbolic links"))
    }

    @Test("a replaced file keeps its permissions, so a private file stays private")
    func permissions() async throws {
        let file = "\(folder)/a.csv"
        try Data("before".utf8).write(to: URL(filePath: file))
        for mode in [0o600, 0o640] {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
            #expect(try await run("-o", file, Self.query).status == 0)
            #expect(try String(contentsOfFile: file, encoding: .utf8).hasPrefix("Id\n001"))
            #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == mode)
        }
    }

    @Test("a named pipe can be the output, and a reader that closes it is not an error")
    func pipes() async throws {
        let pipe = "\(folder)/pipe"
        try #require(unsafe mkfifo(pipe, 0o600) == 0)
        let read = try await shell("cat '\(pipe)' & \"$0\" --sample -q -o '\(pipe)' '\(Self.query)'; wait")
        #expect(read.status == 0 && read.output.hasPrefix("Id\n001") && read.errors.isEmpty)
        #expect(place.names == ["pipe"])
        let gone = try await shell(
            "\"$0\" --sample --format ndjson 'SELECT Id, Name, Phone FROM Contact' | head -n 1; exit ${PIPESTATUS[0]}")
        #expect(gone.status == 0 && gone.errors.isEmpty && gone.output.split(separator: "\n").count == 1)
    }

    /// Runs a shell command line, in which `$0` is the command.
    private func shell(_ line: String) async throws -> Command.Outcome {
        try await Command(["-c", line, Command.executable.path], program: URL(filePath: "/bin/bash")).finish()
    }
}

@Suite("Output files that are also input files", .timeLimit(.minutes(2)))
struct OutputFileCollisionTests {
    /// A verb with an output option, and another option that names a file.
    struct Pair: Sendable, CustomTestStringConvertible {
        let verb: Verb
        let output: Option
        let other: Option

        var testDescription: String { "\(verb.name) \(output.name) \(other.name)" }
    }

    private static let pairs = Verb.all.flatMap { verb in
        verb.options.filter(\.isOutput).flatMap { output in
            verb.options.filter { $0.name != output.name && $0.usesFile }.map {
                Pair(verb: verb, output: output, other: $0)
            }
        }
    }

    @Test("every output option of every verb is compared with every other option that names a file", arguments: pairs)
    func options(pair: Pair) throws {
        let folder = try TemporaryDirectory()
        try folder.write("mine", to: "same")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("link"), withDestinationPath: folder.path("same"))
        for (output, other) in [("same", "same"), ("link", "same"), ("same", "link"), ("new", "new")] {
            let words = [pair.output.name, folder.path(output), pair.other.name, pair.other.value(folder.path(other))]
            #expect(throws: UsageError.self, "\(words)") { try Arguments(words, for: pair.verb) }
        }
        let words = [pair.output.name, folder.path("new"), pair.other.name, pair.other.value(folder.path("same"))]
        #expect(throws: Never.self) { try Arguments(words, for: pair.verb) }
    }

    @Test("the pairs include every kind of option")
    func kinds() {
        let names = Set(Self.pairs.map(\.testDescription))
        let wanted = [
            " --output --file", " --output --param",
            "org start --tls --data", "org start --data --seed", "models --output --schema",
        ]
        #expect(names.isSuperset(of: wanted), "\(Set(wanted).subtracting(names))")
    }

    @Test("files named by arguments and parameters count as inputs too")
    func inputs() async throws {
        let session = try await OrgSession()
        let folder = session.folder
        try folder.write("Name\na\n", to: "rows.csv.failed.csv")
        for (link, target) in [("rows.csv", "rows.csv.failed.csv"), ("x.csv.load", "rows.csv.failed.csv")] {
            try FileManager.default.createSymbolicLink(atPath: folder.path(link), withDestinationPath: target)
        }
        try FileManager.default.createSymbolicLink(atPath: folder.path("x.csv"), withDestinationPath: "x.csv.load")
        try folder.write("a\nb\n", to: "names.txt")
        let before = folder.names
        let lines: [[String]] = [
            ["import", "Account", folder.path("rows.csv")], ["import", "Account", folder.path("x.csv"), "--restart"],
            [
                "SELECT Id FROM Account WHERE Name IN :n", "--param", "n:list=@" + folder.path("names.txt"), "-o",
                folder.path("names.txt"),
            ],
        ]
        for line in lines {
            let run = try await Command(line, environment: session.environment).finish()
            #expect(run.status == 2, "\(line) \(run)")
        }
        #expect(folder.names == before && session.writes.isEmpty)
        #expect(folder.text(of: "rows.csv.failed.csv") == "Name\na\n" && folder.text(of: "names.txt") == "a\nb\n")
    }
}

extension Option {
    fileprivate var usesFile: Bool {
        switch value {
        case .input, .output, .folder, .textOrFile: true
        default: false
        }
    }

    fileprivate func value(_ path: String) -> String {
        guard case .textOrFile = value else { return path }
        return name == Option.param.name ? "a:list=@\(path)" : "@\(path)"
    }
}
