// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestSDK
import RestTesting
import RestTransport
import Testing

@testable import RestAuth

@Suite("Reading token responses")
struct TokenResponseTests {
    private func read(_ status: Int, _ body: String) throws(OAuthError) -> TokenResponse {
        let response = HTTPResponse(head: HTTPResponse.Head(status: status), body: Array(body.utf8))
        return try TokenResponse(reading: OAuthResponse(response, from: "/token"))
    }

    @Test("every member of a complete response is read")
    func full() throws {
        let response = try read(
            200,
            #"{"access_token":"00D!x","refresh_token":"5Aep","instance_url":"https://a.my.salesforce.com","id":"https://i","#
                + #""token_type":"bearer","issued_at":"1278448832702","scope":"api refresh_token"}"#)
        #expect(response.accessToken.reveal() == "00D!x")
        #expect(response.refreshToken?.reveal() == "5Aep")
        #expect(response.issuedAtMilliseconds == 1_278_448_832_702)
        #expect(response.scopes == ["api", "refresh_token"])
    }

    @Test(
        "the lifetime is read from the response, or else from the times inside the access token",
        arguments: [
            (#"{"iat":1000,"exp":8200}"#, "", 7_200), (#"{"iat":1000.5,"exp":8200.9}"#, "", 7_199),
            (#"{"iat":1000,"exp":8200}"#, #","expires_in":60"#, 60), (#"{"exp":8200}"#, "", nil),
            (#"{"iat":8200,"exp":1000}"#, "", nil), (#"{"iat":-1,"exp":1e400}"#, "", nil),
            (#"{"iat":0,"exp":9223372036854775807}"#, "", nil), (#"[1]"#, "", nil), ("{", "", nil),
        ] as [(String, String, Int?)])
    func lifetimeOfToken(claims: String, members: String, seconds: Int?) throws {
        let token = "eyJhbGciOiJSUzI1NiJ9.\(Base64.encodeForURL(Array(claims.utf8))).c2ln"
        let response = try read(200, #"{"access_token":"\#(token)"\#(members)}"#)
        #expect(response.lifetime == seconds.map { .seconds($0) })
    }

    @Test("members that are null or blank count as missing, and an error of false is not an error")
    func nothings() throws {
        let names = [
            "error", "error_description", "refresh_token", "instance_url", "id", "token_type", "issued_at", "scope",
            "expires_in", "id_token", "sub", "user_id", "team_id", "unknown",
        ]
        let bare = try read(200, #"{"access_token":"a"}"#)
        for nothing in ["null", #""""#, #"" ""#] {
            let members = names.map { #","\#($0)":\#(nothing)"# }
            for member in members + [members.joined()] {
                #expect(try read(200, #"{"access_token":"a"\#(member)}"#) == bare, "\(member)")
            }
        }
        #expect(try read(200, #"{"access_token":"a","error":false}"#) == bare)
        // The last of two members with the same name is used.
        #expect(throws: OAuthError.self) { try read(200, #"{"access_token":"a","error":null,"error":"x"}"#) }
        #expect(try read(200, #"{"access_token":"a","error":"x","error":null}"#) == bare)
    }

    @Test("numbers instead of digits, and lists instead of words, are also read")
    func otherTypes() throws {
        let response = try read(200, #"{"access_token":"a","issued_at":1278448832702,"scope":["api","id"]}"#)
        #expect(response.issuedAtMilliseconds == 1_278_448_832_702)
        #expect(response.scopes == ["api", "id"])
    }

    @Test(
        "every unusable response has an error code",
        arguments: [
            (400, #"{"error":"invalid_grant","error_description":"authentication failure"}"#, "invalid_grant"),
            (200, #"{"error":"invalid_grant"}"#, "invalid_grant"),
            (401, #"{"error":"invalid_client"}"#, "invalid_client"),
            (400, "", "refused"), (401, "", "refused"), (400, "<html>", "unexpectedContentType"),
            (400, "no", "invalidResponse"), (302, "", "unexpectedContentType"), (400, "{}", "invalidResponse"),
            (403, "", "invalidResponse"),
            (200, "<html>captive portal</html>", "unexpectedContentType"), (200, "{}", "invalidResponse"),
            (200, #"{"access_token":""}"#, "invalidResponse"), (200, #"{"access_token":7}"#, "invalidResponse"),
            (200, #"{"access_token":"a\r\nX: y"}"#, "invalidResponse"), (200, "", "invalidResponse"),
            (200, #"{"access_token":"a","token_type":"mac"}"#, "invalidResponse"), (200, "[]", "invalidResponse"),
            (503, "<html></html>", "serverUnavailable"), (500, "{}", "serverUnavailable"),
            (429, "", "serverUnavailable"),
        ])
    func refused(status: Int, body: String, code: String) {
        let error = #expect(throws: OAuthError.self) { try read(status, body) }
        #expect(error?.code.rawValue == code)
    }

    @Test(
        "an empty or blank description counts as missing, and so does a blank name", arguments: ["", " ", "\\n\\u0007"])
    func blankTexts(text: String) {
        let refused = expect(OAuthError.self, .invalidGrant) {
            try read(400, #"{"error":"invalid_grant","error_description":"\#(text)"}"#)
        }
        #expect(refused?.message == "no description given")
        expect(OAuthError.self, .invalidResponse) { try read(400, #"{"error":"\#(text)"}"#) }
    }

    @Test(
        "a server error says nothing about the login: the status is used, and the body's code is only in the message",
        arguments: [
            (503, "temporarily_unavailable"), (500, "server_error"), (503, "invalid_grant"), (429, "invalid_client"),
            (502, "unauthorized_client"), (599, "invalid_scope"), (400, "temporarily_unavailable"),
            (200, "server_error"),
        ])
    func trouble(status: Int, name: String) {
        let error = expect(OAuthError.self, .serverUnavailable) {
            try read(status, #"{"error":"\#(name)","access_token":"a"}"#)
        }
        #expect(error?.isFinal == false)
        #expect(error?.message == "/token responded with status \(status) (\(name)); try again later")
    }

    @Test("a response above the maximum size is not read")
    func large() {
        let blanks = String(repeating: " ", count: 1 << 20)
        expect(OAuthError.self, .invalidResponse) { try read(200, blanks + #"{"access_token":"a"}"#) }
    }

    @Test("a rejected grant ends a login, but a server error or a conflict of two renewals does not")
    func finality() {
        #expect(OAuthError(.invalidGrant, "expired access/refresh token").isFinal)
        #expect(OAuthError(.invalidClient, "").isFinal)
        #expect(!OAuthError(.invalidGrant, "token request is already being processed").isFinal)
        #expect(!OAuthError(.serverUnavailable, "").isFinal)
        #expect(!OAuthError(.unreachable, "").isFinal)
    }
}

@Suite("The accepted instances")
struct InstancePolicyTests {
    private let login = Origin(scheme: .https, host: "login.salesforce.com")

    @Test(
        "Salesforce hosts with https and the login host itself are accepted",
        arguments: ["https://a.my.salesforce.com", "https://login.salesforce.com/", "https://a.b.force.com"])
    func believed(url: String) throws {
        #expect(try OAuthClient.InstancePolicy.platform.instance(named: url, login: login).scheme == .https)
    }

    @Test(
        "all other hosts are rejected",
        arguments: [
            "https://evil.com", "http://a.my.salesforce.com", "https://evil.com#.salesforce.com",
            "https://salesforce.com.evil.com",
            "https://u:p@a.my.salesforce.com", "https://a.my.salesforce.com:444", "https://evilsalesforce.com", "",
            "https://a.my.salesforce.com/path", "https://127.0.0.1", "javascript:alert(1)",
            "https://xn--slesforce-26a.com",
        ])
    func refused(url: String) {
        #expect(throws: OAuthError.self) { try OAuthClient.InstancePolicy.platform.instance(named: url, login: login) }
    }

    @Test("an embedded org on loopback can name itself")
    func loopback() throws {
        let local = Origin(scheme: .http, host: "127.0.0.1", port: 4_000)
        #expect(try OAuthClient.InstancePolicy.platform.instance(named: "http://127.0.0.1:4000", login: local) == local)
        #expect(throws: OAuthError.self) {
            try OAuthClient.InstancePolicy.platform.instance(named: "http://127.0.0.1:4001", login: local)
        }
    }
}

@Suite("Hostile and invalid token responses over real sockets")
struct TokenResponseRowTests {
    private let store = InMemoryCredentialStore()
    private var soon: ContinuousClock.Instant { .now + .seconds(20) }

    private func client(_ server: ScriptServer, secret: Secret? = nil) -> OAuthClient {
        OAuthClient(
            login: server.url().origin, clientID: "id", clientSecret: secret, transport: PlatformTransport.shared)
    }

    /// Renews a stored login at a server with this response, and expects that the old credential is kept.
    private func refused(
        status: Int = 200, type: String = "application/json", _ body: String, secret: Secret? = nil
    ) async throws -> OAuthError.Code? {
        let server = try ScriptServer([.readRequest, .respond(status: status, fields: [("Content-Type", type)], body)])
        let old = Credential(accessToken: "a1", refreshToken: "r1", instance: server.url().origin)
        try await store.remove("default")
        _ = try await store.save(old, for: "default", replacing: nil)
        let renewal = TokenManager.Renewal(client: client(server, secret: secret), store: store)
        let tokens = TokenManager(credential: old, renewal: renewal)
        let error = await #expect(throws: OAuthError.self) {
            try await tokens.credential(rejecting: 1, deadline: soon)
        }
        #expect(try await store.load("default")?.credential == old)
        return error?.code
    }

    private func accepted(_ body: String, secret: Secret? = nil) async throws -> Credential {
        let server = try ScriptServer([.readRequest, .respond(body)])
        return try await client(server, secret: secret).token(for: ClientCredentialsGrant(), deadline: soon)
    }

    @Test("A24: an error in a response with status 200 is an error")
    func errorInSuccess() async throws {
        #expect(try await refused(#"{"error":"invalid_grant","access_token":"a2"}"#) == .invalidGrant)
        #expect(try await refused(#"{"error":7,"access_token":"a2"}"#) == .invalidResponse)
    }

    @Test("a renewal keeps values that a response leaves null or empty, and never loses the rotated token")
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

    @Test("A25: a page of a captive portal is a specific error, and the login is kept")
    func captivePortal() async throws {
        #expect(try await refused(type: "text/html", "<html>Welcome</html>") == .unexpectedContentType)
        #expect(try await refused(type: "application/json", " <html>") == .unexpectedContentType)
        #expect(try await refused(type: "text/plain", "hello") == .unexpectedContentType)
    }

    @Test(
        "A26: an access_token that is missing, empty or not a string is an error, and the old login is kept",
        arguments: ["{}", #"{"access_token":""}"#, #"{"access_token":7}"#, #"{"access_token":null}"#, "[]", "7"])
    func noToken(body: String) async throws { #expect(try await refused(body) == .invalidResponse) }

    @Test("A27: another token type is rejected, and a missing type means Bearer, as does any case of it")
    func tokenType() async throws {
        #expect(try await refused(#"{"access_token":"a2","token_type":"mac"}"#) == .invalidResponse)
        #expect(try await refused(#"{"access_token":"a2","token_type":7}"#) == .invalidResponse)
        #expect(try await accepted(#"{"access_token":"a2"}"#).accessToken == "a2")
        #expect(try await accepted(#"{"access_token":"a2","token_type":"bEaReR"}"#).accessToken == "a2")
    }

    @Test("A28: a token that is invalid in a header, or larger than 16 KiB, is rejected and not stored")
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
        "A29: an instance on another host is rejected together with its token",
        arguments: [
            "https://evil.com", "http://example.my.salesforce.com", "https://evil.com#.salesforce.com",
            "https://salesforce.com.evil.com", "https://u:p@a.my.salesforce.com", "https://xn--slesforce-26a.com",
            "https://evilsalesforce.com", "http://127.0.0.1:1", "https://127.0.0.1", "https://[::1]", "javascript:x",
        ])
    func foreignInstance(address: String) async throws {
        #expect(try await refused(#"{"access_token":"a2","instance_url":"\#(address)"}"#) == .invalidResponse)
    }

    @Test(
        "A30: the lifetime may be a number or digits, and any other value is ignored without an overflow",
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

    @Test("A31: a credential contains the granted scopes, also if they are fewer than requested")
    func scopes() async throws {
        #expect(try await accepted(#"{"access_token":"a2","scope":"api id"}"#).scopes == ["api", "id"])
        let server = try ScriptServer([.readRequest, .respond(#"{"access_token":"a2","scope":"api"}"#)])
        let client = client(server)
        let login = try client.beginLogin(redirectURI: "com.example:/x", scopes: ["api", "full"])
        let url = "com.example:/x?code=c&state=\(login.state.reveal())"
        #expect(try await client.finishLogin(login, redirectURL: url, deadline: soon).scopes == ["api"])
    }

    @Test("A33: a signature with another secret is rejected, and without a secret it is not checked")
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
        "a signature of another kind, without Salesforce's signed members, ends no login",
        arguments: [#""id":"https://i""#, #""issued_at":"1""#, #""id":"user-7","issued_at":"1""#, #""scope":"api""#])
    func foreignSignature(fields: String) async throws {
        let body = #"{"access_token":"a2","signature":"-----BEGIN PKCS7-----",\#(fields)}"#
        #expect(try await accepted(body, secret: "secret").accessToken == "a2")
    }

    @Test("the check of signatures can be switched off, and is off for other servers")
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
