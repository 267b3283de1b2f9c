// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestCurl
import RestSDK
import Testing

/// The samples of the articles on the embedded org, word for word; all of them run.
enum OrgSamples {
    static func run() async throws {
        // sample: docs/EmbeddedOrg.docc/Misbehaving.md 1
        let org = try await LocalOrg.start(LocalOrgConfiguration(records: 500))
        let client = try RestClient(
            loginURL: org.instanceURL, clientID: org.clientID, clientSecret: Secret(org.clientSecret))
        var once = RestRequest.limits
        once.retryPolicy = .never  // shows each fault; with the default policy the client would try again
        // end
        try await answers(org, client, once)
        try await connections(org, client, once)
        try await lateAnswers(org, client, once)
        try await sessions(org, client)
        try await logins(org, once)
        try await secrets(org)
        try await twoOrgs()
        try await describedOrg()
        try await users()
        try await security()
        await org.stop()
    }

    private static func users() async throws {
        // sample: docs/EmbeddedOrg.docc/Logins.md 1
        var team = LocalOrgConfiguration()
        team.users = [OrgUser(username: "grace@example.com", password: "correct horse", profile: "Read Only")]
        let shared = try await LocalOrg.start(team)
        let token = try #require(shared.issueCredential(to: "grace@example.com")).accessToken
        // end
        #expect(!token.isEmpty)
        await shared.stop()
    }

    private static func security() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "sample-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        // sample: docs/EmbeddedOrg.docc/Logins.md 2
        let file = folder.appending(path: "org.pem").path
        var secure = LocalOrgConfiguration()
        secure.security = OrgSecurity(certificateFile: file)
        let org = try await LocalOrg.start(secure)
        var curl = CurlConfiguration()
        curl.tls.authoritiesFile = file
        let client = try RestClient(
            loginURL: org.instanceURL, clientID: org.clientID, clientSecret: Secret(org.clientSecret),
            configuration: RestClient.Configuration(transport: CurlTransport(configuration: curl)))
        _ = try await client.send(.limits)
        // end
        await org.stop()
    }

    private static func describedOrg() async throws {
        // sample: docs/EmbeddedOrg.docc/Schemas.md 1
        let fields = """
            [{"name": "Name", "type": "string", "length": 80, "nameField": true},
             {"name": "Site__c", "type": "reference", "referenceTo": ["Account"], "relationshipName": "Site__r"},
             {"name": "Grade__c", "type": "picklist", "picklistValues": [{"value": "A"}, {"value": "B"}]}]
            """
        let mission = #"{"attributes": {"type": "Mission__c", "referenceId": "m1"}, "Name": "First", "Grade__c": "A"}"#
        var described = LocalOrgConfiguration()
        described.schema = try OrgSchema(describe: Array(#"{"name": "Mission__c", "fields": \#(fields)}"#.utf8))
        described.initialRecords = [try InitialRecords(json: Array(#"{"records": [\#(mission)]}"#.utf8))]
        let withMissions = try await LocalOrg.start(described)
        // end
        let client = try RestClient(
            loginURL: withMissions.instanceURL, clientID: withMissions.clientID,
            clientSecret: Secret(withMissions.clientSecret))
        let found = try await client.send(.query("SELECT Name FROM Mission__c WHERE Grade__c = 'A'"))
        #expect(String(decoding: found.body, as: UTF8.self).contains("First"))
        await withMissions.stop()
    }

    private static func answers(_ org: LocalOrg, _ client: RestClient, _ once: RestRequest) async throws {
        // sample: docs/EmbeddedOrg.docc/Misbehaving.md 2
        org.faults.add(.status(503, code: "SERVER_UNAVAILABLE"), next: 2, matching: "/limits", skipping: 1)
        _ = try await client.send(once)
        for _ in 1...2 {
            await #expect { _ = try await client.send(once) } throws: { ($0 as? RestError)?.code == .server }
        }
        _ = try await client.send(once)
        // end

        // sample: docs/EmbeddedOrg.docc/Misbehaving.md 3
        org.faults.add(.body("<html>Down for maintenance</html>", status: 503), matching: "/limits")
        await #expect { _ = try await client.send(once) } throws: { ($0 as? RestError)?.code == .server }
        // end

        // sample: docs/EmbeddedOrg.docc/Misbehaving.md 4
        org.faults.add(.mislabel("text/plain"), matching: "/limits")
        let mislabelled = try await client.send(once)
        #expect(mislabelled.head.fields["Content-Type"] == "text/plain")
        // end
    }

    private static func connections(_ org: LocalOrg, _ client: RestClient, _ once: RestRequest) async throws {
        // sample: docs/EmbeddedOrg.docc/Misbehaving.md 5
        for fault in [Fault.close, .reset, .truncate(after: 10)] {
            org.faults.add(fault, matching: "/limits")
            await #expect { _ = try await client.send(once) } throws: { ($0 as? RestError)?.code == .transport }
        }
        // end
    }

    private static func lateAnswers(_ org: LocalOrg, _ client: RestClient, _ once: RestRequest) async throws {
        // sample: docs/EmbeddedOrg.docc/Misbehaving.md 6
        org.faults.add(.delay(.seconds(60)), matching: "/limits")
        let hasty = once.timeout(.milliseconds(50))
        await #expect { _ = try await client.send(hasty) } throws: { ($0 as? RestError)?.code == .timedOut }
        // end

        // sample: docs/EmbeddedOrg.docc/Misbehaving.md 7
        org.faults.add(.closeAfterHandling, method: "POST")
        let create = RestRequest.create("Account", ["Name": "Lost answer", "ExternalId__c": "X-1"])
        await #expect { _ = try await client.send(create) } throws: { ($0 as? RestError)?.outcome == .unknown }
        let found = try await client.send(.query("SELECT Name FROM Account WHERE ExternalId__c = 'X-1'"))
        #expect(found.payload["totalSize"]?.int == 1)
        // end
    }

    private static func sessions(_ org: LocalOrg, _ client: RestClient) async throws {
        // sample: docs/EmbeddedOrg.docc/Misbehaving.md 8
        org.journal.clear()
        org.faults.expireAccessTokens()
        _ = try await client.send(.limits)
        #expect(org.journal.entries.map(\.status) == [401, 200, 200])  // the call, a new token, the call again
        // end

        // sample: docs/EmbeddedOrg.docc/Misbehaving.md 9
        let first = try await client.send(.query("SELECT Id FROM Account", batchSize: 200))
        org.faults.killCursors()
        let next = RestRequest.nextPage(first.payload["nextRecordsUrl"]?.string ?? "")
        await #expect { _ = try await client.send(next) } throws: {
            ($0 as? RestError)?.faults.first?.errorCode == .invalidQueryLocator
        }
        // end
    }

    private static func logins(_ org: LocalOrg, _ once: RestRequest) async throws {
        // sample: docs/EmbeddedOrg.docc/Misbehaving.md 10
        org.faults.add(.oauth("invalid_client", description: "invalid client credentials"), matching: "/oauth2/token")
        let stranger = try RestClient(
            loginURL: org.instanceURL, clientID: org.clientID, clientSecret: Secret(org.clientSecret))
        await #expect { _ = try await stranger.send(once) } throws: { "\($0)".contains("invalid client credentials") }
        // end
    }

    private static func secrets(_ org: LocalOrg) async throws {
        // sample: docs/EmbeddedOrg.docc/Misbehaving.md 11
        let token = org.issueCredential().accessToken
        let other = try RestClient(instanceURL: org.instanceURL, accessToken: Secret(token))
        _ = try await other.send(.limits)
        #expect(org.journal.entries.last?.field("Authorization") == "Bearer \(Journal.fingerprint(of: token))")
        // end
    }

    private static func twoOrgs() async throws {
        // sample: docs/EmbeddedOrg.docc/Objects.md 1
        let here = try await LocalOrg.start(LocalOrgConfiguration(seed: 1))
        let there = try await LocalOrg.start(LocalOrgConfiguration(seed: 2))
        #expect(here.organizationID != there.organizationID && here.userID != there.userID)
        // end
        await here.stop()
        await there.stop()
    }
}
