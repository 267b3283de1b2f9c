// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestTesting
import RestTransport
import Terminals
import Testing

@testable import SoqlCommand

@Suite("Sessions on a terminal", .timeLimit(.minutes(2)))
struct SessionTests {
    private let stage: SessionStart
    private var home: String { stage.home.path }

    init() async throws {
        stage = try await SessionStart()
    }

    private func start(environment: [String: String] = [:]) throws -> TerminalSession {
        try stage.session(environment: environment)
    }

    private func end(_ session: TerminalSession) {
        #expect(stage.leave(session), "\(session.text)")
    }

    @Test("a session runs multi-line statements, parameters and commands about the org")
    func statements() throws {
        let session = try start()
        try session.type("SELECT Name FROM Account\n", until: "-> ")
        try session.type("ORDER BY Name LIMIT 2;\n", until: "2 records")
        try session.type("\\set who Alder Bank\nSELECT Industry FROM Account WHERE Name = :who;\n", until: "1 record\r")
        try session.type("\\set who it's' ; --\nSELECT Fax FROM Account WHERE Name = :who;\n", until: "0 records")
        try session.type("\\timing on\n\\g\n", until: "time: ")
        try session.type("\\d Account.Industry\n", until: "picklist(255)")
        try session.type("\\d Account\n", until: "│ User")
        try session.type("\\dt *tunityCon*\n", until: "OpportunityContactRole")
        try session.type("\\limits DailyApi*\n", until: "DailyApiRequests")
        try session.type("\\explain SELECT Id FROM Account WHERE Name = 'x'\n", until: "records; selective")
        try session.type("\\nonsense\n", until: "unknown command \\nonsense")
        try session.type("SELECT Nothing FROM Account;\n", until: "INVALID_FIELD")
        end(session)
    }

    @Test("Control-C clears a line, cancels a running command, and keeps the session")
    func interrupts() throws {
        let session = try start()
        try session.type("SELECT nonsense\u{3}", until: "^C")
        try session.type("SELECT Name FROM Account LIMIT 1;\n", until: "1 record\r")
        try session.type("\\watch 60\n", until: "(every 60 s)")
        session.interrupt()
        try session.wait(for: "interrupted")
        try session.type("\\set n 5\n\\set\n", until: "n = '5'")
        end(session)
    }

    @Test("interrupts do not end the session after a pager either")
    func interruptsAfterPager() throws {
        let session = try start(environment: ["PAGER": "cat; echo paged"])
        try session.type("SELECT Id FROM Contact LIMIT 60;\n", until: "paged")
        for _ in 0..<5 { session.interrupt() }
        // A late interrupt clears the line.
        try session.press(
            "SELECT COUNT() FROM Account WHERE Name LIKE '%nk%';\r", until: "COUNT()\r", clearingWith: "\u{3}")
        end(session)
    }

    @Test("cancelling a query closes its request to the server")
    func cancelledAtServer() throws {
        let server = try ScriptServer([.readRequest, .readRequest, .readRequest])
        let session = try start(environment: ["SF_INSTANCE_URL": server.url().origin.description])
        try session.type("SELECT Name FROM Account;\n", until: "Account;\r\n")
        // The line ends before the query begins, so an earlier interrupt would belong to the next line.
        try session.interrupt(until: "interrupted")
        end(session)
    }

    @Test("pasted text is inserted: its line ends send nothing, and its keys have no effect")
    func paste() throws {
        let session = try start()
        try session.wait(for: "\u{1B}[?2004h")
        session.type("\u{1B}[200~SELECT Name\r\tFROM Account\u{3}\u{3}\u{1}\rORDER BY Name LIMIT 3;\u{1B}[201~")
        try session.wait(for: "LIMIT 3;")
        #expect(!session.text.contains("-> "))
        try session.type("\n", until: "3 records")
        end(session)
    }

    @Test("Tab completes names of the org after they were loaded")
    func completion() throws {
        let session = try start()
        // The names are loaded in the background, so keys are repeated until they are available.
        try session.press("\\d Opportunityc\t\r", until: "OpportunityId", clearingWith: "\u{3}")
        let toField = "\u{1}" + String(repeating: "\u{6}", count: 12)
        let query = "SELECT Indus FROM Account LIMIT 1;\(toField)\t\r"
        try session.press(query, until: "Industry\r", clearingWith: "\u{3}")
        let count = "SELECT COUNT() FROM Account WHERE Industry = 'Biot\t;\r"
        try session.press(count, until: "COUNT()\r", clearingWith: "\u{3}")
        try session.type("\\tim\t off\n", until: "timing is off")
        end(session)
    }

    @Test("the history outlasts the session, in a private file without secrets")
    func history() throws {
        let first = try start()
        try first.type("SELECT Name FROM Account LIMIT 1;\n", until: "1 record\r")
        try first.type("\\set token 00D000000000001!abc\n\\timing on\n", until: "timing is on")
        first.type("\u{4}")
        first.finish()

        let path = home + "/.local/state/soql/history"
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text == "\"SELECT Name FROM Account LIMIT 1;\"\n\"\\\\timing on\"\n")
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
        #expect(mode?.intValue == 0o600)

        let second = try start()
        try second.type("\u{1B}[A\u{1B}[A\n", until: "1 record\r")
        end(second)
    }

    @Test("results are written to a file that is complete at the end, and files can be run")
    func files() throws {
        let query = "\\format csv\n\\o \(home)/out.csv\nSELECT Name FROM Account\nORDER BY Name LIMIT 1;\n\\o\n"
        try Data(query.utf8).write(to: URL(filePath: home + "/run.soql"))
        let session = try start()
        try session.type("\\i ~/run.soql\n\\timing on\n", until: "timing is on")
        #expect(try String(contentsOfFile: home + "/out.csv", encoding: .utf8) == "Name\nAlder Bank\n")
        // A file with Windows line ends, where each command ends with its line.
        let windows =
            "\\set bank Alder Bank\r\n\\format csv\r\n\\o \(home)/crlf.csv\r\n"
            + "SELECT Name FROM Account\r\nWHERE Name = :bank LIMIT 1;\r\n\\o\r\n"
        try Data(windows.utf8).write(to: URL(filePath: home + "/windows.soql"))
        session.type("\\i ~/windows.soql\n\\timing on\n")
        try session.wait { $0.components(separatedBy: "timing is on").count == 3 }
        #expect(try String(contentsOfFile: home + "/crlf.csv", encoding: .utf8) == "Name\nAlder Bank\n")
        try Data("\\timing off\nSELECT Nothing FROM Account;\n\\q\n".utf8).write(to: URL(filePath: home + "/bad.soql"))
        try session.type("\\i \(home)/bad.soql\n", until: "/bad.soql:2:")
        try session.type("\\history 1\n", until: "\\history 1\r\n")
        end(session)
    }

    @Test("results cannot replace the file whose commands are running")
    func ownFile() throws {
        let file = home + "/own.soql"
        try FileManager.default.createSymbolicLink(atPath: home + "/link", withDestinationPath: file)
        let session = try start()
        for name in ["own.soql", "./own.soql", "link"] {
            let (text, count) = ("\\o \(home)/\(name)\n", session.text.count)
            try Data(text.utf8).write(to: URL(filePath: file))
            session.type("\\i \(file)\n")
            try session.wait { $0.dropFirst(count).contains("contains the commands") }
            #expect(try String(contentsOfFile: file, encoding: .utf8) == text)
        }
        end(session)
    }

    @Test("\\e edits the statement in the user's editor, in a private file")
    func editor() throws {
        let script = "#!/bin/sh\nstat -c %a \"$1\" > \(home)/mode\nsed -i 's/LIMIT 1/LIMIT 2/' \"$1\"\n"
        try Data(script.utf8).write(to: URL(filePath: home + "/edit"))
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: home + "/edit")
        let session = try start(environment: ["VISUAL": home + "/edit"])
        session.type("SELECT Name FROM Account LIMIT 1 \\e\n")
        // The statement is not finished yet.
        try session.wait(for: "LIMIT 2")
        try session.type(";\n", until: "2 records")
        #expect(try String(contentsOfFile: home + "/mode", encoding: .utf8) == "600\n")
        end(session)
    }

    @Test("the user's own commands run first, unless other users could have written them")
    func rcFile() throws {
        let folder = home + "/.config/soql"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data("\\set city Oslo\n".utf8).write(to: URL(filePath: folder + "/rc"))
        let session = try start()
        try session.type("\\set\n", until: "city = 'Oslo'")
        session.type("\u{4}")
        session.finish()

        try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: folder + "/rc")
        let other = try start()
        #expect(other.text.contains("which other users can write"))
        end(other)
    }

    @Test("a session works with ASCII, on a dumb terminal, and ends when the terminal is lost")
    func others() throws {
        let dumb = try start(environment: ["TERM": "dumb", "LC_ALL": "C"])
        try dumb.type("SELECT Name FROM Account LIMIT 1;\n", until: "1 record\r")
        #expect(!dumb.text.contains("\u{1B}"))
        end(dumb)
    }
}
