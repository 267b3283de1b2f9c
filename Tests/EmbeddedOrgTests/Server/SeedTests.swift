// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestSDK
import RestTesting
import Testing

@Suite("The seed decides ids", .timeLimit(.minutes(2)))
struct SeedTests {
    @Test("the default seed keeps its ids, the same seed gives the same, another seed gives others")
    func ids() async throws {
        let orgs = [try await LocalOrg.start(), try await LocalOrg.start(), try await start(seed: 1)]
        #expect(orgs[0].organizationID == "00DbZ0000000001UAA" && orgs[0].userID == "005bZ0000000001QAA")
        #expect(orgs[0].organizationID == orgs[1].organizationID && orgs[0].userID == orgs[1].userID)
        #expect(orgs[0].organizationID != orgs[2].organizationID && orgs[0].userID != orgs[2].userID)
        let clients = orgs.map(OrgClient.init)
        let accounts = try clients.map { try $0.query("SELECT Id FROM Account").json["records"]?.array ?? [] }
            .map { Set($0.compactMap { $0["Id"]?.string }) }
        #expect(accounts[0].count == 60 && accounts[0] == accounts[1] && accounts[0].isDisjoint(with: accounts[2]))
        for org in orgs { await org.stop() }
    }

    @Test(
        "an org of any seed has whole sample data, takes new records and numbers its cases from 1",
        arguments: [0, 1, 2025, 2027, 240_291, UInt64.max])
    func whole(seed: UInt64) async throws {
        let client = OrgClient(try await start(seed: seed))
        let user = try client.get("/sobjects/User/\(client.org.userID)")
        #expect(user.status == 200 && user.json["Username"]?.string?.isEmpty == false)
        let owned = try client.query(
            "SELECT Id FROM Account WHERE Owner.Name != null AND Id IN (SELECT AccountId FROM Contact)")
        #expect(owned.json["totalSize"]?.int ?? 0 > 30)
        let made = try client.create("Case", #"{"Subject":"New"}"#)
        let numbers = try client.query("SELECT CaseNumber FROM Case ORDER BY CaseNumber").json["records"]?.array ?? []
        #expect(numbers.first?["CaseNumber"]?.string == "00000001")
        #expect(try client.get("/sobjects/Case/\(made)").json["CaseNumber"]?.string == "000000\(numbers.count)")
        await client.org.stop()
    }

    @Test("seeds that stand close to each other never share an offset, and every offset leaves room for rows")
    func offsets() {
        let offsets = (1_000..<4_000).map { RecordID.offset(seed: $0) } + [RecordID.offset(seed: 239_265)]
        #expect(Set(offsets).count == offsets.count)
        #expect(RecordID.offset(seed: 2026) == 0)
        #expect(offsets.allSatisfy { $0 % RecordID.rowsPerSeed == 0 && (0..<3_520_700_000_000).contains($0) })
    }

    @Test("a file keeps its ids, whatever seed it is opened with")
    func file() async throws {
        try await withTemporaryFolder { folder in
            var configuration = LocalOrgConfiguration(storage: .file(folder + "/org.db"), seed: 7)
            let made = try await LocalOrg.start(configuration)
            await made.stop()
            configuration.seed = 8
            let opened = try await LocalOrg.start(configuration)
            #expect(opened.userID == made.userID && opened.organizationID == made.organizationID)
            let client = OrgClient(opened)
            #expect(try client.get("/sobjects/User/\(opened.userID)").status == 200)
            await opened.stop()
        }
    }

    @Test("logins at two orgs stand side by side as two accounts")
    func accounts() async throws {
        let orgs = [try await start(seed: 1), try await start(seed: 2)]
        let accounts = try await AccountManager.open(store: InMemoryCredentialStore())
        for org in orgs {
            let server = try HTTPURL(parsing: org.instanceURL).origin
            let login = Credential.Login(server: server, clientID: org.clientID, clientSecret: Secret(org.clientSecret))
            let oauth = OAuthClient(
                login: server, clientID: org.clientID, clientSecret: Secret(org.clientSecret),
                transport: PlatformTransport.shared)
            var credential = try await oauth.token(for: ClientCredentialsGrant(), deadline: .now + .seconds(30))
            credential.login = login
            _ = try await accounts.add(credential)
        }
        #expect(Set(accounts.accounts.compactMap(\.userID)) == Set(orgs.map(\.userID)))
        #expect(Set(accounts.accounts.compactMap(\.organizationID)) == Set(orgs.map(\.organizationID)))
        for org in orgs { await org.stop() }
    }

    private func start(seed: UInt64) async throws -> LocalOrg {
        try await LocalOrg.start(LocalOrgConfiguration(seed: seed))
    }
}
