// SPDX-License-Identifier: Apache-2.0

import RestSDK
import RestTesting
import Testing

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
