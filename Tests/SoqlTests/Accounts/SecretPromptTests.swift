// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import Terminals
import Testing

@Suite(
    "The prompt for a secret, at a real terminal", .timeLimit(.minutes(1)),
    .enabled(if: TerminalSession.isAvailable, "this machine has no pseudo-terminals"))
struct SecretPromptTests {
    private func login(_ session: LoginSession, ignoresInterrupts: Bool = false) throws -> TerminalSession {
        let terminal = try TerminalSession(
            ["login", "--client-credentials", "--account", "robot"], environment: session.environment(),
            ignoresInterrupts: ignoresInterrupts)
        try terminal.wait(for: "Client secret: ")
        #expect(!terminal.isAsUsual)
        return terminal
    }

    @Test("what is typed is not shown, can be corrected, and logs in; then the terminal is as it was")
    func secret() async throws {
        let session = try await LoginSession()
        let terminal = try login(session)
        // The terminal's own character for deleting one (127, on every platform).
        terminal.type("x\u{7F}\(session.org.clientSecret)\n")
        terminal.finish()
        #expect(terminal.process.terminationStatus == 0, "\(terminal.text)")
        #expect(terminal.text.contains("as account 'robot'"))
        #expect(!terminal.text.contains(session.org.clientSecret))
        #expect(terminal.isAsUsual)
        await session.org.stop()
    }

    @Test("nothing typed is a usage error, and leaves the terminal as it was", arguments: ["\n", "\u{4}"])
    func nothing(keys: String) async throws {
        let session = try await LoginSession()
        let terminal = try login(session)
        terminal.type(keys)
        terminal.finish()
        #expect(terminal.process.terminationStatus == 2)
        #expect(terminal.text.contains("the secret is empty"))
        #expect(terminal.isAsUsual)
        await session.org.stop()
    }

    @Test(
        "Control-C ends the command at once, as an interrupt does, and leaves the terminal as it was",
        arguments: [false, true])
    func controlC(ignoresInterrupts: Bool) async throws {
        let session = try await LoginSession()
        let terminal = try login(session, ignoresInterrupts: ignoresInterrupts)
        terminal.type("half a secret\u{3}")
        terminal.finish()
        #expect(terminal.process.terminationReason == .uncaughtSignal)
        #expect(terminal.process.terminationStatus == SIGINT)
        #expect(!terminal.text.contains("half"))
        #expect(terminal.isAsUsual)
        await session.org.stop()
    }

    @Test("a signal that ends the command leaves the terminal as it was", arguments: [SIGINT, SIGTERM])
    func signals(number: Int32) async throws {
        let session = try await LoginSession()
        let terminal = try login(session)
        kill(terminal.process.processIdentifier, number)
        terminal.finish()
        #expect(terminal.process.terminationReason == .uncaughtSignal)
        #expect(terminal.process.terminationStatus == number)
        #expect(terminal.isAsUsual)
        await session.org.stop()
    }
}
