// SPDX-License-Identifier: Apache-2.0

import RestSDK
import RestTesting
import Testing

@Suite("Query sequences")
struct QuerySequenceTests {
    private let transport = StubTransport()
    private let path = "/services/data/v66.0/query/0r8xx-2"

    private func client() throws -> RestClient {
        try RestClient(
            instanceURL: "https://example.my.salesforce.com", accessToken: "token",
            configuration: RestClient.Configuration(transport: transport))
    }

    private func enqueue(_ ids: [Int], of total: Int, next: String?) {
        let records = ids.map { #"{"attributes":{"type":"Account"},"Id":"\#($0)"}"# }.joined(separator: ",")
        let more = next.map { #","nextRecordsUrl":"\#($0)""# } ?? ""
        transport.enqueue(#"{"totalSize":\#(total),"done":\#(next == nil)\#(more),"records":[\#(records)]}"#)
    }

    @Test("records come in order over all pages, at most one page ahead")
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

    @Test("typed rows are decoded; one that does not fit says where")
    func typed() async throws {
        struct Row: Decodable, Sendable, Equatable { let Id: String }
        struct Wrong: Decodable, Sendable { let Id: Int }
        enqueue([1], of: 1, next: nil)
        enqueue([1], of: 1, next: nil)
        var rows: [Row] = []
        for try await row in try client().records("SELECT Id FROM Account", as: Row.self) { rows.append(row) }
        #expect(rows == [Row(Id: "1")])
        let wrong = try client().records("SELECT Id FROM Account", as: Wrong.self)
        let error = await #expect(throws: RestError.self) { for try await _ in wrong {} }
        #expect(error?.code == .decoding)
        #expect(error?.message.contains("Id") == true)
    }

    @Test("a row of an aggregate is a record like any other, also as a value of one's own type")
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

    @Test("pages tell the total before the first record")
    func pages() async throws {
        enqueue([1, 2], of: 3, next: path)
        var iterator = try client().pages("SELECT Id FROM Account").makeAsyncIterator()
        let page = try #require(try await iterator.next())
        #expect(page.totalSize == 3)
        #expect(page.records.count == 2)
        #expect(page.nextRecordsPath == path)
    }

    @Test("a failure between pages ends the sequence with its error, not with a short result")
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
        "what is no query result is refused, never read as an empty one",
        arguments: [
            "{}", "[]", #"{"totalSize":3,"done":false,"records":[]}"#, #"{"totalSize":1,"done":true}"#,
            #"{"totalSize":"1","done":true,"records":[]}"#,
        ])
    func broken(body: String) async throws {
        transport.enqueue(body)
        let records = try client().records("SELECT Id FROM Account")
        let error = await #expect(throws: RestError.self) { for try await _ in records {} }
        #expect(error?.code == .decoding)
    }

    @Test("a next page on another host is not followed")
    func foreignPage() async throws {
        enqueue([1], of: 2, next: "https://evil.example/services/data")
        let records = try client().records("SELECT Id FROM Account")
        let error = await #expect(throws: RestError.self) { for try await _ in records {} }
        #expect(error?.code == .invalidRequest)
        #expect(transport.requests.count == 1)
    }

    @Test("a next page that names itself ends the iteration with an error")
    func loop() async throws {
        for _ in 0..<9 { enqueue([1], of: 9, next: path) }
        let records = try client().records("SELECT Id FROM Account")
        let error = await #expect(throws: RestError.self) { for try await _ in records {} }
        #expect(error?.code == .decoding)
        // The third page is the second one again, and that is no next page.
        #expect(transport.requests.count == 3)
    }

    @Test("deleted records are asked for with queryAll")
    func deleted() async throws {
        enqueue([], of: 0, next: nil)
        for try await _ in try client().records("SELECT Id FROM Account", includingDeleted: true) {}
        #expect(transport.requests.first?.url.path == "/services/data/v66.0/queryAll")
    }
}
