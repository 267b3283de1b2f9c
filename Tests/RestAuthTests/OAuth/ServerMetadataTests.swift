// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestSDK
import RestTesting
import RestTransport
import Testing

@testable import RestAuth

@Suite("Discovering a server's endpoints")
struct ServerMetadataTests {
    private let issuer = "https://as.example.com"

    private func document(_ changes: [(String, JSONValue?)] = []) -> OAuthMembers {
        var fields: JSONObject = [
            "issuer": "https://as.example.com", "authorization_endpoint": "https://as.example.com/authorize",
            "token_endpoint": "https://as.example.com/token", "revocation_endpoint": "https://as.example.com/revoke",
            "introspection_endpoint": "https://as.example.com/introspect",
            "userinfo_endpoint": "https://as.example.com/userinfo",
            "device_authorization_endpoint": "https://as.example.com/device",
            "code_challenge_methods_supported": ["S256", "plain"],
            "authorization_response_iss_parameter_supported": true,
        ]
        for (name, value) in changes { fields[name] = value }
        return OAuthMembers(JSONValue(fields))
    }

    private func rejection(_ changes: (String, JSONValue?)...) -> OAuthError? {
        #expect(throws: OAuthError.self) { try AuthorizationServer(metadata: document(changes), of: issuer) }
    }

    @Test("every endpoint is read")
    func read() throws {
        let server = try AuthorizationServer(metadata: document(), of: issuer)
        #expect(server.tokenEndpoint.description == "https://as.example.com/token")
        #expect(server.deviceEndpoint == .standard(try HTTPURL(parsing: "https://as.example.com/device")))
        #expect(server.revocationEndpoint?.path == "/revoke" && server.introspectionEndpoint?.path == "/introspect")
        #expect(server.userInfoEndpoint?.path == "/userinfo" && server.announcesIssuer)
        let small = document(["revocation_endpoint", "device_authorization_endpoint"].map { ($0, nil) })
        #expect(try AuthorizationServer(metadata: small, of: issuer).revocationEndpoint == nil)
        let empty = document([("revocation_endpoint", .null), ("device_authorization_endpoint", .null)])
        #expect(
            try AuthorizationServer(metadata: empty, of: issuer) == AuthorizationServer(metadata: small, of: issuer))
    }

    @Test(
        "A19: metadata of an issuer other than the requested one is rejected",
        arguments: [
            "https://evil.com", "https://as.example.com/", "https://AS.example.com", "http://as.example.com", "",
        ])
    func otherIssuer(text: String) {
        #expect(rejection(("issuer", JSONValue(text)))?.code == .invalidMetadata)
        #expect(rejection(("issuer", nil))?.code == .invalidMetadata)
    }

    @Test(
        "A20: an endpoint on another host or port, or without TLS, is rejected",
        arguments: [
            "https://evil.com/token", "http://as.example.com/token", "https://as.example.com:444/token",
            "https://as.example.com.evil.com/token", "https://u:p@as.example.com/token", "/token", "javascript:x", "",
        ])
    func foreignEndpoint(address: String) {
        for name in ["token_endpoint", "authorization_endpoint", "revocation_endpoint", "userinfo_endpoint"] {
            #expect(rejection((name, JSONValue(address)))?.code == .invalidMetadata)
        }
    }

    @Test("A21: a server that lists only plain PKCE is rejected, and a server that lists nothing gets S256")
    func downgrade() throws {
        #expect(rejection(("code_challenge_methods_supported", ["plain"]))?.code == .proofKeyUnsupported)
        #expect(rejection(("code_challenge_methods_supported", []))?.code == .proofKeyUnsupported)
        _ = try AuthorizationServer(metadata: document([("code_challenge_methods_supported", nil)]), of: issuer)
    }

    @Test("metadata is requested over real sockets, first at one well-known path and then at the other")
    func discovered() async throws {
        let listening = try ScriptServer([.readRequest, .respond(status: 404), .readRequest, .respond(status: 404)])
        await expect(OAuthError.self, .invalidMetadata) {
            try await AuthorizationServer.discovered(
                at: listening.url().origin.description + "/tenant", transport: PlatformTransport.shared,
                deadline: .now + .seconds(9))
        }
        let lines = await listening.stop().requests.compactMap { $0.split(separator: "\r\n").first.map(String.init) }
        #expect(
            lines == [
                "GET /.well-known/oauth-authorization-server/tenant HTTP/1.1",
                "GET /tenant/.well-known/openid-configuration HTTP/1.1",
            ])
    }

    private func ask(_ transport: StubTransport) async -> Result<AuthorizationServer, OAuthError> {
        do throws(OAuthError) {
            return .success(
                try await .discovered(at: issuer, transport: transport, deadline: .now + .seconds(9)))
        } catch {
            return .failure(error)
        }
    }

    private func fault(_ result: Result<AuthorizationServer, OAuthError>) -> OAuthError? {
        guard case .failure(let error) = result else { return nil }
        return error
    }

    @Test(
        "if there is no document at the first path, the second path is requested",
        arguments: [
            (401, ""), (400, #"{"error":"invalid_request"}"#), (403, "<html>"), (404, ""), (429, ""), (500, ""),
            (502, "<html>"), (503, #"{"error":"temporarily_unavailable"}"#), (200, "<html>"), (200, "{}"), (204, ""),
            (302, ""), (200, #"{"issuer":"https://evil.com"}"#),
        ])
    func secondPlace(status: Int, body: String) async throws {
        let transport = StubTransport()
        transport.enqueue(status: status, body)
        transport.enqueue(String(decoding: document().object.bytes(), as: UTF8.self))
        #expect(try await ask(transport).get().tokenEndpoint.path == "/token")
        #expect(transport.requests.map(\.url.path).last == "/.well-known/openid-configuration")
    }

    @Test("the error is transient if one path had a transient error, and otherwise reports the problem of the document")
    func nowhere() async throws {
        let foreign = #"{"issuer":"https://evil.com"}"#
        let rows: [([(Int, String)], OAuthError.Code)] = [
            ([(503, "{}"), (502, "")], .serverUnavailable), ([(404, ""), (503, "")], .serverUnavailable),
            ([(429, ""), (404, "")], .serverUnavailable), ([(401, ""), (404, "")], .invalidMetadata),
            ([(200, "<html>"), (404, "")], .unexpectedContentType), ([(404, ""), (200, foreign)], .invalidMetadata),
        ]
        for (responses, code) in rows {
            let transport = StubTransport()
            for (status, body) in responses {
                transport.enqueue(status: status, fields: ["Retry-After": "9"], body)
            }
            let error = await fault(ask(transport))
            #expect(error?.code == code && transport.unusedResponses == 0, "\(responses)")
            #expect(code != .serverUnavailable || error?.retryAfter == .seconds(9))
        }
    }

    @Test("a server that cannot be reached is requested at only one path")
    func unreachable() async throws {
        let transport = StubTransport()
        transport.enqueue(.failure(TransportError(.notConnected, "refused", mayHaveReachedServer: false)))
        #expect(await fault(ask(transport))?.code == .unreachable)
        #expect(transport.requests.count == 1)
    }

    @Test("A19: a page instead of metadata, and an issuer that is not an https URL, are rejected")
    func noMetadata() async throws {
        let transport = StubTransport()
        for _ in 1...2 { transport.enqueue(fields: ["Content-Type": "text/html"], "<html>") }
        await expect(OAuthError.self, .unexpectedContentType) {
            try await AuthorizationServer.discovered(at: issuer, transport: transport, deadline: .now + .seconds(9))
        }
        for text in ["http://as.example.com", "javascript:x", "as.example.com", "https://a.com/?x"] {
            await expect(OAuthError.self, .invalidRequest) {
                try await AuthorizationServer.discovered(at: text, transport: transport, deadline: .now + .seconds(9))
            }
        }
        #expect(transport.requests.count == 2)
    }
}

@Suite("Client authentication")
struct ClientAuthenticationTests {
    private let transport = StubTransport()
    private var soon: ContinuousClock.Instant { .now + .seconds(20) }

    private func client(
        _ authentication: OAuthClient.Authentication, secret: Secret? = "s p:ä",
        change: (inout AuthorizationServer) -> Void = { _ in }
    ) -> OAuthClient {
        var server = AuthorizationServer(login: Credential.usualInstance)
        server.clientAuthentication = authentication
        server.deviceEndpoint = .standard(HTTPURL(origin: Credential.usualInstance, path: "/device"))
        change(&server)
        return OAuthClient(server: server, clientID: "a&b", clientSecret: secret, transport: transport)
    }

    private func askAll(_ client: OAuthClient) async throws {
        transport.enqueue(#"{"access_token":"a1"}"#)
        transport.enqueue(#"{"device_code":"d","user_code":"U","verification_uri":"https://a.com/"}"#)
        transport.enqueue("")
        transport.enqueue(#"{"active":false}"#)
        _ = try await client.token(for: ClientCredentialsGrant(), deadline: soon)
        _ = try await client.beginDeviceLogin(deadline: soon)
        try await client.revoke("t", deadline: soon)
        _ = try await client.introspect("t", deadline: soon)
    }

    @Test("With Basic, the header contains the form-encoded id and secret at every endpoint, and the form does not")
    func basic() async throws {
        try await askAll(client(.basic))
        // base64("a%26b:s%20p%3A%C3%A4")
        let field = "Basic YSUyNmI6cyUyMHAlM0ElQzMlQTQ="
        #expect(transport.requests.map { $0.fields["Authorization"] } == Array(repeating: field, count: 4))
        // The id alone does not authenticate, and some servers need it in the form of a device login.
        #expect(transport.requests.map { $0.form["client_id"] } == [nil, "a&b", nil, nil])
        #expect(transport.requests.allSatisfy { $0.form["client_secret"] == nil })
    }

    @Test("with post, only the form contains the id and secret, which is the default for Salesforce")
    func post() async throws {
        #expect(AuthorizationServer(login: Credential.usualInstance).clientAuthentication == .post)
        try await askAll(client(.post))
        #expect(transport.requests.allSatisfy { $0.fields["Authorization"] == nil })
        #expect(transport.requests.map(\.form).allSatisfy { $0["client_id"] == "a&b" })
        #expect(transport.requests.map(\.form).allSatisfy { $0["client_secret"] == "s p:ä" })
    }

    @Test("a public client has its id in the form with any method", arguments: OAuthClient.Authentication.allCases)
    func none(way: OAuthClient.Authentication) async throws {
        try await askAll(client(way, secret: nil))
        #expect(transport.requests.allSatisfy { $0.fields["Authorization"] == nil })
        #expect(transport.requests.map(\.form).allSatisfy { $0["client_id"] == "a&b" && $0["client_secret"] == nil })
    }

    @Test("revocation and introspection have separate methods if the server says so")
    func ownWays() async throws {
        try await askAll(
            client(.post) {
                $0.revocationAuthentication = .basic
                $0.introspectionAuthentication = .basic
            })
        #expect(transport.requests.map { $0.fields["Authorization"] != nil } == [false, false, true, true])
    }

    @Test(
        "the metadata determines the method, and without a list it is Basic, as the standard says",
        arguments: [
            (#"["client_secret_basic"]"#, .basic), (#"["client_secret_post"]"#, .post),
            (#"["client_secret_basic","client_secret_post"]"#, .post), (#"["private_key_jwt"]"#, .basic),
            ("[]", .basic), ("null", .basic), ("7", .basic), (#""client_secret_post""#, .basic),
        ] as [(String, OAuthClient.Authentication)])
    func metadata(list: String, way: OAuthClient.Authentication) throws {
        let text = """
            {"issuer":"https://a.com","authorization_endpoint":"https://a.com/a","token_endpoint":"https://a.com/t",
            "token_endpoint_auth_methods_supported":\(list)}
            """
        let server = try AuthorizationServer(metadata: OAuthMembers(JSONValue(parsing: text)), of: "https://a.com")
        #expect(server.clientAuthentication == way && server.revocationAuthentication == nil)
        let other = text.replacing("token_endpoint_auth", with: "revocation_endpoint_auth")
        let revoking = try AuthorizationServer(metadata: OAuthMembers(JSONValue(parsing: other)), of: "https://a.com")
        // A list that is null counts as missing, so the client uses the method of the token endpoint.
        let expected = list == "null" ? nil : way
        #expect(revoking.clientAuthentication == .basic && revoking.revocationAuthentication == expected)
    }

    @Test("a login is stored with all its endpoints, and renewed there")
    func record() throws {
        var server = client(.basic).server
        server.revocationAuthentication = .post
        server.userInfoEndpoint = HTTPURL(origin: Credential.usualInstance, path: "/me", query: "a=b")
        server.announcesIssuer = true
        for server in [server, AuthorizationServer(login: Credential.usualInstance)] {
            let details = Credential.Login(server: server.origin, endpoints: server, clientID: "id")
            #expect(try stored(details) == details)
        }
        server.tokenEndpoint = HTTPURL(origin: Origin(scheme: .http, host: "example.com"), path: "/token")
        let details = Credential.Login(server: Credential.usualInstance, endpoints: server, clientID: "id")
        #expect(try stored(details) == nil)
    }

    /// Returns the details of a login after they were written to a record and read back.
    private func stored(_ details: Credential.Login) throws -> Credential.Login? {
        let credential = Credential(accessToken: "a", instance: Credential.usualInstance, login: details)
        let record = try CredentialRecord(credential, of: "alice", after: nil, renewal: .settled).sealed()
        return try Credential.Stored(record: record, account: "alice").credential.login
    }

    @Test("a renewal without an instance keeps the instance, and a renewal with another instance changes it")
    func instance() async throws {
        let home = Origin(scheme: .https, host: "acme.my.salesforce.com")
        let old = Credential(accessToken: "a1", refreshToken: "r1", instance: home)
        transport.enqueue(#"{"access_token":"a2"}"#)
        transport.enqueue(#"{"access_token":"a3","instance_url":"https://new.my.salesforce.com"}"#)
        let (client, grant) = (client(.post), RefreshTokenGrant(refreshToken: "r1"))
        let moved = Origin(scheme: .https, host: "new.my.salesforce.com")
        #expect(
            try await client.token(for: grant, renewing: old, deadline: soon)
                == Credential(accessToken: "a2", refreshToken: "r1", instance: home))
        #expect(
            try await client.token(for: grant, renewing: old, deadline: soon)
                == Credential(accessToken: "a3", refreshToken: "r1", instance: moved))
    }

    @Test("every grant can request scopes, and they count as granted unless the server says otherwise")
    func scopes() async throws {
        for body in [#"{"access_token":"a"}"#, #"{"access_token":"a","scope":"x"}"#, #"{"access_token":"a"}"#] {
            transport.enqueue(body)
        }
        let client = client(.post)
        let password = PasswordGrant(username: "u", password: "p", scopes: ["x", "y"])
        #expect(try await client.token(for: password, deadline: soon).scopes == ["x", "y"])
        #expect(
            try await client.token(for: ClientCredentialsGrant(scopes: ["x", "y"]), deadline: soon).scopes == ["x"])
        let refresh = RefreshTokenGrant(refreshToken: "r", scopes: ["x"])
        #expect(try await client.token(for: refresh, deadline: soon).scopes == ["x"])
        #expect(transport.requests.map { $0.form["scope"] } == ["x y", "x y", "x"])
        #expect(!ClientCredentialsGrant().parameters.contains { $0.name == "scope" })
    }
}

@Suite("Secrets in a server's messages")
struct SentSecretsTests {
    private let token = "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJyb2JvdCJ9.c2lnbmF0dXJlLW9mLXRoZS1hc3NlcnRpb24"

    @Test("a secret is hidden as a whole, in parts, percent-encoded, and every time it occurs")
    func hidden() {
        let secrets = SentSecrets([Secret(token), "p@ss w/rd+long"])
        for chunk in [token, String(token.prefix(20)), String(token.suffix(30)), String(token.dropFirst(9).prefix(13))]
        {
            #expect(secrets.line("bad '\(chunk)' and '\(chunk)'") == "bad '«redacted»' and '«redacted»'")
        }
        #expect(secrets.line("no p%40ss%20w%2Frd%2Blong here") == "no «redacted» here")
        #expect(secrets.line("p@ss w/rd+long") == "«redacted»")
        #expect(SentSecrets([]).line("nothing is hidden") == "nothing is hidden")
        #expect(SentSecrets([""]).line("nothing is hidden") == "nothing is hidden")
    }

    @Test("a short secret is hidden only as a whole word")
    func short() {
        let secrets = SentSecrets(["d", "s3cret"])
        #expect(secrets.line("device code 'd' is bad") == "device code '«redacted»' is bad")
        #expect(secrets.line("s3cret? no such thing as s3crets") == "«redacted»? no such thing as s3crets")
        #expect(SentSecrets(["longer-one"]).line("xlonger-oney") == "x«redacted»y")
    }

    @Test("a message is one line of at most 300 characters, and the removed part is also checked for secrets")
    func line() {
        let secrets = SentSecrets([Secret(token)])
        #expect(secrets.line("a\u{1B}[2Jb\r\nc\u{202E}d\u{9B}") == "a [2Jb  c d ")
        #expect(secrets.line(String(repeating: "x", count: 301)) == String(repeating: "x", count: 300) + "…")
        let cut = secrets.line(String(repeating: "x", count: 295) + token)
        #expect(cut.count == 301 && !cut.contains("eyJ"))
        let large = secrets.line(String(repeating: "x", count: 10_000_000))
        #expect(large.count == 301)
    }

    @Test(
        "no message and no code quotes a secret that was sent, with any grant and authentication method",
        arguments: OAuthClient.Authentication.allCases)
    func everyGrant(way: OAuthClient.Authentication) async throws {
        var server = AuthorizationServer(login: Credential.usualInstance)
        server.clientAuthentication = way
        let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
        let grants: [(any OAuthGrant, [String])] = [
            (RefreshTokenGrant(refreshToken: "5Aep861canary"), ["5Aep861canary"]),
            (PasswordGrant(username: "u", password: "hunter2canary"), ["hunter2canary"]),
            (
                AuthorizationCodeGrant(
                    code: "aPrxCanary", redirectURI: "http://127.0.0.1:1/c",
                    verifier: try PendingLogin.CodeVerifier(verifier)),
                ["aPrxCanary", verifier]
            ),
            (DeviceCodeGrant(deviceCode: "devicecanary", isPlatform: false), ["devicecanary"]),
        ]
        for (grant, canaries) in grants {
            let transport = StubTransport()
            let client = OAuthClient(server: server, clientID: "id", clientSecret: "cs-canary", transport: transport)
            for status in [400, 503] {
                transport.enqueue(.response(HTTPResponse(head: HTTPResponse.Head(status: status), body: [])))
                _ = try? await client.token(for: grant, deadline: .now + .seconds(9))
                let sent = try #require(transport.requests.last)
                let quoted = sent.form.map { "\($0)=\($1)" }.sorted().joined(separator: " ")
                let all = "\(quoted) \(sent.fields["Authorization"] ?? "")"
                transport.enqueue(status: status, #"{"error":"e \#(all)","error_description":"d \#(all)"}"#)
                let error = await #expect(throws: OAuthError.self) {
                    try await client.token(for: grant, deadline: .now + .seconds(9))
                }
                let told = "\(error?.code.rawValue ?? "") \(error?.message ?? "")"
                for canary in canaries + ["cs-canary", "aWQ6Y3MtY2FuYXJ5"] { #expect(!told.contains(canary)) }
                #expect(told.contains("«redacted»"))
            }
        }
    }
}
