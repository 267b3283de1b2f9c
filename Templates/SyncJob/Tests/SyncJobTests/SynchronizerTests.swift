// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestSDK
import Testing

@testable import SyncJob

@Suite("A copy of an object")
struct SynchronizerTests {
    @Test("has every record, and then every change and deletion")
    func copying() async throws {
        let sandbox = try await Sandbox(records: 700)
        let synchronizer = try sandbox.synchronizer(pageSize: 100)
        #expect(try await synchronizer.catchUp().deleted == 0)
        #expect(try await sandbox.copied() == sandbox.expected())

        try await sandbox.change(1)
        let old = try sandbox.copied()
        let tally = try await synchronizer.catchUp()
        #expect(tally.written >= 2 && tally.deleted >= 2)
        #expect(try await sandbox.copied() == sandbox.expected())
        #expect(try sandbox.copied() != old)
    }

    @Test("goes on where it stopped when a call fails in the middle")
    func resuming() async throws {
        let sandbox = try await Sandbox(records: 700)
        sandbox.org.faults.add(.status(404, code: "NOT_FOUND"), matching: "/query", skipping: 3)
        await #expect(throws: RestError.self) { try await sandbox.synchronizer(pageSize: 100).catchUp() }
        #expect(try sandbox.copied().count == 300)

        _ = try await sandbox.synchronizer(pageSize: 100).catchUp()
        #expect(try await sandbox.copied() == sandbox.expected())
        #expect(sandbox.org.journal.entries.count { $0.target.contains("/query") && $0.status == 200 } == 8 + 1)
    }

    @Test("is refused to a process that another one has overtaken, and stays whole")
    func overtaking() async throws {
        let sandbox = try await Sandbox()
        let (first, second) = (try sandbox.replica(), try sandbox.replica())
        let start = try first.start()
        let next = Progress.following(RecordChanges.Window.Position(.now))
        try second.apply(written: [], deleted: [], from: start, to: next)
        let record = Record(fields: ["Id": "001000000000001AAA", "Name": "Late"])
        #expect(throws: Replica.Conflict.self) {
            try first.apply(written: [record], deleted: [], from: start, to: next)
        }
        #expect(try sandbox.copied().isEmpty)
        #expect(try first.progress == next)
    }

    @Test("begins anew when the org has forgotten what happened since")
    func forgetting() async throws {
        let sandbox = try await Sandbox()
        let replica = try sandbox.replica()
        let stale = Record(fields: ["Id": "001000000000001AAA", "Name": "Gone long ago"])
        let old = Progress.following(RecordChanges.Window.Position(.now.addingTimeInterval(-40 * 86_400)))
        try replica.apply(written: [stale], deleted: [], from: replica.start(), to: old)

        _ = try await sandbox.synchronizer().catchUp()
        #expect(try await sandbox.copied() == sandbox.expected())
    }

    @Test("reads all records again when the org has forgotten a recent position, and gives up when it does so again")
    func forgettingEarly() async throws {
        let sandbox = try await Sandbox()
        _ = try await sandbox.synchronizer().catchUp()
        try await sandbox.change(1)
        sandbox.org.faults.add(.status(400, code: "INVALID_REPLICATION_DATE"), matching: "/deleted")
        _ = try await sandbox.synchronizer().catchUp()
        #expect(try await sandbox.copied() == sandbox.expected())
        #expect(sandbox.org.journal.entries.count { $0.target.contains("ORDER%20BY%20Id%20LIMIT") } == 2)

        for _ in 0..<2 { sandbox.org.faults.add(.status(400, code: "INVALID_REPLICATION_DATE"), matching: "/deleted") }
        let error = await #expect(throws: RestError.self) { try await sandbox.synchronizer().catchUp() }
        #expect(error?.code == .changesForgotten)
    }

    @Test("keeps its columns: other fields need another file")
    func otherFields() async throws {
        let sandbox = try await Sandbox()
        _ = try sandbox.replica()
        #expect(throws: Replica.Conflict.self) {
            try Replica(of: "Account", fields: ["Name"], in: Database(path: sandbox.file))
        }
    }
}
