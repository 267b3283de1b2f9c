// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import LocalServer
import RestJSON
import RestTesting
import Testing

@Suite("Logins in a browser")
struct AuthorizationCodeTests {
    /// The example of RFC 7636 appendix B.
    private static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    private static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
    private static let redirect = "http://127.0.0.1:49152/callback"

    private func target(_ changes: [String: String?] = [:]) -> String {
        var parameters: [String: String] = [
            "response_type": "code", "client_id": LocalOrg.publicClientID, "redirect_uri": Self.redirect,
            "state": "s t&a/te", "code_challenge": Self.challenge, "code_challenge_method": "S256",
            "scope": "api refresh_token",
        ]
        for (name, value) in changes { parameters[name] = value }
        let query = parameters.sorted { $0.key < $1.key }.map { name, value in
            "\(name)=\(value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")"
        }
        return "/services/oauth2/authorize?" + query.joined(separator: "&")
    }

    private func exchange(
        _ client: OrgClient, _ code: String?, _ changes: [String: String?] = [:]
    ) throws -> RawClient.Response {
        var parameters: [String: String] = [
            "grant_type": "authorization_code", "client_id": LocalOrg.publicClientID, "redirect_uri": Self.redirect,
            "code": code ?? "", "code_verifier": Self.verifier,
        ]
        for (name, value) in changes { parameters[name] = value }
        return try client.form(parameters.map { ($0, $1) })
    }

    /// Walks through the pages and returns the code.
    private func code(_ client: OrgClient, _ changes: [String: String?] = [:]) throws -> String {
        let browser = Browser(client)
        try browser.open(target(changes))
        try browser.logIn()
        return try #require(try browser.submit(pressing: "allow").redirected("code"))
    }

    @Test("a login leads through two pages to a redirect with code, state and issuer, then to tokens and a call")
    func walk() async throws {
        let client = try await OrgClient.start()
        let browser = Browser(client)
        let login = try browser.open(target(["login_hint": #"ada"><script>"#]))
        #expect(login.status == 200)
        #expect(login.field("Content-Type") == "text/html;charset=utf-8")
        #expect(login.text.contains(#"value="ada&quot;&gt;&lt;script&gt;""#))
        let wrong = try browser.submit(["username": client.org.username, "password": "wrong"], pressing: "login")
        #expect(wrong.text.contains("The username or the password is wrong."))
        let consent = try browser.logIn()
        #expect(consent.status == 200)
        #expect(consent.text.contains(LocalOrg.publicClientID) && consent.text.contains("(api)"))
        #expect(consent.text.contains(Self.redirect))
        let back = try browser.submit(pressing: "allow")
        #expect(back.status == 303)
        #expect(back.field("Location")?.hasPrefix(Self.redirect + "?code=") == true)
        #expect(back.redirected("state") == "s t&a/te")
        #expect(back.redirected("iss") == client.org.instanceURL)
        let tokens = try exchange(client, back.redirected("code"))
        #expect(tokens.status == 200)
        #expect(tokens.json["scope"]?.string == "api refresh_token")
        let token = try #require(tokens.json["access_token"]?.string)
        #expect(try client.send("GET", "\(OrgClient.data)/limits", token: token).status == 200)
        let refreshed = try client.form([
            ("grant_type", "refresh_token"), ("client_id", LocalOrg.publicClientID),
            ("refresh_token", try #require(tokens.json["refresh_token"]?.string)),
        ])
        #expect(refreshed.status == 200)
        let steps = client.org.journal.entries.compactMap(\.oauth)
        #expect(
            steps.map(\.outcome) == ["login page", "invalid_grant", "logged in", "allowed", "granted", "granted"])
        #expect(steps.map(\.clientID) == Array(repeating: LocalOrg.publicClientID, count: 6))
        let journal = String(describing: client.org.journal.entries)
        for secret in [token, client.org.password, back.redirected("code") ?? "", Self.verifier] {
            #expect(!journal.contains(secret))
        }
    }

    @Test("every login asks for the password, so prompt=none is rejected")
    func prompts() async throws {
        let client = try await SharedOrg.client
        let browser = Browser(client)
        for prompt in ["login", "select_account", "consent"] {
            #expect(try browser.open(target(["prompt": prompt])).text.contains("<h1>Log in</h1>"))
            try browser.logIn()
            try browser.submit(pressing: "allow")
        }
        let none = try browser.open(target(["prompt": "none"]))
        #expect(none.status == 303 && none.redirected("error") == "login_required")
    }

    @Test("if the user denies access, the redirect contains access_denied")
    func denied() async throws {
        let client = try await OrgClient.start()
        let browser = Browser(client)
        try browser.open(target())
        try browser.logIn()
        let back = try browser.submit(pressing: "deny")
        #expect(back.redirected("error") == "access_denied" && back.redirected("code") == nil)
        #expect(back.redirected("state") == "s t&a/te" && back.redirected("iss") == client.org.instanceURL)
        #expect(client.org.journal.entries.last?.oauth?.outcome == "access_denied")
    }

    @Test("pages cannot be framed, cached or scripted, and a form may only lead to the client's URL")
    func headers() async throws {
        let client = try await SharedOrg.client
        let browser = Browser(client)
        let login = try browser.open(target())
        let consent = try browser.logIn()
        for page in [login, consent] {
            #expect(page.field("Cache-Control") == "no-store")
            #expect(page.field("X-Frame-Options") == "DENY")
            #expect(page.field("X-Content-Type-Options") == "nosniff")
            let policy = page.field("Content-Security-Policy") ?? ""
            #expect(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"))
            #expect(!policy.contains("unsafe-inline"))
        }
        #expect(
            consent.field("Content-Security-Policy")?.contains("form-action 'self' http://127.0.0.1:49152;") == true)
    }

    @Test("a form is accepted only with its ticket, and only after the password")
    func tickets() async throws {
        let client = try await SharedOrg.client
        let browser = Browser(client)
        let login = try browser.open(target())
        let ticket = try #require(login.text.firstMatch(of: /name="ticket" value="([^"]+)"/)).output.1
        let path = "/services/oauth2/authorize"
        #expect(try browser.post([("ticket", String(ticket)), ("action", "allow")], to: path).status == 400)
        let user = [("username", client.org.username), ("password", client.org.password), ("action", "login")]
        #expect(try browser.post([("ticket", "none")] + user, to: path).status == 400)
        #expect(try browser.post(user, to: path).status == 400)
        #expect(try browser.post([("ticket", String(ticket))] + user, to: path).text.contains("Allow access?"))
    }

    @Test("a form cannot be submitted twice")
    func answeredTwice() async throws {
        let client = try await OrgClient.start()
        let browser = Browser(client)
        try browser.open(target())
        let consent = try browser.logIn()
        let ticket = try #require(consent.text.firstMatch(of: /name="ticket" value="([^"]+)"/)).output.1
        #expect(try browser.submit(pressing: "allow").status == 303)
        let pairs = [("ticket", String(ticket)), ("action", "allow")]
        #expect(try browser.post(pairs, to: "/services/oauth2/authorize").status == 400)
    }

    @Test(
        "an unknown client and an unregistered redirect URI are shown to the user, and not redirected",
        arguments: [
            ["client_id": "nobody"], ["client_id": nil], ["redirect_uri": nil],
            ["redirect_uri": "http://127.0.0.1:49152/other"], ["redirect_uri": "https://evil.com/callback"],
            ["redirect_uri": "http://127.0.0.1:49152@evil.com/callback"],
            ["redirect_uri": "http://127.0.0.1.evil.com/callback"],
            ["redirect_uri": "http://127.0.0.1:99999/callback"], ["redirect_uri": "http://127.0.0.1:/callback"],
            ["redirect_uri": "http://127.0.0.2/callback"], ["redirect_uri": "https://127.0.0.1/callback"],
            ["redirect_uri": "http://127.0.0.1/callback?x=1"], ["redirect_uri": "http://127.0.0.1/callback/"],
            ["redirect_uri": "javascript:alert(1)"], ["redirect_uri": "http://127.0.0.1/callback#x"],
        ] as [[String: String?]])
    func untrusted(changes: [String: String?]) async throws {
        let client = try await SharedOrg.client
        let response = try Browser(client).open(target(changes))
        #expect(response.status == 400)
        #expect(response.field("Location") == nil)
        #expect(!response.text.contains("<form"))
    }

    @Test(
        "other errors of the request are redirected to the client",
        arguments: [
            (["response_type": "token"], "unsupported_response_type"),
            (["response_type": nil], "unsupported_response_type"),
            (["code_challenge": nil], "invalid_request"), (["code_challenge_method": "plain"], "invalid_request"),
            (["code_challenge": "short"], "invalid_request"), (["scope": "api everything"], "invalid_scope"),
            (["prompt": "none login"], "invalid_request"), (["prompt": "sometimes"], "invalid_request"),
        ] as [([String: String?], String)])
    func redirectedErrors(changes: [String: String?], error: String) async throws {
        let client = try await SharedOrg.client
        let response = try Browser(client).open(target(changes))
        #expect(response.status == 303)
        #expect(response.redirected("error") == error)
        #expect(response.redirected("error_description")?.isEmpty == false)
        #expect(response.redirected("state") == "s t&a/te")
    }

    @Test(
        "loopback redirects accept any port, and no port",
        arguments: ["127.0.0.1:1", "127.0.0.1", "[::1]:65535", "localhost:1717"])
    func loopback(host: String) async throws {
        let client = try await SharedOrg.client
        #expect(try Browser(client).open(target(["redirect_uri": "http://\(host)/callback"])).status == 200)
    }

    @Test(
        "a code is bound to client, redirect URI and challenge, and its client's invalid attempt invalidates it",
        arguments: [
            ["code_verifier": "x" + String(repeating: "y", count: 42)], ["code_verifier": nil],
            ["code_verifier": "short"], ["redirect_uri": "http://127.0.0.1:49153/callback"], ["redirect_uri": nil],
        ] as [[String: String?]])
    func binding(changes: [String: String?]) async throws {
        let client = try await SharedOrg.client
        let code = try code(client)
        let refused = try exchange(client, code, changes)
        #expect(refused.status == 400)
        #expect(refused.oauthError == "invalid_grant")
        #expect(try exchange(client, code).oauthError == "invalid_grant")
    }

    @Test("another client cannot use a code, and does not invalidate it")
    func otherClient() async throws {
        let client = try await OrgClient.start()
        let code = try code(client)
        let stolen = try exchange(
            client, code, ["client_id": client.org.clientID, "client_secret": client.org.clientSecret])
        #expect(stolen.oauthError == "invalid_grant")
        #expect(try exchange(client, "made up").oauthError == "invalid_grant")
        #expect(try exchange(client, nil).oauthError == "invalid_request")
        #expect(try exchange(client, code).status == 200)
    }

    @Test("a verifier that is longer than RFC 7636 allows is accepted, as in Salesforce")
    func longVerifier() async throws {
        let client = try await OrgClient.start()
        let verifier = String(repeating: "v", count: 171)
        let code = try code(client, ["code_challenge": ProofKey.challenge(of: verifier)])
        #expect(try exchange(client, code, ["code_verifier": verifier]).status == 200)
    }

    @Test("a code that is used twice ends its login")
    func replay() async throws {
        let client = try await OrgClient.start()
        let code = try code(client)
        let tokens = try exchange(client, code).json
        #expect(try exchange(client, code).oauthError == "invalid_grant")
        let token = tokens["access_token"]?.string
        #expect(try client.send("GET", "\(OrgClient.data)/limits", token: token).errorCode == "INVALID_SESSION_ID")
        let refresh = try client.form([
            ("grant_type", "refresh_token"), ("client_id", LocalOrg.publicClientID),
            ("refresh_token", tokens["refresh_token"]?.string ?? ""),
        ])
        #expect(refresh.oauthError == "invalid_grant")
    }

    @Test("codes and forms expire after ten minutes")
    func expiry() async throws {
        let clock = ManualClock()
        let client = try await OrgClient.start { $0.clock = clock }
        let (early, late) = (try code(client), try code(client))
        clock.advance(by: .seconds(599))
        #expect(try exchange(client, early).status == 200)
        clock.advance(by: .seconds(2))
        let response = try exchange(client, late)
        #expect(response.json["error_description"]?.string == "expired authorization code")
        let browser = Browser(client)
        try browser.open(target())
        try browser.logIn()
        clock.advance(by: .seconds(601))
        #expect(try browser.submit(pressing: "allow").status == 400)
    }

    @Test("a registered app needs exact redirect URIs and its secret, and PKCE only if required")
    func registered() async throws {
        var configuration = LocalOrgConfiguration()
        configuration.connectedApps = [
            ConnectedApp(
                clientID: "web", clientSecret: "web secret",
                redirectURIs: ["https://app.example/back?tab=1", "app:/back"])
        ]
        let client = try await OrgClient.start(configuration)
        let plain: [String: String?] = ["client_id": "web", "code_challenge": nil, "code_challenge_method": nil]
        let web = plain.merging(["redirect_uri": "https://app.example/back?tab=1"]) { $1 }
        let browser = Browser(client)
        try browser.open(target(web))
        try browser.logIn()
        let back = try browser.submit(pressing: "allow")
        #expect(back.field("Location")?.hasPrefix("https://app.example/back?tab=1&code=") == true)
        let claim: [String: String?] = [
            "client_id": "web", "client_secret": "web secret", "redirect_uri": "https://app.example/back?tab=1",
            "code_verifier": nil,
        ]
        let code = back.redirected("code")
        let withoutSecret = claim.merging(["client_secret": nil]) { $1 }
        #expect(try exchange(client, code, withoutSecret).oauthError == "invalid_client")
        #expect(try exchange(client, code, claim).status == 200)
        #expect(try browser.open(target(plain.merging(["redirect_uri": "app:/back"]) { $1 })).status == 200)
        try browser.logIn()
        #expect(
            browser.page?.field("Content-Security-Policy")?.contains("form-action 'self' app:;") == true)
        for uri in ["https://app.example:444/back?tab=1", "https://app.example/back", "app:/back/"] {
            #expect(try browser.open(target(plain.merging(["redirect_uri": uri]) { $1 })).status == 400)
        }
    }

    @Test(
        "registrations that could never work are rejected at the start",
        arguments: [
            [ConnectedApp(clientID: "")], [ConnectedApp(clientID: "a b")],
            [ConnectedApp(clientID: "a"), ConnectedApp(clientID: "a")],
            [ConnectedApp(clientID: LocalOrg.publicClientID)],
            [ConnectedApp(clientID: "a", redirectURIs: ["javascript:alert(1)"])],
            [ConnectedApp(clientID: "a", redirectURIs: ["/callback"])],
            [ConnectedApp(clientID: "a", redirectURIs: ["https://a.example/#x"])],
            [ConnectedApp(clientID: "a", redirectURIs: ["https://a.example/\r\nX: y"])],
            [ConnectedApp(clientID: "a", certificates: ["no certificate"])],
        ])
    func registrations(apps: [ConnectedApp]) async throws {
        let error = await #expect(throws: StartError.self) { try await OrgClient.start { $0.connectedApps = apps } }
        #expect(error?.code == .invalidApp)
    }

    @Test("a link from any page opens the login, but no page can post to it or open it in a frame")
    func foreignPages() async throws {
        let client = try await SharedOrg.client
        func open(_ method: String, _ fields: [String]) throws -> Int {
            try client.send(
                method, target(), body: method == "POST" ? "a=b" : nil,
                fields: fields + ["Content-Type: application/x-www-form-urlencoded"], token: .some(nil)
            ).status
        }
        let link = ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"]
        #expect(try open("GET", link) == 200)
        #expect(try open("POST", link) == 403)
        #expect(try open("GET", Array(link.dropLast()) + ["Sec-Fetch-Dest: iframe"]) == 403)
        #expect(try open("GET", ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors"]) == 403)
        #expect(try open("POST", ["Origin: http://127.0.0.1:1"]) == 403)
        let limits = try client.send("GET", "\(OrgClient.data)/limits", fields: link)
        #expect(limits.status == 403)
    }
}
