// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestSDK
import RestTesting
import Testing

@Suite("Bodies of errors")
struct ErrorBodyTests {
    private let transport = StubTransport()

    private func failure(
        _ request: RestRequest = .limits, status: Int, type: String?, _ body: [UInt8]
    ) async throws -> RestError {
        let client = try RestClient(
            instanceURL: "https://example.my.salesforce.com", accessToken: "token",
            configuration: RestClient.Configuration(retryPolicy: .never, transport: transport))
        let fields: HTTPFields = type.map { ["Content-Type": $0] } ?? [:]
        transport.enqueue(
            .response(HTTPResponse(head: HTTPResponse.Head(status: status, fields: fields), body: body)))
        return try #require(await #expect(throws: RestError.self) { try await client.send(request) })
    }

    @Test(
        "whatever the body is, the error says what is in it, keeps it raw, and has the code of the status",
        arguments: [
            (400, "application/json", #"[{"errorCode":"A","message":"m"}]"#, RestError.Code.api, "A: m"),
            (400, "application/json", #"{"errorCode":"A","message":"m"}"#, .api, "A: m"),
            (401, nil, #"{"error":"invalid_token","error_description":"d"}"#, .unauthorized, "invalid_token: d"),
            (403, "text/plain", "Missing_OAuth_Token", .forbidden, "Missing_OAuth_Token"),
            (403, "text/plain", "Bad_OAuth_Token", .unauthorized, "Bad_OAuth_Token"),
            (420, "text/plain", "no  route\r\nto host", .api, "no route to host"),
            (414, "text/html", "<h1>Bad Message 414</h1><pre>reason</pre>", .tooLarge, "Bad Message 414"),
            (502, "text/html", "<html><head><title>Bad Gateway</title></head>", .server, "Bad Gateway"),
            (502, nil, "  <HTML>", .server, "the server answered 502 with a page instead of data"),
            (503, nil, "", .server, "the server answered 503"),
            (400, "application/json", #"{"why":"because"}"#, .api, #"{"why":"because"}"#),
            (400, "application/json", #"[{"errorCode":"#, .api, #"[{"errorCode":"#),
        ] as [(Int, String?, String, RestError.Code, String)])
    func shapes(status: Int, type: String?, body: String, code: RestError.Code, words: String) async throws {
        let error = try await failure(status: status, type: type, Array(body.utf8))
        #expect(error.code == code)
        #expect(error.message.contains(words))
        #expect(error.body == Array(body.utf8))
    }

    /// The fault `A` whose message is these bytes.
    private static func fault(_ message: [UInt8]) -> [UInt8] {
        Array(#"[{"errorCode":"A","message":""#.utf8) + message + Array(#""}]"#.utf8)
    }

    private static let wide: [UInt8] = #"[{"errorCode":"A","message":"é"}]"#.utf16.reduce(into: [0xFF, 0xFE]) {
        $0 += [UInt8($1 & 0xFF), UInt8($1 >> 8)]
    }

    private static let labelled: [(String, [UInt8], String)] = [
        ("application/json; charset=ISO-8859-1", fault([0xE9]), "A: é"),
        ("application/json;charset=UTF-8", [0xEF, 0xBB, 0xBF] + fault([0xC3, 0xA9]), "A: é"),
        ("application/json; charset=utf-16", wide, "A: é"),
        ("application/json", fault([0xE9]), "A: \u{FFFD}"),
        ("text/plain", [0xC3, 0x28, 0x00, 0x07], "the server answered 400: \u{FFFD}("),
    ]

    @Test("a body in another charset is read by its label, and one in none is repaired", arguments: labelled)
    func charsets(type: String, body: [UInt8], message: String) async throws {
        #expect(try await failure(status: 400, type: type, body).message == message)
    }

    @Test("an external id that matches several records names them; it is no success")
    func several() async throws {
        let paths = (1...4).map { "/services/data/v66.0/sobjects/Account/00100000000000\($0)" }
        let body = "[" + paths.map { "\"\($0)\"" }.joined(separator: ",") + "]"
        let error = try await failure(
            .upsert("Account", externalID: "E__c", "x", [:]), status: 300, type: "application/json", Array(body.utf8))
        #expect(error.matchingRecords == paths)
        #expect(error.outcome == .notApplied)
        #expect(error.message.contains("4 records"))
        #expect(error.message.contains(paths[0]))
    }

    @Test(
        "a save result that failed is an error even with a status of success, and says that nothing was written",
        arguments: [200, 201, 400])
    func saveResult(status: Int) async throws {
        let body =
            #"{"id":null,"success":false,"errors":[{"statusCode":"STRING_TOO_LONG","message":"m","fields":["N"]}]}"#
        let error = try await failure(
            .create("Account", [:]), status: status, type: "application/json", Array(body.utf8))
        #expect(error.code == .api)
        #expect(error.faults == [APIFault(errorCode: .stringTooLong, message: "m", fields: ["N"])])
        #expect(error.outcome == .notApplied)
    }

    @Test("an answer of which parts failed is a success that tells its faults")
    func parts() async throws {
        let client = try RestClient(
            instanceURL: "https://example.my.salesforce.com", accessToken: "token",
            configuration: RestClient.Configuration(transport: transport))
        transport.enqueue(
            #"[{"id":"1","success":true,"errors":[]},{"success":false,"errors":[{"statusCode":"A","message":"m"}]}]"#)
        let response = try await client.send(RestRequest(resource: .data(["composite", "sobjects"])))
        #expect(response.faults.map(\.errorCode) == ["A"])
        let second = try #require(response.payload[1])
        #expect(APIFault.faults(in: second).count == 1)
    }

    @Test("a person reads what happened, where, and what to do")
    func description() async throws {
        let message = #"[{"errorCode":"MALFORMED_QUERY","message":"ERROR at Row:1:Column:8\nunexpected token"}]"#
        let error = try await failure(.query("SELECT FROM A"), status: 400, type: nil, Array(message.utf8))
        for words in [
            "api: MALFORMED_QUERY", "unexpected token", "query (GET /services/data/v66.0/query)", "status 400",
        ] {
            #expect(error.description.contains(words))
        }
        #expect(error.advice == "Fix the query at row 1, column 8.")
        #expect((error as any Error).localizedDescription == error.description)
    }

    @Test("there is advice for every code")
    func advice() {
        for code in RestError.Code.all { #expect(!RestError(code, "").advice.isEmpty) }
        #expect(RestError(RestError.Code(rawValue: "of-tomorrow"), "").advice == "Look at RestError.underlying.")
    }
}
