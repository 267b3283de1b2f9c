// SPDX-License-Identifier: Apache-2.0

import RestSDK
import RestTesting
import RestTransport
import Testing

@testable import RestAuth

@Suite("Revocation, introspection and identity over real sockets")
struct TokenCallsTests {
    private var soon: ContinuousClock.Instant { .now + .seconds(20) }

    private func client(_ server: ScriptServer) -> OAuthClient {
        OAuthClient(login: server.url().origin, clientID: "id", clientSecret: "s", transport: PlatformTransport.shared)
    }

    /// Returns a server that answers all turns on one connection, because a connection closed after a response could
    /// still be used for the next request.
    private func conversation(_ turns: [ScriptServer.Script]) throws -> ScriptServer {
        try ScriptServer(turns.flatMap(\.self))
    }

    private func credential(_ server: ScriptServer, identity: String? = nil) -> Credential {
        Credential(accessToken: "a1", instance: server.url().origin, identityURL: identity)
    }

    private func revoke(_ status: Int, _ body: String = "", fields: [(String, String)] = []) async throws -> OAuthError?
    {
        let server = try ScriptServer([.readRequest, .respond(status: status, fields: fields, body)])
        do throws(OAuthError) {
            try await client(server).revoke("r1", kind: .refresh, deadline: soon)
            return nil
        } catch { return error }
    }

    @Test("a revocation names the token and its type, and an unknown token counts as revoked")
    func revoked() async throws {
        let server = try ScriptServer([.readRequest, .respond("")])
        try await client(server).revoke("r1", kind: .refresh, deadline: soon)
        let request = try #require(await server.stop().requests.first)
        #expect(request.hasPrefix("POST /services/oauth2/revoke HTTP/1.1\r\n"))
        #expect(request.hasSuffix("\r\n\r\ntoken=r1&token_type_hint=refresh_token&client_id=id&client_secret=s"))
        #expect(try await revoke(400, #"{"error":"invalid_token"}"#) == nil)
        #expect(
            try await revoke(400, #"{"error":"unsupported_token_type"}"#)?.code.rawValue == "unsupported_token_type")
    }

    @Test("A49: if the server cannot revoke now, the revocation is pending, with the delay that the server requests")
    func revocationPending() async throws {
        let error = try await revoke(503, "busy", fields: [("Retry-After", "30")])
        #expect(error?.code == .revocationPending && error?.retryAfter == .seconds(30))
        #expect(error?.isFinal == false)
        #expect(try await revoke(500)?.code == .revocationPending)
        // A body that says otherwise changes nothing. In particular, no token counts as revoked.
        for (status, name) in [(503, "invalid_token"), (429, "invalid_client"), (400, "temporarily_unavailable")] {
            let error = try await revoke(status, #"{"error":"\#(name)"}"#, fields: [("Retry-After", "7")])
            #expect(error?.code == .revocationPending && error?.retryAfter == .seconds(7))
        }
    }

    @Test(
        "a server error during introspection or an identity request says nothing about the token",
        arguments: [429, 500, 503])
    func trouble(status: Int) async throws {
        let turn: ScriptServer.Script = [
            .readRequest, .respond(status: status, fields: [("Retry-After", "7")], #"{"error":"invalid_token"}"#),
        ]
        let server = try conversation([turn, turn, turn])
        let (client, deadline) = (client(server), soon)
        let credential = credential(server, identity: server.url("/id/00D/005").description)
        let errors = [
            await #expect(throws: OAuthError.self) { try await client.introspect("a1", deadline: deadline) },
            await #expect(throws: OAuthError.self) { try await client.userInfo(of: credential, deadline: deadline) },
            await #expect(throws: OAuthError.self) { try await client.identity(of: credential, deadline: deadline) },
        ]
        #expect(errors.allSatisfy { $0?.code == .serverUnavailable && $0?.retryAfter == .seconds(7) })
        #expect(await server.stop().requests.count == 3)
    }

    @Test("introspection returns the details of a valid token, and none of another token")
    func introspection() async throws {
        let server = try conversation([
            [
                .readRequest,
                .respond(
                    #"{"active":true,"scope":"api id","client_id":"c","username":"u","sub":"s","token_type":"access_token","#
                        + #""exp":1700000000,"iat":1600000000,"nbf":1600000001}"#),
            ],
            [.readRequest, .respond(#"{"active":false,"scope":"api"}"#)],
            [.readRequest, .respond(#"{"scope":"api"}"#)],
        ])
        let client = client(server)
        let status = try await client.introspect("a1", kind: .access, deadline: soon)
        #expect(status.isActive && status.scopes == ["api", "id"] && status.username == "u" && status.subject == "s")
        #expect(
            status.expiresAt == 1_700_000_000 && status.issuedAt == 1_600_000_000 && status.notBefore == 1_600_000_001)
        let dead = try await client.introspect("a1", deadline: soon)
        #expect(!dead.isActive && dead.scopes.isEmpty)
        await #expect(throws: OAuthError.self) { try await client.introspect("a1", deadline: soon) }
    }

    @Test("userinfo and the identity document identify the user of a login")
    func identity() async throws {
        let server = try conversation([
            [
                .readRequest,
                .respond(#"{"sub":"x","user_id":"005","organization_id":"00D","preferred_username":"u","name":"N"}"#),
            ],
            [
                .readRequest,
                .respond(#"{"user_id":"005","organization_id":"00D","username":"u","display_name":"N","email":"e"}"#),
            ],
        ])
        let credential = credential(server, identity: server.url("/id/00D/005").description)
        let info = try await client(server).userInfo(of: credential, deadline: soon)
        let identity = try await client(server).identity(of: credential, deadline: soon)
        #expect(info.userID == "005" && info.organizationID == "00D" && info.username == "u" && info.displayName == "N")
        #expect(identity.userID == "005" && identity.username == "u" && identity.email == "e")
        #expect(identity.fields["display_name"]?.string == "N")
        let requests = await server.stop().requests
        #expect(requests[0].hasPrefix("GET /services/oauth2/userinfo ") && requests[1].hasPrefix("GET /id/00D/005 "))
        #expect(requests.allSatisfy { $0.contains("Authorization: Bearer a1\r\n") })
    }

    @Test(
        "a My Domain is read only on Salesforce's domains",
        arguments: [
            (#""https://foo.my.salesforce.com""#, "https://foo.my.salesforce.com"),
            (#""https://evil.example.com""#, nil), (#""http://foo.my.salesforce.com""#, nil),
            (#""https://foo.my.salesforce.com/path""#, nil), (#""https://foo.my.salesforce.com@evil.example""#, nil),
            (#""foo.my.salesforce.com""#, nil), (#""""#, nil), ("7", nil), ("null", nil),
        ] as [(String, String?)]
    )
    func myDomain(domain: String, expected: String?) async throws {
        let body = #"{"user_id":"005","urls":{"custom_domain":\#(domain)}}"#
        let server = try ScriptServer([.readRequest, .respond(body)])
        let info = try await client(server).userInfo(of: credential(server), deadline: soon)
        #expect(info.myDomain?.description == expected && info.userID == "005")
        await server.stop()
    }

    @Test(
        "A32: the token is not sent to an identity URL on another host",
        arguments: ["https://evil.com/id", "http://example.my.salesforce.com/id", "https://127.0.0.1:1/id", "x", ""])
    func foreignIdentity(address: String) async throws {
        let server = try ScriptServer([.readRequest, .respond("{}")])
        let (credential, deadline) = (credential(server, identity: address), soon)
        await expect(OAuthError.self, .foreignHost) {
            try await client(server).identity(of: credential, deadline: deadline)
        }
        #expect(await server.stop().connections.isEmpty)
    }

    private func rejection(_ status: Int, _ fields: [(String, String)]) async throws -> OAuthError? {
        let server = try ScriptServer([.readRequest, .respond(status: status, fields: fields, "Bad_OAuth_Token")])
        let (credential, deadline) = (credential(server), soon)
        return await #expect(throws: OAuthError.self) {
            try await client(server).userInfo(of: credential, deadline: deadline)
        }
    }

    @Test("A64: a response 401 that requests Basic is a typed error, long before the deadline")
    func basic() async throws {
        #expect(try await rejection(401, [("WWW-Authenticate", #"Basic realm="x""#)])?.code == .invalidToken)
        let server = try ScriptServer([
            .readRequest, .respond(status: 401, fields: [("WWW-Authenticate", #"Basic realm="x""#)], "<html>"),
        ])
        let error = await #expect(throws: OAuthError.self) {
            try await client(server).token(for: ClientCredentialsGrant(), deadline: soon)
        }
        // A wait until the deadline would result in `.timedOut`.
        #expect(error?.code == .unexpectedContentType)
    }

    @Test("Salesforce's plain 403 means a rejected token, and a challenge is more specific")
    func challenges() async throws {
        #expect(try await rejection(403, [])?.code == .invalidToken)
        let scope = #"Bearer realm="x", error="insufficient_scope", scope="api id""#
        #expect(try await rejection(403, [("WWW-Authenticate", scope)])?.code.rawValue == "insufficient_scope")
    }

    @Test(
        "A63: a malformed challenge is ignored, and nothing of a challenge is sent on",
        arguments: [
            "Bearer", "Bearer ", "Bearer error", "Bearer error=", #"Bearer error="a"#, #"Bearer error="a"b"#,
            #"Bearer error="a", error="b""#, #"Bearer error="a\"b""#, "Bearer error=\"a\u{1}\"", #"Bearer =x"#,
            #"Bearer e rror="a""#, #"Digest error="a""#, "Bearer error=\"a\r\nX: y\"", #"Bearer error="a";b="c""#,
        ])
    func badChallenge(field: String) { #expect(BearerChallenge(field) == nil) }

    @Test("A63: the parameters of a challenge are parsed")
    func goodChallenge() {
        #expect(BearerChallenge("bearer error=invalid_token")?.parameters == ["error": "invalid_token"])
        #expect(
            BearerChallenge(#"Bearer  realm="a, b" , Error="x y",scope="s""#)?.parameters
                == ["realm": "a, b", "error": "x y", "scope": "s"])
    }

    @Test("A63: a split response does not change the next request's headers")
    func split() async throws {
        let server = try ScriptServer(connections: [
            [
                .readRequest,
                .send(
                    "HTTP/1.1 401 X\r\nWWW-Authenticate: Bearer error=\"a\"\r\nX-Evil: 1\r\n"
                        + "Connection: close\r\nContent-Length: 0\r\n\r\n"),
            ],
            [.readRequest, .respond("{}")],
        ])
        let (credential, deadline) = (credential(server), soon)
        let error = await #expect(throws: OAuthError.self) {
            try await client(server).userInfo(of: credential, deadline: deadline)
        }
        #expect(error?.code.rawValue == "a")
        _ = try? await client(server).userInfo(of: credential, deadline: soon)
        let requests = await server.stop().requests
        #expect(requests.count == 2 && !requests[1].contains("Evil") && !requests[1].contains("error"))
    }
}
