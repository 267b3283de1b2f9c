// SPDX-License-Identifier: Apache-2.0

import RestSDK
import RestTesting
import Testing

@Suite("Queries too long for a URL")
struct LongQueryTests {
    private let transport = StubTransport()
    private let query = SOQL(raw: "SELECT Id FROM Account WHERE Name = '\(String(repeating: "x", count: 17_000))'")
    private let page = #"{"totalSize":1,"done":true,"records":[{"Id":"1"}]}"#

    private func client() throws -> RestClient {
        try RestClient(
            instanceURL: "https://example.my.salesforce.com", accessToken: "token",
            configuration: RestClient.Configuration(transport: transport, clock: ManualClock()))
    }

    private func enqueue(part: String, status: Int = 200) {
        transport.enqueue(
            #"{"compositeResponse":[{"body":\#(part),"httpHeaders":{},"httpStatusCode":\#(status),"referenceId":"query"}]}"#
        )
    }

    @Test("go as the only part of a composite request, and the answer is the query's own")
    func composite() async throws {
        enqueue(part: page)
        let response = try await client().send(.query(query, batchSize: 200))
        #expect(response.payload["records"]?[0]?["Id"]?.string == "1")
        let sent = try #require(transport.requests.first)
        #expect(sent.method == .post)
        #expect(sent.url.target == "/services/data/v66.0/composite")
        #expect(sent.fields["Authorization"] == "Bearer token")
        guard case .bytes(let bytes) = sent.body else { return }
        let part = try #require(try JSONValue(parsing: bytes)["compositeRequest"]?[0])
        #expect(part["method"]?.string == "GET")
        #expect(part["url"]?.string?.hasPrefix("/services/data/v66.0/query?q=SELECT%20Id%20FROM%20Account") == true)
        #expect(part["url"]?.string?.utf8.count ?? 0 > 17_000)
        #expect(part["httpHeaders"]?["Sforce-Query-Options"]?.string == "batchSize=200")
        #expect(sent.fields["Sforce-Query-Options"] == nil)
    }

    @Test("run through the sequences too, whose later pages have short addresses")
    func sequence() async throws {
        enqueue(
            part:
                #"{"totalSize":2,"done":false,"nextRecordsUrl":"/services/data/v66.0/query/0r8-1","records":[{"Id":"1"}]}"#
        )
        transport.enqueue(page)
        var count = 0
        for try await _ in try client().records(query) { count += 1 }
        #expect(count == 2)
        #expect(transport.requests.map(\.method) == [.post, .get])
    }

    @Test("are refused for a download, before anything is sent", arguments: [true, false])
    func download(fitsAlone: Bool) async throws {
        let size = fitsAlone ? 16_384 - "/services/data/v66.0/query?q=SELECT%20".utf8.count : 17_000
        let long = SOQL(raw: "SELECT \(String(repeating: "x", count: size))")
        let error = await #expect(throws: RestError.self) {
            try await client().download(.query(long), to: "/nowhere/to/be/found")
        }
        #expect(error?.code == .invalidRequest)
        #expect(error?.message.hasPrefix("soql: ") == true)
        #expect(transport.requests.isEmpty)
    }

    @Test("a token counts: what fits alone and not with its header fields goes in a body too")
    func headers() async throws {
        enqueue(part: page)
        let padding = String(repeating: "x", count: 16_384 - "/services/data/v66.0/query?q=SELECT%20".utf8.count)
        _ = try await client().send(.query(SOQL(raw: "SELECT \(padding)")))
        #expect(transport.requests.first?.method == .post)
    }

    @Test("a part that failed is the query's own failure, retried as a read is")
    func failures() async throws {
        enqueue(part: #"[{"errorCode":"MALFORMED_QUERY","message":"m"}]"#, status: 400)
        enqueue(part: #"[{"errorCode":"SERVER_UNAVAILABLE","message":"m"}]"#, status: 503)
        enqueue(part: page)
        let client = try client()
        let error = await #expect(throws: RestError.self) { try await client.send(.query(query)) }
        #expect(error?.code == .api)
        #expect(error?.faults.first?.errorCode == .malformedQuery)
        #expect(error?.outcome == nil)
        #expect(try await client.send(.query(query)).payload["totalSize"]?.int == 1)
        #expect(transport.requests.count == 3)
    }

    @Test("an org without composite requests, and an answer that is none, are clear errors")
    func refused() async throws {
        transport.enqueue(status: 404, #"[{"errorCode":"NOT_FOUND","message":"no"}]"#)
        transport.enqueue("{}")
        let client = try client()
        let missing = await #expect(throws: RestError.self) { try await client.send(.query(query)) }
        #expect(missing?.code == .tooLarge)
        #expect(missing?.message.contains("split the query") == true)
        let broken = await #expect(throws: RestError.self) { try await client.send(.query(query)) }
        #expect(broken?.code == .decoding)
    }
}
