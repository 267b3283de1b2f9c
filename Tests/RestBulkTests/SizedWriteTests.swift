// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestTesting
import RestTransport
import Testing

@testable import RestBulk

@Suite("Writes of any number of rows", .timeLimit(.minutes(2)))
struct SizedWriteTests {
    private static let options = BulkLoad.Options(patience: quick, requestLimit: 450)

    /// Rows of which every 100th is rejected.
    private static func rows(_ count: Int) -> [JSONObject] {
        (1...count).map { number in
            [
                "Name": number % 100 == 0 ? "" : JSONValue("row \(number)"), "NumberOfEmployees": JSONValue(number),
                "Site": JSONValue("site \(number)"),
            ]
        }
    }

    private func names(_ client: RestClient) async throws -> [String] {
        try await client.records("SELECT Name FROM Account WHERE Name LIKE 'row %'").collect(limit: 9_999)
            .compactMap { $0["Name"]?.string }
    }

    private func writes(_ org: LocalOrg, _ part: String) -> Int {
        org.journal.entries.count { $0.target.contains(part) && $0.method != "GET" }
    }

    @Test("collections and jobs return one outcome for each row, in the order of the rows", arguments: [449, 450, 451])
    func order(count: Int) async throws {
        try await withOrg { org, client in
            let choices = Choices()
            let load = try await client.write(
                .insert, into: "Account", from: .records(Self.rows(count)), options: Self.options, report: choices.add)
            let way = count > 450 ? Bulk.Way.bulk : .rest
            #expect(choices.all == [Bulk.Choice(way, .rows(count, limit: 450))])
            #expect(writes(org, "/composite/sobjects") == (way == .rest ? 3 : 0))
            #expect((writes(org, "/jobs/ingest") > 0) == (way == .bulk))
            let outcomes = try await load.outcomes()
            #expect(outcomes.count == count)
            let records = try await client.records("SELECT Id, NumberOfEmployees FROM Account").collect(limit: 9_999)
            let numbers = Dictionary(uniqueKeysWithValues: records.map { ($0.id ?? "", $0["NumberOfEmployees"]?.int) })
            for (index, outcome) in outcomes.enumerated() {
                switch outcome {
                case .created(let id): #expect(numbers[id] == index + 1)
                case .failed(let fault):
                    #expect((index + 1) % 100 == 0 && fault.code == "REQUIRED_FIELD_MISSING")
                    #expect(fault.fields == ["Name"])
                default: Issue.record("row \(index + 1): \(outcome)")
                }
            }
            let summary = try await load.run()
            #expect(summary.processed == count && summary.failed == 4)
            #expect(summary.jobs.allSatisfy { ($0.id == nil) == (way == .rest) })
        }
    }

    @Test("every operation writes the same by collections as by jobs", arguments: [Bulk.Way.rest, .bulk])
    func operations(way: Bulk.Way) async throws {
        try await withOrg { org, client in
            func write(_ operation: BulkOperation, _ rows: BulkSource) async throws -> [BulkRowResult.Outcome] {
                try await client.write(operation, into: "account", from: rows, by: way, options: Self.options)
                    .outcomes()
            }
            let folder = try TemporaryDirectory()
            let rows = [
                "externalid__c,Name,Site,NumberOfEmployees", #"k1,"row ""1""",x,5"#, "k2,row 2,x,oops", "k3,row 3,x,7",
            ]
            try folder.write(rows.joined(separator: "\n"), to: "rows.csv")
            let upserted = try await write(.upsert(externalID: "ExternalId__c"), .csv(path: folder.path("rows.csv")))
            #expect(upserted.compactMap(\.created).count == 2 && upserted[1].created == nil)
            #expect(try await names(client).sorted() == [#"row "1""#, "row 3"])
            let ids = upserted.compactMap(\.created)
            let changes: [JSONObject] = ids.map { ["Id": JSONValue($0), "Site": nil, "NumberOfEmployees": ""] }
            let updated = try await write(.update, .records(changes))
            #expect(updated == ids.map { .changed(id: $0) })
            let query: SOQL = "SELECT Id FROM Account WHERE Site = null AND NumberOfEmployees IN (5, 7)"
            let kept = try await client.records(query).collect(limit: 9)
            #expect(Set(kept.compactMap(\.id)) == Set(ids))
            #expect(try await write(.delete, .records(ids.map { ["Id": JSONValue($0)] })) == updated)
            #expect(try await names(client).isEmpty)
            #expect((writes(org, "/jobs/ingest") > 0) == (way == .bulk))
        }
    }

    @Test("rows of a lost response are unknown, and no row is written twice")
    func lost() async throws {
        try await withOrg { org, client in
            org.faults.add(.closeAfterHandling, matching: "/composite/sobjects", skipping: 1)
            let load = try await client.write(
                .insert, into: "Account", from: .records(Self.rows(450)), options: Self.options)
            let outcomes = try await load.outcomes()
            #expect(outcomes.indices.filter { outcomes[$0] == .unknown } == Array(200..<400))
            let found = try await names(client)
            #expect(found.count == 446 && Set(found).count == 446)
        }
    }

    @Test("a write that was interrupted continues in its way, and each row is written once")
    func resumed() async throws {
        try await withOrg { org, client in
            let folder = try TemporaryDirectory()
            func write(by way: Bulk.Way?) async throws -> BulkLoad {
                try await client.write(
                    .insert, into: "Account", from: .records(Self.rows(450)), by: way, journal: folder.path("load"),
                    options: Self.options)
            }
            org.faults.add(.status(403, code: "REQUEST_LIMIT_EXCEEDED"), matching: "/composite/sobjects", skipping: 1)
            let error = await failure { try await write(by: nil) }
            #expect(error?.progress?.rowsProcessed == 200 && error?.progress?.rows == 450)
            let load = try await write(by: .bulk)
            let outcomes = try await load.outcomes()
            #expect(outcomes.count == 450 && outcomes.count { $0.created != nil } == 446)
            let found = try await names(client)
            #expect(found.count == 446 && Set(found).count == 446 && writes(org, "/jobs/ingest") == 0)
            try load.remove()
            #expect(folder.names.isEmpty)
        }
    }

    @Test("rows that were in flight when the process ended are unknown, unless an upsert can be repeated")
    func inFlight() async throws {
        try await withOrg { _, client in
            for operation in [BulkOperation.insert, .upsert(externalID: "ExternalId__c")] {
                let folder = try TemporaryDirectory()
                let rows: [JSONObject] = (1...3).map {
                    ["Name": JSONValue("row \($0)"), "ExternalId__c": JSONValue("f\($0)")]
                }
                let load = client.bulk.ingest(
                    operation, into: "Account", from: .records(rows), journal: folder.path("load"),
                    options: Self.options)
                var cutter = try load.makeCutter()
                let journal = try WorkJournal<LoadState>(path: folder.path("load"))
                let plan = try #require(try await cutter.plan(load.target))
                let part = try #require(try await cutter.next(1, before: 0))
                let sent = LoadRecord.sent(first: 1, count: 1)
                for line in [.plan(plan), .part(part), .whole(rows: 3), .collections, sent] { try journal.add(line) }
                journal.close()
                try await load.run(by: nil)
                let outcomes = try await load.outcomes()
                #expect(outcomes.map { $0 == .unknown } == [false, operation == .insert, false])
            }
            #expect(try await names(client).count == 3)
        }
    }

    @Test("collections are used if the org rejects the first job, or has no batches left")
    func fallback() async throws {
        try await withOrg { org, client in
            let choices = Choices()
            org.faults.add(.status(403, code: "FEATURENOTENABLED", message: "no jobs"), matching: "/jobs/ingest")
            var load = try await client.write(
                .insert, into: "Account", from: .records(Self.rows(500)), options: Self.options, report: choices.add)
            #expect(choices.all.map(\.way) == [.bulk, .rest])
            #expect(try await load.outcomes().count { $0.created != nil } == 495)
            let spent = #"{"DailyBulkApiBatches":{"Max":15000,"Remaining":0}}"#
            org.faults.add(.body(spent, contentType: "application/json"), matching: "/limits")
            load = try await client.write(
                .insert, into: "Account", from: .records(Self.rows(500)), options: Self.options, report: choices.add)
            #expect(choices.all.last == Bulk.Choice(.rest, .limit("DailyBulkApiBatches")))
            #expect(try await names(client).count == 990)
            org.faults.add(.status(403, code: "FEATURENOTENABLED"), matching: "/jobs/ingest")
            let error = await failure {
                try await client.write(
                    .insert, into: "Account", from: .records(Self.rows(500)), by: .bulk, options: Self.options)
            }
            #expect(error?.rest?.status == 403)
            let hard = await failure {
                try await client.write(.hardDelete, into: "Account", from: .records([["Id": "1"]]), by: .rest)
            }
            #expect(hard?.code == .argument)
        }
    }

    @Test("a column without a field is rejected, and rejected collections do not lead to a call for each row")
    func rejected() async throws {
        try await withOrg { org, client in
            for name in ["Nmae", "Owner.Name.Id", "Ownr.Name"] {
                let error = await failure {
                    try await client.write(.insert, into: "Account", from: .records([["Name": "row 1", name: "x"]]))
                }
                #expect(error?.code == .row && error?.column == name && writes(org, "/composite") == 0, "\(name)")
            }
            org.faults.add(.status(400, code: "JSON_PARSER_ERROR"), next: 999, matching: "/composite/sobjects")
            let load = try await client.write(.insert, into: "Account", from: .records(Self.rows(450)))
            let failed = try await load.outcomes().count {
                if case .failed(let fault) = $0 { fault.code.hasPrefix("JSON") } else { false }
            }
            #expect(failed == 450 && writes(org, "/composite") < 210)
            #expect(try await names(client).isEmpty)
        }
    }

    @Test("a cancelled write sends no further collection")
    func cancelled() async throws {
        try await withOrg { org, client in
            org.faults.add(.delay(.seconds(30)), matching: "/composite/sobjects", skipping: 1)
            let task = Task {
                await failure {
                    try await client.write(
                        .insert, into: "Account", from: .records(Self.rows(450)), options: Self.options)
                }
            }
            while writes(org, "/composite/sobjects") < 2 { await Task.yield() }
            task.cancel()
            #expect(await task.value?.code == .cancelled && writes(org, "/composite/sobjects") == 2)
        }
    }
}

extension BulkRowResult.Outcome {
    fileprivate var created: String? { if case .created(let id) = self { id } else { nil } }
}
