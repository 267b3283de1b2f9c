// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestJSON
import RestSync
import RestTesting
import Synchronization
import Testing

@Suite("A copy that is opened for reading")
struct ReadingTests {
    @Test("readers see the transactions of the writer, and change nothing")
    func readers() async throws {
        try await SyncBed.with { bed in
            let (writer, path) = (try await bed.copy(), bed.folder.path("copy"))
            let reader = try await SyncStore.openForReading(path)
            #expect(try reader.count("SELECT COUNT() FROM Account") == 0)
            let id = try writer.edit { edit in
                let id = try edit.create("Account", ["Name": "Acme"])
                // The transaction is open.
                #expect(try reader.count("SELECT COUNT() FROM Account") == 0)
                return id
            }
            #expect(try reader.values("SELECT Name FROM Account") == ["Acme"])
            let attempts: [() async throws -> Void] = [
                { try reader.edit { try $0.delete("Account", id: id) } },
                { try await reader.sync(with: bed.client) },
                { try await reader.pull("SELECT Name FROM Account", with: bed.client) },
                { try reader.remove("SELECT Name FROM Account") },
                { try reader.delete(discardingEdits: true) },
            ]
            bed.org.journal.clear()
            for attempt in attempts {
                let error = await #expect(throws: SyncError.self) { try await attempt() }
                #expect(error?.code == .readOnly)
            }
            #expect(FileManager.default.fileExists(atPath: path))
            #expect(bed.org.journal.entries.isEmpty)
            // The reader does not wait for the writer's transaction.
            let begin = ContinuousClock.now
            try writer.edit { edit in
                try edit.update("Account", id: id, ["Name": "Later"])
                reader.close()
            }
            #expect(ContinuousClock.now - begin < .seconds(4))
            writer.close()
            #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
        }
    }

    @Test("a reader of a copy whose writer was killed sees its last transaction")
    func killed() async throws {
        let folder = try TemporaryDirectory()
        let store = try await SyncStore.open(folder.path("copy"), schema: SyncSchema(describe: SyncBed.describe))
        try store.edit { try $0.create("Account", ["Name": "Acme"]) }
        // The files of a process that ended without closing the database.
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(
                atPath: folder.path("copy") + suffix, toPath: folder.path("killed") + suffix)
        }
        store.close()
        let reader = try await SyncStore.openForReading(folder.path("killed"))
        #expect(try reader.values("SELECT Name FROM Account") == ["Acme"])
        #expect(try reader.status.pending == ["Account": 1])
        reader.close()
    }

    @Test("files that are missing, in use or not a copy have separate codes, and stay as they are")
    func codes() async throws {
        let folder = try TemporaryDirectory()
        let (path, text) = (folder.path("copy"), folder.path("text"))
        try String(repeating: "text ", count: 1_000).write(toFile: text, atomically: true, encoding: .utf8)
        let store = try await SyncStore.open(path, schema: SyncSchema(describe: SyncBed.describe))
        let cases: [(SyncError.Code, () async throws -> SyncStore)] = [
            (.missing, { try await SyncStore.openForReading(folder.path("none")) }),
            (.foreign, { try await SyncStore.openForReading(text) }), (.foreign, { try await SyncStore.open(text) }),
            (.inUse, { try await SyncStore.open(path) }),
            (.store, { try await SyncStore.openForReading(folder.path("")) }),
            (.store, { try await SyncStore.open(":memory:", schema: SyncSchema(describe: SyncBed.describe)) }),
        ]
        for (code, open) in cases {
            let error = await #expect(throws: SyncError.self) { _ = try await open() }
            #expect(error?.code == code, "\(String(describing: error))")
        }
        store.close()
        #expect(!FileManager.default.fileExists(atPath: folder.path("none")))
        #expect(try String(contentsOfFile: text, encoding: .utf8).hasPrefix("text text"))
    }

    @Test("a copy for subsets has the objects that they need, and keeps those that it has")
    func subsets() async throws {
        try await SyncBed.with { bed in
            let path = bed.folder.path("copy")
            let parents: SOQL = "SELECT Name, Owner.Name, (SELECT LastName, Owner.Email FROM Contacts) FROM Account"
            let store = try await SyncStore.open(path, for: [parents], of: bed.client)
            try await store.pull(parents, with: bed.client)
            #expect(try store.status.lastSync == nil)
            #expect(try store.count("SELECT COUNT() FROM User") == 0)
            #expect(throws: SyncError.self) { try store.count("SELECT COUNT() FROM Opportunity") }
            store.close()
            bed.org.journal.clear()
            let more: SOQL = "SELECT Name, Account.Name FROM Opportunity"
            let wider = try await SyncStore.open(path, for: [parents, more], of: bed.client)
            #expect(
                bed.org.journal.entries.map { $0.target.split(separator: "/").suffix(2) } == [
                    ["Opportunity", "describe"]
                ])
            let seen = Progressing()
            _ = try await bed.create("Account", ["Name": "Acme"])
            try wider.edit { try $0.create("Account", ["Name": "Local"]) }
            #expect(try wider.status.pending == ["Account": 1])
            let before = Date().addingTimeInterval(-2)
            let report = try await wider.sync(with: bed.client) { seen.add($0) }
            #expect(report.pulled >= 1 && seen.reports.contains { $0.pulled == 1 } && seen.reports.last == report)
            let status = try wider.status
            #expect(status.subsets == [parents.text] && status.pending.isEmpty && status.conflicts.isEmpty)
            #expect(try #require(status.lastSync) > before)
            wider.close()
            let wrong: [SOQL] = [
                "SELECT Name FROM Acount", "SELECT Nme FROM Account", "SELECT Id FROM Account LIMIT 1",
            ]
            for subset in wrong {
                let error = await #expect(throws: SyncError.self) {
                    try await SyncStore.open(bed.folder.path("new"), for: [subset], of: bed.client)
                }
                #expect(error?.code == .subset)
            }
            #expect(!FileManager.default.fileExists(atPath: bed.folder.path("new")))
        }
    }
}

/// Collects the progress of a sync.
private final class Progressing: Sendable {
    private let all = Mutex<[SyncReport]>([])

    var reports: [SyncReport] { all.withLock(\.self) }

    func add(_ report: SyncReport) { all.withLock { $0.append(report) } }
}
