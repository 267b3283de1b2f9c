// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import LoginPeers
import RestSDK
import RestTesting
import RestTransport
import Simulation
import Synchronization
import Testing

@testable import RestAuth

@Suite("Logins at the embedded org, page by page")
struct OrgLoginTests {
    private let browser = FormBrowser(transport: PlatformTransport.shared)
    private var soon: ContinuousClock.Instant { .now + .seconds(30) }

    /// Runs the body with an org and a client that discovered its endpoints.
    private func withOrg(
        _ configuration: LocalOrgConfiguration = LocalOrgConfiguration(refreshRotation: .strict),
        _ body: (LocalOrg, OAuthClient) async throws -> Void
    ) async throws {
        let org = try await LocalOrg.start(configuration)
        let server = try await AuthorizationServer.discovered(
            at: org.instanceURL, transport: PlatformTransport.shared, deadline: soon)
        let client = OAuthClient(
            server: server, clientID: org.clientID, clientSecret: Secret(org.clientSecret),
            transport: PlatformTransport.shared)
        try await body(org, client)
        await org.stop()
    }

    /// Logs the org's user in on a page, and answers the consent page.
    @discardableResult
    private func respond(_ action: String, at url: HTTPURL, of org: LocalOrg) async throws -> FormBrowser.Page {
        var page = try await browser.open(url)
        let values = ["username": org.username, "password": org.password, "action": "login"]
        page = try await browser.submit(#require(page.forms.first), of: page, values)
        return try await browser.submit(#require(page.forms.first), of: page, ["action": action])
    }

    /// Logs in with a listener, with a restart between the start and the end of the login.
    private func redirect(_ action: String, _ org: LocalOrg, _ client: OAuthClient) async throws
        -> PendingLogin.Redirect
    {
        let listener = try LoopbackPresenter.Listener()
        let begun = try client.beginLogin(redirectURI: listener.redirectURI, scopes: ["api", "refresh_token"])
        let login = try JSONDecoder().decode(PendingLogin.self, from: JSONEncoder().encode(begun))
        async let url = listener.redirect(of: login, until: soon)
        let page = try await respond(action, at: login.url, of: org)
        #expect(page.url.origin.port == listener.portNumber)
        return PendingLogin.Redirect(of: login, url: try await url)
    }

    @Test("a login returns tokens, and renewal, introspection, identity and revocation work with them")
    func whole() async throws {
        try await withOrg { org, client in
            let redirect = try await redirect("allow", org, client)
            let credential = try await client.finishLogin(redirect.login, redirectURL: redirect.url, deadline: soon)
            #expect(Set(credential.scopes) == ["api", "refresh_token"])
            let info = try await client.userInfo(of: credential, deadline: soon)
            let identity = try await client.identity(of: credential, deadline: soon)
            #expect(info.username == org.username && identity.username == org.username)
            #expect(info.myDomain?.description == org.instanceURL && identity.myDomain == info.myDomain)
            #expect(info.userID == identity.userID && identity.organizationID == info.organizationID)
            #expect(try await client.introspect(credential.accessToken, deadline: soon).isActive)
            let refresh = try #require(credential.refreshToken)
            let renewed = try await client.token(
                for: RefreshTokenGrant(refreshToken: refresh), renewing: credential, deadline: soon)
            #expect(renewed.accessToken != credential.accessToken)
            try await client.revoke(#require(renewed.refreshToken), kind: .refresh, deadline: soon)
            #expect(try await !client.introspect(renewed.accessToken, deadline: soon).isActive)
        }
    }

    @Test("a code is accepted once, and rejected the second time")
    func replayed() async throws {
        try await withOrg { org, client in
            let (redirect, deadline) = (try await redirect("allow", org, client), soon)
            _ = try await client.finishLogin(redirect.login, redirectURL: redirect.url, deadline: deadline)
            await expect(OAuthError.self, .invalidGrant) {
                try await client.finishLogin(redirect.login, redirectURL: redirect.url, deadline: deadline)
            }
        }
    }

    @Test("A4: a code of another login is rejected because of its verifier")
    func injected() async throws {
        try await withOrg { org, client in
            let (redirect, deadline) = (try await redirect("allow", org, client), soon)
            let code = try redirect.login.code(from: redirect.url).reveal()
            let other = try client.beginLogin(redirectURI: redirect.login.redirectURI)
            let issuer = PercentEncoding.queryComponent(org.instanceURL)
            let url = "\(other.redirectURI)?code=\(code)&state=\(other.state.reveal())&iss=\(issuer)"
            await expect(OAuthError.self, .invalidGrant) {
                try await client.finishLogin(other, redirectURL: url, deadline: deadline)
            }
        }
    }

    @Test("A8: a user who denies access ends the login")
    func denied() async throws {
        try await withOrg { org, client in
            await expect(OAuthError.self, .userDenied) { try await redirect("deny", org, client) }
        }
    }

    @Test("a device login works in both forms, with consent in a browser")
    func device() async throws {
        try await withOrg { org, discovered in
            let platform = OAuthClient(
                login: discovered.login, clientID: org.clientID, clientSecret: Secret(org.clientSecret),
                transport: PlatformTransport.shared)
            for client in [discovered, platform] {
                let clock = ManualClock()
                let login = try await client.beginDeviceLogin(
                    scopes: ["api", "refresh_token"], deadline: soon, clock: clock)
                var page = try await browser.open(#require(login.page))
                if page.forms.first?.isPost == false {
                    page = try await browser.submit(
                        #require(page.forms.first), of: page, ["user_code": login.userCode])
                }
                if page.text.contains("password") {
                    let values = ["username": org.username, "password": org.password, "action": "login"]
                    page = try await browser.submit(#require(page.forms.first), of: page, values)
                }
                _ = try await browser.submit(#require(page.forms.first), of: page, ["action": "allow"])
                let credential = try await client.finishDeviceLogin(login, clock: clock)
                #expect(credential.refreshToken != nil)
            }
        }
    }

    @Test("an assertion that is signed with a registered key logs in, and its grant renews the login")
    func statement() async throws {
        let openssl = try OpenSSL()
        let key = try openssl.key("genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048")
        let certificate = try openssl.key("req -x509 -key key.pem -subj /CN=robot -days 2", "certificate.pem")
        var configuration = LocalOrgConfiguration()
        configuration.connectedApps = [ConnectedApp(clientID: "robot", certificates: [certificate])]
        try await withOrg(configuration) { org, discovered in
            let client = OAuthClient(
                server: discovered.server, clientID: "robot", clientSecret: nil, transport: PlatformTransport.shared)
            let grant = JWTBearerGrant(
                clientID: "robot", username: org.username, key: try JWTBearerGrant.PrivateKey(pem: Secret(key)),
                login: discovered.login)
            let tokens = TokenManager(credential: nil, renewal: TokenManager.Renewal(client: client, grant: grant))
            let first = try await tokens.credential(deadline: soon)
            let second = try await tokens.credential(rejecting: first.generation, deadline: soon)
            #expect(first.credential.accessToken != second.credential.accessToken)
            #expect(second.credential.refreshToken == nil)
        }
    }
}

/// The app, and never the credential store, has the client secrets of these accounts.
@Suite("Client secrets that the app provides")
struct HostSecretTests {
    private let folder: TemporaryStore
    private var soon: ContinuousClock.Instant { .now + .seconds(30) }

    init() throws { folder = try TemporaryStore() }

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

    @Test("two orgs in one process are two accounts, renewed and revoked with secrets that no file contains")
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
        // A later process has the accounts, and the app has its secrets.
        let later = try await open(safe)
        for (org, account) in zip(orgs, later.accounts.sorted { servers[0] == $0.server && servers[1] == $1.server }) {
            let client = try RestClient(account: account.id, of: later)
            _ = try await client.send(.plainLimits)
            org.faults.expireAccessTokens()
            _ = try await client.send(.plainLimits)
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

    @Test("if the app cannot provide a secret now, only the request fails, nothing is sent and no login ends")
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
        let error = await expect(OAuthError.self, .secretUnavailable) {
            try await tokens.refreshNow(deadline: deadline)
        }
        #expect(error?.isFinal == false)
        #expect(error?.message.contains("Locked") == true && transport.requests.isEmpty)
        safe.lock(false)
        // If the token's state counted as unknown, this error response would not be final.
        transport.enqueue(status: 400, #"{"error":"invalid_grant","error_description":"expired"}"#)
        await expect(OAuthError.self, .invalidGrant) { try await tokens.refreshNow(deadline: deadline) }
        guard case .bytes(let form)? = transport.requests.first?.body else { Issue.record("nothing sent"); return }
        #expect(String(decoding: form, as: UTF8.self).contains("client_secret=s3cret"))
        #expect(safe.asked == 2)
    }

    @Test("a stored secret is used, and the app is not asked for one")
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

@Suite("Logins at third-party servers", .serialized, .timeLimit(.minutes(3)))
struct LoginPeerTests {
    @Test("All grants work with Authlib") func authlib() async throws { try await check(.authlib) }

    @Test("all grants work with django-oauth-toolkit") func django() async throws { try await check(.django, [.post]) }

    @Test("All grants work with Glewlwyd") func glewlwyd() async throws { try await check(.glewlwyd, [.basic]) }

    /// Tests all authentication methods only with the fastest server, unlike the benchmark `logins.failed`.
    private func check(_ kind: LoginPeer.Kind, _ ways: [LoginPeer.Way] = LoginPeer.Way.allCases) async throws {
        let openssl = try OpenSSL()
        let key = try openssl.key("genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048")
        let publicKey = try openssl.key("pkey -in key.pem -pubout", "public.pem")
        let peer = try LoginPeer(kind, key: publicKey)
        defer { peer.stop() }
        for scenario in peer.scenarios(key: try JWTBearerGrant.PrivateKey(pem: Secret(key)), ways: ways) {
            do { try await scenario.run() } catch { Issue.record("\(scenario.name): \(error)") }
        }
    }
}
