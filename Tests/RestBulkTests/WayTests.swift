// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestTesting
import RestTransport
import Synchronization
import Testing

@testable import RestBulk

@Suite("The choice between requests and jobs")
struct EstimateTests {
    private func choice(
        _ rows: Int, _ query: SOQL = "SELECT Id FROM Account", left: Int? = nil, version: Int = 66
    ) -> Bulk.Choice {
        Bulk.Estimate(reading: query, rows: rows, pageRows: 2_000, callsLeft: left, version: APIVersion(version)).choice
    }

    @Test("the number of rows decides, on both sides of the limit")
    func rows() {
        #expect(choice(50_000) == Bulk.Choice(.rest, .rows(50_000, limit: 50_000)))
        #expect(choice(50_001) == Bulk.Choice(.bulk, .rows(50_001, limit: 50_000)))
        for (rows, way) in [(0, Bulk.Way.rest), (2_000, .rest), (2_001, .bulk)] {
            #expect(Bulk.Estimate(writing: .insert, rows: rows).choice == Bulk.Choice(way, .rows(rows, limit: 2_000)))
        }
    }

    @Test("API calls that do not suffice lead to a job, and limits of jobs lead to requests")
    func limits() throws {
        #expect(choice(6_001, left: 3).way == .rest)
        #expect(choice(6_001, left: 2) == Bulk.Choice(.bulk, .calls(needed: 3, left: 2)))
        #expect(Bulk.Estimate(writing: .insert, rows: 400, callsLeft: 3).choice.way == .rest)
        #expect(Bulk.Estimate(writing: .insert, rows: 401, callsLeft: 3).choice.way == .bulk)
        func limits(_ text: String) throws -> RestClient.OrgLimits {
            let head = HTTPResponse.Head(status: 200, fields: ["Content-Type": "application/json"])
            let response = HTTPResponse(head: head, body: Array(text.utf8))
            return try RestRequest.Typed.limits.content(from: RestResponse(response, expecting: .json, isWrite: false))
        }
        var write = Bulk.Estimate(writing: .insert, rows: 30_001)
        write.compare(with: try limits(#"{"DailyBulkApiBatches":{"Max":15000,"Remaining":3}}"#), isWrite: true)
        #expect(write.choice == Bulk.Choice(.rest, .limit("DailyBulkApiBatches")))
        write.compare(with: try limits(#"{"DailyBulkApiBatches":{"Max":15000,"Remaining":4}}"#), isWrite: true)
        #expect(write.choice.way == .bulk)
    }

    @Test(
        "queries that a job rejects are read by pages, whatever their size",
        arguments: [
            ("SELECT COUNT() FROM Account", "COUNT()"), ("SELECT COUNT(Id) FROM Account", "functions"),
            ("SELECT Id, (SELECT Id FROM Contacts) FROM Account", "child"),
            ("SELECT FIELDS(ALL) FROM Account", "FIELDS"),
            ("SELECT TYPEOF What WHEN Account THEN Phone END FROM Task", "TYPEOF"),
            ("SELECT Name FROM Account GROUP BY Name", "GROUP BY"), ("SELECT Id FROM Account OFFSET 1", "OFFSET"),
            ("SELECT Id FROM Account FOR VIEW", "FOR VIEW"), ("SELECT", "syntax"),
        ])
    func features(query: String, feature: String) {
        let found = choice(9_000_000, SOQL(raw: query), left: 1)
        guard case .unsupported(let what) = found.reason else {
            Issue.record("\(found)")
            return
        }
        #expect(found.way == .rest && what.contains(feature))
    }

    @Test("a job that the org cannot divide, an old API version and hard deletes decide as well")
    func others() async throws {
        #expect(choice(60_000, "SELECT Id FROM Account ORDER BY Id") == Bulk.Choice(.rest, .undivided("ORDER BY")))
        #expect(choice(60_000, "SELECT Id FROM Account LIMIT 60000") == Bulk.Choice(.rest, .undivided("LIMIT")))
        #expect(choice(60_000, "SELECT Id FROM Account ORDER BY Id", left: 1).way == .bulk)
        #expect(choice(60_000, version: 46) == Bulk.Choice(.rest, .unsupported("API versions before v47.0")))
        #expect(choice(60_000, version: 47).way == .bulk)
        #expect(Bulk.Estimate(writing: .hardDelete, rows: 1).choice.way == .bulk)
        let client = try RestClient(
            instanceURL: "https://example.my.salesforce.com", accessToken: "x",
            configuration: RestClient.Configuration(apiVersion: APIVersion(46)))
        let (_, error) = await all(client.bulk.query("SELECT Id FROM Account").rows)
        #expect("\(try #require(error))".contains("exists from version v47.0 on"))
    }
}

@Suite("Reads of any size", .timeLimit(.minutes(2)))
struct SizedReadTests {
    private static let query: SOQL = """
        SELECT Id, Name, NumberOfEmployees, AnnualRevenue, IsDeleted, CreatedDate, Owner.Name, Parent.Owner.IsActive,
        Owner.Email FROM Account
        """

    private func read(
        _ client: RestClient, _ query: SOQL = query, by way: Bulk.Way? = nil, limit: Int = 300,
        pageRows: Int? = nil, choices: Choices = Choices()
    ) -> QueryRecords<Record> {
        client.read(
            query, by: way, batchSize: 200,
            options: BulkQuery.Options(pageRows: pageRows, patience: quick, requestLimit: limit)
        ) { choices.add($0) }
    }

    private func withOrg(_ records: Int = 700, _ work: (LocalOrg, RestClient) async throws -> Void) async throws {
        let org = try await LocalOrg.start(LocalOrgConfiguration(records: records))
        do { try await work(org, try org.client()) } catch {
            await org.stop()
            throw error
        }
        await org.stop()
    }

    /// A job does not know the ids of parents, so the addresses of parents are not compared.
    private static func withoutURLs(_ record: Record) -> Record {
        Record(fields: JSONObject(members: record.fields.map { ($0.key, withoutURLs($0.value)) }))
    }

    private static func withoutURLs(_ value: JSONValue) -> JSONValue {
        guard let parent = value.object, let type = parent["attributes"]?["type"] else { return value }
        return JSONValue(
            JSONObject(
                members: parent.map { ($0.key, $0.key == "attributes" ? ["type": type] : withoutURLs($0.value)) }))
    }

    private func bulk(_ error: (any Error)?) -> BulkError? { (error as? RestError)?.underlying as? BulkError }

    private func targets(_ org: LocalOrg, _ part: String) -> Int {
        org.journal.entries.count { $0.target.contains(part) }
    }

    @Test("pages and a job return equal records, and the number of rows decides")
    func equal() async throws {
        try await withOrg { org, client in
            let total = try await client.send(.count("SELECT COUNT() FROM Account"))
            let expected = Set(try await client.records(Self.query).collect(limit: 10_000).map(Self.withoutURLs))
            for (limit, way) in [(total, Bulk.Way.rest), (total - 1, .bulk)] {
                let choices = Choices()
                let (records, error) = await all(read(client, limit: limit, choices: choices))
                #expect(error == nil && records.count == total)
                #expect(records.map(Self.withoutURLs).first { !expected.contains($0) } == nil)
                #expect(choices.all == [Bulk.Choice(way, .rows(total, limit: limit))])
            }
            #expect(targets(org, "/jobs/query") > 0)
            struct Row: Decodable, Sendable { let Name: String, NumberOfEmployees: Int?, IsDeleted: Bool }
            let rows = client.read(Self.query, as: Row.self, by: .bulk, options: BulkQuery.Options(patience: quick))
            #expect(await all(rows).0.count == total)
        }
    }

    @Test("a result of one page costs one request, and a requested way is used")
    func few() async throws {
        try await withOrg { org, client in
            _ = try await client.send(.limits)
            let before = org.journal.count
            let (records, _) = await all(read(client, "SELECT Id FROM Account LIMIT 200", limit: 1))
            #expect(records.count == 200 && org.journal.count == before + 1)
            let choices = Choices()
            #expect(await all(read(client, "SELECT Id FROM Account LIMIT 5", by: .bulk, choices: choices)).0.count == 5)
            _ = await all(read(client, by: .rest, limit: 1, choices: choices))
            #expect(choices.all == [Bulk.Choice(.bulk, .requested), Bulk.Choice(.rest, .requested)])
            let children = await all(read(client, "SELECT Id, (SELECT Id FROM Contacts) FROM Account", limit: 1)).0
            #expect(children.count > 300 && children.contains { $0["Contacts"]?["records"]?.array != nil })
            let counts = try await client.send(.count("SELECT COUNT() FROM Account"))
            let (groups, error) = await all(read(client, "SELECT COUNT(Id) FROM Account", limit: 1))
            #expect(error == nil && groups.first?["expr0"]?.int == counts)
        }
    }

    @Test(
        "if the org does not run a job, the pages are read, and every record is returned once",
        arguments: ["limits", "permission", "failed", "describe"])
    func fallback(cause: String) async throws {
        try await withOrg { org, client in
            switch cause {
            case "limits":
                let spent = #"{"DailyBulkV2QueryJobs":{"Max":10000,"Remaining":0}}"#
                org.faults.add(.body(spent, contentType: "application/json"), matching: "/limits")
            case "permission":
                org.faults.add(.status(403, code: "FEATURENOTENABLED", message: "no jobs"), matching: "/jobs/query")
            case "describe": org.faults.add(.status(403, code: "X"), matching: "/describe")
            default:
                let failed = #"{"id":"750000000000001AAA","state":"Failed","object":"Account"}"#
                org.faults.add(.body(failed, contentType: "application/json"), next: 2, matching: "/jobs/query")
            }
            let choices = Choices()
            let (records, error) = await all(read(client, choices: choices))
            #expect(error == nil && Set(records.compactMap(\.id)).count == records.count && records.count >= 700)
            #expect(choices.all.last?.way == .rest && choices.all.count == (cause == "limits" ? 1 : 2))
            org.faults.clear()
            org.faults.add(.status(403, code: "FEATURENOTENABLED"), matching: "/jobs/query")
            #expect(await all(read(client, by: .bulk)).1 != nil)
        }
    }

    @Test("a job whose results break off loses and doubles no record, and can be continued")
    func broken() async throws {
        try await withOrg { org, client in
            org.faults.add(.status(404, code: "NOT_FOUND"), matching: "/results", skipping: 2)
            let (records, error) = await all(read(client, pageRows: 200))
            let position = try #require(bulk(error)?.position)
            #expect(records.count == 400 && position.rows == 400)
            let (rest, none) = await all(client.bulk.query(from: position, options: .init(patience: quick)).rows)
            let ids = records.compactMap(\.id) + rest.compactMap { $0["Id"] }
            #expect(none == nil && Set(ids).count == ids.count)
            #expect(ids.count == (try await client.send(.count("SELECT COUNT() FROM Account"))))
        }
    }

    @Test("the pages that the org lists are downloaded ahead, in order, and a failed download is read again")
    func ahead() async throws {
        var configuration = LocalOrgConfiguration(records: 700)
        configuration.bulkPageSize = 50
        let org = try await LocalOrg.start(configuration)
        let client = try org.client()
        let query = client.bulk.query("SELECT Id FROM Account", options: BulkQuery.Options(patience: quick))
        let (first, error) = await all(query.rows)
        let ids = first.compactMap { $0["Id"] }
        #expect(error == nil && ids.count >= 700 && Set(ids).count == ids.count)
        org.faults.add(.truncate(after: 40), matching: "/results", skipping: 3)
        #expect(await all(query.rows).0.compactMap { $0["Id"] } == ids)
        // While a page is read, the org was asked for pages after it.
        var (rows, read) = (query.rows.makeAsyncIterator(), [String]())
        let before = targets(org, "/results")
        while targets(org, "/results") < before + read.count / 50 + 3, let row = try await rows.next() {
            read.append(row["Id"] ?? "")
            await Task.yield()
        }
        #expect(read.count < ids.count)
        // The download of a later page fails, and the page is requested again when it is read.
        org.faults.add(.status(400, code: "X"), matching: "/results")
        while let row = try await rows.next() { read.append(row["Id"] ?? "") }
        #expect(read == ids && targets(org, "/resultPages") > 0)
        #expect(targets(org, "/results") == before + (ids.count + 49) / 50 + 1)
        let other = try org.client(RestClient.Configuration(apiVersion: APIVersion(57)))
        let (old, _) = await all(other.bulk.query("SELECT Id FROM Account", options: .init(patience: quick)).rows)
        #expect(old.count == ids.count && targets(org, "v57.0/jobs/query/") > 0)
        #expect(!org.journal.entries.contains { $0.target.contains("v57") && $0.target.contains("resultPages") })
        await org.stop()
    }

    @Test("a cancelled read ends while its job is running, and reads no pages")
    func cancelled() async throws {
        try await withOrg { org, client in
            org.faults.add(.hold, next: 99, matching: "/jobs/query")
            let task = Task { await all(read(client)) }
            while targets(org, "/limits") == 0 || targets(org, "/describe") < 2 { await Task.yield() }
            let pages = targets(org, "/query/")
            task.cancel()
            let (records, error) = await task.value
            #expect(records.isEmpty && (error as? RestError)?.code == .cancelled && targets(org, "/query/") == pages)
        }
    }

    @Test("the updated records of a window are read, and nothing is sent for none")
    func window() async throws {
        try await withOrg { org, client in
            let drafts = (1...4).map { Record.Draft("Account", ["Name": JSONValue("new \($0)"), "Site": "moved"]) }
            _ = try await client.send(.create(drafts)).get()
            let since = RecordChanges.Window.Position(Date.now.addingTimeInterval(-600))
            let windows = try await client.changes(of: "Account", since: since).reduce(into: []) { $0.append($1) }
            let window = try #require(windows.first)
            _ = try await client.send(.delete("Account", id: window.updated[0]))
            for way in [Bulk.Way.rest, .bulk] {
                let options = BulkQuery.Options(patience: quick)
                let (found, error) = await all(
                    client.read(window, of: "Account", fields: ["Site"], by: way, options: options))
                #expect(error == nil && found.count == 3 && found.allSatisfy { $0["Site"]?.string == "moved" })
                #expect(Set(found.compactMap(\.id)) == Set(window.updated.dropFirst()))
            }
            let before = org.journal.count
            let none = client.pages(sized: Self.query, by: nil, ids: [], options: .init(), report: nil)
            #expect(await all(none).0.isEmpty && org.journal.count == before)
        }
    }

    @Test("an export has the same bytes by pages and by a job")
    func export() async throws {
        try await withOrg(2_500) { org, client in
            let folder = try TemporaryDirectory()
            let query = SOQL(raw: Self.query.text + " ORDER BY Id")
            for (way, name) in [(Bulk.Way.rest, "pages.csv"), (.bulk, "job.csv")] {
                let export = try await client.bulk.query(query, options: BulkQuery.Options(patience: quick)).export(
                    to: folder.path(name), by: way)
                #expect((export.jobID == nil) == (way == .rest) && export.rows >= 700)
            }
            #expect(folder.text(of: "pages.csv") == folder.text(of: "job.csv") && folder.names.count == 2)
            org.faults.add(.status(403, code: "FEATURENOTENABLED"), matching: "/jobs/query")
            let choices = Choices()
            _ = try await client.bulk.query(Self.query, options: .init(patience: quick, requestLimit: 10)).export(
                to: folder.path("fallback.csv"), by: nil, report: choices.add)
            #expect(choices.all.map(\.way) == [.bulk, .rest] && folder.names.count == 3)
        }
    }
}

/// The choices that were reported.
final class Choices: Sendable {
    private let list = Mutex<[Bulk.Choice]>([])

    var all: [Bulk.Choice] { list.withLock(\.self) }

    func add(_ choice: Bulk.Choice) { list.withLock { $0.append(choice) } }
}
