// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestTesting
import RestTransport
import Terminals
import Testing

@testable import SoqlCommand

/// Records that contain terminal control characters.
@Suite("Output on a real terminal", .timeLimit(.minutes(1)))
struct TerminalOutputTests {
    /// A record with an escape sequence, a bell, a C1 control and a direction change, as JSON and as UTF-8.
    private static let record =
        #"{"attributes":{"type":"Account"},"Name":"a\u001b]0;owned\u0007b\u009bc\u202ed","Fax":""#
        + "x\u{9B}31my\u{2066}z" + #""}"#
    private static let body = #"{"totalSize":1,"done":true,"records":["# + record + "]}"
    private static let harmful = ["\u{1B}", "\u{7}", "\u{9B}", "\u{202E}", "\u{2066}"]

    private func show(_ arguments: String...) throws -> String {
        let server = try ScriptServer([
            .readRequest, .respond(fields: [("Content-Type", "application/json")], Self.body),
        ])
        let environment = [
            "SF_INSTANCE_URL": server.url().origin.description, "SF_ACCESS_TOKEN": "x", "NO_COLOR": "1", "PAGER": "",
        ]
        let terminal = try TerminalSession(
            arguments + ["SELECT Name, Fax FROM Account"], environment: environment)
        terminal.finish()
        #expect(terminal.process.terminationStatus == 0, "\(terminal.text)")
        return terminal.text
    }

    @Test(
        "records cannot control the terminal in any format, and replaced characters are reported",
        arguments: OutputFormat.allCases.filter { $0 != .chart })
    func clean(format: OutputFormat) throws {
        let text = try show("--format", format.rawValue)
        for character in Self.harmful { #expect(!text.contains(character), "\(character.debugDescription)") }
        #expect(text.contains("owned"))
        #expect(text.contains("--raw") == (format.replacement != nil))
    }

    @Test("the values of JSON stay the same", arguments: [OutputFormat.json, .ndjson])
    func escaped(format: OutputFormat) throws {
        #expect(try show("--format", format.rawValue).contains(#"x\u009b31my\u2066z"#))
    }

    @Test("with --raw, control characters are printed unchanged")
    func raw() throws {
        let text = try show("--format", "csv", "--raw")
        #expect(text.contains("a\u{1B}]0;owned\u{7}b\u{9B}c\u{202E}d"))
    }

    @Test("a pipe gets every byte")
    func pipe() async throws {
        let server = try ScriptServer([
            .readRequest, .respond(fields: [("Content-Type", "application/json")], Self.body),
        ])
        let environment = ["SF_INSTANCE_URL": server.url().origin.description, "SF_ACCESS_TOKEN": "x"]
        let run = try await Command.run("--format", "csv", "SELECT Name, Fax FROM Account", environment: environment)
        #expect(run.output.contains("a\u{1B}]0;owned\u{7}b\u{9B}c\u{202E}d"))
        #expect(run.errors.isEmpty)
    }

    @Test("control characters in a query cannot control the terminal either")
    func query() throws {
        let fault = #"[{"errorCode":"X","message":"\nERROR at Row:1:Column:3\nno"}]"#
        let server = try ScriptServer([.readRequest, .respond(status: 400, fault)])
        let environment = ["SF_INSTANCE_URL": server.url().origin.description, "SF_ACCESS_TOKEN": "x"]
        let terminal = try TerminalSession(["SELECT Id \u{1B}[31m FROM Account"], environment: environment)
        terminal.finish()
        #expect(!terminal.text.contains("\u{1B}"))
        #expect(terminal.text.contains("^"))
    }

    @Test("the tables of the sample org fit 80 columns", arguments: ["C.UTF-8", "C"])
    func sampleTables(locale: String) throws {
        let queries = [
            """
            SELECT Id, Name, Owner.Name, (SELECT LastName FROM Contacts) FROM Account WHERE Industry = 'Banking' \
            ORDER BY Name LIMIT 5
            """,
            "SELECT Id, FirstName, LastName, Email, Phone, Account.Name FROM Contact LIMIT 20",
            "SELECT Id, Name, StageName, Amount, CloseDate FROM Opportunity LIMIT 20",
            "SELECT Id, CaseNumber, Subject, Status, Priority FROM Case LIMIT 20",
            "SELECT Industry, COUNT(Id) n, MAX(Name), MIN(CreatedDate) FROM Account GROUP BY Industry",
        ]
        let terminal = try TerminalSession(
            ["-q", "--sample", "--no-pager", queries.joined(separator: ";")], environment: ["LC_ALL": locale],
            size: Screen(columns: 80, rows: 24))
        terminal.finish()
        let lines = terminal.text.split(whereSeparator: \.isNewline).map(String.init)
        #expect(terminal.process.terminationStatus == 0 && lines.count > 20)
        let shown = ScreenModel(terminal.text, columns: 80).lines
        #expect(shown.count == lines.count, "no line is broken: \(terminal.text)")
        // The line under each table head.
        #expect(lines.count { $0.contains(locale == "C" ? "-+-" : "─┼─") } == queries.count)
        #expect(locale != "C" || !terminal.text.contains { "│─┼…".contains($0) })
    }

    @Test("records that do not fit are printed with one line per field", arguments: [20, 80, 200])
    func wideRecords(columns: Int) throws {
        let terminal = try TerminalSession(
            ["-q", "--sample", "--no-pager", "SELECT FIELDS(ALL) FROM Account LIMIT 2"], environment: [:],
            size: Screen(columns: columns, rows: 24))
        terminal.finish()
        let lines = terminal.text.split(whereSeparator: \.isNewline).map(String.init)
        #expect(lines.first?.contains("─[ 1 ]──") == true)
        #expect(ScreenModel(terminal.text, columns: columns).lines.count == lines.count, "\(terminal.text)")
    }
}

@Suite("The output pager", .timeLimit(.minutes(1)))
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

    @Test("a result longer than the screen goes through the pager, and shorter results and files do not")
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

    @Test("leaving the pager early is not an error, even while the server is silent")
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

    @Test("a missing pager is reported")
    func missing() throws {
        let run = try shown(["--sample", Self.long], ["PAGER": "no-such-pager-anywhere"])
        #expect(run.status == 1 && run.text.contains("'no-such-pager-anywhere' cannot be started"))
    }

    @Test("less keeps the terminal until q is pressed, and handles Control-C itself")
    func less() throws {
        let terminal = try TerminalSession(
            ["--sample", Self.long], environment: ["PAGER": "/usr/bin/less", "LESS": "R"], size: Self.size)
        // The prompt of less, which it does not show after an interrupt.
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
