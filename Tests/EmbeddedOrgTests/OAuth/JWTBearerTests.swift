// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestBase
import RestJSON
import RestTransport
import Testing

@Suite("Signed assertions")
struct JWTBearerTests {
    private static let grantType = "urn:ietf:params:oauth:grant-type:jwt-bearer"

    /// Runs the body with an org that has the certificate of a key.
    private func withOrg(_ body: (OrgClient, TestKey) throws -> Void) async throws {
        let key = try TestKey()
        var configuration = LocalOrgConfiguration()
        configuration.connectedApps = [ConnectedApp(clientID: "robot", certificates: [key.certificate])]
        try body(try await OrgClient.start(configuration), key)
    }

    private func claims(_ client: OrgClient, _ changes: [String: JSONValue?] = [:]) -> String {
        var claims: [String: JSONValue] = [
            "iss": "robot", "sub": JSONValue(client.org.username), "aud": JSONValue(client.org.instanceURL),
            "exp": JSONValue(Int(Date.now.timeIntervalSince1970) + 120),
        ]
        for (name, value) in changes { claims[name] = value }
        return JSONValue(JSONObject(members: claims.map { (key: $0.key, value: $0.value) })).description
    }

    private func send(_ client: OrgClient, _ assertion: String) throws -> RawClient.Response {
        try client.form([("grant_type", Self.grantType), ("assertion", assertion)])
    }

    @Test("an assertion that is signed with a registered key is exchanged for an access token without a refresh token")
    func granted() async throws {
        try await withOrg { client, key in
            for audience: JSONValue in [
                JSONValue(client.org.instanceURL), JSONValue(client.org.instanceURL + "/"),
                "https://login.salesforce.com", ["https://other.example", "https://login.salesforce.com"],
            ] {
                let response = try send(client, try key.assertion(claims(client, ["aud": audience])))
                #expect(response.status == 200)
                #expect(response.json["refresh_token"] == nil)
                let token = response.json["access_token"]?.string
                #expect(try client.send("GET", "\(OrgClient.data)/limits", token: token).status == 200)
            }
            let entry = client.org.journal.entries.first { $0.oauth != nil }
            #expect(entry?.oauth?.clientID == "robot" && entry?.oauth?.grantType == Self.grantType)
        }
    }

    @Test("an assertion is accepted once, by its id or as a whole if it has no id")
    func replays() async throws {
        try await withOrg { client, key in
            for changes: [String: JSONValue?] in [[:], ["jti": "1"]] {
                let overheard = try key.assertion(claims(client, changes))
                #expect(try send(client, overheard).status == 200)
                let replay = try send(client, overheard)
                #expect(replay.oauthError == "invalid_grant")
                #expect(replay.json["error_description"]?.string == "invalid assertion: it was used before")
            }
            let later = Int(Date.now.timeIntervalSince1970) + 121
            #expect(try send(client, try key.assertion(claims(client, ["jti": "2"]))).status == 200)
            let again = try key.assertion(claims(client, ["jti": "2", "exp": JSONValue(later)]))
            #expect(try send(client, again).oauthError == "invalid_grant")
        }
    }

    @Test("invalid claims are rejected with Salesforce's messages (A61)")
    func claimFaults() async throws {
        try await withOrg { client, key in
            let now = Int(Date.now.timeIntervalSince1970)
            let cases: [([String: JSONValue?], String, String)] = [
                (["iss": "nobody"], "invalid_client_id", "client identifier invalid"),
                (["iss": nil], "invalid_client_id", "client identifier invalid"),
                (["sub": "somebody@else.test"], "invalid_grant", "user hasn't approved this consumer"),
                (["sub": nil], "invalid_grant", "user hasn't approved this consumer"),
                (["aud": "https://evil.example"], "invalid_grant", "audience is invalid"),
                (["aud": "https://test.salesforce.com"], "invalid_grant", "audience is invalid"),
                (["aud": nil], "invalid_grant", "audience is invalid"),
                (["exp": JSONValue(now - 60)], "invalid_grant", "invalid assertion: it has expired"),
                (["exp": JSONValue(now + 3_600)], "invalid_grant", "invalid assertion: exp is more"),
                (["exp": JSONValue((now + 120) * 1_000)], "invalid_grant", "invalid assertion: exp is more"),
                (["exp": nil], "invalid_grant", "invalid assertion: exp is missing"),
                (["exp": "soon"], "invalid_grant", "invalid assertion: exp is missing"),
                (["nbf": JSONValue(now + 600)], "invalid_grant", "invalid assertion: nbf is in the future"),
                (["iat": JSONValue(now + 600)], "invalid_grant", "invalid assertion: iat is in the future"),
            ]
            for (changes, error, description) in cases {
                let response = try send(client, try key.assertion(claims(client, changes)))
                #expect(response.status == 400)
                #expect(response.oauthError == error, "\(changes)")
                #expect(response.json["error_description"]?.string?.hasPrefix(description) == true, "\(changes)")
            }
        }
    }

    @Test("assertions with other algorithms, other keys, changes or errors are rejected")
    func signatures() async throws {
        try await withOrg { client, key in
            let good = claims(client)
            let none = #"{"alg":"none"}"#
            var cases = [
                "", "a", "a.b.c", "..", try key.assertion(good, header: none),
                try key.assertion(good, header: #"{"alg":"HS256"}"#), try key.assertion(good, header: "[]"),
                try key.assertion(good, header: "{}"),
            ]
            let right = try key.assertion(good)
            let parts = right.split(separator: ".").map(String.init)
            let unsigned = [none, good].map { Base64.encodeForURL(Array($0.utf8)) }.joined(separator: ".")
            cases += [
                unsigned + ".", "\(parts[0]).\(Base64.encodeForURL(Array((good + " ").utf8))).\(parts[2])",
                "\(parts[0]).\(parts[1]).\(parts[2].dropLast(4))AAAA", "\(parts[0]).\(parts[1]).", right + ".x",
                right.replacing("-", with: "+") + "=",
            ]
            cases.append(try TestKey().assertion(good))
            for text in cases {
                let response = try send(client, text)
                #expect(response.status == 400)
                #expect(["invalid_grant", "invalid_request"].contains(response.oauthError), "\(text.prefix(40))")
            }
            #expect(try send(client, right).status == 200)
        }
    }

    @Test("short RSA keys and keys of another type cannot be registered", arguments: ["rsa:1024", "ec"])
    func weakKeys(kind: String) async throws {
        var configuration = LocalOrgConfiguration()
        let certificate = try TestKey(kind).certificate
        configuration.connectedApps = [ConnectedApp(clientID: "robot", certificates: [certificate])]
        let refused = configuration
        let error = await #expect(throws: StartError.self) { try await LocalOrg.start(refused) }
        #expect(error?.code == .invalidApp)
    }
}
