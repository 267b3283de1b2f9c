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

    private func document(_ changes: [(String, JSONValue?)] = []) -> JSONValue {
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
        return JSONValue(fields)
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

    @Test("A19: a page where metadata belongs, and an issuer that is no https address, are refused")
    func noMetadata() async throws {
        let transport = StubTransport()
        transport.enqueue(fields: ["Content-Type": "text/html"], "<html>")
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
        #expect(transport.requests.count == 1)
    }
}
