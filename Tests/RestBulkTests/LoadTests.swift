// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestTesting
import RestTransport
import Synchronization
import Testing

@testable import RestBulk

@Suite("Loads into an org")
struct LoadTests {
    private struct Account: Codable, Sendable, Equatable {
        var Name: String
        var NumberOfEmployees: Int?
        var ExternalId__c: String?
    }

    private static func options(_ rows: Int = 1_000) -> BulkLoad.Options {
        BulkLoad.Options(rowsPerJob: rows, patience: quick)
    }

    private func count(_ client: RestClient, _ query: SOQL) async throws -> Int {
        try await client.send(.query(query)).payload["totalSize"]?.int ?? -1
    }

    @Test("records are loaded with every operation, in as many jobs as necessary")
    func operations() async throws {
        try await withOrg { _, client in
            let options = Self.options(40)
            let values = (1...100).map { (number: Int) in
                Account(Name: "load \(number)", NumberOfEmployees: number, ExternalId__c: "x\(number)")
            }
            let insert = client.bulk.ingest(.insert, into: "Account", from: .values(values), options: options)
            let inserted = try await insert.run()
            #expect(inserted.jobs.map(\.rows) == [40, 40, 20] && inserted.processed == 100 && inserted.failed == 0)
            #expect(try await count(client, "SELECT Id FROM Account WHERE Name LIKE 'load %'") == 100)
            var ids = [String](repeating: "", count: 100)
            for try await row in insert.results {
                guard case .created(let id) = row.outcome, let number = row.number else { continue }
                #expect(row.row["Name"] == "load \(number)" && !row.isOneOfEqual)
                ids[number - 1] = id
            }
            #expect(Set(ids).count == 100)

            let changes = (1...120).map { number in
                [
                    "ExternalId__c": JSONValue("x\(number)"), "Name": JSONValue("new \(number)"),
                    "NumberOfEmployees": nil,
                ] as JSONObject
            }
            let upsert = client.bulk.ingest(
                .upsert(externalID: "ExternalId__c"), into: "Account", from: .records(changes), options: options)
            try await upsert.run()
            let (results, _) = await all(upsert.results)
            #expect(results.count(where: { if case .created = $0.outcome { true } else { false } }) == 20)
            #expect(
                try await count(client, "SELECT Id FROM Account WHERE Name LIKE 'new %' AND NumberOfEmployees = null")
                    == 120)

            let stream = AsyncStream<JSONObject> { continuation in
                for id in ids { continuation.yield(["Id": JSONValue(id), "Name": "third"]) }
                continuation.finish()
            }
            try await client.bulk.ingest(.update, into: "Account", from: .records(stream), options: options).run()
            #expect(try await count(client, "SELECT Id FROM Account WHERE Name = 'third'") == 100)
            let rows = ids.map { ["Id": JSONValue($0)] as JSONObject }
            try await client.bulk.ingest(.delete, into: "Account", from: .records(rows), options: options).run()
            #expect(try await count(client, "SELECT Id FROM Account WHERE Name = 'third'") == 0)
        }
    }

    @Test("a CSV file is sent unchanged, divided between rows", arguments: [("\n", ","), ("\r\n", ";"), ("\n", "\t")])
    func files(lineEnd: String, delimiter: String) async throws {
        try await withOrg { _, client in
            let folder = try TemporaryDirectory()
            var text = "\u{FEFF}Name\(delimiter)Site\(lineEnd)"
            for number in 1...90 { text += "\"file\(delimiter)\nno. \(number)\"\(delimiter)\"s\"\"s\"\(lineEnd)" }
            try folder.write(String(text.dropLast(lineEnd == "\n" ? 1 : 0)), to: "rows.csv")
            let source = BulkSource.csv(
                path: folder.path("rows.csv"), delimiter: try #require(CSVDialect.Delimiter(Character(delimiter))))
            var options = Self.options()
            options.bytesPerJob = 700
            let reports = Mutex<[BulkProgress]>([])
            let load = client.bulk.ingest(.insert, into: "Account", from: source, options: options)
            let summary = try await load.run { progress in reports.withLock { $0.append(progress) } }
            #expect(summary.rows == 90 && summary.processed == 90 && summary.failed == 0 && summary.jobs.count > 2)
            #expect(try await count(client, "SELECT Id FROM Account WHERE Site = 's\"s'") == 90)
            let last = try #require(reports.withLock { $0.last })
            #expect(last.rows == 90 && last.rowsProcessed == 90 && last.jobs == last.jobsEnded && last.bytes > 1_000)
            let (results, error) = await all(load.results)
            #expect(error == nil && results.compactMap(\.number).sorted() == Array(1...90))
        }
    }

    @Test("the results of rejected rows contain the original rows, and equal rows are marked as equal")
    func results() async throws {
        try await withOrg { _, client in
            var rows: [JSONObject] = (1...10).map { ["Name": JSONValue("good \($0)"), "Site": ""] }
            rows[3] = ["Name": "", "Site": "no \"name\", at all\nhere"]
            rows[6] = ["Name": "twin", "Site": ""]
            rows[8] = ["Name": "twin", "Site": ""]
            let folder = try TemporaryDirectory()
            let load = client.bulk.ingest(
                .insert, into: "Account", from: .records(rows), journal: folder.path("load"), options: Self.options())
            let summary = try await load.run()
            #expect(summary.failed == 1 && summary.processed == 10)
            let (found, error) = await all(load.results)
            #expect(error == nil && found.compactMap(\.number).sorted() == Array(1...10))
            #expect(found.filter { $0.error != nil }.map(\.number) == [4])
            #expect(found.first { $0.number == 4 }?.error?.code == "REQUIRED_FIELD_MISSING")
            #expect(found.filter(\.isOneOfEqual).compactMap(\.number).sorted() == [7, 9])
            // The results can be read again, also by another process, without requests to the org.
            let again = client.bulk.ingest(
                .insert, into: "Account", from: .records(rows), journal: folder.path("load"), options: Self.options())
            #expect(await all(again.results).0.count == 10)
            let second = try await again.run()
            #expect(second == summary)
            try again.remove()
            #expect(folder.names.isEmpty)
        }
    }

    @Test(
        "the fields of a record can have any order, be missing, be null, and be repeated, and the last repetition counts"
    )
    func fieldsInAnyOrder() async throws {
        try await withOrg { _, client in
            let rows: [JSONObject] = [
                ["Name": "in order", "Site": "a", "Phone": "1", "Fax": "x"],
                ["Fax": "y", "Name": "reversed", "Site": "b"],
                ["Name": "gap", "Fax": "z"],
                JSONObject(
                    members: [("Name", "no"), ("Site", "c"), ("Name", "twice"), ("attributes", ["type": "Account"])]
                        .map { (key: $0.0, value: $0.1 as JSONValue) }),
                ["Name": "null", "Site": .null, "Phone": true, "Fax": 1.5],
            ]
            try await client.bulk.ingest(.insert, into: "Account", from: .records(rows), options: Self.options()).run()
            let names = rows.compactMap { $0["Name"]?.string }
            let found = try await client.records("SELECT Name, Site, Phone, Fax FROM Account WHERE Name IN \(names)")
                .collect(limit: 10).map { record in
                    ["Name", "Site", "Phone", "Fax"].map { record[$0]?.string ?? "-" }.joined(separator: " ")
                }
            #expect(
                found.sorted() == ["gap - - z", "in order a 1 x", "null - true 1.5", "reversed b - y", "twice c - -"])
        }
    }

    @Test("a column that the org does not have fails the job with the org's message")
    func unknownColumn() async throws {
        try await withOrg { _, client in
            let rows = (1...9).map { ["Name": JSONValue("a\($0)"), "Nothing__c": "b"] as JSONObject }
            let load = client.bulk.ingest(
                .insert, into: "Account", from: .records(rows),
                options: BulkLoad.Options(rowsPerJob: 3, jobsAtOnce: 1, patience: quick))
            let error = await failure { try await load.run() }
            #expect(error?.code == .jobFailed && error?.message.contains("Nothing__c") == true)
            let jobs = try await client.bulk.jobs(.ingest)
            #expect(jobs.count == 1)
        }
    }

    @Test("a load is complete after broken connections and expired sessions")
    func faults() async throws {
        try await withOrg { org, client in
            for (method, path) in [
                ("POST", "/jobs/ingest"), ("PUT", "/batches"), ("PATCH", "/jobs/ingest"), ("GET", "/jobs/ingest"),
            ] {
                org.faults.add(.closeAfterHandling, next: 1, matching: path, method: method)
                org.faults.add(.reset, next: 1, matching: path, method: method, skipping: 1)
            }
            org.faults.add(.truncate(after: 30), next: 1, matching: "successfulResults")
            let rows = (1...60).map { ["Name": JSONValue("fault \($0)")] as JSONObject }
            let load = client.bulk.ingest(
                .insert, into: "Account", from: .records(rows),
                options: BulkLoad.Options(rowsPerJob: 20, patience: quick))
            let summary = try await load.run()
            org.faults.expireAccessTokens()
            let (results, error) = await all(load.results)
            #expect(summary.processed == 60 && results.count == 60 && error == nil)
            #expect(try await count(client, "SELECT Id FROM Account WHERE Name LIKE 'fault %'") == 60)
        }
    }

    @Test("jobs are listed, aborted and deleted")
    func jobs() async throws {
        try await withOrg { _, client in
            let position = try await client.bulk.query("SELECT Id FROM Account").begin()
            let listed = try await client.bulk.jobs(.query)
            #expect(listed.map(\.id) == [position.jobID] && listed.first?.version == .current)
            _ = await all(client.bulk.query(from: position, options: BulkQuery.Options(patience: quick)).rows)
            let job = try await client.bulk.job(position.jobID, .query)
            #expect(job.state == .jobComplete && job.recordsProcessed == 60)
            let aborted = await failure { try await client.bulk.abort(job) }
            #expect(aborted?.code == .request)
            try await client.bulk.delete(job)
            #expect(
                await failure { try await client.bulk.job(job.id, .query) }?.code == .jobGone)
            let (_, error) = await all(client.bulk.query(from: position).rows)
            #expect((error as? BulkError)?.code == .jobGone)
        }
    }
}

@Suite("The files of a load")
struct LoadFilesTests {
    private let folder: TemporaryDirectory
    private var journal: String { folder.path("a.load") }

    init() throws { folder = try TemporaryDirectory() }

    private func load(_ client: RestClient, _ source: BulkSource) -> BulkLoad {
        client.bulk.ingest(
            .insert, into: "Account", from: source, journal: journal,
            options: BulkLoad.Options(rowsPerJob: 2, patience: quick))
    }

    private func rows(_ names: [String]) -> BulkSource { .records(names.map { ["Name": JSONValue($0)] }) }

    @Test("a load after a removed journal has results of its own rows only")
    func otherResults() async throws {
        try await withOrg { _, client in
            let first = load(client, rows(["First A", "First B", "First C"]))
            try await first.run()
            #expect(await all(first.results).0.count == 3)
            try FileManager.default.removeItem(atPath: journal)
            let left = folder.names
            #expect(left.count == 8 && left.contains("a.load.rows-1.csv"))
            // Files with similar names do not belong to a load.
            let foreign = ["a.load.2024.csv", "a.load.rows-.csv", "a.load.rows-1.txt", "a.load.x.failed.csv", "b"]
            for name in foreign { try folder.write("mine", to: name) }
            let second = load(client, rows(["Second A", "Second B", "Second C", "Second D", "Second E"]))
            try await second.run()
            let (results, error) = await all(second.results)
            #expect(error == nil && results.compactMap(\.number) == [1, 2, 3, 4, 5])
            for result in results {
                let isCreated = if case .created = result.outcome { true } else { false }
                #expect(isCreated && result.row["Name"]?.hasPrefix("Second") == true, "\(result.outcome)")
            }
            #expect(folder.names.allSatisfy { !left.contains($0) || $0.contains(".rows-") })
            try second.remove()
            #expect(folder.names == foreign.sorted())
        }
    }

    @Test("rows that were rejected before anything was sent can be corrected, and leave no journal")
    func corrected() async throws {
        let platform = ModelPlatform()
        let source = BulkSource.csv(path: folder.path("rows.csv"))
        try folder.write("Name,Site\na,b\nc\n", to: "rows.csv")
        let error = await failure { try await load(try client(of: platform), source).run() }
        #expect(error?.code == .row && folder.names == ["rows.csv"])
        try folder.write("Name\na\nb\nc\n", to: "rows.csv")
        try await load(try client(of: platform), source).run()
        #expect(platform.state.withLock { $0.applied.sorted() } == ["a", "b", "c"])
    }

    @Test("a load for which no job was created can start again with other rows", arguments: [true, false])
    func unsent(isKilled: Bool) async throws {
        let (journal, copy) = (journal, folder.path("copy"))
        let isDown = Mutex(true)
        let platform = ModelPlatform { _, _ in
            guard isDown.withLock(\.self) else { return nil }
            try? FileManager.default.copyItem(atPath: journal, toPath: copy)
            return .diedBefore
        }
        _ = await failure { try await load(try client(of: platform), rows(["a", "b", "c"])).run() }
        #expect(folder.names == ["copy"])
        if isKilled { try FileManager.default.moveItem(atPath: copy, toPath: journal) }
        isDown.withLock { $0 = false }
        let again = load(try client(of: platform), rows(["d", "e", "f", "g", "h"]))
        try await again.run()
        #expect(platform.state.withLock { $0.applied.sorted() } == ["d", "e", "f", "g", "h"])
    }

    @Test("a load with a job in the org cannot start again with other rows")
    func sent() async throws {
        let platform = ModelPlatform { request, _ in request == 1 ? .diedBefore : nil }
        try folder.write("Name\na\n", to: "rows.csv")
        let source = BulkSource.csv(path: folder.path("rows.csv"))
        _ = await failure { try await load(try client(of: platform), source).run() }
        #expect(folder.names == ["a.load", "rows.csv"])
        try folder.write("Name\nanother\n", to: "rows.csv")
        let error = await failure { try await load(try client(of: platform), source).run() }
        #expect(error?.code == .sourceChanged && platform.state.withLock { $0.applied.isEmpty })
    }

    @Test("a journal is removed whatever it contains, unless another process uses it")
    func removal() async throws {
        let client = try client(of: ModelPlatform())
        for text in [
            "", "a file of something else\n", "RestBulk load 2\n{}\n\u{0}\n", "RestBulk load 1\n{\"whole\":9}\n",
        ] {
            try folder.write(text, to: "a.load")
            try folder.write("old", to: "a.load.rows-1.csv")
            try folder.write("old", to: "a.load.750000000000001AAA.failed.csv")
            try load(client, rows(["a"])).remove()
            #expect(folder.names.isEmpty, "\(text)")
        }
        let held = try WorkJournal<LoadState>(path: journal)
        try folder.write("old", to: "a.load.rows-1.csv")
        #expect(await failure { try load(client, rows(["a"])).remove() }?.code == .journal)
        #expect(folder.names == ["a.load", "a.load.rows-1.csv"])
        held.close()
    }

    @Test(
        "a source that is the journal, or one of its result files, is rejected and kept",
        arguments: ["a.load", "a.load.rows-1.csv", "a.load.750000000000001AAA.failed.csv"])
    func ownSource(name: String) async throws {
        try folder.write("Name\na\n", to: name)
        try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: folder.path(name))
        try FileManager.default.linkItem(atPath: folder.path(name), toPath: folder.path("hard"))
        let platform = ModelPlatform()
        for path in [name, "link", "hard"] {
            let load = load(try client(of: platform), .csv(path: folder.path(path)))
            #expect(await failure { try await load.run() }?.code == .argument)
            #expect(await failure { try load.remove() }?.code == .argument)
            #expect(folder.text(of: name) == "Name\na\n")
        }
        #expect(platform.state.withLock { $0.requests.isEmpty } && folder.names == [name, "hard", "link"].sorted())
    }

    @Test(
        "the error of a row is parsed completely, whatever its message contains",
        arguments: [
            (
                "REQUIRED_FIELD_MISSING:Required fields are missing: [LastName]:LastName --", "REQUIRED_FIELD_MISSING",
                "Required fields are missing: [LastName]", ["LastName"]
            ),
            (
                "UNABLE_TO_LOCK_ROW:unable to obtain access to 1 records: 0015g00000abcde:--", "UNABLE_TO_LOCK_ROW",
                "unable to obtain access to 1 records: 0015g00000abcde", []
            ),
            ("X:Close date: too early:--", "X", "Close date: too early", []),
            ("X:a:A__c,B__c --", "X", "a", ["A__c", "B__c"]), ("X:a:A__c, B__c --", "X", "a", ["A__c", "B__c"]),
            ("X:at 10:30", "X", "at 10:30", []), ("X:a:\u{301}b:--", "X", "a:\u{301}b", []), ("X:--", "X", "", []),
            ("X", "X", "", []), ("", "", "", []),
        ] as [(String, String, String, [String])])
    func faults(text: String, code: String, message: String, fields: [String]) {
        let fault = BulkRowResult.Fault(text, id: nil)
        #expect(fault.code == code && fault.message == message && fault.fields == fields, "\(fault)")
    }
}
