// SPDX-License-Identifier: Apache-2.0

import RestSDK
import RestTesting
import RestTransport
import Testing

@testable import RestAuth

@Suite("Hostile and broken token responses, over real sockets")
struct TokenResponseRowTests {
    private let store = InMemoryCredentialStore()
    private var soon: ContinuousClock.Instant { .now + .seconds(20) }

    private func client(_ server: ScriptServer, secret: Secret? = nil) -> OAuthClient {
        OAuthClient(
            login: server.url().origin, clientID: "id", clientSecret: secret, transport: PlatformTransport.shared)
    }

    /// Renews a stored login at a server that gives this answer; the old credential must be kept.
    private func refused(
        status: Int = 200, type: String = "application/json", _ body: String, secret: Secret? = nil
    ) async throws -> OAuthError.Code? {
        let server = try ScriptServer([.readRequest, .respond(status: status, fields: [("Content-Type", type)], body)])
        let old = Credential(accessToken: "a1", refreshToken: "r1", instance: server.url().origin)
        try await store.remove("default")
        _ = try await store.save(old, for: "default", replacing: nil)
        let renewal = TokenManager.Renewal(client: client(server, secret: secret), store: store)
        let tokens = TokenManager(credential: old, renewal: renewal)
        let deadline = soon
        let error = await #expect(throws: OAuthError.self) {
            try await tokens.credential(rejecting: 1, deadline: deadline)
        }
        #expect(try await store.load("default")?.credential == old)
        return error?.code
    }

    private func accepted(_ body: String, secret: Secret? = nil) async throws -> Credential {
        let server = try ScriptServer([.readRequest, .respond(body)])
        return try await client(server, secret: secret).token(for: ClientCredentialsGrant(), deadline: soon)
    }

    @Test("A24: an error in a 200 is an error")
    func errorInSuccess() async throws {
        #expect(try await refused(#"{"error":"invalid_grant","access_token":"a2"}"#) == .invalidGrant)
        #expect(try await refused(#"{"error":7,"access_token":"a2"}"#) == .invalidResponse)
    }

    @Test("a renewal keeps what an answer leaves null or empty, and never loses the rotated token by it")
    func nulls() async throws {
        let nothings = #""error":null,"token_type":null,"instance_url":"","id":"","scope":null,"expires_in":null"#
        let server = try ScriptServer([
            .readRequest, .respond(#"{"access_token":"a2","refresh_token":"r2",\#(nothings)}"#),
        ])
        var old = Credential(accessToken: "a1", refreshToken: "r1", instance: server.url().origin)
        old.identityURL = "https://login.salesforce.com/id/00D/005"
        old.scopes = ["api"]
        _ = try await store.save(old, for: "default", replacing: nil)
        let tokens = TokenManager(
            credential: old, renewal: TokenManager.Renewal(client: client(server), store: store))
        let renewed = try await tokens.credential(rejecting: 1, deadline: soon).credential
        (old.accessToken, old.refreshToken) = ("a2", "r2")
        #expect(renewed == old)
        #expect(try await store.load("default")?.credential == old)
    }

    @Test("A25: a page of a captive portal is an error of its own; the login is kept")
    func captivePortal() async throws {
        #expect(try await refused(type: "text/html", "<html>Welcome</html>") == .unexpectedContentType)
        #expect(try await refused(type: "application/json", " <html>") == .unexpectedContentType)
        #expect(try await refused(type: "text/plain", "hello") == .unexpectedContentType)
    }

    @Test(
        "A26: no access_token, an empty one and one that is no text are errors; the old login is kept",
        arguments: ["{}", #"{"access_token":""}"#, #"{"access_token":7}"#, #"{"access_token":null}"#, "[]", "7"])
    func noToken(body: String) async throws { #expect(try await refused(body) == .invalidResponse) }

    @Test("A27: another token type is refused; none, and any spelling of Bearer, are Bearer")
    func tokenType() async throws {
        #expect(try await refused(#"{"access_token":"a2","token_type":"mac"}"#) == .invalidResponse)
        #expect(try await refused(#"{"access_token":"a2","token_type":7}"#) == .invalidResponse)
        #expect(try await accepted(#"{"access_token":"a2"}"#).accessToken == "a2")
        #expect(try await accepted(#"{"access_token":"a2","token_type":"bEaReR"}"#).accessToken == "a2")
    }

    @Test("A28: a token that could not stand in a header field, or is larger than 16 KiB, is refused and not stored")
    func unusableToken() async throws {
        let large = String(repeating: "a", count: 16_385)
        for token in [#"a\r\nX: y"#, #"a b"#, #"a\u0000"#, "a\u{E9}", large] {
            #expect(try await refused(#"{"access_token":"\#(token)"}"#) == .invalidResponse)
            #expect(try await refused(#"{"access_token":"a2","refresh_token":"\#(token)"}"#) == .invalidResponse)
        }
        #expect(
            try await accepted(#"{"access_token":"\#(large.dropLast())"}"#).accessToken
                == Secret(String(large.dropLast())))
    }

    @Test(
        "A29: an instance elsewhere is refused with its token",
        arguments: [
            "https://evil.com", "http://example.my.salesforce.com", "https://evil.com#.salesforce.com",
            "https://salesforce.com.evil.com", "https://u:p@a.my.salesforce.com", "https://xn--slesforce-26a.com",
            "https://evilsalesforce.com", "http://127.0.0.1:1", "https://127.0.0.1", "https://[::1]", "javascript:x",
        ])
    func foreignInstance(address: String) async throws {
        #expect(try await refused(#"{"access_token":"a2","instance_url":"\#(address)"}"#) == .invalidResponse)
    }

    @Test(
        "A30: seconds as number or digits are a lifetime; everything else says nothing, and overflows nothing",
        arguments: [
            ("3600", 3_600), (#""3600""#, 3_600), ("0", nil), ("-1", nil), ("1e18", nil), (#""NaN""#, nil),
            (#""1e3""#, nil), ("99999999999999999999", nil), (#""99999999999999999999""#, nil), ("null", nil),
            (#""""#, nil), ("1.5", 1), ("3599.7", 3_599), ("0.9", nil), ("1e3", 1_000), ("-1.5", nil), ("1e300", nil),
            ("true", nil), (#""+5""#, nil), (#""00000000000000000000005""#, nil),
            ("9223372036854775807", nil),
        ] as [(String, Int?)])
    func lifetime(text: String, seconds: Int?) async throws {
        let credential = try await accepted(#"{"access_token":"a2","expires_in":\#(text)}"#)
        #expect(credential.lifetime == seconds.map { .seconds($0) })
    }

    @Test("A31: scopes that are fewer than those asked for are what the credential says")
    func scopes() async throws {
        #expect(try await accepted(#"{"access_token":"a2","scope":"api id"}"#).scopes == ["api", "id"])
        let server = try ScriptServer([.readRequest, .respond(#"{"access_token":"a2","scope":"api"}"#)])
        let client = client(server)
        let login = try client.beginLogin(redirectURI: "com.example:/x", scopes: ["api", "full"])
        let url = "com.example:/x?code=c&state=\(login.state.reveal())"
        #expect(try await client.finishLogin(login, redirectURL: url, deadline: soon).scopes == ["api"])
    }

    @Test("A33: a signature that the client's secret did not make is refused; without a secret nothing is checked")
    func signature() async throws {
        // HMAC-SHA-256 of "https://i1" under "secret", by `openssl dgst -hmac`.
        let right = "KxJgjMcbIbawEU2/P/I/g4FEaPJpH8NSO32adlYsT2I="
        let body = { (signature: String) in
            #"{"access_token":"a2","id":"https://i","issued_at":"1","signature":"\#(signature)"}"#
        }
        for wrong in ["", "x", "AAAA", right.lowercased(), String(right.dropLast(4))] {
            #expect(try await refused(body(wrong), secret: "secret") == .invalidResponse)
        }
        #expect(try await accepted(body(right), secret: "secret").accessToken == "a2")
        #expect(try await accepted(body("x")).accessToken == "a2")
    }

    @Test(
        "a signature that is not the platform's, since what the platform signs is not there, ends no login",
        arguments: [#""id":"https://i""#, #""issued_at":"1""#, #""id":"user-7","issued_at":"1""#, #""scope":"api""#])
    func foreignSignature(fields: String) async throws {
        let body = #"{"access_token":"a2","signature":"-----BEGIN PKCS7-----",\#(fields)}"#
        #expect(try await accepted(body, secret: "secret").accessToken == "a2")
    }

    @Test("the look at signatures can be switched off, and is off at a server of another kind")
    func signatureOff() async throws {
        let body = #"{"access_token":"a2","id":"https://i","issued_at":"1","signature":"x"}"#
        let script = try ScriptServer([.readRequest, .respond(body), .readRequest, .respond(body)])
        let login = script.url().origin
        var server = AuthorizationServer(login: login)
        #expect(server.signsTokens)
        server.signsTokens = false
        let other = AuthorizationServer(
            issuer: login.description, origin: login, authorizationEndpoint: server.authorizationEndpoint,
            tokenEndpoint: server.tokenEndpoint)
        for server in [server, other] {
            let client = OAuthClient(
                server: server, clientID: "id", clientSecret: "secret", transport: PlatformTransport.shared)
            #expect(try await client.token(for: ClientCredentialsGrant(), deadline: soon).accessToken == "a2")
        }
        #expect(await script.stop().requests.count == 2)
    }
}
