// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestEvents
import Testing

@testable import ChangeFeed

@Suite("A table that follows an object", .timeLimit(.minutes(2)))
struct FeedTests {
    @Test("has every record, and then every change")
    func following() async throws {
        let sandbox = try await Sandbox(records: 700)
        let feed = sandbox.feed(changes: 3 * Sandbox.changesOfRound, pageSize: 100)
        try await sandbox.wait { sandbox.copies == 1 }
        #expect(try await sandbox.copied() == sandbox.expected())
        for round in 0..<3 { try await sandbox.change(round) }
        try await feed.value
        #expect(try await sandbox.copied() == sandbox.expected())
        #expect(sandbox.reports.withLock { $0.last?.hasPrefix("1 deleted, ") } == true)
    }

    @Test("continues after the last change, without another full read")
    func resuming() async throws {
        let sandbox = try await Sandbox(records: 10)
        let first = sandbox.feed(changes: 2)
        try await sandbox.wait { sandbox.copies == 1 }
        try await sandbox.change(0)
        try await first.value
        #expect(try await sandbox.copied() != sandbox.expected())
        try await sandbox.feed(changes: Sandbox.changesOfRound - 2).value
        #expect(try await sandbox.copied() == sandbox.expected())
        #expect(sandbox.copies == 1)
    }

    @Test("has the changes that are made during the full read")
    func during() async throws {
        let sandbox = try await Sandbox(records: 400)
        let feed = sandbox.feed(pageSize: 10)
        try await sandbox.wait { sandbox.org.journal.entries.contains { $0.target.contains("/query") } }
        for round in 0..<5 { try await sandbox.change(round) }
        try await sandbox.wait { try await sandbox.copied() == sandbox.expected() }
        feed.cancel()
        await #expect(throws: (any Error).self) { try await feed.value }
    }

    @Test("reads records again after a gap, and all records after an overflow")
    func gaps() async throws {
        let sandbox = try await Sandbox(records: 10)
        let first = sandbox.feed(changes: Sandbox.changesOfRound)
        try await sandbox.wait { sandbox.copies == 1 }
        try await sandbox.change(0)
        try await first.value
        let rows = try await sandbox.expected()
        guard case .text(let id)? = rows.first?.first else { throw CancellationError() }
        let gaps: [(OrgEvents.Gap, ids: [String])] = [(.update, [id]), (.overflow, [])]
        for (gap, ids) in gaps {
            // As if the table had missed a change.
            try Database(path: sandbox.file).run("UPDATE Account SET Name = 'old' WHERE Id = ?", for: [[.text(id)]])
            #expect(try sandbox.copied() != rows)
            #expect(sandbox.org.events.report(gap, of: "Account", ids: ids))
            try await sandbox.feed(changes: 1).value
            #expect(try sandbox.copied() == rows)
        }
        #expect(sandbox.copies == 2)
    }

    @Test("reads all records again when the org no longer has the position")
    func expired() async throws {
        let sandbox = try await Sandbox(records: 10)
        let first = sandbox.feed(changes: 1)
        try await sandbox.wait { sandbox.copies == 1 }
        try await sandbox.change(0)
        try await first.value
        sandbox.org.events.expire()
        try await sandbox.change(1)
        let second = sandbox.feed()
        try await sandbox.wait { try await sandbox.copied() == sandbox.expected() }
        #expect(sandbox.copies == 2)
        second.cancel()
        _ = await second.result
    }

    @Test("connects again when the org forgets it or its token expires")
    func reconnecting() async throws {
        let sandbox = try await Sandbox(records: 10)
        let feed = sandbox.feed(changes: 3 * Sandbox.changesOfRound)
        try await sandbox.wait { sandbox.copies == 1 }
        for round in 0..<3 {
            try await sandbox.change(round)
            try await sandbox.wait { try await sandbox.copied() == sandbox.expected() }
            if round == 0 { sandbox.org.events.forgetClients() } else { sandbox.org.faults.expireAccessTokens() }
        }
        try await feed.value
        #expect(sandbox.copies == 1)
    }

    @Test("belongs to one feed at a time, and keeps its columns")
    func conflicts() async throws {
        let sandbox = try await Sandbox(records: 10)
        let feed = sandbox.feed()
        try await sandbox.wait { sandbox.copies == 1 }
        let error = await #expect(throws: EventError.self) { try await sandbox.feed().value }
        #expect(error?.code == .held)
        #expect(throws: Replica.Conflict.self) {
            try Replica(of: "Account", fields: ["Name"], in: sandbox.file)
        }
        feed.cancel()
        _ = await feed.result
    }
}
