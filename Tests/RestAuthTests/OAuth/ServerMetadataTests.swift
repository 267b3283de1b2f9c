// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestSDK
import RestTesting
import RestTransport
import Testing

@testable import RestAuth

@Suite("Where a server says its endpoints are")
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

    private func refusal(_ changes: (String, JSONValue?)...) -> OAuthError? {
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
        "A19: metadata of another issuer than the address that was asked is refused",
        arguments: [
            "https://evil.com", "https://as.example.com/", "https://AS.example.com", "http://as.example.com", "",
        ])
    func otherIssuer(text: String) {
        #expect(refusal(("issuer", JSONValue(text)))?.code == .invalidMetadata)
        #expect(refusal(("issuer", nil))?.code == .invalidMetadata)
    }

    @Test(
        "A20: an endpoint on another host, another port or without TLS is refused",
        arguments: [
            "https://evil.com/token", "http://as.example.com/token", "https://as.example.com:444/token",
            "https://as.example.com.evil.com/token", "https://u:p@as.example.com/token", "/token", "javascript:x", "",
        ])
    func foreignEndpoint(address: String) {
        for name in ["token_endpoint", "authorization_endpoint", "revocation_endpoint", "userinfo_endpoint"] {
            #expect(refusal((name, JSONValue(address)))?.code == .invalidMetadata)
        }
    }

    @Test("A21: a server that lists only plain PKCE is refused; one that lists nothing gets S256 all the same")
    func downgrade() throws {
        #expect(refusal(("code_challenge_methods_supported", ["plain"]))?.code == .proofKeyUnsupported)
        #expect(refusal(("code_challenge_methods_supported", []))?.code == .proofKeyUnsupported)
        _ = try AuthorizationServer(metadata: document([("code_challenge_methods_supported", nil)]), of: issuer)
    }

    @Test("metadata is asked for over real sockets, at the one well-known place and then at the other")
    func discovered() async throws {
        let listening = try ScriptServer([.readRequest, .respond(status: 404), .readRequest, .respond(status: 404)])
        let missing = await #expect(throws: OAuthError.self) {
            try await AuthorizationServer.discovered(
                at: listening.url().origin.description + "/tenant", transport: PlatformTransport.shared,
                deadline: .now + .seconds(9))
        }
        #expect(missing?.code == .invalidMetadata)
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
        "whatever stands at the first place that is no document, the second is asked",
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

    @Test("a place that could not answer now may have the document; else what is wrong with the document is told")
    func nowhere() async throws {
        let foreign = #"{"issuer":"https://evil.com"}"#
        let rows: [([(Int, String)], OAuthError.Code)] = [
            ([(503, "{}"), (502, "")], .serverUnavailable), ([(404, ""), (503, "")], .serverUnavailable),
            ([(429, ""), (404, "")], .serverUnavailable), ([(401, ""), (404, "")], .invalidMetadata),
            ([(200, "<html>"), (404, "")], .unexpectedContentType), ([(404, ""), (200, foreign)], .invalidMetadata),
        ]
        for (answers, code) in rows {
            let transport = StubTransport()
            for (status, body) in answers {
                transport.enqueue(status: status, fields: ["Retry-After": "9"], body)
            }
            let error = await fault(ask(transport))
            #expect(error?.code == code && transport.unusedAnswers == 0, "\(answers)")
            #expect(code != .serverUnavailable || error?.retryAfter == .seconds(9))
        }
    }

    @Test("a server that cannot be reached is asked at one place only")
    func unreachable() async throws {
        let transport = StubTransport()
        transport.enqueue(.failure(TransportError(.notConnected, "refused", mayHaveReachedServer: false)))
        #expect(await fault(ask(transport))?.code == .unreachable)
        #expect(transport.requests.count == 1)
    }

    @Test("A19: a page where metadata belongs, and an issuer that is no https address, are refused")
    func noMetadata() async throws {
        let transport = StubTransport()
        for _ in 1...2 { transport.enqueue(fields: ["Content-Type": "text/html"], "<html>") }
        let page = await #expect(throws: OAuthError.self) {
            try await AuthorizationServer.discovered(at: issuer, transport: transport, deadline: .now + .seconds(9))
        }
        #expect(page?.code == .unexpectedContentType)
        for text in ["http://as.example.com", "javascript:x", "as.example.com", "https://a.com/?x"] {
            let error = await #expect(throws: OAuthError.self) {
                try await AuthorizationServer.discovered(at: text, transport: transport, deadline: .now + .seconds(9))
            }
            #expect(error?.code == .invalidRequest)
        }
        #expect(transport.requests.count == 2)
    }
}
