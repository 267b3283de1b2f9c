// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestTesting
import Terminals
import Testing

@testable import soql

/// The commands that change a session: another login, values, and its end.
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
        try session.wait { $0.contains("│ south") && $0.contains("* │ ") }
        session.type("\\c nowhere\n")
        try session.wait { $0.contains("nowhere") && $0.hasSuffix("north=> ") }
        session.type("\\c south\n")
        try session.wait(for: "south=> ")
        let before = logins.requests("/query").count
        session.type("SELECT Name FROM Account LIMIT 1;\n")
        try session.wait(for: "1 record\r")
        #expect(logins.requests("/query").count == before + 1)
        #expect(start.leave(session), "\(session.text)")
        await start.org.stop()
        await logins.org.stop()
    }

    @Test("\\unset takes a value away, and \\q leaves, also with a line that was begun")
    func variables() async throws {
        let start = try await SessionStart()
        let session = try start.session()
        session.type("\\set who Alder Bank\n\\unset whom\n")
        try session.wait(for: "did you mean 'who'?")
        session.type("\\unset who\nSELECT Id FROM Account WHERE Name = :who;\n")
        try session.wait(for: ":who")
        try session.wait(for: "--param")
        session.type("SELECT Id\n\\q\n")
        session.finish()
        #expect(session.process.terminationStatus == 0, "\(session.text)")
        await start.org.stop()
    }

    @Test("the prompt does not wait for the embedded org, and the first query does")
    func embedded() async throws {
        let start = try await SessionStart()
        let session = try TerminalSession(
            ["--sample"], environment: ["HOME": start.home.path, "NO_COLOR": "1", "PAGER": ""],
            size: Screen(columns: 80, rows: 24), leads: true)
        try session.wait(for: "sample=> ")
        session.type("SELECT Name FROM Account LIMIT 1;\n")
        try session.wait(for: "1 record\r")
        #expect(start.leave(session), "\(session.text)")
        await start.org.stop()
    }
}
