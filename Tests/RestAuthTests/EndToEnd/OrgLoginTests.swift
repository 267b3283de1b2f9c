// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestSDK
import RestTesting
import RestTransport
import Testing

@testable import RestAuth

@Suite("Logins at the embedded org, page by page")
struct OrgLoginTests {
    private let browser = FormBrowser(transport: PlatformTransport.shared)
    private var soon: ContinuousClock.Instant { .now + .seconds(30) }

    /// Runs the body with an org and a client that asked it where its endpoints are.
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

    /// Logs the org's user in on a page, and answers the question that follows.
    @discardableResult
    private func answer(_ action: String, at url: HTTPURL, of org: LocalOrg) async throws -> FormBrowser.Page {
        var page = try await browser.open(url)
        let values = ["username": org.username, "password": org.password, "action": "login"]
        page = try await browser.submit(#require(page.forms.first), of: page, values)
        return try await browser.submit(#require(page.forms.first), of: page, ["action": action])
    }

    /// Logs in through a listener, with a restart between the two halves.
    private func redirect(_ action: String, _ org: LocalOrg, _ client: OAuthClient) async throws
        -> PendingLogin.Redirect
    {
        let listener = try LoopbackPresenter.Listener()
        let begun = try client.beginLogin(redirectURI: listener.redirectURI, scopes: ["api", "refresh_token"])
        let login = try JSONDecoder().decode(PendingLogin.self, from: JSONEncoder().encode(begun))
        async let url = listener.redirect(of: login, until: soon)
        let page = try await answer(action, at: login.url, of: org)
        #expect(page.url.origin.port == listener.portNumber)
        return PendingLogin.Redirect(of: login, url: try await url)
    }

    @Test("browser, consent, way back, tokens; then renewal, introspection, identity and revocation")
    func whole() async throws {
        try await withOrg { org, client in
            let redirect = try await redirect("allow", org, client)
            let credential = try await client.finishLogin(redirect.login, redirectURL: redirect.url, deadline: soon)
            #expect(Set(credential.scopes) == ["api", "refresh_token"])
            let info = try await client.userInfo(of: credential, deadline: soon)
            let identity = try await client.identity(of: credential, deadline: soon)
            #expect(info.username == org.username && identity.username == org.username)
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

    @Test("a code is good once: its second use is refused")
    func replayed() async throws {
        try await withOrg { org, client in
            let (redirect, deadline) = (try await redirect("allow", org, client), soon)
            _ = try await client.finishLogin(redirect.login, redirectURL: redirect.url, deadline: deadline)
            let error = await #expect(throws: OAuthError.self) {
                try await client.finishLogin(redirect.login, redirectURL: redirect.url, deadline: deadline)
            }
            #expect(error?.code == .invalidGrant)
        }
    }

    @Test("A4: a code of another login fails on the verifier")
    func injected() async throws {
        try await withOrg { org, client in
            let (redirect, deadline) = (try await redirect("allow", org, client), soon)
            let code = try redirect.login.code(from: redirect.url).reveal()
            let other = try client.beginLogin(redirectURI: redirect.login.redirectURI)
            let issuer = PercentEncoding.queryComponent(org.instanceURL)
            let url = "\(other.redirectURI)?code=\(code)&state=\(other.state.reveal())&iss=\(issuer)"
            let error = await #expect(throws: OAuthError.self) {
                try await client.finishLogin(other, redirectURL: url, deadline: deadline)
            }
            #expect(error?.code == .invalidGrant)
        }
    }

    @Test("A8: a user who says no ends the login")
    func denied() async throws {
        try await withOrg { org, client in
            let error = await #expect(throws: OAuthError.self) { try await redirect("deny", org, client) }
            #expect(error?.code == .userDenied)
        }
    }

    @Test("a device login in both forms, agreed to in a browser")
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

    @Test("a statement signed with a registered key logs in, and its grant renews")
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
