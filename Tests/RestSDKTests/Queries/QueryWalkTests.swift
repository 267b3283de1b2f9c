// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestTesting
import Testing

@testable import RestSDK

@Suite("Totals that a server claims")
struct QueryTotalTests {
    private let org = QueryStub()
    private let query: SOQL = "SELECT Id FROM A"

    @Test("no memory is taken on the word of a server")
    func claimed() async throws {
        org.enqueue([QueryStub.record("1")], total: 1_000_000_000_000, next: "-1")
        org.enqueue([QueryStub.record("2")], total: 1_000_000_000_000, at: "-1")
        #expect(try await org.client().records(query).collect(limit: .max).map(\.id) == ["1", "2"])
    }

    @Test(
        "a total that no query has is no query result",
        arguments: [-1, Int.min, Int.max, 1_000_000_000_001])
    func absurd(total: Int) async throws {
        org.enqueue([QueryStub.record("1")], total: total, next: "-1")
        let records = try org.client().records(query)
        let error = await #expect(throws: RestError.self) { try await records.collect(limit: .max) }
        #expect(error?.code == .decoding)
        #expect(org.transport.requests.count == 1)
    }

    @Test("a resumed query whose total turns absurd fails, and one whose position was made up goes on")
    func resumed() async throws {
        let path = QueryStub.path("-1")
        org.enqueue([QueryStub.record("2")], total: .min, at: "-1")
        let kept = QueryPage.Position(totalSize: 2, recordCount: 1, nextRecordsPath: path)
        let broken = try org.client().records(from: kept)
        let error = await #expect(throws: RestError.self) { try await broken.collect(limit: .max) }
        #expect(error?.code == .decoding)
        for number in [Int.min, .max] {
            org.enqueue([QueryStub.record("2")], total: 2, next: "-2", at: "-1")
            org.enqueue([QueryStub.record("3")], total: 2, at: "-2")
            let position = QueryPage.Position(totalSize: number, recordCount: number, nextRecordsPath: path)
            #expect(try await org.client().records(from: position).collect(limit: 9).count == 2)
        }
    }

    @Test("a kept position is read with its own numbers, and one with numbers of no query is refused")
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

@Suite("Whether a walk over pages gets on")
struct QueryWalkTests {
    private func records(_ ids: Int...) -> JSONArray { JSONArray(ids.map { ["Id": JSONValue($0)] }) }

    @Test("addresses that are new are taken; one that stays is taken while new records come and some are left")
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

    @Test("empty pages at ever new addresses end the walk at last")
    func empty() {
        var walk = QueryWalk()
        let steps = (1...QueryWalk.mostEmptyPages + 1).map {
            walk.getsOn(to: "/\($0)", after: [], given: 0, of: 9)
        }
        #expect(steps.count { $0 } == QueryWalk.mostEmptyPages)
        #expect(steps.last == false)
    }

    private let org = QueryStub()

    @Test("a cursor that keeps its address gives every record, also ahead of time")
    func sameAddress() async throws {
        org.enqueue([QueryStub.record("1")], total: 4, next: "-x")
        for id in ["2", "3"] { org.enqueue([QueryStub.record(id)], total: 4, next: "-x", at: "-x") }
        org.enqueue([QueryStub.record("4")], total: 4, at: "-x")
        let records = try org.client().records("SELECT Id FROM A")
        #expect(try await records.collect(limit: 4).map(\.id) == ["1", "2", "3", "4"])
        #expect(org.locators == [nil, "-x", "-x", "-x"])
    }

    @Test("a child list whose cursor keeps its address is completed")
    func children() async throws {
        let list = QueryStub.page([QueryStub.record("a")], total: 3, next: "-x")
        org.enqueue([QueryStub.record("1", #""Contacts":\#(list)"#)], total: 1)
        org.enqueue([QueryStub.record("b")], total: 3, next: "-x", at: "-x")
        org.enqueue([QueryStub.record("c")], total: 3, at: "-x")
        let query: SOQL = "SELECT Id, (SELECT Id FROM Contacts) FROM Account"
        let records = try await org.client().records(query).collect(limit: 1)
        #expect(records.first?["Contacts"]?["records"]?.array?.count == 3)
    }

    @Test("lists of children in lists of children, each in a page of its own, end at a level that no query has")
    func nested() async throws {
        let list = QueryStub.page([QueryStub.record("a")], total: 9, next: "-0")
        org.enqueue([QueryStub.record("1", #""Contacts":\#(list)"#)], total: 1)
        for level in 0..<40 {
            let inner = QueryStub.page([QueryStub.record("a")], total: 9, next: "-\(level + 1)")
            org.enqueue([QueryStub.record("b", #""Contacts":\#(inner)"#)], total: 9, at: "-\(level)")
        }
        let records = try org.client().records("SELECT Id, (SELECT Id FROM Contacts) FROM Account")
        let error = await #expect(throws: RestError.self) { try await records.collect(limit: 1) }
        #expect(error?.code == .decoding)
        #expect(org.transport.requests.count <= 12)
    }
}
