// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestTesting
import RestTransport
import Testing

@testable import RestAuth

@Suite("Beginning and finishing a login")
struct PendingLoginTests {
    private let transport = StubTransport()
    private let redirectURI = "com.example.app:/done"
    private var soon: ContinuousClock.Instant { .now + .seconds(20) }

    private func client(announcesIssuer: Bool = false) -> OAuthClient {
        var server = AuthorizationServer(login: Credential.usualInstance)
        server.announcesIssuer = announcesIssuer
        return OAuthClient(server: server, clientID: "client id", clientSecret: nil, transport: transport)
    }

    private func refusal(_ login: PendingLogin, _ url: String) -> OAuthError? {
        #expect(throws: OAuthError.self) { try login.code(from: url) }
    }

    private func redirect(_ login: PendingLogin, _ query: String) -> String {
        "\(redirectURI)?state=\(login.state.reveal())&\(query)"
    }

    @Test("the challenge of RFC 7636 appendix B")
    func challenge() throws {
        let verifier = try PendingLogin.CodeVerifier("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
        #expect(try verifier.challenge() == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    }

    @Test("the page's address asks for a code with PKCE S256 and a state")
    func begin() throws {
        let login = try client().beginLogin(
            redirectURI: redirectURI, scopes: ["api", "refresh_token"], parameters: [("login_hint", "a&b")])
        let pairs = try PercentEncoding.formPairs(#require(login.url.query))
        let fields = Dictionary(uniqueKeysWithValues: pairs.map { ($0.name, $0.value) })
        #expect(login.url.origin == Credential.usualInstance && login.url.path == "/services/oauth2/authorize")
        #expect(fields["response_type"] == "code" && fields["code_challenge_method"] == "S256")
        #expect(fields["client_id"] == "client id" && fields["redirect_uri"] == redirectURI)
        #expect(fields["scope"] == "api refresh_token" && fields["login_hint"] == "a&b")
        #expect(fields["state"]?.count == 43)
        #expect(try fields["code_challenge"] == login.verifier.challenge())
        #expect(try login.state != client().beginLogin(redirectURI: redirectURI).state)
    }

    @Test("a login survives a restart between its two halves")
    func restart() async throws {
        let begun = try client().beginLogin(redirectURI: redirectURI, scopes: ["api"])
        let url = redirect(begun, "code=c%2B1")
        let saved = try JSONEncoder().encode(begun)
        let login = try JSONDecoder().decode(PendingLogin.self, from: saved)
        #expect(login == begun)
        transport.enqueue(#"{"access_token":"a1","refresh_token":"r1","token_type":"Bearer"}"#)
        let credential = try await client().finishLogin(login, redirectURL: url, deadline: soon)
        #expect(credential.refreshToken == "r1" && credential.scopes == ["api"])
        let form = try #require(transport.requests.first?.form)
        #expect(form["grant_type"] == "authorization_code" && form["code"] == "c+1")
        #expect(form["redirect_uri"] == redirectURI && form["code_verifier"] == begun.verifier.secret.reveal())
    }

    @Test("A1: a redirect without a state is refused; no token is asked for")
    func stateMissing() async throws {
        let login = try client().beginLogin(redirectURI: redirectURI)
        let deadline = soon
        let error = await #expect(throws: OAuthError.self) {
            try await client().finishLogin(login, redirectURL: "\(redirectURI)?code=c", deadline: deadline)
        }
        #expect(error?.code == .stateMissing)
        #expect(transport.requests.isEmpty)
    }

    @Test("A2: a redirect with another state is refused; no token is asked for")
    func stateMismatch() async throws {
        let login = try client().beginLogin(redirectURI: redirectURI)
        let right = login.state.reveal()
        for state in ["x", String(right.dropLast()), right + "A", right.uppercased(), String(right.reversed())] {
            #expect(refusal(login, "\(redirectURI)?code=c&state=\(state)")?.code == .stateMismatch)
        }
        #expect(transport.requests.isEmpty)
    }

    @Test("A4: a code of another session fails at the token endpoint, which gets our verifier; the error is told")
    func injected() async throws {
        let login = try client().beginLogin(redirectURI: redirectURI)
        transport.enqueue(status: 400, #"{"error":"invalid_grant","error_description":"invalid code verifier"}"#)
        let (url, deadline) = (redirect(login, "code=stolen"), soon)
        let error = await #expect(throws: OAuthError.self) {
            try await client().finishLogin(login, redirectURL: url, deadline: deadline)
        }
        #expect(error?.code == .invalidGrant && error?.message == "invalid code verifier")
        #expect(transport.requests.count == 1)
        #expect(transport.requests.first?.form["code_verifier"] == login.verifier.secret.reveal())
    }

    @Test("A5: a foreign issuer is refused")
    func foreignIssuer() throws {
        let login = try client().beginLogin(redirectURI: redirectURI)
        for issuer in ["https%3A%2F%2Fevil.com", "", "https%3A%2F%2Fexample.my.salesforce.com%2F"] {
            #expect(refusal(login, redirect(login, "code=c&iss=\(issuer)"))?.code == .issuerMismatch)
        }
        #expect(try login.code(from: redirect(login, "code=c&iss=https%3A%2F%2Fexample.my.salesforce.com")) == "c")
    }

    @Test("A6: where the server announces that it names itself, a redirect that does not is refused")
    func issuerMissing() throws {
        let login = try client(announcesIssuer: true).beginLogin(redirectURI: redirectURI)
        #expect(refusal(login, redirect(login, "code=c"))?.code == .issuerMismatch)
        #expect(refusal(login, redirect(login, "error=access_denied"))?.code == .issuerMismatch)
    }

    @Test("A7: a redirect to another server's address, or finished at another server, is refused")
    func mixUp() async throws {
        let login = try client().beginLogin(redirectURI: "http://127.0.0.1:4000/a")
        let query = "?code=c&state=\(login.state.reveal())"
        for address in ["http://127.0.0.1:4000/b", "http://127.0.0.1:4001/a", "https://127.0.0.1:4000/a"] {
            #expect(refusal(login, address + query)?.code == .invalidCallback)
        }
        let other = OAuthClient(
            login: Origin(scheme: .https, host: "login.salesforce.com"), clientID: "client id", clientSecret: nil,
            transport: transport)
        let deadline = soon
        let error = await #expect(throws: OAuthError.self) {
            try await other.finishLogin(login, redirectURL: "http://127.0.0.1:4000/a" + query, deadline: deadline)
        }
        #expect(error?.code == .issuerMismatch)
        #expect(transport.requests.isEmpty)
    }

    @Test("A8: a refusal by the user is an error of its own")
    func denied() throws {
        let login = try client().beginLogin(redirectURI: redirectURI)
        let error = refusal(login, redirect(login, "error=access_denied&error_description=end-user+denied%0Dx"))
        #expect(error?.code == .userDenied)
        #expect(error?.message == "end-user denied x")
    }

    @Test("A9: a redirect with a code and an error is an error")
    func both() throws {
        let login = try client().beginLogin(redirectURI: redirectURI)
        #expect(refusal(login, redirect(login, "code=c&error=server_error"))?.code.rawValue == "server_error")
    }

    @Test(
        "A10: a parameter that comes twice is refused",
        arguments: ["code=c&code=d", "code=c&state=x", "code=c&iss=a&iss=a", "error=a&error=b"])
    func duplicates(query: String) throws {
        let login = try client().beginLogin(redirectURI: redirectURI)
        #expect(refusal(login, redirect(login, query))?.code == .invalidCallback)
    }

    @Test(
        "a redirect with neither code nor error, or with a broken query, is refused",
        arguments: ["x=1", "code=", "code=%zz"])
    func empty(query: String) throws {
        let login = try client().beginLogin(redirectURI: redirectURI)
        #expect(refusal(login, redirect(login, query))?.code == .invalidCallback)
    }

    @Test("what browsers add to an address does not matter")
    func normalised() throws {
        let login = try client().beginLogin(redirectURI: "http://127.0.0.1:4000")
        let url = "http://127.0.0.1:4000/?code=c&state=\(login.state.reveal())#_=_"
        #expect(try login.code(from: url) == "c")
    }

    @Test(
        "A22: a verifier that is too short, too long or has other characters is refused before anything is sent",
        arguments: [
            String(repeating: "a", count: 42), String(repeating: "a", count: 129), String(repeating: "+", count: 43),
            "",
        ])
    func badVerifier(text: String) {
        let error = #expect(throws: OAuthError.self) { try PendingLogin.CodeVerifier(text) }
        #expect(error?.code == .invalidRequest)
        #expect(error?.message.contains("+++") == false)
    }

    @Test("A23: without random numbers no login begins, and nothing weaker is used")
    func noRandomNumbers() {
        for source in [RandomSource { _ in nil }, RandomSource { Array(repeating: 7, count: $0 - 1) }] {
            let error = #expect(throws: OAuthError.self) {
                try client().beginLogin(redirectURI: redirectURI, random: source)
            }
            #expect(error?.code == .cryptographyUnavailable)
        }
    }

    @Test(
        "a browser is only told to come back to https, to this machine or to a program",
        arguments: [
            ("https://example.com/done", true), ("http://127.0.0.1:4000/done", true), ("http://[::1]:4000/x", true),
            ("http://localhost:1717/OauthRedirect", true), ("com.example.app:/done", true), ("http://evil.com/", false),
            ("javascript:alert(1)", false), ("data:text/html,x", false), ("https://a.com/#f", false), ("", false),
            ("done", false), ("https://u:p@a.com/", false), ("1abc:/x", false), ("a b:/x", false),
        ])
    func redirectURIs(text: String, isGood: Bool) {
        #expect((try? client().beginLogin(redirectURI: text)) != nil || !isGood)
        #expect((try? client().beginLogin(redirectURI: text)) == nil || isGood)
    }

    @Test("a saved login whose page or verifier was changed is not taken up")
    func tampered() throws {
        let saved = String(
            decoding: try JSONEncoder().encode(client().beginLogin(redirectURI: redirectURI)), as: UTF8.self)
        let login = try client().beginLogin(redirectURI: redirectURI)
        #expect(!"\(login)".contains(login.state.reveal()) && !"\(login)".contains(login.verifier.secret.reveal()))
        let changed = saved.replacingOccurrences(of: #"https:\/\/"#, with: #"http:\/\/"#)
        #expect(changed != saved)
        #expect(throws: (any Error).self) { try JSONDecoder().decode(PendingLogin.self, from: Data(changed.utf8)) }
    }
}

extension HTTPRequest {
    /// The fields of a form body.
    var form: [String: String] {
        guard case .bytes(let bytes) = body,
            let pairs = try? PercentEncoding.formPairs(String(decoding: bytes, as: UTF8.self))
        else { return [:] }
        return Dictionary(pairs.map { ($0.name, $0.value) }) { first, _ in first }
    }
}
