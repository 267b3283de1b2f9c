// SPDX-License-Identifier: Apache-2.0

import BuiltPrograms
import EmbeddedOrg
import Foundation
import RestBulk
import RestTesting
import Testing

/// A process that works in bulk is killed, at the moment when the org has got some number of requests.
@Suite("Bulk work whose process is killed")
struct KillTests {
    /// Starts the worker, and kills it when the org has got so many more requests; `true` if it ended before.
    private func work(_ words: [String], of org: LocalOrg, killedAfter count: Int?) async throws -> Bool {
        let process = Process.tool()
        process.executableURL = BuiltProgram.url("bulkworker")
        process.arguments = [words[0], "\(org.port)", org.issueCredential().accessToken] + words[1...]
        let before = org.journal.count
        try process.run()
        while process.isRunning, count.map({ org.journal.count < before + $0 }) ?? true { await Task.yield() }
        let hasEnded = !process.isRunning
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        if hasEnded { #expect(process.terminationStatus == 0) }
        return hasEnded
    }

    @Test("a load is finished by the processes after it, each row applied once")
    func load() async throws {
        try await withOrg { org, client in
            let folder = try TemporaryFolder()
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

    @Test("an export is finished by the processes after it, each row written once")
    func export() async throws {
        try await withOrg { org, client in
            let folder = try TemporaryFolder()
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
