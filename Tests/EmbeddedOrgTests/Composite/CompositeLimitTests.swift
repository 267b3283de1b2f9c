// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestJSON
import Testing

/// Composite requests that would become larger than they are.
@Suite("The limits of composite requests")
struct CompositeLimitTests {
    private func post(_ requests: [String], _ client: OrgClient) throws -> JSONValue {
        let body = #"{"compositeRequest":[\#(requests.joined(separator: ","))]}"#
        return try client.send("POST", "\(OrgClient.data)/composite", body: body).json["compositeResponse"] ?? .null
    }

    private func part(_ id: String, _ method: String, _ path: String, _ more: String = "") -> String {
        #"{"method":"\#(method)","url":"\#(OrgClient.data)\#(path)","referenceId":"\#(id)"\#(more)}"#
    }

    @Test("references to a long text, many times, are refused before the text is made, and the others go on")
    func resolvedSize() async throws {
        let client = try await OrgClient.start()
        let long = String(repeating: "x", count: 30_000)
        let id = try client.create("Account", #"{"Name":"Long","Description":"\#(long)"}"#)
        let references = Array(repeating: #""@{a.Description}""#, count: 20_000).joined(separator: ",")
        let answer = try post(
            [
                part("a", "GET", "/sobjects/Account/\(id)?fields=Description"),
                part("b", "POST", "/sobjects/Account", #","body":{"Name":[\#(references)]}"#),
                part("c", "POST", "/sobjects/Account", #","body":{"Name":"Short"}"#),
            ], client)
        #expect(answer.array?.compactMap { $0["httpStatusCode"]?.int } == [200, 413, 201])
        #expect(answer[1]?["body"]?[0]?["errorCode"]?.string == "REQUEST_TOO_LARGE")
        await client.org.stop()
    }

    @Test("references in a target count as well, as long as they may become there")
    func resolvedTarget() async throws {
        let client = try await OrgClient.start()
        let long = String(repeating: "é", count: 10_000)
        let id = try client.create("Account", #"{"Name":"Long","Description":"\#(long)"}"#)
        let many = String(repeating: "@{a.Description}", count: 100)
        let answer = try post(
            [
                part("a", "GET", "/sobjects/Account/\(id)?fields=Description"),
                part("b", "GET", "/sobjects/Account/\(many)"),
                part("c", "GET", "/sobjects/Account/@{a.Description}"),
            ], client)
        #expect(answer.array?.compactMap { $0["httpStatusCode"]?.int } == [200, 413, 413])
        await client.org.stop()
    }

    @Test("the target of a request inside is as short as that of one alone; only queries may be longer")
    func targets() async throws {
        let client = try await SharedOrg.client
        let long = String(repeating: "a", count: 16_384)
        let answer = try post(
            [
                part("a", "GET", "/sobjects/Account/\(long)"), part("b", "GET", "/search?q=FIND+%7B\(long)%7D"),
                part("c", "GET", "/limits?query=\(long)"), part("d", "GET", "/query?q=\(long)"),
                part("e", "GET", "/query?q=\(String(repeating: long, count: 20))"),
            ], client)
        #expect(answer.array?.compactMap { $0["httpStatusCode"]?.int } == [414, 414, 414, 400, 414])
        #expect(answer[3]?["body"]?[0]?["errorCode"]?.string == "MALFORMED_QUERY")
        let batch = try client.send(
            "POST", "\(OrgClient.data)/composite/batch",
            body: #"{"batchRequests":[{"method":"GET","url":"v66.0/sobjects/Account/\#(long)"}]}"#)
        #expect(batch.json["results"]?[0]?["statusCode"]?.int == 414)
    }

    @Test("the fields of a request inside keep the limits of one alone, and are well-formed")
    func fields() async throws {
        let client = try await SharedOrg.client
        let many = (0..<101).map { #""X-\#($0)":"y""# }.joined(separator: ",")
        let answer = try post(
            [
                part("a", "GET", "/limits", #","httpHeaders":{"X-Long":"\#(String(repeating: "a", count: 17_000))"}"#),
                part("b", "GET", "/limits", #","httpHeaders":{\#(many)}"#),
                part("c", "GET", "/limits", #","httpHeaders":{"X":"a\r\nY: b"}"#),
                part("d", "GET", "/limits", #","httpHeaders":{"X Y":"a"}"#),
                part("e", "GET", "/limits", #","httpHeaders":{"X-Y":"a"}"#),
            ], client)
        #expect(answer.array?.compactMap { $0["httpStatusCode"]?.int } == [431, 431, 431, 431, 200])
    }
}
