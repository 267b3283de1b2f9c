// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestJSON
import RestSDK
import RestTesting
import Terminals
import Testing

@testable import SoqlCommand

/// An org with the generic channel `/u/News`, whose events have any JSON value as their payload.
private struct NewsStage {
    let session: OrgSession
    var folder: TemporaryDirectory { session.folder }

    init(_ configuration: LocalOrgConfiguration = LocalOrgConfiguration()) async throws {
        session = try await OrgSession(configuration)
        _ = try await session.client.send(.create("StreamingChannel", ["Name": "/u/News"]))
    }

    func publish(_ payloads: JSONValue...) async throws {
        let lines = payloads.map { "\($0)\n" }.joined()
        let run = try await session.run("publish", "/u/News", input: lines)
        #expect(run.status == 0, "\(run)")
    }

    /// Starts `soql listen` from the position in `p.json`, or from the earliest event.
    func listen(_ more: String...) throws -> Command {
        let words = ["listen", "/u/News", "--from", "earliest", "--position", folder.path("p.json")]
        let settings = session.environment.merging(["folder": folder.path]) { $1 }
        return try Command(words + more, environment: settings)
    }

    /// The payloads of the printed events.
    static func payloads(_ output: String) throws -> [JSONValue] {
        try output.split(separator: "\n").map { try JSONValue(parsing: Array($0.utf8))["data"]?["payload"] ?? .null }
    }
}

@Suite("soql listen with hostile events and slow commands", .timeLimit(.minutes(4)))
struct HostileEventTests {
    private static let hostile = #"$(touch "$folder/x"); `touch "$folder/x"` '; touch "$folder/x"; '"#

    @Test("the content of an event reaches a command only as its input, as one line")
    func content() async throws {
        let stage = try await NewsStage()
        let payload = JSONValue(Self.hostile + "\n\u{1B}[2J\u{2028}" + #"" > "$folder/x" | & \"#)
        try await stage.publish(payload, 7)
        let run = try await stage.listen("--count", "2", "--exec", #"cat >> "$folder/got""#).finish()
        #expect(run.status == 0 && run.output.isEmpty, "\(run)")
        #expect(stage.folder.names.filter { $0 != "state" } == ["got", "p.json", "p.lock"])
        #expect(try NewsStage.payloads(stage.folder.text(of: "got") ?? "") == [payload, 7])
    }

    @Test("a command can ignore its input, and one that does not exist or is killed is a failure")
    func commands() async throws {
        let stage = try await NewsStage()
        // More than a pipe holds.
        try await stage.publish(JSONValue(String(repeating: "x", count: 300_000)), 2)
        let ignoring = try await stage.listen("--count", "1", "--exec", "true").finish()
        #expect(ignoring.status == 0, "\(ignoring)")
        for (command, reason) in [("/nothing/here", "exit code 127"), ("kill -9 $$", "signal 9")] {
            let failed = try await stage.listen("--exec", command).finish()
            #expect(failed.status == 1 && failed.errors.contains("failed (\(reason))"), "\(failed)")
        }
        #expect(try NewsStage.payloads(await stage.listen("--count", "1").finish().output) == [2])
    }

    @Test("an interrupt waits for a running command, and its event counts as handled")
    func interrupt() async throws {
        let stage = try await NewsStage()
        let events = (1...200).map { JSONValue($0) }
        let lines = events.map { "\($0)\n" }.joined()
        #expect(try await stage.session.run("publish", "/u/News", input: lines).status == 0)
        // A busy machine delivers the signal late, so that some more commands may run.
        let listener = try stage.listen("--exec", #"cat; until [ -e "$folder/gate" ]; do sleep 0.05; done; sleep 0.1"#)
        var handled = try NewsStage.payloads(String(decoding: #require(listener.nextLine()), as: UTF8.self))
        listener.process.interrupt()
        try stage.folder.write("", to: "gate")
        let outcome = await listener.finish()
        #expect(outcome.status == 130 && outcome.errors.contains("interrupted"), "\(outcome)")
        handled += try NewsStage.payloads(outcome.output)
        #expect(handled.count < events.count && handled == Array(events.prefix(handled.count)), "\(handled)")
        let rest = try await stage.listen("--count", "\(events.count - handled.count)").finish()
        #expect(try NewsStage.payloads(rest.output) == Array(events.dropFirst(handled.count)))
    }

    @Test("a command that Control-C ends leaves its event unhandled, and soql is interrupted")
    func interruptedCommand() async throws {
        let stage = try await NewsStage()
        try await stage.publish(1)
        let listener = try stage.listen("--exec", "kill -INT $PPID; kill -INT $$")
        let outcome = await listener.finish()
        #expect(outcome.status == 130 && !outcome.errors.contains("failed"), "\(outcome)")
        #expect(try NewsStage.payloads(await stage.listen("--count", "1").finish().output) == [1])
    }

    @Test("a reader that closes the pipe ends the command without an error")
    func pipe() async throws {
        let stage = try await NewsStage()
        let rows = String(repeating: "\"\(String(repeating: "x", count: 200))\"\n", count: 1_000)
        #expect(try await stage.session.run("publish", "/u/News", input: rows).status == 0)
        let run = try await stage.session.shell(
            #"{ "$soql" listen /u/News --from earliest; echo "status $?" >&2; } | head -n 2"#)
        #expect(run.output.split(separator: "\n").count == 2)
        #expect(run.errors.hasSuffix("status 0\n") && !run.errors.contains("cannot be written"), "\(run.errors)")
    }

    @Test("several channels have their own positions in one file")
    func positions() async throws {
        let stage = try await NewsStage()
        _ = try await stage.session.client.send(.create("StreamingChannel", ["Name": "/u/More"]))
        try await stage.publish(1, 2, 3)
        let file = stage.folder.path("two.json")
        func hear(_ channels: [String], _ count: Int) async throws -> [Int] {
            let words = ["listen"] + channels + ["--from", "earliest", "--position", file, "--count", "\(count)"]
            let run = try await Command(words, environment: stage.session.environment).finish()
            return try NewsStage.payloads(run.output).compactMap(\.int).sorted()
        }
        #expect(try await hear(["/u/News"], 2) == [1, 2])
        _ = try await stage.session.run("publish", "/u/More", input: "10\n20\n")
        // The order of two channels is not defined.
        #expect(try await hear(["/u/News", "/u/More"], 3) == [3, 10, 20])
        try await stage.publish(4)
        _ = try await stage.session.run("publish", "/u/More", input: "30\n")
        #expect(try await hear(["/u/More", "/u/News"], 2) == [4, 30])
    }

    @Test("a symbolic link to a position file is the same file")
    func link() async throws {
        let stage = try await NewsStage()
        try await stage.publish(1, 2)
        try FileManager.default.createSymbolicLink(
            atPath: stage.folder.path("link.json"), withDestinationPath: "p.json")
        let first = try stage.listen()
        #expect(first.nextLine() != nil)
        let link = ["listen", "/u/News", "--position", stage.folder.path("link.json")]
        let other = try await Command(link, environment: stage.session.environment).finish()
        #expect(other.status == 1 && other.errors.contains("p.lock is locked"), "\(other)")
        #expect(first.nextLine() != nil)
        first.process.interrupt()
        _ = await first.finish()
        try await stage.publish(3)
        let next = try await Command(link + ["--count", "1"], environment: stage.session.environment).finish()
        #expect(try NewsStage.payloads(next.output) == [3])
        #expect(!stage.folder.names.contains("link.lock"))
    }

    @Test("control characters of an event do not reach a terminal")
    func terminal() async throws {
        let stage = try await NewsStage()
        try await stage.publish("\u{1B}]0;title\u{7}\u{9B}2Jred")
        for format in ["ndjson", "csv", "table", "vertical", "markdown"] {
            let words = ["listen", "/u/News", "--from", "earliest", "--count", "1", "--cell-width", "200"]
            let session = try TerminalSession(
                words + ["--format", format, "--color", "never"],
                environment: stage.session.environment, size: Screen(columns: 200, rows: 24))
            session.finish()
            #expect(session.text.contains("2Jred"), "\(format): \(session.text)")
            let controls = session.text.unicodeScalars.filter { $0.isControl && !"\r\n".unicodeScalars.contains($0) }
            #expect(controls.isEmpty, "\(format): \(session.text.debugDescription)")
        }
    }
}

@Suite("soql publish with long input", .timeLimit(.minutes(2)))
struct PublishInputTests {
    @Test("lines of a file are published in full requests")
    func batches() async throws {
        let stage = try await NewsStage()
        // 2,000 lines of 30 bytes fit into one read of the file.
        let lines = (1_000..<3_000).map { "\"row \($0)\(String(repeating: ".", count: 19))\"\n" }.joined()
        try stage.folder.write(lines, to: "rows.ndjson")
        let run = try await stage.session.shell(#""$soql" publish /u/News < "$folder/rows.ndjson""#)
        #expect(run.status == 0 && run.errors.contains("2000 events published"), "\(run)")
        let pushes = stage.session.writes.filter { $0.target.contains("/push") }
        #expect(pushes.count == 20)
    }

    @Test("an interrupt ends the wait for input, and the published events are counted")
    func interrupt() async throws {
        var configuration = LocalOrgConfiguration()
        let event = #"{"name": "Order_Placed__e", "fields": [{"name": "Total__c", "type": "int"}]}"#
        configuration.schema = try OrgSchema(describe: Array(event.utf8))
        let session = try await OrgSession(configuration)
        let words = ["publish", "/event/Order_Placed__e"]
        let publisher = try Command(words, environment: session.environment, input: nil)
        try publisher.send(Array("{\"Total__c\":1}\n{\"Total__c\":2}\n{\"incomplete\":".utf8))
        for _ in 0..<2 { #expect(publisher.nextLine() != nil) }
        publisher.process.interrupt()
        let outcome = await publisher.finish()
        #expect(outcome.status == 130 && outcome.errors.contains("2 events published"), "\(outcome)")
    }
}
