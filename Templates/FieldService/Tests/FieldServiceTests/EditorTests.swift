// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestSync
import Testing

@testable import FieldService

@Suite("An editor of cases", .timeLimit(.minutes(1)))
@MainActor
struct EditorTests {
    @Test("works offline, and sends the edits later")
    func offline() async throws {
        let sandbox = try await Sandbox()
        let (online, offline) = try await sandbox.editors()
        #expect(await offline.reply(to: "set 1 Subject=Replace the pump") == "1* is pending.")
        #expect(await offline.reply(to: "new Check the valve") == "7* is pending.")
        #expect(await offline.reply(to: "delete 2") == "2* is pending.")
        #expect(await offline.reply(to: "sync") == "Not synced: no connection\nPending changes: 3")
        #expect(await offline.reply(to: "list").contains("7*\t-\tNew\tCheck the valve"))

        #expect(await online.reply(to: "sync").contains("1 created, 1 updated, 1 deleted"))
        #expect(try await sandbox.values(of: "Subject", "00000001") == ["Replace the pump"])
        #expect(try await sandbox.values(of: "Priority", "Check the valve") == ["High"])
        #expect(try await sandbox.values(of: "Subject", "00000003").isEmpty)
        #expect(await offline.reply(to: "list").contains("7\t00000031\tNew\tCheck the valve"))
    }

    @Test("shows a conflict until it is decided", arguments: [("server", "Escalated"), ("client", "Working")])
    func conflicts(side: String, result: String) async throws {
        let sandbox = try await Sandbox()
        let (online, offline) = try await sandbox.editors()
        _ = await offline.reply(to: "set 2 Status=Working")
        try await sandbox.set("00000003", ["Status": "Escalated", "Subject": "Noise"])
        #expect(await online.reply(to: "sync") == "Synced: 1 read, 1 in conflict")
        let conflict = "\tStatus: was New, is Working here and Escalated on the server"
        #expect(await offline.reply(to: "conflicts") == "2!\tchanged here and on the server\n\(conflict)")
        #expect(await offline.reply(to: "list").contains("2!\t00000003\tWorking\tNoise"))

        #expect(await offline.reply(to: "keep 2 \(side)") == "2 is resolved.")
        _ = await online.reply(to: "sync")
        #expect(await online.reply(to: "conflicts") == "No conflicts.")
        #expect(try await sandbox.values(of: "Status", "00000003") == [result])
    }

    @Test("syncs in the background at the start, after edits, and again after a failure")
    func background() async throws {
        let sandbox = try await Sandbox()
        let store = try await SyncStore.cases(in: sandbox.file, from: sandbox.client)
        defer { store.close() }
        sandbox.org.faults.add(.status(403, code: "API_DISABLED_FOR_ORG"), matching: "/query")
        let synchronizer = Synchronizer(
            store, sandbox.client, delays: .init(interval: .seconds(3_600), firstRetry: .milliseconds(10)))
        let (results, result) = AsyncStream.makeStream(of: String.self)
        let run = Task { await synchronizer.run { result.yield($0) } }
        defer { run.cancel() }
        var next = results.makeAsyncIterator()
        #expect(await next.next()?.hasPrefix("Not synced: ") == true)
        #expect(await next.next()?.hasPrefix("Synced: ") == true)
        let editor = Editor(store, synchronizer)
        _ = await editor.reply(to: "new Check the valve")
        #expect(await next.next()?.contains("1 created") == true)
    }

    @Test("waits longer after each failure")
    func delays() {
        let delays = Synchronizer.Delays()
        #expect((0...4).map { delays.next(afterFailures: $0) } == [60, 5, 10, 20, 40].map { .seconds($0) })
        #expect(delays.next(afterFailures: 1_000) == .seconds(300))
    }

    @Test(
        "explains a line that it cannot perform",
        arguments: [
            ("open", "no such command; enter help"), ("show x", "no case has the number x; enter list"),
            ("set 1 Subject", "set N Field=value"), ("keep 1 server", "1 is not in conflict; enter conflicts"),
            ("set 1 Colour=red", "Colour"),
        ])
    func mistakes(line: String, advice: String) async throws {
        let (_, editor) = try await Sandbox().editors()
        #expect(await editor.reply(to: line).contains(advice))
    }
}
