// SPDX-License-Identifier: Apache-2.0

import RestTesting
import RestTransport
import Synchronization
import Testing

@testable import RestSDK

@Suite("Queries taken up again")
struct QueryResumingTests {
    private let org = QueryStub()
    private let query: SOQL = "SELECT Id FROM Account"

    private func records(_ ids: ClosedRange<Int>) -> [String] { ids.map { QueryStub.record("\($0)") } }

    @Test("a failure between pages says where the query stood, and from there no record is lost or given twice")
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

    @Test("a record whose children cannot be had ends the iteration before its page, and from there no record is lost")
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

    @Test("a row that does not decode is named by its place in the whole result, also when it is taken up again")
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

    @Test("a row that does not decode ends the iteration; in the first page there is nowhere to take the query up")
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

    @Test("pages and typed rows can be taken up as well; after the last page there is nothing")
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

    @Test("progress is told before the records of each page, the total before the first record")
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

    @Test("the total is there before the first record is read, for one request")
    func total() async throws {
        org.enqueue(records(1...2), total: 2)
        var records = try org.client().records(query).makeAsyncIterator()
        #expect(try await records.totalSize() == 2)
        #expect(try await records.next()?.id == "1")
        #expect(try await records.totalSize() == 2)
        #expect(org.transport.requests.count == 1)
    }

    @Test("the result of a query that only counts is its total")
    func count() async throws {
        org.enqueue([], total: 7)
        org.enqueue([], total: 7)
        var records = try org.client().records("SELECT COUNT() FROM Account").makeAsyncIterator()
        #expect(try await records.totalSize() == 7)
        #expect(try await records.next() == nil)
        #expect(try await org.client().records("SELECT COUNT() FROM Account").collect(limit: 3).isEmpty)
    }
}

@Suite("The page after one that is waited for")
struct PageRelayTests {
    private let org = QueryStub()

    @Test("is asked for early, once each, and pages stay in order")
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

    @Test("is asked for once, whether the wait or the page comes first", arguments: [true, false])
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

    @Test("is the one that the whole page names, also when its beginning named another")
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

@Suite("Lists of children that the server cut")
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

    @Test("are completed in order before their record is given, and look like lists that were whole")
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

    @Test("are completed for pages and typed rows as well")
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

    @Test("inside of lists of children are completed too")
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

    @Test("stay as they came when the caller asks for that")
    func left() async throws {
        org.enqueue([parent("1", ["a"], total: 2, next: "c-1")], total: 1)
        var records = try org.client().records(query, completingChildren: false).makeAsyncIterator()
        let children = try await records.next()?["Contacts"]
        #expect(children?["done"]?.bool == false)
        #expect(children?["nextRecordsUrl"]?.string == QueryStub.path("c-1"))
        #expect(org.locators == [nil])
    }

    @Test("that cannot be completed are an error, never a short list", arguments: ["gone", "loop", "nowhere"])
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
