// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestSDK
import RestTesting
import RestTransport
import Testing

@testable import RestAuth

@Suite("Logins by SOAP at the embedded org, over real sockets")
struct SOAPOrgTests {
    private var soon: ContinuousClock.Instant { .now + .seconds(30) }
    private let password = "a<b>&\"'c]]>é😀 &amp;"

    private func withOrg(
        _ configuration: LocalOrgConfiguration = LocalOrgConfiguration(),
        _ body: (LocalOrg, Origin) async throws -> Void
    ) async throws {
        let org = try await LocalOrg.start(configuration)
        do {
            try await body(org, HTTPURL(parsing: org.instanceURL).origin)
        } catch {
            await org.stop()
            throw error
        }
        await org.stop()
    }

    private func grant(_ org: LocalOrg, token: Secret? = "SECTOKEN") -> PasswordGrant.SOAP {
        PasswordGrant.SOAP(username: org.username, password: Secret(org.password), securityToken: token)
    }

    @Test("a login gives a session for all APIs, with the user that OAuth names too; a client logs in anew by itself")
    func session() async throws {
        try await withOrg { org, server in
            let grant = grant(org)
            let transport = PlatformTransport.shared
            let credential = try await grant.login(at: server, transport: transport, deadline: soon)
            #expect(credential.instance == server && credential.lifetime == .seconds(7200))
            #expect(credential.identityURL == "\(org.instanceURL)/id/\(org.organizationID)/\(org.userID)")
            let client = RestClient(credential: credential, grant: grant)
            _ = try await client.send(.limits)
            #expect(org.journal.entries.filter { $0.oauth != nil }.count == 1)
            org.faults.expireAccessTokens()
            _ = try await client.send(.limits)
            #expect(org.journal.entries.filter { $0.oauth != nil }.count == 2)
            let oauth = OAuthClient(
                login: server, clientID: org.clientID, clientSecret: Secret(org.clientSecret), transport: transport)
            let current = try await grant.login(at: server, transport: transport, deadline: soon)
            #expect(try await oauth.identity(of: current, deadline: soon).username == org.username)
        }
    }

    @Test("a client that is made of the grant logs in at its first call")
    func unattended() async throws {
        try await withOrg { org, _ in
            let client = try RestClient(
                loginURL: org.instanceURL, clientID: "my app", clientSecret: nil, grant: grant(org, token: nil))
            _ = try await client.send(.limits)
            let wrong = try RestClient(
                loginURL: org.instanceURL, clientID: "", clientSecret: nil,
                grant: PasswordGrant.SOAP(username: org.username, password: "wrong canary"))
            for _ in 0..<3 {
                let error = await #expect(throws: RestError.self) { try await wrong.send(.limits) }
                #expect(error?.code == .loginFailed && (error?.underlying as? OAuthError)?.code == .invalidGrant)
                #expect(error.map { "\($0)\($0.advice)".contains("canary") } == false)
            }
            // The wrong password went out once.
            #expect(org.journal.entries.filter { $0.oauth?.outcome == "INVALID_LOGIN" }.count == 1)
        }
    }

    @Test("a password of anything that XML has for its own logs in")
    func odd() async throws {
        var configuration = LocalOrgConfiguration()
        configuration.users = [OrgUser(username: "o'dd<&>\"]]>@example.com", password: password)]
        try await withOrg(configuration) { org, server in
            let grant = PasswordGrant.SOAP(username: "o'dd<&>\"]]>@example.com", password: Secret(password))
            let credential = try await grant.login(at: server, transport: PlatformTransport.shared, deadline: soon)
            #expect(credential.userID?.hasPrefix("005") == true && credential.userID != org.userID)
            let journal = String(describing: org.journal.entries)
            #expect(!journal.contains("a<b>") && !journal.contains("a&lt;b"))
        }
    }

    @Test("a linked account logs in anew; unlinking it ends its session at the org")
    func account() async throws {
        try await withOrg { org, server in
            let grant = grant(org)
            let accounts = try await AccountManager.open(
                store: InMemoryCredentialStore(), transport: PlatformTransport.shared, grants: { _ in grant })
            let credential = try await grant.login(at: server, transport: PlatformTransport.shared, deadline: soon)
            let account = try await accounts.add(credential)
            #expect(account.username == org.username && account.organizationID == org.organizationID)
            org.faults.expireAccessTokens()
            let client = try RestClient(account: account.id, of: accounts)
            _ = try await client.send(.limits)
            let session = try #require(try accounts.tokens(of: account.id).currentCredential).accessToken
            let other = try RestClient(instanceURL: org.instanceURL, accessToken: session)
            _ = try await other.send(.limits)
            guard case .revoked = try await accounts.unlink(account.id).revocation else {
                Issue.record("not revoked")
                return
            }
            let error = await #expect(throws: RestError.self) { try await other.send(.limits) }
            #expect(error?.code == .unauthorized)
        }
    }

    @Test("too many wrong passwords: the org says when to come again, and a right one is not taken before")
    func lockout() async throws {
        var configuration = LocalOrgConfiguration()
        configuration.passwordAttempts = 2
        try await withOrg(configuration) { org, server in
            let wrong = PasswordGrant.SOAP(username: org.username, password: "wrong password")
            for _ in 0..<2 {
                let error = await #expect(throws: OAuthError.self) {
                    try await wrong.login(at: server, transport: PlatformTransport.shared, deadline: soon)
                }
                #expect(error?.code == .invalidGrant)
            }
            let error = await #expect(throws: OAuthError.self) {
                try await grant(org).login(at: server, transport: PlatformTransport.shared, deadline: soon)
            }
            #expect(error?.code == .serverUnavailable && error?.retryAfter == .seconds(900))
        }
    }

    @Test("an answer of 20 MB is not read as one, and one that never comes ends with the deadline")
    func endless() async throws {
        let head = Array("HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nContent-Length: 20000000\r\n\r\n".utf8)
        let piece = Array(String(repeating: "<a>b</a>  ", count: 2_000).utf8)
        let long = try ScriptServer([.readRequest, .sendBytes(head), .flood(piece, count: 1_000)])
        let grant = PasswordGrant.SOAP(username: "u", password: "p")
        let (place, deadline) = (long.url().origin, soon)
        let refused = await #expect(throws: OAuthError.self) {
            try await grant.login(at: place, transport: PlatformTransport.shared, deadline: deadline)
        }
        #expect(refused?.code == .invalidResponse)
        let silent = try ScriptServer([.readRequest, .hold])
        let late = await #expect(throws: OAuthError.self) {
            try await grant.login(
                at: silent.url().origin, transport: PlatformTransport.shared, deadline: .now + .milliseconds(200))
        }
        #expect(late?.code == .timedOut)
    }
}
