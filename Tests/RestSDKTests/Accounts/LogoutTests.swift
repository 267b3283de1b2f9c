// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestAuth
import RestSDK
import RestTesting
import RestTransport
import Testing

@Suite("Logging out while calls are under way")
struct LogoutTests {
    private let store = InMemoryCredentialStore()

    /// An org, its accounts with one login, and a client of it.
    private func start() async throws -> (LocalOrg, AccountManager, String, RestClient) {
        let org = try await LocalOrg.start()
        let login = try Origin(orgURL: org.instanceURL, argument: "org")
        let client = OAuthClient(
            login: login, clientID: org.clientID, clientSecret: Secret(org.clientSecret),
            transport: PlatformTransport.shared)
        var credential = try await client.token(
            for: PasswordGrant(
                username: org.username, password: Secret(org.password), scopes: ["api", "refresh_token"]),
            deadline: .now + .seconds(30))
        credential.login = Credential.Login(
            server: login, clientID: org.clientID, clientSecret: Secret(org.clientSecret))
        let accounts = try await AccountManager.open(store: store)
        let account = try await accounts.add(credential)
        return (org, accounts, account.id, try RestClient(account: account.id, of: accounts))
    }

    /// Waits until the org has received so many requests of a path.
    private func reached(_ org: LocalOrg, _ path: String, _ count: Int) async {
        while org.journal.entries.count(where: { $0.target.contains(path) }) < count { await Task.yield() }
    }

    @Test("calls in flight end as logged out, each once; later ones have no account; the server is told")
    func drained() async throws {
        let (org, accounts, id, client) = try await start()
        org.faults.add(.delay(.seconds(600)), next: 8, matching: "/limits")
        let codes = await withTaskGroup(of: RestError.Code?.self) { group in
            for _ in 1...8 {
                group.addTask {
                    do throws(RestError) {
                        _ = try await client.send(.limits)
                        return nil
                    } catch { return error.code }
                }
            }
            await reached(org, "/limits", 8)
            _ = try? await accounts.unlink(id)
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(codes == Array(repeating: .loggedOut, count: 8))
        let later = await #expect(throws: RestError.self) { try await client.send(.limits) }
        #expect(later?.code == .noAccount && later?.code.needsLogin == true)
        #expect(org.journal.entries.last?.target.contains("/revoke") == true)
        await org.stop()
    }

    @Test("a write whose answer was awaited has an unknown outcome")
    func write() async throws {
        let (org, accounts, id, client) = try await start()
        org.faults.add(.delay(.seconds(600)), matching: "/sobjects/Account")
        async let created = client.send(.create("Account", ["Name": "Harbour"]))
        await reached(org, "/sobjects/Account", 1)
        try await accounts.unlink(id)
        do {
            _ = try await created
            Issue.record("the call was not ended")
        } catch let error as RestError {
            #expect(error.code == .loggedOut && error.outcome == .unknown)
        }
        await org.stop()
    }

    @Test("a client of another account goes on")
    func others() async throws {
        let (org, accounts, id, client) = try await start()
        let issued = try await accounts.tokens(of: id).credential(deadline: .now + .seconds(30))
        let other = RestClient(credential: issued.credential)
        try await accounts.unlink(id, isRevoking: false)
        _ = try await other.send(.limits)
        await #expect(throws: RestError.self) { try await client.send(.limits) }
        await org.stop()
    }
}
