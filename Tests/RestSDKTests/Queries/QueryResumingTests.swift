// SPDX-License-Identifier: Apache-2.0

import RestSDK
import RestTesting
import Synchronization
import Testing

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
