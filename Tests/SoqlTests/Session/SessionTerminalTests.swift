// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import Terminals
import Testing

@testable import soql

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
        session.type("\u{1}\u{1B}[3~\u{1B}[3~\u{1B}[3~\n")
        try session.wait(for: "3 records")
        #expect(start.leave(session), "\(session.text)")
        await start.org.stop()
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
        session.type("\n")
        try session.wait(for: "3 records")
        let length = session.text.count
        session.type("\\history 2\n")
        try session.wait { $0.dropFirst(length).contains(Self.query) }
        #expect(start.leave(session), "\(session.text)")
        await start.org.stop()
    }

    @Test("a shell stops it with Control-Z and goes on with fg: the line is still there")
    func stopped() async throws {
        let start = try await SessionStart()
        let settings = Command.environment(adding: start.environment).merging(["PS1": "shell> "]) { $1 }
        let shell = try TerminalSession(
            program: "/bin/sh", ["-i"], environment: settings, columns: 80, rows: 24, leads: true)
        try shell.wait(for: "shell> ")
        shell.type("\(Command.executable.path)\n")
        try shell.wait(for: "=> ")
        shell.type("SELECT Name FROM Account")
        try shell.wait(for: "FROM Account")
        shell.type("\u{1A}")
        try shell.wait { $0.components(separatedBy: "shell> ").count > 2 }
        #expect(shell.isAsUsual, "the shell's terminal is as it was")
        shell.type("echo it is $((40 + 2)); fg\n")
        try shell.wait(for: "it is 42")
        shell.type(" LIMIT 2;\n")
        try shell.wait(for: "2 records")
        shell.type("\u{4}")
        try shell.wait { $0.components(separatedBy: "shell> ").count > 3 }
        shell.type("exit\n")
        shell.finish()
        #expect(shell.process.terminationStatus == 0, "\(shell.text)")
        await start.org.stop()
    }

    @Test("a terminal that goes away ends the session")
    func hangup() async throws {
        let start = try await SessionStart()
        let session = try start.session()
        session.type("SELECT Name FROM Acc")
        try session.wait(for: "Acc")
        kill(session.process.processIdentifier, SIGHUP)
        session.finish()
        #expect(session.process.terminationReason == .uncaughtSignal && session.process.terminationStatus == SIGHUP)
        await start.org.stop()
    }
}
