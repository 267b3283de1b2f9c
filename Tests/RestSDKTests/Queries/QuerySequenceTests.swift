// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestTesting
import Testing

@testable import RestSDK

/// An org with predefined query pages.
struct QueryStub {
    let transport = StubTransport()

    func client() throws -> RestClient { try .of(transport, retryPolicy: .never) }

    static func path(_ locator: String) -> String { "/services/data/v66.0/query/0r8\(locator)" }

    /// Adds a page of records as the response to the query, or to the page at a locator.
    func enqueue(_ records: [String], total: Int, next: String? = nil, at locator: String? = nil) {
        let body = Self.page(records, total: total, next: next)
        transport.enqueue(
            .response(HTTPResponse(head: HTTPResponse.Head(status: 200), body: Array(body.utf8))),
            when: { $0.url.path == locator.map(Self.path) ?? "/services/data/v66.0/query" })
    }

    /// Adds an error response to the page at a locator.
    func enqueue(status: Int, _ code: APIFault.Code, at locator: String) {
        let body = #"[{"errorCode":"\#(code)","message":"m"}]"#
        transport.enqueue(
            .response(HTTPResponse(head: HTTPResponse.Head(status: status), body: Array(body.utf8))),
            when: { $0.url.path == Self.path(locator) })
    }

    /// Returns a query result, which is also the form of a child list.
    static func page(_ records: [String], total: Int, next: String? = nil) -> String {
        let more = next.map { #","nextRecordsUrl":"\#(path($0))""# } ?? ""
        return #"{"totalSize":\#(total),"done":\#(next == nil)\#(more),"records":[\#(records.joined(separator: ","))]}"#
    }

    static func record(_ id: String, _ fields: String = "") -> String {
        #"{"attributes":{"type":"T"},"Id":"\#(id)"\#(fields.isEmpty ? "" : ",\(fields)")}"#
    }

    /// The requested locators in order, with `nil` for the query itself.
    var locators: [String?] {
        transport.requests.map {
            $0.url.path.hasSuffix("/query") ? nil : String($0.url.path.split(separator: "0r8")[1])
        }
    }
}

@Suite("Query sequences")
struct QuerySequenceTests {
    private let transport = StubTransport()
    private let path = "/services/data/v66.0/query/0r8xx-2"

    private func client() throws -> RestClient { try .of(transport) }

    private func enqueue(_ ids: [Int], of total: Int, next: String?) {
        let records = ids.map { #"{"attributes":{"type":"Account"},"Id":"\#($0)"}"# }.joined(separator: ",")
        let more = next.map { #","nextRecordsUrl":"\#($0)""# } ?? ""
        transport.enqueue(#"{"totalSize":\#(total),"done":\#(next == nil)\#(more),"records":[\#(records)]}"#)
    }

    @Test("records are returned in order from all pages, with at most one page prefetched")
    func records() async throws {
        enqueue([1, 2], of: 3, next: path)
        enqueue([3], of: 3, next: nil)
        var ids: [String] = []
        for try await record in try client().records("SELECT Id FROM Account", batchSize: 200) {
            if ids.isEmpty { #expect(transport.requests.count <= 2) }
            #expect(record.type == "Account")
            ids.append(record.id ?? "")
        }
        #expect(ids == ["1", "2", "3"])
        #expect(transport.requests.map { $0.url.path } == ["/services/data/v66.0/query", path])
        #expect(transport.requests.allSatisfy { $0.fields["Sforce-Query-Options"] == "batchSize=200" })
    }

    @Test("typed rows are decoded, and an error names the row that does not fit")
    func typed() async throws {
        struct Row: Decodable, Sendable, Equatable { let Id: String }
        struct Wrong: Decodable, Sendable { let Id: Int }
        enqueue([1], of: 1, next: nil)
        enqueue([1], of: 1, next: nil)
        var rows: [Row] = []
        for try await row in try client().records("SELECT Id FROM Account", as: Row.self) { rows.append(row) }
        #expect(rows == [Row(Id: "1")])
        let wrong = try client().records("SELECT Id FROM Account", as: Wrong.self)
        let error = await expectFailure(.decoding) { for try await _ in wrong {} }
        #expect(error?.message.contains("Id") == true)
    }

    @Test("a row of an aggregate query is a record like any other, also as a custom type")
    func aggregate() async throws {
        struct Row: Decodable, Sendable, Equatable {
            let Industry: String?
            let expr0: Int
        }
        let rows = [#""Industry":"Energy","expr0":4"#, #""Industry":null,"expr0":1"#]
            .map { #"{"attributes":{"type":"AggregateResult"},\#($0)}"# }
        for _ in 0..<2 { transport.enqueue(QueryStub.page(rows, total: 2)) }
        let query: SOQL = "SELECT Industry, COUNT(Id) FROM Account GROUP BY Industry"
        let records = try await client().records(query).collect(limit: 2)
        #expect(records.map(\.type) == ["AggregateResult", "AggregateResult"])
        #expect(records.map { $0["expr0"]?.int } == [4, 1])
        #expect(records.map(\.id) == [nil, nil])
        let typed = try await client().records(query, as: Row.self).collect(limit: 2)
        #expect(typed == [Row(Industry: "Energy", expr0: 4), Row(Industry: nil, expr0: 1)])
    }

    @Test("pages have the total before the first record")
    func pages() async throws {
        enqueue([1, 2], of: 3, next: path)
        var iterator = try client().pages("SELECT Id FROM Account").makeAsyncIterator()
        let page = try #require(try await iterator.next())
        #expect(page.totalSize == 3)
        #expect(page.records.count == 2)
        #expect(page.nextRecordsPath == path)
    }

    @Test("an error between pages ends the sequence with that error, and not with a short result")
    func failure() async throws {
        enqueue([1, 2], of: 3, next: path)
        transport.enqueue(status: 400, #"[{"errorCode":"INVALID_QUERY_LOCATOR","message":"invalid query locator"}]"#)
        let records = try client().records("SELECT Id FROM Account")
        var count = 0
        let error = await #expect(throws: RestError.self) { for try await _ in records { count += 1 } }
        #expect(count == 2)
        #expect(error?.faults.first?.errorCode == "INVALID_QUERY_LOCATOR")
    }

    @Test(
        "a response that is not a query result is rejected, and is never read as an empty result",
        arguments: [
            "{}", "[]", #"{"totalSize":3,"done":false,"records":[]}"#, #"{"totalSize":1,"done":true}"#,
            #"{"totalSize":"1","done":true,"records":[]}"#,
        ])
    func broken(body: String) async throws {
        transport.enqueue(body)
        let records = try client().records("SELECT Id FROM Account")
        await expectFailure(.decoding) { for try await _ in records {} }
    }

    @Test("a next page on another host is not followed")
    func foreignPage() async throws {
        enqueue([1], of: 2, next: "https://evil.example/services/data")
        let records = try client().records("SELECT Id FROM Account")
        await expectFailure(.invalidRequest) { for try await _ in records {} }
        #expect(transport.requests.count == 1)
    }

    @Test("a next page that names itself ends the iteration with an error")
    func loop() async throws {
        for _ in 0..<9 { enqueue([1], of: 9, next: path) }
        let records = try client().records("SELECT Id FROM Account")
        await expectFailure(.decoding) { for try await _ in records {} }
        // The third page is the second page again, which is not accepted as a next page.
        #expect(transport.requests.count == 3)
    }

    @Test("deleted records are requested with queryAll")
    func deleted() async throws {
        enqueue([], of: 0, next: nil)
        for try await _ in try client().records("SELECT Id FROM Account", includingDeleted: true) {}
        #expect(transport.requests.first?.url.path == "/services/data/v66.0/queryAll")
    }
}

@Suite("Collecting query results")
struct QueryCollectingTests {
    private let org = QueryStub()

    private func enqueue(total: Int) {
        org.enqueue(["1", "2"].map { QueryStub.record($0) }, total: total, next: "-2")
        org.enqueue([QueryStub.record("3")], total: total, at: "-2")
    }

    @Test("all records are returned if they are within the limit")
    func all() async throws {
        enqueue(total: 3)
        #expect(try await org.client().records("SELECT Id FROM A").collect(limit: 3).map(\.id) == ["1", "2", "3"])
    }

    @Test("more records than the limit are an error, even if the server's total was too low")
    func tooMany() async throws {
        for (total, limit) in [(3, 2), (1, 2)] {
            enqueue(total: total)
            let records = try org.client().records("SELECT Id FROM A")
            let error = await expectFailure(.tooLarge) { try await records.collect(limit: limit) }
            #expect(error?.message.contains("3") == true)
        }
        let records = try org.client().records("SELECT Id FROM A")
        await expectFailure(.invalidRequest) { try await records.collect(limit: -1) }
    }
}

@Suite("Queries that end early")
struct QueryEndingTests {
    private let org = QueryStub()

    private func enqueue() {
        org.enqueue(["1", "2"].map { QueryStub.record($0) }, total: 9, next: "-2")
        org.enqueue([QueryStub.record("3")], total: 9, next: "-3", at: "-2")
        org.enqueue([QueryStub.record("4")], total: 9, next: "-4", at: "-3")
    }

    @Test("a sequence that is no longer read requests no page after the one in flight")
    func abandoned() async throws {
        enqueue()
        for try await _ in try org.client().records("SELECT Id FROM A") { break }
        #expect(org.transport.requests.count <= 2)
    }

    @Test("a task that is cancelled between two pages gets an error, even if the next page has arrived")
    func cancelled() async throws {
        enqueue()
        let client = try org.client()
        let transport = org.transport
        let task = Task {
            var pages = client.pages("SELECT Id FROM A").makeAsyncIterator()
            _ = try await pages.next()
            while transport.requests.count < 2 { await Task.yield() }
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            let error = await expectFailure(.cancelled) { try await pages.next() }
            #expect(error?.queryPosition?.recordCount == 2)
            return try await pages.next()
        }
        #expect(try await task.value == nil)
        #expect(transport.requests.count == 2)
    }

    @Test("a slow consumer has at most one page prefetched")
    func slow() async throws {
        enqueue()
        var pages = try org.client().pages("SELECT Id FROM A").makeAsyncIterator()
        _ = try await pages.next()
        while org.transport.requests.count < 2 { await Task.yield() }
        for _ in 0..<200 { await Task.yield() }
        #expect(org.transport.requests.count == 2)
    }
}

@Suite("Totals that a server reports")
struct QueryTotalTests {
    private let org = QueryStub()
    private let query: SOQL = "SELECT Id FROM A"

    @Test("memory is not reserved for a total that the server reports")
    func claimed() async throws {
        org.enqueue([QueryStub.record("1")], total: 1_000_000_000_000, next: "-1")
        org.enqueue([QueryStub.record("2")], total: 1_000_000_000_000, at: "-1")
        #expect(try await org.client().records(query).collect(limit: .max).map(\.id) == ["1", "2"])
    }

    @Test(
        "a response with an impossible total is not a query result",
        arguments: [-1, Int.min, Int.max, 1_000_000_000_001])
    func absurd(total: Int) async throws {
        org.enqueue([QueryStub.record("1")], total: total, next: "-1")
        let records = try org.client().records(query)
        await expectFailure(.decoding) { try await records.collect(limit: .max) }
        #expect(org.transport.requests.count == 1)
    }

    @Test("a resumed query fails if its total becomes impossible, and continues from an edited position")
    func resumed() async throws {
        let path = QueryStub.path("-1")
        org.enqueue([QueryStub.record("2")], total: .min, at: "-1")
        let kept = QueryPage.Position(totalSize: 2, recordCount: 1, nextRecordsPath: path)
        let broken = try org.client().records(from: kept)
        await expectFailure(.decoding) { try await broken.collect(limit: .max) }
        for number in [Int.min, .max] {
            org.enqueue([QueryStub.record("2")], total: 2, next: "-2", at: "-1")
            org.enqueue([QueryStub.record("3")], total: 2, at: "-2")
            let position = QueryPage.Position(totalSize: number, recordCount: number, nextRecordsPath: path)
            #expect(try await org.client().records(from: position).collect(limit: 9).count == 2)
        }
    }

    @Test("a stored position is decoded with its numbers, and one with impossible numbers is rejected")
    func kept() throws {
        let position = QueryPage.Position(totalSize: 5, recordCount: 4, nextRecordsPath: nil)
        let data = try JSONEncoder().encode(position)
        #expect(try JSONDecoder().decode(QueryPage.Position.self, from: data) == position)
        for text in [#"{"totalSize":-1,"recordCount":0}"#, #"{"totalSize":1,"recordCount":\#(Int.max)}"#] {
            #expect(throws: DecodingError.self) {
                try JSONDecoder().decode(QueryPage.Position.self, from: Data(text.utf8))
            }
        }
    }
}

@Suite("Loop detection in query pages")
struct QueryWalkTests {
    private func records(_ ids: Int...) -> JSONArray { JSONArray(ids.map { ["Id": JSONValue($0)] }) }

    @Test("new paths are followed, and a repeated path only while new records arrive and some are missing")
    func walk() {
        var walk = QueryWalk()
        #expect(walk.getsOn(to: "/a", after: records(1), given: 1, of: 9) == true)
        #expect(walk.getsOn(to: "/b", after: [], given: 1, of: 9) == true)
        #expect(walk.getsOn(to: "/b", after: records(2), given: 2, of: 9) == true)
        #expect(walk.getsOn(to: "/b", after: records(3), given: 3, of: 9) == true)
        #expect(walk.getsOn(to: "/b", after: records(3), given: 4, of: 9) == false)
        #expect(walk.getsOn(to: "/b", after: [], given: 4, of: 9) == false)
        #expect(walk.getsOn(to: "/b", after: records(4), given: 9, of: 9) == false)
        #expect(walk.getsOn(to: "/c", after: records(4), given: 10, of: 9) == true)
    }

    @Test("a limited number of empty pages at new paths is followed")
    func empty() {
        var walk = QueryWalk()
        let steps = (1...QueryWalk.mostEmptyPages + 1).map {
            walk.getsOn(to: "/\($0)", after: [], given: 0, of: 9)
        }
        #expect(steps.count { $0 } == QueryWalk.mostEmptyPages)
        #expect(steps.last == false)
    }

    private let org = QueryStub()

    @Test("a cursor with a constant path returns every record, also when prefetched")
    func sameAddress() async throws {
        org.enqueue([QueryStub.record("1")], total: 4, next: "-x")
        for id in ["2", "3"] { org.enqueue([QueryStub.record(id)], total: 4, next: "-x", at: "-x") }
        org.enqueue([QueryStub.record("4")], total: 4, at: "-x")
        let records = try org.client().records("SELECT Id FROM A")
        #expect(try await records.collect(limit: 4).map(\.id) == ["1", "2", "3", "4"])
        #expect(org.locators == [nil, "-x", "-x", "-x"])
    }

    @Test("a child list whose cursor has a constant path is completed")
    func children() async throws {
        let list = QueryStub.page([QueryStub.record("a")], total: 3, next: "-x")
        org.enqueue([QueryStub.record("1", #""Contacts":\#(list)"#)], total: 1)
        org.enqueue([QueryStub.record("b")], total: 3, next: "-x", at: "-x")
        org.enqueue([QueryStub.record("c")], total: 3, at: "-x")
        let query: SOQL = "SELECT Id, (SELECT Id FROM Contacts) FROM Account"
        let records = try await org.client().records(query).collect(limit: 1)
        #expect(records.first?["Contacts"]?["records"]?.array?.count == 3)
    }

    @Test("nested child lists on their own pages end at a depth that no query has")
    func nested() async throws {
        let list = QueryStub.page([QueryStub.record("a")], total: 9, next: "-0")
        org.enqueue([QueryStub.record("1", #""Contacts":\#(list)"#)], total: 1)
        for level in 0..<40 {
            let inner = QueryStub.page([QueryStub.record("a")], total: 9, next: "-\(level + 1)")
            org.enqueue([QueryStub.record("b", #""Contacts":\#(inner)"#)], total: 9, at: "-\(level)")
        }
        let records = try org.client().records("SELECT Id, (SELECT Id FROM Contacts) FROM Account")
        await expectFailure(.decoding) { try await records.collect(limit: 1) }
        #expect(org.transport.requests.count <= 12)
    }
}
