// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestTesting
import Terminals
import Testing

@testable import SoqlCommand

@Suite("Commands of a session", .timeLimit(.minutes(2)))
struct SessionCommandTests {
    @Test("\\l lists the logins and \\c goes on at another one; a wrong name changes nothing")
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

    @Test("\\unset takes a value away, and \\q leaves, also with a line that was begun")
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

    @Test("the prompt does not wait for the embedded org, and the first query does")
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

/// What a terminal does to a session: its width, another size in between, and a shell that stops it.
@Suite("A session and its terminal", .timeLimit(.minutes(2)))
struct SessionTerminalTests {
    private static let query = "SELECT Name FROM Account WHERE Name LIKE '%nk%' ORDER BY Name LIMIT 3;"

    @Test("a line that is typed fills the rows of the terminal", arguments: [20, 80, 200])
    func widths(columns: Int) async throws {
        let start = try await SessionStart()
        let session = try start.session(size: Screen(columns: columns, rows: 24))
        session.type("日本é" + Self.query)
        // What was typed, without the breaks that the terminal makes.
        try session.wait { text in
            ScreenModel(text, columns: columns).lines.joined().filter { !$0.isWhitespace }
                .hasSuffix("日本é" + Self.query.filter { !$0.isWhitespace })
        }
        let shown = ScreenModel(session.text, columns: columns).lines
        #expect(shown.allSatisfy { $0.columnWidth <= columns }, "\(shown)")
        // The start is edited: the cursor goes over all rows.
        try session.type("\u{1}\u{1B}[3~\u{1B}[3~\u{1B}[3~\n", until: "3 records")
        #expect(start.leave(session), "\(session.text)")
    }

    @Test("another size while a line is typed changes nothing in it")
    func resized() async throws {
        let start = try await SessionStart()
        let session = try start.session(size: Screen(columns: 80, rows: 24))
        for (number, piece) in Self.query.split(separator: " ").enumerated() {
            let before = session.count
            session.resize(to: Screen(columns: [20, 200, 7, 80][number % 4], rows: [5, 60, 2, 24][number % 4]))
            // It is drawn again.
            while session.count == before { try #require(session.takeOutput(within: 20_000)) }
            session.type(piece + " ")
        }
        session.resize(to: Screen(columns: 80, rows: 24))
        try session.type("\n", until: "3 records")
        let length = session.text.count
        session.type("\\history 2\n")
        try session.wait { $0.dropFirst(length).contains(Self.query) }
        #expect(start.leave(session), "\(session.text)")
    }

    @Test("a shell stops it with Control-Z and goes on with fg: the line is still there")
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

    @Test("a terminal that goes away ends the session")
    func hangup() async throws {
        let start = try await SessionStart()
        let session = try start.session()
        try session.type("SELECT Name FROM Acc", until: "Acc")
        kill(session.process.processIdentifier, SIGHUP)
        session.finish()
        #expect(session.process.terminationReason == .uncaughtSignal && session.process.terminationStatus == SIGHUP)
    }
}

/// Whatever is typed, the session stays.
@Suite("Random keys in a session", .timeLimit(.minutes(2)))
struct RandomKeysTests {
    @Test("thousands of random keys do not end it, and it answers afterwards", arguments: [1, 2, 3] as [UInt64])
    func random(seed: UInt64) async throws {
        let stage = try await SessionStart()
        let session = try stage.session(environment: ["VISUAL": "true"])
        var keys = RandomKeys(seed: seed)
        for _ in 0..<1_000 {
            session.type(bytes: keys.next())
            session.takeWhatIsThere()
        }
        // Whatever is open is closed, also a paste.
        try session.press(
            "\u{1B}[201~\u{3}\u{3}SELECT COUNT() FROM Account WHERE Name LIKE '%nk%';\r", until: "COUNT()\r",
            clearingWith: "\u{3}")
        session.type("\u{3}")
        #expect(stage.leave(session), "\(session.text.suffix(2_000))")
    }
}
