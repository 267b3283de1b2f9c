// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestTesting
import RestTransport
import Testing

@testable import RestAuth

@Suite("How a client shows its secret")
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

    /// Asks every endpoint that authenticates the client.
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

    @Test("Basic: id and secret, encoded as in a form, in the field and nowhere else, at every endpoint")
    func basic() async throws {
        try await askAll(client(.basic))
        // base64("a%26b:s%20p%3A%C3%A4")
        let field = "Basic YSUyNmI6cyUyMHAlM0ElQzMlQTQ="
        #expect(transport.requests.map { $0.fields["Authorization"] } == Array(repeating: field, count: 4))
        // The id alone is no authentication, and some servers want it in the form of every device.
        #expect(transport.requests.map { $0.form["client_id"] } == [nil, "a&b", nil, nil])
        #expect(transport.requests.allSatisfy { $0.form["client_secret"] == nil })
    }

    @Test("the form: id and secret in it and nowhere else, which is the platform's way without being asked for")
    func post() async throws {
        #expect(AuthorizationServer(login: Credential.usualInstance).clientAuthentication == .post)
        try await askAll(client(.post))
        #expect(transport.requests.allSatisfy { $0.fields["Authorization"] == nil })
        #expect(transport.requests.map(\.form).allSatisfy { $0["client_id"] == "a&b" })
        #expect(transport.requests.map(\.form).allSatisfy { $0["client_secret"] == "s p:ä" })
    }

    @Test(
        "a public client has its id in the form, whichever way is chosen",
        arguments: OAuthClient.Authentication.allCases)
    func none(way: OAuthClient.Authentication) async throws {
        try await askAll(client(way, secret: nil))
        #expect(transport.requests.allSatisfy { $0.fields["Authorization"] == nil })
        #expect(transport.requests.map(\.form).allSatisfy { $0["client_id"] == "a&b" && $0["client_secret"] == nil })
    }

    @Test("revocation and introspection have ways of their own where the server says so")
    func ownWays() async throws {
        try await askAll(
            client(.post) {
                $0.revocationAuthentication = .basic
                $0.introspectionAuthentication = .basic
            })
        #expect(transport.requests.map { $0.fields["Authorization"] != nil } == [false, false, true, true])
    }

    @Test(
        "the metadata decide; without a list it is Basic, as the standard says",
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
        // A list that is null is one that is missing: the client does as at the token endpoint.
        let expected = list == "null" ? nil : way
        #expect(revoking.clientAuthentication == .basic && revoking.revocationAuthentication == expected)
    }

    @Test("where a login was made is kept with it, to the last endpoint, and renews there")
    func record() throws {
        var server = client(.basic).server
        server.revocationAuthentication = .post
        server.userInfoEndpoint = HTTPURL(origin: Credential.usualInstance, path: "/me", query: "a=b")
        server.announcesIssuer = true
        for server in [server, AuthorizationServer(login: Credential.usualInstance)] {
            let details = Credential.Login(server: server.origin, endpoints: server, clientID: "id")
            #expect(try Credential.Login(record: JSONValue(parsing: details.record.bytes())) == details)
        }
        var record = server.record.object ?? [:]
        record["token"] = "http://example.com/token"
        #expect(AuthorizationServer(record: JSONValue(record)) == nil)
        let details: JSONObject = ["server": "https://a.com", "clientID": "id", "endpoints": JSONValue(record)]
        #expect(Credential.Login(record: JSONValue(details)) == nil)
    }

    @Test("a renewal that names no instance leaves it as it was; one that names another is followed")
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

    @Test("every grant can ask for scopes; what was asked for is granted where the server does not say")
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
