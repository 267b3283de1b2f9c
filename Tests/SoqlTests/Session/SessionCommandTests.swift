// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestTesting
import Terminals
import Testing

@testable import SoqlCommand

@Suite("Session commands", .timeLimit(.minutes(2)))
struct SessionCommandTests {
    @Test("\\l lists the logins, \\c switches to another login, and a wrong name changes nothing")
    func logins() async throws {
        let logins = try await LoginSession()
        for name in ["north", "south"] {
            let login = try await logins.run(
                "login", "--client-credentials", "--account", name,
                environment: ["SF_CLIENT_SECRET": logins.org.clientSecret])
            #expect(login.status == 0, "\(login.errors)")
        }
        let start = try await SessionStart()
        let environment = logins.environment([
            "HOME": start.home.path, "TERM": "xterm", "PAGER": "", "NO_COLOR": "1",
        ])
        let session = try TerminalSession(
            ["--account", "north"], environment: environment, size: Screen(columns: 80, rows: 24), leads: true)
        try session.wait(for: "north=> ")
        session.type("\\l\n")
        try session.wait { $0.contains("south") && $0.contains("true") }
        session.type("\\c nowhere\n")
        try session.wait { $0.contains("nowhere") && $0.hasSuffix("north=> ") }
        try session.type("\\c south\n", until: "south=> ")
        let before = logins.requests("/query").count
        try session.type("SELECT Name FROM Account LIMIT 1;\n", until: "1 record\r")
        #expect(logins.requests("/query").count == before + 1)
        #expect(start.leave(session), "\(session.text)")
    }

    @Test("\\unset removes a value, and \\q leaves even during a statement")
    func variables() async throws {
        let start = try await SessionStart()
        let session = try start.session()
        try session.type("\\set who Alder Bank\n\\unset whom\n", until: "did you mean 'who'?")
        try session.type("\\unset who\nSELECT Id FROM Account WHERE Name = :who;\n", until: ":who")
        try session.wait(for: "--param")
        session.type("SELECT Id\n\\q\n")
        session.finish()
        #expect(session.process.terminationStatus == 0, "\(session.text)")
    }

    @Test("the prompt does not wait for the embedded org, but the first query does")
    func embedded() async throws {
        let start = try await SessionStart()
        let session = try TerminalSession(
            ["--sample"], environment: ["HOME": start.home.path, "NO_COLOR": "1", "PAGER": ""],
            size: Screen(columns: 80, rows: 24), leads: true)
        try session.wait(for: "sample=> ")
        try session.type("SELECT Name FROM Account LIMIT 1;\n", until: "1 record\r")
        #expect(start.leave(session), "\(session.text)")
    }
}

/// Effects of a terminal on a session: its width, a resize, and a shell that stops it.
@Suite("A session and its terminal", .timeLimit(.minutes(2)))
struct SessionTerminalTests {
    private static let query = "SELECT Name FROM Account WHERE Name LIKE '%nk%' ORDER BY Name LIMIT 3;"

    @Test("a typed line wraps at the width of the terminal", arguments: [20, 80, 200])
    func widths(columns: Int) async throws {
        let start = try await SessionStart()
        let session = try start.session(size: Screen(columns: columns, rows: 24))
        session.type("日本é" + Self.query)
        // The typed text without the line breaks of the terminal.
        try session.wait { text in
            ScreenModel(text, columns: columns).lines.joined().filter { !$0.isWhitespace }
                .hasSuffix("日本é" + Self.query.filter { !$0.isWhitespace })
        }
        let shown = ScreenModel(session.text, columns: columns).lines
        #expect(shown.allSatisfy { $0.columnWidth <= columns }, "\(shown)")
        // Editing the start moves the cursor over all rows.
        try session.type("\u{1}\u{1B}[3~\u{1B}[3~\u{1B}[3~\n", until: "3 records")
        #expect(start.leave(session), "\(session.text)")
    }

    @Test("resizing the terminal does not change the typed line")
    func resized() async throws {
        let start = try await SessionStart()
        let session = try start.session(size: Screen(columns: 80, rows: 24))
        for (number, chunk) in Self.query.split(separator: " ").enumerated() {
            let before = session.count
            session.resize(to: Screen(columns: [20, 200, 7, 80][number % 4], rows: [5, 60, 2, 24][number % 4]))
            // Waits until the line was drawn again.
            while session.count == before { try #require(session.takeOutput(within: 20_000)) }
            session.type(chunk + " ")
        }
        session.resize(to: Screen(columns: 80, rows: 24))
        try session.type("\n", until: "3 records")
        let length = session.text.count
        session.type("\\history 2\n")
        try session.wait { $0.dropFirst(length).contains(Self.query) }
        #expect(start.leave(session), "\(session.text)")
    }

    @Test("after Control-Z and fg the typed line is still there")
    func stopped() async throws {
        let start = try await SessionStart()
        let settings = Command.environment(adding: start.environment).merging(["PS1": "shell> "]) { $1 }
        let shell = try TerminalSession(
            program: "/bin/sh", ["-i"], environment: settings, columns: 80, rows: 24, leads: true)
        try shell.wait(for: "shell> ")
        try shell.type("\(Command.executable.path)\n", until: "=> ")
        try shell.type("SELECT Name FROM Account", until: "FROM Account")
        shell.type("\u{1A}")
        try shell.wait { $0.components(separatedBy: "shell> ").count > 2 }
        #expect(shell.isAsUsual, "the shell's terminal is as it was")
        try shell.type("echo it is $((40 + 2)); fg\n", until: "it is 42")
        try shell.type(" LIMIT 2;\n", until: "2 records")
        shell.type("\u{4}")
        try shell.wait { $0.components(separatedBy: "shell> ").count > 3 }
        shell.type("exit\n")
        shell.finish()
        #expect(shell.process.terminationStatus == 0, "\(shell.text)")
    }

    @Test("a terminal that disconnects ends the session")
    func hangup() async throws {
        let start = try await SessionStart()
        let session = try start.session()
        try session.type("SELECT Name FROM Acc", until: "Acc")
        kill(session.process.processIdentifier, SIGHUP)
        session.finish()
        #expect(session.process.terminationReason == .uncaughtSignal && session.process.terminationStatus == SIGHUP)
    }
}

/// Random input never ends a session.
@Suite("Random keys in a session", .timeLimit(.minutes(2)))
struct RandomKeysTests {
    @Test("a session survives thousands of random keys, and still works", arguments: [1, 2, 3] as [UInt64])
    func random(seed: UInt64) async throws {
        let stage = try await SessionStart()
        let session = try stage.session(environment: ["VISUAL": "true"])
        var keys = RandomKeys(seed: seed)
        for _ in 0..<1_000 {
            session.type(bytes: keys.next())
            session.takeWhatIsThere()
        }
        // Closes everything that is open, including a paste.
        try session.press(
            "\u{1B}[201~\u{3}\u{3}SELECT COUNT() FROM Account WHERE Name LIKE '%nk%';\r", until: "COUNT()\r",
            clearingWith: "\u{3}")
        session.type("\u{3}")
        #expect(stage.leave(session), "\(session.text.suffix(2_000))")
    }
}
