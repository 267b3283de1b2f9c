// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestJSON
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

    @Test("a port in use, a port out of range and a foreign address are refused clearly")
    func ports() async throws {
        let org = try await LocalOrg.start()
        await expect(.portInUse, LocalOrgConfiguration(port: org.port))
        await expect(.portRefused, LocalOrgConfiguration(port: 65_536))
        await expect(.portRefused, LocalOrgConfiguration(port: -1))
        var configuration = LocalOrgConfiguration()
        for host in ["0.0.0.0", "192.168.1.1", "localhost", "::"] {
            configuration.host = host
            await expect(.addressRefused, configuration)
        }
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
        try await withTemporaryFolder { folder in
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

    @Test("the files of a database are for this user alone, new or not")
    func fileModes() async throws {
        try await withTemporaryFolder { folder in
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

    /// What this process has open whose path contains the words.
    private func openFiles(_ words: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
        }.filter { $0.contains(words) }
    }

    @Test("a file that is no database, one of another program, and one that cannot be made are told apart")
    func wrongFiles() async throws {
        try await withTemporaryFolder { folder in
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

    @Test("the same seed gives the same records; extra accounts come on request")
    func seeds() async throws {
        let first = try await OrgClient.start(LocalOrgConfiguration(records: 500))
        let second = try await OrgClient.start(LocalOrgConfiguration(records: 500))
        let other = try await OrgClient.start(LocalOrgConfiguration(seed: 1))
        for path in [
            "/sobjects/Account/001bZ0000000007", "/sobjects/Lead/00QbZ0000000003", "/sobjects/Account/001bZ000000008b",
        ] {
            let answers = try [first, second].map { try $0.get(path).text }
            #expect(answers[0] == answers[1] && answers[0].hasPrefix("{"))
        }
        let names = try [first, other].map { client in
            try client.query("SELECT Name FROM Lead ORDER BY Id").json["records"]?.array?.map { $0["Name"] }
        }
        #expect(names[0]?.count == 40 && names[1]?.count == 40 && names[0] != names[1])
        for client in [first, second, other] { await client.org.stop() }
    }

    private func expect(_ code: LocalOrgError.Code, _ configuration: LocalOrgConfiguration) async {
        await #expect {
            _ = try await LocalOrg.start(configuration)
        } throws: { error in
            (error as? LocalOrgError)?.code == code && !"\(error)".isEmpty
        }
    }
}

/// Runs the body with a folder that is removed afterwards.
func withTemporaryFolder(_ body: (String) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "local-org-\(UUID())").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await body(folder)
}
