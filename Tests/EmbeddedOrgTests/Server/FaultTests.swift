// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestJSON
import Testing

@Suite("Injected errors and the journal", .timeLimit(.minutes(2)))
struct FaultTests {
    @Test("an injected status is the response to the next matching requests only")
    func status() async throws {
        let client = try await OrgClient.start()
        client.org.faults.add(
            .status(503, code: "SERVER_UNAVAILABLE", fields: ["Retry-After": "1"]), next: 2, matching: "/limits",
            skipping: 1)
        #expect(try client.get("/limits").status == 200)
        for _ in 0..<2 {
            #expect(try client.get("/sobjects").status == 200)
            let response = try client.get("/limits")
            #expect(response.status == 503)
            #expect(response.errorCode == "SERVER_UNAVAILABLE")
            #expect(response.field("Retry-After") == "1")
        }
        #expect(try client.get("/limits").status == 200)
        #expect(client.org.journal.entries.map(\.status) == [200, 200, 503, 200, 503, 200])
    }

    @Test("closed, reset and truncated responses can be injected")
    func broken() async throws {
        let client = try await OrgClient.start()
        client.org.faults.add(.close, matching: "/limits")
        #expect(throws: RawClient.Failure.closed(received: 0)) { try client.get("/limits") }
        client.org.faults.add(.reset, matching: "/limits")
        #expect(throws: RawClient.Failure.reset) { try client.get("/limits") }
        client.org.faults.add(.truncate(after: 10), matching: "/limits")
        #expect(throws: RawClient.Failure.closed(received: 10)) { try client.get("/limits") }
        #expect(client.org.journal.entries.map(\.status) == [nil, nil, 200])
        client.org.faults.add(.closeAfterHandling, method: "POST")
        #expect(throws: RawClient.Failure.closed(received: 0)) {
            try client.create("Account", #"{"Name":"Lost answer","ExternalId__c":"lost"}"#)
        }
        #expect(try client.get("/sobjects/Account/ExternalId__c/lost").json["Name"]?.string == "Lost answer")
    }

    @Test("wrong bodies and wrong content types can be injected")
    func bodies() async throws {
        let client = try await OrgClient.start()
        client.org.faults.add(.body("<html>down</html>"), matching: "/limits")
        let html = try client.get("/limits")
        #expect(html.status == 200)
        #expect(html.field("Content-Type") == "text/html;charset=utf-8")
        #expect(html.text == "<html>down</html>")
        client.org.faults.add(.mislabel("text/plain"), matching: "/limits")
        let mislabelled = try client.get("/limits")
        #expect(mislabelled.field("Content-Type") == "text/plain")
        #expect(mislabelled.json["DailyApiRequests"] != nil)
        client.org.faults.add(.status(204))
        #expect(try client.get("/limits").status == 204)
    }

    @Test("a delayed response does not delay other connections, and stopping does not wait for it")
    func delay() async throws {
        let client = try await OrgClient.start()
        // Far longer than any client of this test waits.
        client.org.faults.add(.delay(.seconds(600)), next: 8, matching: "slow")
        let slow = try (0..<8).map { _ in try RawClient(port: client.org.port) }
        for raw in slow {
            try raw.send(Array("GET /services/data?slow HTTP/1.1\r\nHost: localhost:\(client.org.port)\r\n\r\n".utf8))
        }
        while client.org.journal.count < 8 { await Task.yield() }
        #expect(try client.get("/limits").status == 200)
        await client.org.stop()
        for raw in slow { #expect(raw.isClosed()) }
    }

    @Test("a delayed response arrives no earlier than its delay")
    func delayLength() async throws {
        let client = try await OrgClient.start()
        client.org.faults.add(.delay(.milliseconds(300)))
        let start = ContinuousClock.now
        #expect(try client.get("/limits").status == 200)
        #expect(ContinuousClock.now - start >= .milliseconds(300))
    }

    @Test("sessions and logins can be ended")
    func tokens() async throws {
        let client = try await OrgClient.start()
        let pair = client.org.issueCredential()
        client.org.faults.expireAccessTokens()
        #expect(try client.get("/limits").errorCode == "INVALID_SESSION_ID")
        let form = [("grant_type", "refresh_token"), ("refresh_token", pair.refreshToken)] + client.app
        #expect(try client.form(form).status == 200)
        client.org.faults.revokeRefreshTokens()
        #expect(try client.form(form).oauthError == "invalid_grant")
        client.org.faults.add(.status(500))
        client.org.faults.clear()
        #expect(try client.form(form).status == 400)
    }

    @Test("the journal records the received requests, but no secret")
    func journal() async throws {
        let client = try await OrgClient.start()
        let org = client.org
        try client.send(
            "POST", "\(OrgClient.data)/sobjects/Account?x=%20y", body: #"{"Name":"x"}"#, fields: ["X-Test: 1"])
        try client.grant("client_credentials")
        try client.send("GET", "/services/data", fields: ["Origin: https://evil.com"])
        let entries = org.journal.entries
        try #require(entries.count == 3)
        #expect(entries.map(\.sequence) == [1, 2, 3])
        #expect(entries[0].method == "POST")
        #expect(entries[0].target == "\(OrgClient.data)/sobjects/Account?x=%20y")
        #expect(entries[0].pathHasSuffix("/sobjects/Account"))
        #expect(entries[0].field("x-test") == "1")
        #expect(entries[0].field("Authorization") == "Bearer \(Journal.fingerprint(of: client.token))")
        #expect(entries[0].body == Array(#"{"Name":"x"}"#.utf8))
        #expect(entries[0].bodySize == 12)
        #expect(entries.map(\.status) == [201, 200, 403])
        let form = String(decoding: entries[1].body, as: UTF8.self)
        #expect(form.contains("grant_type=client"))
        #expect(!form.contains(org.clientSecret) && form.contains(Journal.fingerprint(of: org.clientSecret)))
        #expect(!String(describing: entries).contains(client.token))
        org.journal.clear()
        #expect(org.journal.entries.isEmpty && org.journal.count == 0)
    }

    @Test(
        "a secret is not recorded in the journal, however its path and its name are encoded",
        arguments: [
            ("/services/%6Fauth2/token", "client_secret={s}"), ("/services/oauth2/%74oken", "client%5Fsecret={s}"),
            ("/services/oauth2/token", "cl%69ent_secret={s}"), ("/services/oauth2/token", "CLIENT_SECRET={s}"),
            ("/services/oauth2/token", "client_secret"), ("/services/oauth2/token", "{s}"),
            ("/services/oauth2/token", "{\"client_secret\":\"{s}\"}"), ("/services/oauth2/token%zz", "{s}"),
            ("/services/%53oap/u/66.0", "<password>{s}</password>"),
            ("/services/data?acc%65ss_token={s}", "a=b"), ("/services/data?Access_Token={s}", "a=b"),
            ("/id/00D/005", "acces%73_token={s}"), ("/services/data?a%zz={s}", "{s}"),
        ])
    func spelledSecrets(target: String, body: String) async throws {
        let client = try await SharedOrg.client
        client.org.journal.clear()
        let secret = client.org.clientSecret
        for type in ["application/x-www-form-urlencoded", "application/json", "text/xml"] {
            // At other paths, a body that is not a form is data.
            if type != "application/x-www-form-urlencoded", target.hasPrefix("/id/") { continue }
            try client.send(
                "POST", target.replacing("{s}", with: secret), body: body.replacing("{s}", with: secret),
                fields: ["Content-Type: \(type)"], token: .some(nil))
        }
        let entries = client.org.journal.entries
        #expect(!entries.isEmpty)
        for entry in entries {
            #expect(!entry.target.contains(secret))
            #expect(
                !String(decoding: entry.body, as: UTF8.self).contains(secret), "\(entry.field("Content-Type") ?? "")")
        }
    }

    @Test("an injected error matches its path in every encoding")
    func spelledFault() async throws {
        let client = try await OrgClient.start()
        client.org.faults.add(.status(503), matching: "/limits")
        #expect(try client.get("/%6Cimits").status == 503)
    }

    @Test("the journal drops the oldest entries above its capacity")
    func capacity() async throws {
        let client = try await OrgClient.start { $0.journalCapacity = 3 }
        for number in 0..<10 { try client.send("GET", "/services/data?\(number)") }
        #expect(client.org.journal.entries.map(\.sequence) == [8, 9, 10])
        #expect(client.org.journal.count == 10)
    }
}
