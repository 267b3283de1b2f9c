// SPDX-License-Identifier: Apache-2.0

import RestTransport
import Testing

@testable import EmbeddedOrg

@Suite("The cost of requests", .serialized)
struct CostTests {
    private static let most = 9.0
    private let data = OrgClient.data

    private func fields(_ client: OrgClient, _ type: String = "application/json") -> HTTPFields {
        ["Authorization": "Bearer \(client.token)", "Content-Type": type]
    }

    @Test("the cost of references in a composite request is linear, whether they are found or not")
    func references() async throws {
        let client = try await SharedOrg.client
        for reference in ["@{a.id}", "@{a.records[0].x}", "@{a", "}@{"] {
            let factor = Growth.factor(from: 2_000) { count in
                let texts = Array(repeating: #""\#(reference)""#, count: count).joined(separator: ",")
                let body = """
                    {"compositeRequest":[
                    {"method":"POST","url":"\(data)/sobjects/Account","referenceId":"a","body":{"Name":"Cost"}},
                    {"method":"POST","url":"\(data)/sobjects/Account","referenceId":"b","body":{"Name":[\(texts)]}}]}
                    """
                #expect(
                    client.org.respond("POST", "\(data)/composite", fields: fields(client), body: Array(body.utf8))
                        .head.status == 200)
            }
            #expect(factor < Self.most, "\(reference)")
        }
    }

    @Test(
        "the cost of a search is linear in its words, operators and parentheses",
        arguments: ["zq ", "zq OR ", "zq AND NOT ", "(zq) ", "z* "])
    func search(word: String) throws {
        let factor = try Growth.factor(from: 70) { count in
            let expression = try SearchExpressionParser.parse((String(repeating: word, count: count) + "zq")[...])
            #expect(!expression.matches([["nothing"], ["of", "it"]]))
        }
        #expect(factor < Self.most)
    }

    @Test("the cost of a request is linear in its query parameters, form parameters, headers and path segments")
    func heads() async throws {
        let client = try await SharedOrg.client
        let parameters = Growth.factor(from: 800) { count in
            let target = "/services/data?" + (0..<count).map { "a\($0)=%20" }.joined(separator: "&")
            _ = client.org.respond("GET", String(target.prefix(16_000)))
        }
        #expect(parameters < Self.most)
        let segments = Growth.factor(from: 2_000) { count in
            _ = client.org.respond("GET", String(repeating: "/%61", count: count))
        }
        #expect(segments < Self.most)
        let form = Growth.factor(from: 1_500) { count in
            let body = (0..<count).map { "p\($0)=%20+" }.joined(separator: "&")
            _ = client.org.respond(
                "POST", "/services/oauth2/token", fields: fields(client, "application/x-www-form-urlencoded"),
                body: Array(body.utf8))
        }
        #expect(form < Self.most)
        let lines = Growth.factor(from: 25) { count in
            var fields = fields(client)
            for number in 0..<count - 4 { fields.append("X-\(number)", String(repeating: "y", count: 100)) }
            _ = client.org.respond("GET", "/services/data", fields: fields)
        }
        #expect(lines < Self.most)
    }

    @Test("a direct call has the same response as a request over a socket")
    func direct() async throws {
        let client = try await SharedOrg.client
        let response = client.org.respond("GET", "\(data)/sobjects", fields: fields(client))
        #expect(response.head.status == 200)
        #expect(response.body == (try client.get("/sobjects").body))
        #expect(client.org.respond("GET", "\(data)/limits").head.status == 401)
        #expect(client.org.respond("GET", "*", fields: ["Host": "evil.com"]).head.status == 421)
        let body = [UInt8](repeating: 0x20, count: 200_000)
        #expect(client.org.respond("POST", "/services/oauth2/token", body: body).head.status == 413)
    }
}
