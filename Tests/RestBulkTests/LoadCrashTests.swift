// SPDX-License-Identifier: Apache-2.0

import BuiltPrograms
import EmbeddedOrg
import Foundation
import RestBulk
import RestTesting
import RestTransport
import Synchronization
import Testing

@Suite("Loads that are interrupted and run again")
struct LoadCrashTests {
    private static let rows = (1...40).map { ["Name": JSONValue("row \($0)")] as JSONObject }
    private static let applied = (1...40).map { "row \($0)" }

    private func load(
        _ platform: ModelPlatform, _ folder: TemporaryDirectory, _ source: BulkSource = .records(rows)
    ) throws -> BulkLoad {
        try client(of: platform).bulk.ingest(
            .insert, into: "Account", from: source, journal: folder.path("load"),
            options: BulkLoad.Options(rowsPerJob: 10, jobsAtOnce: 2))
    }

    @Test("every row is applied once if the process dies before or after any request, once or repeatedly")
    func everywhere() async throws {
        for isAfter in [false, true] {
            for number in 0..<24 {
                let folder = try TemporaryDirectory()
                let platform = ModelPlatform { request, _ in
                    request == number ? (isAfter ? .diedAfter : .diedBefore) : nil
                }
                var failures = 0
                while failures < 5 {
                    let found = await failure { try await load(platform, folder).run() }
                    guard let found else { break }
                    #expect(found.code == .cancelled, "\(found)")
                    failures += 1
                }
                let applied = platform.state.withLock { $0.applied.sorted() }
                #expect(applied == Self.applied.sorted(), "request \(number), after: \(isAfter)")
                #expect(failures <= 1)
            }
        }
    }

    @Test("every row is applied once if responses are lost, late or errors and processes die, at random")
    func random() async throws {
        for seed in 0..<60 {
            let random = Mutex(SeededGenerator(seed: UInt64(seed)))
            let platform = ModelPlatform { _, _ in
                random.withLock { random in
                    switch Int.random(in: 0..<30, using: &random) {
                    case 0: .lost
                    case 1: .responseLost
                    case 2: .diedBefore
                    case 3: .diedAfter
                    case 4: .response(503, "down")
                    case 5: .response(429, "later")
                    default: nil
                    }
                }
            }
            let folder = try TemporaryDirectory()
            var summary: BulkLoad.Summary?
            for _ in 0..<200 where summary == nil {
                summary = try? await load(platform, folder).run()
            }
            #expect(summary?.processed == 40 && summary?.unprocessed == 0, "seed \(seed)")
            let applied = platform.state.withLock { $0.applied.sorted() }
            #expect(applied == Self.applied.sorted(), "seed \(seed)")
        }
    }

    @Test("the results of a job that disappeared after it was closed are unknown, and the job is not created again")
    func vanished() async throws {
        let folder = try TemporaryDirectory()
        let platform = ModelPlatform { _, name in name.hasPrefix("GET") ? .diedBefore : nil }
        _ = await failure { try await load(platform, folder).run() }
        let later = ModelPlatform(firstNumber: 100)
        let summary = try await load(later, folder).run()
        #expect(summary.rows == 40 && summary.jobs.count(where: { $0.state == nil }) >= 1)
        let lost = summary.jobs.filter { $0.state == nil }.reduce(0) { $0 + $1.rows }
        #expect(later.state.withLock { $0.applied.count } == 40 - lost)
        let (results, error) = await all(try load(later, folder).results)
        #expect(results.count(where: { $0.outcome == .unknown }) >= lost)
        #expect(error == nil && Set(results.compactMap(\.number)).count == results.count)
    }

    @Test("rows that differ from those of the first run are rejected before anything else is sent")
    func otherRows() async throws {
        let folder = try TemporaryDirectory()
        let platform = ModelPlatform { request, _ in request == 6 ? .diedBefore : nil }
        _ = await failure { try await load(platform, folder).run() }
        var rows = Self.rows
        rows[3] = ["Name": "another"]
        let sent = platform.state.withLock(\.requests.count)
        let error = await failure {
            try await load(platform, folder, .records(rows)).run()
        }
        // If all rows were already divided into parts, they are not read again.
        if let error {
            #expect(error.code == .sourceChanged)
            #expect(platform.state.withLock { $0.requests[sent...].allSatisfy { !$0.hasPrefix("POST") } })
        } else {
            #expect(platform.state.withLock { $0.applied.sorted() } == Self.applied.sorted())
        }
    }

    @Test("a load resumes from an unchanged file, and rejects a changed file")
    func files() async throws {
        let folder = try TemporaryDirectory()
        try folder.write("Name\n" + Self.applied.joined(separator: "\n"), to: "rows.csv")
        let source = BulkSource.csv(path: folder.path("rows.csv"))
        let platform = ModelPlatform { request, _ in request == 3 ? .diedAfter : nil }
        _ = await failure { try await load(platform, folder, source).run() }
        try await load(platform, folder, source).run()
        #expect(platform.state.withLock { $0.applied.sorted() } == Self.applied.sorted())
        try folder.write("Name\nother", to: "rows.csv")
        let error = await failure {
            for try await _ in try load(platform, folder, source).results {}
        }
        #expect(error?.code == .sourceChanged)
    }

    @Test("a server that keeps failing ends the load with its error, which reports the progress")
    func endless() async throws {
        let folder = try TemporaryDirectory()
        let platform = ModelPlatform { _, name in name.hasPrefix("PUT") ? .response(503, "down") : nil }
        let error = await failure { try await load(platform, folder).run() }
        #expect(error?.code == .request && error?.rest?.status == 503 && error?.progress?.rowsProcessed == 0)
        #expect(platform.state.withLock { $0.applied.isEmpty && $0.requests.count < 80 })
    }

    @Test("a failed job ends the load after the jobs in progress, and the next run creates the remaining jobs")
    func failed() async throws {
        let folder = try TemporaryDirectory()
        let isFirst = Mutex(true)
        let platform = ModelPlatform(change: { job in
            guard job.state == "JobComplete",
                isFirst.withLock({
                    let was = $0; $0 = false; return was
                })
            else { return }
            (job.state, job.processed) = ("Failed", 0)
        })
        let error = await failure { try await load(platform, folder).run() }
        #expect(error?.code == .jobFailed && error?.jobID != nil)
        let summary = try await load(platform, folder).run()
        #expect(summary.jobs.count == 4 && summary.jobs.count(where: { $0.state == .failed }) == 1)
        #expect(summary.processed == 30)
    }

    @Test("open jobs that an earlier process may have left are listed, and not changed")
    func orphans() async throws {
        let folder = try TemporaryDirectory()
        let platform = ModelPlatform { request, _ in request == 0 ? .diedAfter : nil }
        _ = await failure { try await load(platform, folder).run() }
        let again = try load(platform, folder)
        try await again.run()
        let orphans = try await again.orphans()
        #expect(orphans.count == 1 && orphans.allSatisfy { $0.state == .open })
        #expect(platform.state.withLock { $0.jobs.count } == 5)
    }

    @Test("two loads cannot share a journal, nor can two processes at the same time")
    func journals() async throws {
        let folder = try TemporaryDirectory()
        let platform = ModelPlatform()
        try await load(platform, folder).run()
        let other = try client(of: platform).bulk.ingest(
            .insert, into: "Contact", from: .records(Self.rows), journal: folder.path("load"))
        #expect(await failure { try await other.run() }?.code == .journal)
        let held = try JournalFile(path: folder.path("held"), kind: "RestBulk load", version: 2)
        let second = try client(of: platform).bulk.ingest(
            .insert, into: "Account", from: .records(Self.rows), journal: folder.path("held"))
        #expect(await failure { try await second.run() }?.code == .journal)
        held.close()
        try load(platform, folder).remove()
        #expect(folder.names == ["held"])
    }
}

/// A process that runs a bulk operation is killed after the org has received some number of requests.
@Suite("Bulk operations whose process is killed")
struct KillTests {
    /// Starts the worker, kills it after `count` more requests, and returns whether it exited earlier.
    private func work(_ words: [String], of org: LocalOrg, killedAfter count: Int?) async throws -> Bool {
        let before = org.journal.count
        let worker = try RunningProgram(
            BuiltProgram.url("bulkworker"), [words[0], "\(org.port)", org.issueCredential().accessToken] + words[1...])
        while worker.process.isRunning, count.map({ org.journal.count < before + $0 }) ?? true { await Task.yield() }
        let hasEnded = !worker.process.isRunning
        worker.kill()
        if hasEnded { #expect(worker.process.terminationStatus == 0) }
        return hasEnded
    }

    @Test("later processes finish a load, and each row is applied once")
    func load() async throws {
        try await withOrg { org, client in
            let folder = try TemporaryDirectory()
            try folder.write("Name\n" + (1...500).map { "killed \($0)" }.joined(separator: "\n"), to: "rows.csv")
            let words = ["load", folder.path("rows.csv"), folder.path("load")]
            var kills = 0
            for count in 1...14 where try await !work(words, of: org, killedAfter: count) { kills += 1 }
            #expect(try await work(words, of: org, killedAfter: nil))
            var names: [String] = []
            for try await record in client.records("SELECT Name FROM Account WHERE Name LIKE 'killed %'") {
                names.append(record["Name"]?.string ?? "")
            }
            #expect(names.sorted() == (1...500).map { "killed \($0)" }.sorted() && kills > 3)
        }
    }

    @Test("later processes finish an export, and each row is written once")
    func export() async throws {
        try await withOrg { org, client in
            let folder = try TemporaryDirectory()
            let words = ["export", folder.path("all.csv")]
            var kills = 0
            for count in 1...10 where try await !work(words, of: org, killedAfter: count) { kills += 1 }
            if folder.text(of: "all.csv") == nil { #expect(try await work(words, of: org, killedAfter: nil)) }
            let rows = try CSVDocument(parsing: folder.text(of: "all.csv") ?? "").rows.map { $0[0] }
            var ids: [String] = []
            for try await record in client.records("SELECT Id FROM Account ORDER BY Id") {
                ids.append(record["Id"]?.string ?? "")
            }
            #expect(rows == ids && kills > 3)
        }
    }
}
