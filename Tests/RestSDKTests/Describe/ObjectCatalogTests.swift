// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestSDK
import RestTesting
import Testing

@Suite("Descriptions that are kept")
struct ObjectCatalogTests {
    private static func folder() throws -> String {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("catalog-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        return url.path
    }

    private static func describes(_ org: LocalOrg) -> [Int] {
        org.journal.entries.filter { $0.target.hasSuffix("/describe") }.map { $0.status ?? 0 }
    }

    @Test("a young description costs nothing, an older one a question, and many askers one call")
    func asking() async throws {
        try await withClient { client, org in
            let catalog = ObjectDescription.Catalog(client, maximumAge: .seconds(600))
            let descriptions = try await withThrowingTaskGroup(of: ObjectDescription.self) { group in
                for _ in 0..<20 { group.addTask { try await catalog.object("Account") } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(Set(descriptions).count == 1)
            _ = try await catalog.object("Account")
            #expect(Self.describes(org) == [200])
            catalog.refresh()
            #expect(try await catalog.object("Account") == descriptions[0])
            #expect(Self.describes(org) == [200, 304])
            #expect(try await catalog.objects().contains { $0.name == "Account" })
            let always = ObjectDescription.Catalog(client, maximumAge: .zero)
            for _ in 0..<2 { _ = try await always.object("Contact") }
            #expect(Self.describes(org) == [200, 304, 200, 304])
        }
    }

    @Test("in a folder descriptions outlast their catalog; only this user may read them")
    func folders() async throws {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await withClient { client, org in
            let first = try await ObjectDescription.Catalog(client, storage: .folder(folder)).object("Account")
            _ = try await ObjectDescription.Catalog(client, storage: .folder(folder)).objects()
            let second = try await ObjectDescription.Catalog(client, storage: .folder(folder)).object("Account")
            #expect(first == second)
            #expect(Self.describes(org) == [200, 304])
            let names = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(names.count == 2)
            for name in names {
                let mode = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")[.posixPermissions]
                #expect(mode as? Int == 0o600)
            }
        }
    }

    @Test(
        "a file that is damaged, of another form or hostile is as good as none",
        arguments: [
            "", "{", "[]", #"{"format":1}"#, #"{"format":2,"version":"v66.0","name":"Account","body":{}}"#,
            #"{"format":1,"version":"v66.0","name":"Account","body":{"fields":1}}"#,
            #"{"format":1,"version":"v66.0","name":"Contact","body":{"name":"Contact"}}"#,
            "{\"format\":1,\"version\":\"v66.0\",\"name\":\"Account\",\"entityTag\":\"a\\r\\nX: y\",\"body\":{\"name\":\"Old\"}}",
        ])
    func damaged(content: String) async throws {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await withClient { client, org in
            try content.write(
                toFile: "\(folder)/Account.v66.0.describe.json", atomically: true, encoding: .utf8)
            let account = try await ObjectDescription.Catalog(client, storage: .folder(folder)).object("Account")
            #expect(account.name == "Account" && !account.fields.isEmpty)
            #expect(Self.describes(org) == [200])
            _ = try await ObjectDescription.Catalog(client, storage: .folder(folder)).object("Account")
            #expect(Self.describes(org) == [200, 304])
        }
    }

    @Test("a folder that is not there is no failure; a name is no path")
    func oddFolders() async throws {
        try await withClient { client, _ in
            let catalog = ObjectDescription.Catalog(client, storage: .folder("/nowhere/at/all"))
            let account = try await catalog.object("Account")
            #expect(account.name == "Account")
            let error = await #expect(throws: RestError.self) { try await catalog.object("../Account") }
            #expect(error != nil)
        }
    }

    @Test("who gives up hears at once, and the others still get the description")
    func givingUp() async throws {
        let stub = StubTransport()
        let client = try RestClient.of(stub)
        stub.enqueue(.silence)
        let catalog = ObjectDescription.Catalog(client)
        let waiter = Task { try await catalog.object("Account") }
        while stub.requests.isEmpty { await Task.yield() }
        waiter.cancel()
        let error = await #expect(throws: RestError.self) { try await waiter.value }
        #expect(error?.code == .cancelled)
        client.shutdown()
    }

    @Test("a failure is told to all who asked, and the next one asks again")
    func failing() async throws {
        try await withClient { client, org in
            let catalog = ObjectDescription.Catalog(client)
            org.faults.add(.status(400, code: "INVALID_TYPE"), matching: "/describe")
            await #expect(throws: RestError.self) { try await catalog.object("Account") }
            let account = try await catalog.object("Account")
            #expect(account.name == "Account")
        }
    }
}
