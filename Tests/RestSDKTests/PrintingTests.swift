// SPDX-License-Identifier: Apache-2.0

import RestTesting
import RestTransport
import Testing

@testable import RestSDK

@Suite("What responses and parts print")
struct PrintingTests {
    private let transport = StubTransport()

    private func client() throws -> RestClient {
        try RestClient(
            instanceURL: "https://example.my.salesforce.com", accessToken: "t",
            configuration: RestClient.Configuration(transport: transport))
    }

    /// The texts of a value: as text, for debuggers, and as `dump` prints it.
    private func texts(_ value: some Any) -> [String] {
        var dumped = ""
        dump(value, to: &dumped)
        return ["\(value)", String(reflecting: value), dumped]
    }

    @Test("a response prints its status, shape and size, and neither its body nor secrets")
    func response() async throws {
        let body = #"{"access_token":"00Dsecret","id":"1","list":[\#(String(repeating: "1,", count: 2_000))1]}"#
        transport.enqueue(fields: ["Set-Cookie": "sid=00Dsecret"], body)
        transport.enqueue("[1,2]")
        transport.enqueue(status: 204)
        let client = try client()
        let response = try await client.send(.limits)
        #expect("\(response)" == "status 200, an object of 3 members in \(body.utf8.count) bytes")
        for text in texts(response) {
            #expect(!text.contains("00Dsecret") && text.contains("200") && text.utf8.count < 1_000, "\(text)")
        }
        let (array, empty) = (try await client.send(.limits), try await client.send(.limits))
        #expect("\(array)" == "status 200, an array of 2 elements in 5 bytes")
        #expect("\(empty)" == "status 204, no body")
    }

    @Test("results of saves print their number and the first errors")
    func saves() async throws {
        let results = (0..<200).map { number in
            number % 40 == 3
                ? #"{"success":false,"errors":[{"statusCode":"A","message":"m\#(number)","fields":[]}]}"#
                : #"{"id":"001000000000001AAA","success":true,"errors":[]}"#
        }
        transport.enqueue("[\(results.joined(separator: ","))]")
        let saved = try SaveResults(try await client().send(.limits), count: 200)
        #expect(
            "\(saved)"
                == "195 of 200 records saved; records[3]: A: m3; records[43]: A: m43; records[83]: A: m83; 2 more errors"
        )
        #expect(String(reflecting: saved) == "\(saved)")
        #expect(
            Mirror(reflecting: saved).children.count == 200 && Mirror(reflecting: saved).displayStyle == .collection)
    }

    @Test("a part of a composite request prints its name and request line, and no data")
    func part() throws {
        var composite = Composite()
        composite.add(.create("Account", ["Name": "Private"]), as: "account")
        let part = try #require(composite.parts.first)
        #expect("\(part)" == "account: create (POST sobjects/Account)")
        for text in texts(part) { #expect(!text.contains("Private") && text.utf8.count < 300, "\(text)") }
        let page = RestRequest(name: "page", resource: .serverPath("/services/data/v66.0/query/1?q=Private"))
        let other = Composite.Part(reference: "page", request: page, references: [])
        #expect("\(other)" == "page: page (GET /services/data/v66.0/query/1)")
        let whole = RestRequest(resource: .serverPath("https://u:Private@example.com/a"))
        #expect(
            !texts(Composite.Part(reference: "a", request: whole, references: [])).contains { $0.contains("Private") })
    }
}
