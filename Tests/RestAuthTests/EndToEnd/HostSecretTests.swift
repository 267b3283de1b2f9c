// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestSDK
import RestTesting
import RestTransport
import Synchronization
import Testing

@testable import RestAuth

/// Accounts of servers whose client secret the host keeps: the store never has it.
@Suite("Secrets that the host gives")
struct HostSecretTests {
    private let folder: StoreFolder
    private var soon: ContinuousClock.Instant { .now + .seconds(30) }

    init() throws { folder = try StoreFolder() }

    /// The host's safe: each client's secret by its server.
    private final class Safe: Sendable {
        struct Locked: Error {}

        private let state: Mutex<(secrets: [Origin: Secret], isLocked: Bool, asked: Int)>

        init(_ secrets: [Origin: Secret]) { state = Mutex((secrets, false, 0)) }

        var asked: Int { state.withLock { $0.asked } }
        func lock(_ isLocked: Bool) { state.withLock { $0.isLocked = isLocked } }

        func secret(of server: Origin) throws -> Secret? {
            try state.withLock { state in
                state.asked += 1
                if state.isLocked { throw Locked() }
                return state.secrets[server]
            }
        }
    }

    private func open(_ safe: Safe) async throws -> AccountManager {
        try await AccountManager.open(
            store: FileCredentialStore(directory: folder.path), transport: PlatformTransport.shared,
            secrets: { try safe.secret(of: $0.server) }, grants: { _ in ClientCredentialsGrant() })
    }

    @Test("two orgs in one process: two accounts, renewed and revoked with secrets that are in no file")
    func twoOrgs() async throws {
        let orgs = [try await LocalOrg.start(), try await LocalOrg.start()]
        let servers = try orgs.map { try HTTPURL(parsing: $0.instanceURL).origin }
        let safe = Safe(Dictionary(uniqueKeysWithValues: zip(servers, orgs.map { Secret($0.clientSecret) })))
        let accounts = try await open(safe)
        for (org, server) in zip(orgs, servers) {
            let oauth = OAuthClient(
                server: AuthorizationServer(login: server), clientID: org.clientID, clientSecret: nil,
                secretSource: { try safe.secret(of: server) }, transport: PlatformTransport.shared)
            var credential = try await oauth.token(for: ClientCredentialsGrant(), deadline: soon)
            credential.login = Credential.Login(server: server, clientID: org.clientID)
            try await accounts.add(credential)
        }
        #expect(Set(accounts.accounts.map(\.userID)).count == 1 && accounts.accounts.count == 2)
        // A later process knows the accounts, and the host its secrets.
        let later = try await open(safe)
        for (org, account) in zip(orgs, later.accounts.sorted { servers[0] == $0.server && servers[1] == $1.server }) {
            let client = try RestClient(account: account.id, of: later)
            _ = try await client.send(.limits)
            org.faults.expireAccessTokens()
            _ = try await client.send(.limits)
        }
        for name in try folder.names() {
            let text = String(decoding: try folder.bytes(name), as: UTF8.self)
            #expect(orgs.allSatisfy { !text.contains($0.clientSecret) }, "\(name)")
        }
        for account in later.accounts {
            guard case .revoked = try await later.unlink(account.id).revocation else { Issue.record("alive"); continue }
        }
        for org in orgs { await org.stop() }
    }

    @Test("a secret that the host cannot give now fails the request alone; nothing is sent and no login ends")
    func locked() async throws {
        let transport = StubTransport()
        let safe = Safe([Credential.usualInstance: "s3cret"])
        let accounts = try await AccountManager.open(
            store: InMemoryCredentialStore(), transport: transport, secrets: { try safe.secret(of: $0.server) })
        var credential = Credential.user(1)
        credential.login?.clientSecret = nil
        let account = try await accounts.add(credential)
        let (tokens, deadline) = (try accounts.tokens(of: account.id), soon)
        safe.lock(true)
        let error = await #expect(throws: OAuthError.self) { try await tokens.refreshNow(deadline: deadline) }
        #expect(error?.code == .secretUnavailable && error?.isFinal == false)
        #expect(error?.message.contains("Locked") == true && transport.requests.isEmpty)
        safe.lock(false)
        // Were the token's fate taken for unknown, this refusal would not be one.
        transport.enqueue(status: 400, #"{"error":"invalid_grant","error_description":"expired"}"#)
        let refused = await #expect(throws: OAuthError.self) { try await tokens.refreshNow(deadline: deadline) }
        #expect(refused?.code == .invalidGrant)
        guard case .bytes(let form)? = transport.requests.first?.body else { Issue.record("nothing sent"); return }
        #expect(String(decoding: form, as: UTF8.self).contains("client_secret=s3cret"))
        #expect(safe.asked == 2)
    }

    @Test("a stored secret is used as it is, and the host is not asked")
    func stored() async throws {
        let transport = StubTransport()
        let safe = Safe([:])
        let accounts = try await AccountManager.open(
            store: InMemoryCredentialStore(), transport: transport, secrets: { try safe.secret(of: $0.server) })
        let account = try await accounts.add(.user(1))
        transport.enqueue(#"{"access_token":"a2"}"#)
        _ = try await accounts.tokens(of: account.id).refreshNow(deadline: soon)
        #expect(safe.asked == 0)
    }
}
