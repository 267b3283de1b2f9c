// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestJSON
import Testing

@Suite("Limits of logins")
struct LoginLimitTests {
    @Test("faults speak the words of the OAuth endpoints, and forgotten codes are worthless")
    func faults() async throws {
        let client = try await OrgClient.start()
        client.org.faults.add(
            .oauth("invalid_grant", description: "token request is already being processed"), matching: "/token")
        let busy = try client.form([
            ("grant_type", "client_credentials"), ("client_id", client.org.clientID),
            ("client_secret", client.org.clientSecret),
        ])
        #expect(busy.status == 400 && busy.oauthError == "invalid_grant")
        #expect(busy.json["error_description"]?.string == "token request is already being processed")
        client.org.faults.add(.oauth("server_error", status: 503, fields: ["Retry-After": "2"]), matching: "/authorize")
        let down = try client.send("GET", "/services/oauth2/authorize", token: .some(nil))
        #expect(down.status == 503 && down.field("Retry-After") == "2")
        let codes = try client.form([("client_id", LocalOrg.publicClientID)], to: "device_authorization").json
        client.org.faults.forgetCodes()
        let poll = try client.form([
            ("grant_type", "device"), ("client_id", LocalOrg.publicClientID),
            ("code", codes["device_code"]?.string ?? ""),
        ])
        #expect(poll.oauthError == "invalid_grant")
        await client.org.stop()
    }

    @Test("a client says who it is once: by HTTP Basic or in the body; a public one has no secret")
    func clientAuthentication() async throws {
        let client = try await SharedOrg.client
        let basic = "Authorization: Basic " + Array("\(client.org.clientID):\(client.org.clientSecret)".utf8).base64
        let twice = try client.form(
            [("grant_type", "client_credentials"), ("client_secret", client.org.clientSecret)], fields: [basic])
        #expect(twice.oauthError == "invalid_request")
        let none = try client.form([("grant_type", "client_credentials"), ("client_id", LocalOrg.publicClientID)])
        #expect(none.oauthError == "unauthorized_client")
        let invented = try client.form([
            ("grant_type", "client_credentials"), ("client_id", LocalOrg.publicClientID), ("client_secret", "x"),
        ])
        #expect(invented.oauthError == "invalid_client")
        let long = String(repeating: "x", count: 70_000)
        #expect(try client.form([("grant_type", "refresh_token"), ("x", long)]).oauthError == "invalid_request")
    }
}
