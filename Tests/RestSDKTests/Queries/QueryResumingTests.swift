// SPDX-License-Identifier: Apache-2.0

import RestTesting
import RestTransport
import Synchronization
import Testing

@testable import RestSDK

@Suite("Resuming queries")
struct QueryResumingTests {
    private let org = QueryStub()
    private let query: SOQL = "SELECT Id FROM Account"

    private func records(_ ids: ClosedRange<Int>) -> [String] { ids.map { QueryStub.record("\($0)") } }

    @Test("an error between pages has the position of the query, and resuming there neither loses nor repeats a record")
    func resumed() async throws {
        org.enqueue(records(1...2), total: 5, next: "-2")
        org.enqueue(records(3...4), total: 5, next: "-4", at: "-2")
        org.enqueue(status: 503, .serverUnavailable, at: "-4")
        org.enqueue(records(5...5), total: 5, at: "-4")
        let client = try org.client()
        var ids: [String?] = []
        let broken = client.records(query)
        let error = await #expect(throws: RestError.self) { for try await record in broken { ids.append(record.id) } }
        let position = try #require(error?.queryPosition)
        #expect(position == QueryPage.Position(totalSize: 5, recordCount: 4, nextRecordsPath: QueryStub.path("-4")))
        for try await record in client.records(from: position) { ids.append(record.id) }
        #expect(ids == ["1", "2", "3", "4", "5"])
    }

    @Test("an error in a child list stops before its page, and resuming there loses no record")
    func brokenChildren() async throws {
        let children = #""Contacts":\#(QueryStub.page([], total: 1, next: "c-0"))"#
        let second = [QueryStub.record("3"), QueryStub.record("4", children), QueryStub.record("5")]
        org.enqueue(records(1...2), total: 5, next: "-2")
        for _ in 0..<2 { org.enqueue(second, total: 5, at: "-2") }
        org.enqueue(status: 503, .serverUnavailable, at: "c-0")
        org.enqueue([QueryStub.record("c")], total: 1, at: "c-0")
        let client = try org.client()
        var ids: [String?] = []
        var iterator = client.records("SELECT Id, (SELECT Id FROM Contacts) FROM Account").makeAsyncIterator()
        var failure: RestError?
        do {
            while let record = try await iterator.next() { ids.append(record.id) }
        } catch {
            failure = error
        }
        #expect(try await iterator.next() == nil)
        let position = try #require(failure?.queryPosition)
        #expect(position == QueryPage.Position(totalSize: 5, recordCount: 2, nextRecordsPath: QueryStub.path("-2")))
        #expect(ids == ["1", "2", "3"])
        ids.removeSubrange(position.recordCount...)
        for try await record in client.records(from: position) { ids.append(record.id) }
        #expect(ids == ["1", "2", "3", "4", "5"])
    }

    @Test("a row that cannot be decoded is named by its index in the whole result, also after resuming")
    func brokenRowPlace() async throws {
        struct Row: Decodable, Sendable { let Id: Int }
        let third = [#"{"Id":5}"#, #"{"Id":"x"}"#]
        org.enqueue([#"{"Id":1}"#, #"{"Id":2}"#], total: 6, next: "-2")
        org.enqueue([#"{"Id":3}"#, #"{"Id":4}"#], total: 6, next: "-4", at: "-2")
        for _ in 0..<2 { org.enqueue(third, total: 6, at: "-4") }
        org.enqueue(["5"], total: 1)
        let client = try org.client()
        var ids: [Int] = []
        let rows = client.records(query, as: Row.self)
        let error = await #expect(throws: RestError.self) { for try await row in rows { ids.append(row.Id) } }
        #expect(ids == [1, 2, 3, 4, 5])
        #expect(
            error?.message.hasPrefix("records[5] is not a Row: type-mismatch at Id") == true, "\(error?.message ?? "")")
        let again = client.records(from: try #require(error?.queryPosition), as: Row.self)
        let second = await #expect(throws: RestError.self) { for try await _ in again {} }
        #expect(second?.message.hasPrefix("records[5] is not a Row") == true)
        let untyped = client.records(query)
        let odd = await #expect(throws: RestError.self) { for try await _ in untyped {} }
        #expect(odd?.message == "records[0] is not a JSON object")
    }

    @Test("a row that cannot be decoded ends the iteration, and on the first page there is no position to resume")
    func brokenRow() async throws {
        struct Row: Decodable, Sendable { let Id: Int }
        org.enqueue(["1", #""x""#, "3"].map { #"{"Id":\#($0)}"# }, total: 4, next: "-3")
        org.enqueue([#"{"Id":4}"#], total: 4, at: "-3")
        var iterator = try org.client().records(query, as: Row.self).makeAsyncIterator()
        #expect(try await iterator.next()?.Id == 1)
        do {
            _ = try await iterator.next()
            Issue.record("a row of another shape was read")
        } catch {
            #expect(error.code == .decoding)
            #expect(error.queryPosition == nil)
        }
        #expect(try await iterator.next() == nil)
        #expect(try await iterator.next() == nil)
    }

    @Test("pages and typed rows can be resumed, and nothing is left after the last page")
    func otherFronts() async throws {
        struct Row: Decodable, Sendable { let Id: String }
        org.enqueue(records(3...3), total: 3, at: "-2")
        org.enqueue(records(3...3), total: 3, at: "-2")
        let client = try org.client()
        let position = QueryPage.Position(totalSize: 3, recordCount: 2, nextRecordsPath: QueryStub.path("-2"))
        var pages = client.pages(from: position).makeAsyncIterator()
        #expect(try await pages.next()?.records.count == 1)
        #expect(pages.position == QueryPage.Position(totalSize: 3, recordCount: 3, nextRecordsPath: nil))
        #expect(try await client.records(from: position, as: Row.self).collect(limit: 1).map(\.Id) == ["3"])
        let end = QueryPage.Position(totalSize: 3, recordCount: 3, nextRecordsPath: nil)
        #expect(try await client.records(from: end).collect(limit: 0).isEmpty)
        #expect(org.transport.requests.count == 2)
    }

    @Test("a locator that the server has forgotten is a typed error with the last position")
    func forgotten() async throws {
        org.enqueue(records(1...2), total: 5, next: "-2")
        org.enqueue(status: 400, .invalidQueryLocator, at: "-2")
        let records = try org.client().records(query)
        let error = await #expect(throws: RestError.self) { for try await _ in records {} }
        #expect(error?.faults.first?.errorCode == .invalidQueryLocator)
        #expect(error?.queryPosition?.recordCount == 2)
        #expect(error?.advice.contains("Run the query again") == true)
    }

    @Test("progress is reported before the records of each page, and the total before the first record")
    func progress() async throws {
        org.enqueue(records(1...2), total: 3, next: "-2")
        org.enqueue(records(3...3), total: 3, at: "-2")
        let reports = Mutex<[QueryPage.Position]>([])
        var reportsAtRecords: [Int] = []
        let records = try org.client().records(query).reportingProgress { position in
            reports.withLock { $0.append(position) }
        }
        for try await _ in records { reportsAtRecords.append(reports.withLock { $0.count }) }
        #expect(reportsAtRecords == [1, 1, 2])
        #expect(reports.withLock { $0.map(\.recordCount) } == [2, 3])
        #expect(reports.withLock { $0.map(\.totalSize) } == [3, 3])
    }

    @Test("the total is available before the first record, with one request")
    func total() async throws {
        org.enqueue(records(1...2), total: 2)
        var records = try org.client().records(query).makeAsyncIterator()
        #expect(try await records.totalSize() == 2)
        #expect(try await records.next()?.id == "1")
        #expect(try await records.totalSize() == 2)
        #expect(org.transport.requests.count == 1)
    }

    @Test("a COUNT() query has its count as the total, and no records")
    func count() async throws {
        org.enqueue([], total: 7)
        org.enqueue([], total: 7)
        var records = try org.client().records("SELECT COUNT() FROM Account").makeAsyncIterator()
        #expect(try await records.totalSize() == 7)
        #expect(try await records.next() == nil)
        #expect(try await org.client().records("SELECT COUNT() FROM Account").collect(limit: 3).isEmpty)
    }
}

@Suite("Prefetching the next page")
struct PageRelayTests {
    private let org = QueryStub()

    @Test("each next page is requested once and early, and pages stay in order")
    func early() async throws {
        for page in 0..<20 {
            org.enqueue(
                [QueryStub.record("\(page)")], total: 20, next: page == 19 ? nil : "-\(page + 1)",
                at: page == 0 ? nil : "-\(page)")
        }
        let ids = try await org.client().records("SELECT Id FROM A").collect(limit: 20).map(\.id)
        #expect(ids == (0..<20).map { "\($0)" })
        #expect(org.locators == [nil] + (1..<20).map { "-\($0)" })
    }

    @Test("the next page is requested once, whether the wait or the page comes first", arguments: [true, false])
    func anyOrder(waitsFirst: Bool) async throws {
        org.enqueue([QueryStub.record("1")], total: 2, next: "-1")
        org.enqueue([QueryStub.record("2")], total: 2, at: "-1")
        let relay = PageRelay(.query("SELECT Id FROM A"), try org.client(), isLast: false)
        if waitsFirst { relay.expect() }
        let page = try await relay.page()
        relay.expect()
        let fetch = try #require(relay.takeFetch(of: page.nextRecordsPath))
        #expect(try await fetch.outcome().page.records.count == 1)
        #expect(org.locators == [nil, "-1"])
    }

    @Test("the next page is the one that the whole page names, even if the page named another one before")
    func otherPath() async throws {
        let body =
            #"{"totalSize":3,"done":false,"nextRecordsUrl":"/wrong","records":[{"Id":"2"}],"nextRecordsUrl":"/right"}"#
        org.enqueue([QueryStub.record("1")], total: 3, next: "-1")
        org.transport.enqueue(
            .response(HTTPResponse(head: HTTPResponse.Head(status: 200), body: Array(body.utf8))),
            when: { $0.url.path == QueryStub.path("-1") })
        let last = QueryStub.page([QueryStub.record("3")], total: 3)
        org.transport.enqueue(
            .response(HTTPResponse(head: HTTPResponse.Head(status: 200), body: Array(last.utf8))),
            when: { $0.url.path == "/right" })
        let ids = try await org.client().records("SELECT Id FROM A").collect(limit: 3).map(\.id)
        #expect(ids == ["1", "2", "3"])
    }
}

@Suite("Truncated child lists")
struct ChildCompletionTests {
    private let org = QueryStub()
    private let query: SOQL = "SELECT Id, (SELECT Id FROM Contacts) FROM Account"

    private func parent(_ id: String, _ children: [String], total: Int, next: String? = nil) -> String {
        QueryStub.record(
            id, #""Contacts":\#(QueryStub.page(children.map { QueryStub.record($0) }, total: total, next: next))"#)
    }

    private func ids(of list: JSONValue?) -> [String] {
        list?["records"]?.array?.compactMap { $0["Id"]?.string } ?? []
    }

    @Test("truncated lists are completed in order before their record is returned, and look like whole lists")
    func completed() async throws {
        org.enqueue(
            [
                parent("1", ["a", "b"], total: 5, next: "c-2"), QueryStub.record("2", #""Contacts":null"#),
                parent("3", ["x"], total: 1),
            ], total: 3)
        org.enqueue(["c", "d"].map { QueryStub.record($0) }, total: 5, next: "c-4", at: "c-2")
        org.enqueue([QueryStub.record("e")], total: 5, at: "c-4")
        var records = try org.client().records(query, batchSize: 200).makeAsyncIterator()
        let first = try #require(try await records.next())
        #expect(ids(of: first["Contacts"]) == ["a", "b", "c", "d", "e"])
        #expect(first["Contacts"]?["done"]?.bool == true)
        #expect(first["Contacts"]?["totalSize"]?.int == 5)
        #expect(first["Contacts"]?["nextRecordsUrl"] == nil)
        #expect(first.fields.keys == ["attributes", "Id", "Contacts"])
        #expect(try await records.next()?["Contacts"]?.isNull == true)
        #expect(ids(of: try await records.next()?["Contacts"]) == ["x"])
        #expect(try await records.next() == nil)
        #expect(org.locators == [nil, "c-2", "c-4"])
        #expect(org.transport.requests.allSatisfy { $0.fields["Sforce-Query-Options"] == "batchSize=200" })
    }

    @Test("truncated lists are completed for pages and typed rows too")
    func otherFronts() async throws {
        struct Row: Decodable, Sendable {
            struct Children: Decodable, Sendable { let records: [Child] }
            struct Child: Decodable, Sendable { let Id: String }
            let Contacts: Children
        }
        for _ in 0..<2 {
            org.enqueue([parent("1", ["a"], total: 2, next: "c-1")], total: 1)
            org.enqueue([QueryStub.record("b")], total: 2, at: "c-1")
        }
        var pages = try org.client().pages(query).makeAsyncIterator()
        #expect(ids(of: try await pages.next()?.records.first?["Contacts"]) == ["a", "b"])
        var rows = try org.client().records(query, as: Row.self).makeAsyncIterator()
        #expect(try await rows.next()?.Contacts.records.map(\.Id) == ["a", "b"])
    }

    @Test("truncated lists inside child lists are completed too")
    func nested() async throws {
        let child = parent("c", ["g1"], total: 2, next: "g-1")
        org.enqueue(
            [QueryStub.record("1", #""Contacts":\#(QueryStub.page([child], total: 2, next: "c-1"))"#)], total: 1)
        org.enqueue([QueryStub.record("g2")], total: 2, at: "g-1")
        org.enqueue([parent("d", ["h1"], total: 2, next: "h-1")], total: 2, at: "c-1")
        org.enqueue([QueryStub.record("h2")], total: 2, at: "h-1")
        var records = try org.client().records(query).makeAsyncIterator()
        let children = try await records.next()?["Contacts"]?["records"]?.array
        #expect(children?.map { ids(of: $0["Contacts"]) } == [["g1", "g2"], ["h1", "h2"]])
    }

    @Test("truncated lists are not completed if the caller asks for that")
    func left() async throws {
        org.enqueue([parent("1", ["a"], total: 2, next: "c-1")], total: 1)
        var records = try org.client().records(query, completingChildren: false).makeAsyncIterator()
        let children = try await records.next()?["Contacts"]
        #expect(children?["done"]?.bool == false)
        #expect(children?["nextRecordsUrl"]?.string == QueryStub.path("c-1"))
        #expect(org.locators == [nil])
    }

    @Test(
        "a list that cannot be completed is an error, and is never returned truncated",
        arguments: ["gone", "loop", "nowhere"])
    func broken(way: String) async throws {
        switch way {
        case "gone":
            org.enqueue([parent("1", ["a"], total: 2, next: "c-1")], total: 1)
            org.enqueue(status: 400, .invalidQueryLocator, at: "c-1")
        case "loop":
            org.enqueue([parent("1", ["a"], total: 2, next: "c-1")], total: 1)
            org.enqueue([QueryStub.record("b")], total: 3, next: "c-1", at: "c-1")
        default:
            org.enqueue([QueryStub.record("1", #""Contacts":{"totalSize":2,"done":false,"records":[]}"#)], total: 1)
        }
        let records = try org.client().records(query)
        let error = await #expect(throws: RestError.self) { for try await _ in records {} }
        #expect(error?.code == (way == "gone" ? .api : .decoding))
    }
}
