// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestJSON
import RestTesting
import Testing

@Suite("Revoking, introspection, identity and metadata")
struct TokenInformationTests {
    private func introspect(_ client: OrgClient, _ token: String, _ id: String? = nil) throws -> RawClient.Response {
        let app = id.map { [("client_id", $0)] } ?? client.app
        return try client.form(app + [("token", token)], to: "introspect")
    }

    @Test("an unknown token counts as revoked, and a missing token is an error (RFC 7009)")
    func revoke() async throws {
        let client = try await OrgClient.start()
        #expect(try client.form([("token", "unknown"), ("token_type_hint", "other")], to: "revoke").status == 200)
        #expect(try client.form([("token_type_hint", "x")], to: "revoke").oauthError == "invalid_request")
        #expect(try client.send("PUT", "/services/oauth2/revoke", token: .some(nil)).status == 405)
        let response = try client.form([("token", client.token)], to: "revoke")
        #expect(response.status == 200 && response.body.isEmpty)
        #expect(try client.get("/limits").status == 401)
        let outcomes = client.org.journal.entries.compactMap { $0.oauth?.outcome }
        #expect(outcomes == ["unknown", "invalid_request", "revoked"])
        #expect(!String(describing: client.org.journal.entries).contains(client.token))
    }

    @Test("introspection describes a client's own valid tokens, and reports all others as not active")
    func introspection() async throws {
        let clock = ManualClock()
        var configuration = LocalOrgConfiguration(accessTokenLifetime: .seconds(600))
        configuration.clock = clock
        let client = try await OrgClient.start(configuration)
        let pair = client.org.issueCredential()
        let access = try introspect(client, pair.accessToken).json
        #expect(access["active"]?.bool == true)
        #expect(access["client_id"]?.string == client.org.clientID && access["username"]?.string == client.org.username)
        #expect(access["scope"]?.string == "refresh_token api id" && access["token_type"]?.string == "access_token")
        #expect((access["exp"]?.int ?? 0) - (access["iat"]?.int ?? 0) == 600)
        let refresh = try introspect(client, pair.refreshToken).json
        #expect(refresh["active"]?.bool == true && refresh["token_type"]?.string == "refresh_token")
        #expect(refresh["exp"] == nil)
        for (token, id) in [("unknown", nil), (pair.accessToken, LocalOrg.publicClientID)] {
            #expect(try introspect(client, token, id).text == #"{"active":false}"#)
        }
        #expect(try introspect(client, pair.accessToken, "nobody").oauthError == "invalid_client_id")
        #expect(try introspect(client, pair.accessToken, client.org.clientID).oauthError == "invalid_client")
        clock.advance(by: .seconds(601))
        #expect(try introspect(client, pair.accessToken).text == #"{"active":false}"#)
    }

    @Test("userinfo and the identity URL describe the user, and report token errors as plain text")
    func identity() async throws {
        let client = try await OrgClient.start()
        let login = try client.grant("client_credentials")
        let path = String(try #require(login.json["id"]?.string).dropFirst(client.org.instanceURL.count))
        let info = try client.send("GET", "/services/oauth2/userinfo")
        #expect(info.json["sub"]?.string == client.org.instanceURL + path)
        #expect(info.json["preferred_username"]?.string == client.org.username)
        let identity = try client.send("GET", path)
        #expect(identity.status == 200)
        #expect(identity.json["username"]?.string == client.org.username)
        #expect(identity.json["display_name"]?.string == info.json["name"]?.string)
        #expect(identity.json["user_id"]?.string == info.json["user_id"]?.string)
        let rest = identity.json["urls"]?["rest"]?.string
        #expect(rest == client.org.instanceURL + "/services/data/v{version}/")
        for target in ["/services/oauth2/userinfo", path] {
            let bad = try client.send("GET", target, token: "wrong")
            #expect(bad.status == 403 && bad.text == "Bad_OAuth_Token")
            let missing = try client.send("GET", target, token: .some(nil))
            #expect(missing.status == 403 && missing.text == "Missing_OAuth_Token")
        }
        #expect(try client.send("GET", path.dropLast(3) + "").status == 200)
        #expect(try client.send("GET", "/id/00D000000000001/005000000000001").status == 404)
    }

    @Test(
        "the metadata names the endpoints, PKCE and the issuer in redirects",
        arguments: ["oauth-authorization-server", "openid-configuration"])
    func metadata(name: String) async throws {
        let client = try await SharedOrg.client
        let document = try client.send("GET", "/.well-known/\(name)", token: .some(nil)).json
        #expect(document["issuer"]?.string == client.org.instanceURL)
        #expect(document["code_challenge_methods_supported"]?.array?.compactMap(\.string) == ["S256"])
        #expect(document["authorization_response_iss_parameter_supported"]?.bool == true)
        for name in ["authorization", "token", "revocation", "introspection", "userinfo", "device_authorization"] {
            let address = try #require(document["\(name)_endpoint"]?.string)
            let path = String(address.dropFirst(client.org.instanceURL.count))
            #expect(try client.send("DELETE", path, token: .some(nil)).status == 405)
        }
        #expect(try client.send("GET", "/.well-known/security.txt").status == 404)
    }

    @Test("a token without the scope api cannot use the REST API, and its error differs from that of an expired token")
    func scopes() async throws {
        let client = try await SharedOrg.client
        func token(_ scope: String) throws -> RawClient.Response {
            try client.grant("client_credentials", [("scope", scope)])
        }
        let narrow = try token("id").json["access_token"]?.string
        let refused = try client.send("GET", "\(OrgClient.data)/limits", token: narrow)
        #expect(refused.status == 401 && refused.errorCode == "INVALID_SESSION_ID")
        #expect(refused.json[0]?["message"]?.string == "This session is not valid for use with the REST API")
        #expect(try client.send("GET", "/services/oauth2/userinfo", token: narrow).status == 200)
        let full = try token("full").json["access_token"]?.string
        #expect(try client.send("GET", "\(OrgClient.data)/limits", token: full).status == 200)
        #expect(try token("everything").oauthError == "invalid_scope")
    }

    @Test("refresh tokens remain valid, and are bound to their client")
    func lifetimes() async throws {
        let clock = ManualClock()
        var configuration = LocalOrgConfiguration(accessTokenLifetime: .seconds(60), refreshRotation: .off)
        configuration.clock = clock
        let client = try await OrgClient.start(configuration)
        let pair = client.org.issueCredential()
        func refresh(_ id: String) throws -> RawClient.Response {
            let secret = id == client.org.clientID ? [("client_secret", client.org.clientSecret)] : []
            return try client.form(
                [("grant_type", "refresh_token"), ("client_id", id), ("refresh_token", pair.refreshToken)] + secret)
        }
        #expect(try refresh(LocalOrg.publicClientID).oauthError == "invalid_grant")
        for _ in 0..<3 {
            clock.advance(by: .seconds(900))
            #expect(try refresh(client.org.clientID).status == 200)
        }
    }
}
