// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import Terminals
import Testing

@testable import soql

@Suite("The pager", .timeLimit(.minutes(1)))
struct PagerTests {
    private static let size = Screen(columns: 80, rows: 24)
    private static let long = "SELECT Name FROM Contact ORDER BY Name LIMIT 60"
    private static let short = "SELECT Name FROM Contact ORDER BY Name LIMIT 5"

    private func shown(
        _ arguments: [String], _ environment: [String: String], size: Screen = size
    ) throws -> (text: String, lines: [String], status: Int32) {
        let terminal = try TerminalSession(arguments, environment: environment, size: size)
        terminal.finish()
        let lines = ScreenModel(terminal.text, columns: size.columns).lines
        return (terminal.text, lines, terminal.process.terminationStatus)
    }

    @Test("a result longer than the screen goes through the pager, a shorter one and a file do not")
    func length() throws {
        let pager = ["PAGER": "sed 's/^/> /'; echo \"[$LESS]\""]
        let long = try shown(["--sample", Self.long], pager)
        #expect(long.lines.count == 64 && long.lines.prefix(62).allSatisfy { $0.hasPrefix("> ") }, "\(long.lines)")
        #expect(long.lines.suffix(2) == ["[FRX]", "60 records"] && long.status == 0)
        let short = try shown(["--sample", Self.short], pager)
        #expect(short.lines.count == 8 && !short.text.contains(">"))
        #expect(
            try shown(["--sample", Self.long], pager, size: Screen(columns: 80, rows: 100)).text.contains(">") == false)
        #expect(try shown(["--sample", "--no-pager", Self.long], pager).text.contains(">") == false)
        #expect(try shown(["--sample", Self.long], ["PAGER": ""]).lines.count == 63)
        #expect(try shown(["--sample", "-o", "/dev/null", Self.long], pager).text.contains(">") == false)
        #expect(try shown(["--sample", Self.short], pager, size: Screen(columns: 80, rows: 5)).text.contains("> "))
        #expect(try shown(["--sample", Self.long], pager.merging(["TERM": "dumb"]) { $1 }).text.contains(">") == false)
        #expect(try shown(["--sample", Self.long], pager.merging(["LESS": "R"]) { $1 }).text.contains("[R]"))
    }

    @Test("who leaves the pager early has what they wanted, also while the server is silent")
    func left() async throws {
        #expect(try shown(["--sample", Self.long], ["PAGER": "head -n 3"]).status == 0)
        let org = try await LocalOrg.start(LocalOrgConfiguration(records: 4_500))
        org.faults.add(.delay(.seconds(30)), matching: "/query/")
        let environment = [
            "SF_INSTANCE_URL": org.instanceURL, "SF_ACCESS_TOKEN": org.issueCredential().accessToken,
            "PAGER": "head -n 3",
        ]
        let begin = ContinuousClock.now
        let run = try shown(["SELECT Id FROM Account"], environment)
        #expect(run.status == 0 && run.lines.count == 3, "\(run.lines)")
        #expect(ContinuousClock.now - begin < .seconds(20))
        await org.stop()
    }

    @Test("a pager that does not exist is told")
    func missing() throws {
        let run = try shown(["--sample", Self.long], ["PAGER": "no-such-pager-anywhere"])
        #expect(run.status == 1 && run.text.contains("'no-such-pager-anywhere' cannot be started"))
    }

    @Test("less, as people use it: it keeps the terminal until q, and Control-C is its own")
    func less() throws {
        let terminal = try TerminalSession(
            ["--sample", Self.long], environment: ["PAGER": "/usr/bin/less", "LESS": "R"], size: Self.size)
        // The prompt of less; one that is told to stop by us or the user has none.
        try terminal.wait { $0.contains(":") && $0.contains("Name") }
        kill(terminal.process.processIdentifier, SIGINT)
        terminal.type(" ")
        try terminal.wait { $0.components(separatedBy: "\u{1B}[K").count > 2 }
        terminal.type("q")
        terminal.finish()
        #expect(terminal.process.terminationStatus == 0, "\(terminal.text)")
        #expect(terminal.text.contains("60 records"))
        #expect(terminal.isAsUsual)
    }
}
