// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestJSON
import RestSDK
import RestTesting
import SOQLStore
import Testing

@Suite("Starting and stopping")
struct StartTests {
    @Test("each instance has its own port and secrets")
    func instances() async throws {
        let (first, second) = (try await LocalOrg.start(), try await LocalOrg.start())
        #expect(first.port != second.port && first.instanceURL == "http://127.0.0.1:\(first.port)")
        #expect(first.clientID != second.clientID && first.clientSecret != second.clientSecret)
        #expect(first.username != second.username && first.password != second.password)
        let token = OrgClient(first).token
        #expect(try OrgClient(second).send("GET", "\(OrgClient.data)/limits", token: token).status == 401)
        await first.stop()
        await second.stop()
    }

    // The second org leaves a copy of its database, with which the others begin.
    @Test("each of many orgs in a process starts with the same records, and keeps its changes to itself")
    func copies() async throws {
        var found: Set<[String]> = []
        for _ in 0..<4 {
            let client = try await OrgClient.start()
            let names = try client.get("/sobjects").json["sobjects"]?.array?.compactMap { $0["name"]?.string } ?? []
            #expect(names.count > 30)
            var state = try names.map { "\($0): \(try client.query("SELECT COUNT() FROM \($0)").text)" }
            state.append(try client.query("SELECT Id, Name, CreatedDate, Owner.Name FROM Account ORDER BY Id").text)
            state.append(try client.create("Account", #"{"Name":"Mine"}"#))
            #expect(try client.query("SELECT Id FROM Account WHERE Name = 'Mine'").json["totalSize"]?.int == 1)
            await client.org.stop()
            found.insert(state)
        }
        #expect(found.count == 1)
    }

    @Test("a port in use and a port out of range have clear errors")
    func ports() async throws {
        let org = try await LocalOrg.start()
        await expect(.portInUse, LocalOrgConfiguration(port: org.port))
        await expect(.portRefused, LocalOrgConfiguration(port: 65_536))
        await expect(.portRefused, LocalOrgConfiguration(port: -1))
        let port = org.port
        await org.stop()
        await org.stop()
        #expect(throws: RawClient.Failure.notConnected) { try RawClient(port: port) }
        let again = try await LocalOrg.start(LocalOrgConfiguration(port: port))
        #expect(again.port == port)
        await again.stop()
    }

    @Test("an org in a file keeps its records and forgets its tokens")
    func reopening() async throws {
        try await withTemporaryDirectory { folder in
            let configuration = LocalOrgConfiguration(storage: .file(folder + "/org.db"))
            let first = try await OrgClient.start(configuration)
            let id = try first.create("Account", #"{"Name":"Kept"}"#)
            await first.org.stop()
            let second = try await OrgClient.start(configuration)
            #expect(try second.get("/sobjects/Account/\(id)").json["Name"]?.string == "Kept")
            #expect(try second.send("GET", "\(OrgClient.data)/limits", token: first.token).status == 401)
            let next = try second.create("Account", #"{"Name":"Next"}"#)
            #expect(next > id)
            await second.org.stop()
        }
    }

    @Test("the files of a database are accessible only to this user, whether new or not")
    func fileModes() async throws {
        try await withTemporaryDirectory { folder in
            let path = folder + "/org.db"
            for round in 0..<2 {
                if round == 1 { try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: path) }
                let client = try await OrgClient.start(LocalOrgConfiguration(storage: .file(path)))
                #expect(try !client.create("Account", #"{"Name":"Private"}"#).isEmpty)
                for suffix in ["", "-wal", "-shm"] {
                    let attributes = try FileManager.default.attributesOfItem(atPath: path + suffix)
                    #expect(attributes[.posixPermissions] as? Int == 0o600, "\(path + suffix)")
                }
                await client.org.stop()
            }
        }
    }

    @Test(
        "an org that has stopped holds no file of its database open, nor does a second stop",
        .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/fd")))
    func closedFiles() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("closed-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let before = try openFiles("/localorg-").count
        let memory = try await LocalOrg.start()
        let file = try await LocalOrg.start(LocalOrgConfiguration(storage: .file("\(folder)/org.sqlite")))
        #expect(try OrgClient(memory).get("/query?q=SELECT+Id+FROM+Account").status == 200)
        #expect(try openFiles(folder).count > 1)
        for org in [memory, file, memory] { await org.stop() }
        #expect(try openFiles("/localorg-").count == before)
        #expect(try openFiles(folder).isEmpty)
        withExtendedLifetime((memory, file)) {}
    }

    private func openFiles(_ words: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
        }.filter { $0.contains(words) }
    }

    @Test("a file that is not a database, a file of another program and an impossible path have different errors")
    func wrongFiles() async throws {
        try await withTemporaryDirectory { folder in
            let text = folder + "/text.db"
            let words = String(repeating: "this is not a database ", count: 100)
            try words.write(toFile: text, atomically: true, encoding: .utf8)
            await expect(.notADatabase, LocalOrgConfiguration(storage: .file(text)))
            #expect(try String(contentsOfFile: text, encoding: .utf8) == words)
            await expect(.cannotOpen, LocalOrgConfiguration(storage: .file(folder)))
            await expect(.cannotOpen, LocalOrgConfiguration(storage: .file(folder + "/no/such/folder.db")))
            let cut = folder + "/cut.db"
            let org = try await LocalOrg.start(LocalOrgConfiguration(storage: .file(cut)))
            await org.stop()
            let bytes = try Data(contentsOf: URL(filePath: cut))
            try Data([UInt8](repeating: 0x58, count: 100) + bytes.dropFirst(100)).write(to: URL(filePath: cut))
            await expect(.notADatabase, LocalOrgConfiguration(storage: .file(cut)))
        }
    }

    @Test("the same seed results in the same records, and extra accounts are created on request")
    func seeds() async throws {
        let first = try await OrgClient.start(LocalOrgConfiguration(records: 500))
        let second = try await OrgClient.start(LocalOrgConfiguration(records: 500))
        let other = try await OrgClient.start(LocalOrgConfiguration(seed: 1))
        for path in [
            "/sobjects/Account/001bZ0000000007", "/sobjects/Lead/00QbZ0000000003", "/sobjects/Account/001bZ000000008b",
        ] {
            let responses = try [first, second].map { try $0.get(path).text }
            #expect(responses[0] == responses[1] && responses[0].hasPrefix("{"))
        }
        let names = try [first, other].map { client in
            try client.query("SELECT Name FROM Lead ORDER BY Id").json["records"]?.array?.map { $0["Name"] }
        }
        #expect(names[0]?.count == 40 && names[1]?.count == 40 && names[0] != names[1])
        for client in [first, second, other] { await client.org.stop() }
    }

    private func expect(_ code: StartError.Code, _ configuration: LocalOrgConfiguration) async {
        let error = await #expect(throws: StartError.self) { try await LocalOrg.start(configuration) }
        #expect(error?.code == code && error?.description.isEmpty == false)
    }
}

func withTemporaryDirectory(_ body: (String) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "local-org-\(UUID())").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await body(folder)
}

@Suite("The seed determines the ids", .timeLimit(.minutes(2)))
struct SeedTests {
    @Test("the default seed keeps its ids, equal seeds result in equal ids, and another seed in others")
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
        "an org with any seed has complete sample data, accepts new records and numbers its cases from 1",
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
    }

    @Test("similar seeds never share an offset, and every offset leaves enough numbers for rows")
    func offsets() {
        let offsets = (1_000..<4_000).map { RecordID.offset(seed: $0) } + [RecordID.offset(seed: 239_265)]
        #expect(Set(offsets).count == offsets.count)
        #expect(RecordID.offset(seed: 2026) == 0)
        #expect(offsets.allSatisfy { $0 % RecordID.rowsPerSeed == 0 && (0..<3_520_700_000_000).contains($0) })
    }

    @Test("a file keeps its ids, whatever seed it is opened with")
    func file() async throws {
        try await withTemporaryDirectory { folder in
            var configuration = LocalOrgConfiguration(storage: .file(folder + "/org.db"), seed: 7)
            let made = try await LocalOrg.start(configuration)
            await made.stop()
            configuration.seed = 8
            let opened = try await LocalOrg.start(configuration)
            #expect(opened.userID == made.userID && opened.organizationID == made.organizationID)
            let client = OrgClient(opened)
            #expect(try client.get("/sobjects/User/\(opened.userID)").status == 200)
        }
    }

    @Test("logins at two orgs are two accounts")
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
