// SPDX-License-Identifier: Apache-2.0

import RestSDK
import Testing

@testable import BrowserLogin

@Suite("Logins in a browser", .timeLimit(.minutes(1)))
struct LoginsTests {
    @Test("of two users stand side by side, and one of them is the current one")
    func switching() async throws {
        let sandbox = try await Sandbox()
        let logins = try await sandbox.logins()
        let first = try await logins.logIn(with: sandbox.user(sandbox.org.username, sandbox.org.password))
        let second = try await logins.logIn(with: sandbox.user("ben@example.com", "correct horse"))
        #expect(second.userID != nil && second.userID != first.userID)
        #expect([first.id, second.id] == [sandbox.org.username, "ben@example.com"])
        #expect(try await logins.whoAmI()?.id == second.userID)

        try await logins.accounts.switch(to: first.id)
        // The next run of the program has the same logins and the same current login.
        let later = try await sandbox.logins()
        #expect(Set(later.accounts.accounts.map(\.id)) == [first.id, second.id])
        #expect(try await later.whoAmI()?.id == sandbox.org.userID)
    }

    @Test("go on by themselves when the session has ended")
    func renewing() async throws {
        let sandbox = try await Sandbox()
        let logins = try await sandbox.logins()
        _ = try await logins.logIn(with: sandbox.user(sandbox.org.username, sandbox.org.password))
        sandbox.org.faults.expireAccessTokens()
        #expect(try await logins.whoAmI()?.id == sandbox.org.userID)
    }

    @Test("end here and at the server, and leave the others")
    func loggingOut() async throws {
        let sandbox = try await Sandbox()
        let logins = try await sandbox.logins()
        let first = try await logins.logIn(with: sandbox.user(sandbox.org.username, sandbox.org.password))
        _ = try await logins.logIn(with: sandbox.user("ben@example.com", "correct horse"))
        #expect(try await logins.logOut("ben@example.com"))
        #expect(sandbox.org.journal.entries.count { $0.pathHasSuffix("oauth2/revoke") && $0.status == 200 } == 1)
        #expect(try await sandbox.logins().accounts.accounts.map(\.id) == [first.id])
        await #expect(throws: AccountManager.Error.self) { try await logins.accounts.switch(to: "ben@example.com") }
    }

    @Test("are not kept when the user refuses")
    func refusing() async throws {
        let sandbox = try await Sandbox()
        let logins = try await sandbox.logins()
        let error = await #expect(throws: OAuthError.self) {
            try await logins.logIn(with: sandbox.user(sandbox.org.username, sandbox.org.password, answering: "deny"))
        }
        #expect(error?.code == .userDenied)
        #expect(logins.accounts.accounts.isEmpty)
        #expect(try await logins.whoAmI() == nil)
    }
}
