// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestTesting
import RestTransport
import Terminals
import Testing

@testable import soql

/// Records that try to steer the terminal they are shown on.
@Suite("Output on a real terminal", .timeLimit(.minutes(1)))
struct TerminalOutputTests {
    /// A record with an escape sequence, a bell, a C1 control and a change of direction, as JSON and as UTF-8.
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

    @Test("no format lets a record steer the terminal, and what was left out is told", arguments: OutputFormat.allCases)
    func clean(format: OutputFormat) throws {
        let text = try show("--format", format.rawValue)
        for character in Self.harmful { #expect(!text.contains(character), "\(character.debugDescription)") }
        #expect(text.contains("owned"))
        #expect(text.contains("--raw") == (format.replacement != nil))
    }

    @Test("the values of JSON stay what they are", arguments: [OutputFormat.json, .ndjson])
    func escaped(format: OutputFormat) throws {
        #expect(try show("--format", format.rawValue).contains(#"x\u009b31my\u2066z"#))
    }

    @Test("--raw sends them as they are")
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

    @Test("what a file says in a query cannot steer the terminal either")
    func query() throws {
        let fault = #"[{"errorCode":"X","message":"\nERROR at Row:1:Column:3\nno"}]"#
        let server = try ScriptServer([.readRequest, .respond(status: 400, fault)])
        let environment = ["SF_INSTANCE_URL": server.url().origin.description, "SF_ACCESS_TOKEN": "x"]
        let terminal = try TerminalSession(["SELECT Id \u{1B}[31m FROM Account"], environment: environment)
        terminal.finish()
        #expect(!terminal.text.contains("\u{1B}"))
        #expect(terminal.text.contains("^"))
    }

    @Test(
        "the sample org's tables fit 80 columns, and are tables",
        arguments: [
            """
            SELECT Id, Name, Owner.Name, (SELECT LastName FROM Contacts) FROM Account WHERE Industry = 'Banking' \
            ORDER BY Name LIMIT 5
            """,
            "SELECT Id, FirstName, LastName, Email, Phone, Account.Name FROM Contact LIMIT 20",
            "SELECT Id, Name, StageName, Amount, CloseDate FROM Opportunity LIMIT 20",
            "SELECT Id, CaseNumber, Subject, Status, Priority FROM Case LIMIT 20",
            "SELECT Industry, COUNT(Id) n, MAX(Name), MIN(CreatedDate) FROM Account GROUP BY Industry",
        ])
    func sampleTables(query: String) throws {
        for locale in ["C.UTF-8", "C"] {
            let terminal = try TerminalSession(
                ["-q", "--sample", "--no-pager", query], environment: ["LC_ALL": locale],
                size: Screen(columns: 80, rows: 24))
            terminal.finish()
            let lines = terminal.text.split(whereSeparator: \.isNewline).map(String.init)
            #expect(terminal.process.terminationStatus == 0 && lines.count > 3)
            let shown = ScreenModel(terminal.text, columns: 80).lines
            #expect(shown.count == lines.count, "no line is broken: \(terminal.text)")
            #expect(lines.contains { $0.contains(locale == "C" ? "-+-" : "─┼─") })
            #expect(locale != "C" || !terminal.text.contains { "│─┼…".contains($0) })
        }
    }

    @Test("what does not fit has a line for each field", arguments: [20, 80, 200])
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
