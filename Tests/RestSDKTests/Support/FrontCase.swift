// SPDX-License-Identifier: Apache-2.0

import RestTesting
import Simulation
import Testing

@testable import RestSDK

/// A behavior that callers see, with the result that every calling style must give.
struct FrontCase: Sendable, CustomTestStringConvertible {
    /// The responses that a style must be able to read to take part.
    enum Response: Sendable {
        /// A page of a query, for every style.
        case page
        /// JSON or nothing, for every style except the sequences.
        case json
        /// Any response, for the styles that return the payload unchanged.
        case anything
    }

    enum Expectation: Sendable {
        case payload(RestPayload)
        case failure(RestError.Code, @Sendable (RestError) -> Bool = { _ in true })
    }

    let name: String
    var request = RestRequest.query("SELECT Id FROM Account")
    var response = Response.page
    var configure: @Sendable (inout RestClient.Configuration) -> Void = { _ in }
    var prepare: @Sendable (RestClient) async -> Void = { _ in }
    let play: @Sendable (StubTransport) -> Void
    let expected: Expectation

    var testDescription: String { name }

    static let page: Expectation = .payload(
        (try? JSONValue(parsing: Behaviour.records))?.object.map(RestPayload.dictionary) ?? .empty)
}

extension FrontCase {
    /// A case with an error response.
    private static func failure(
        _ name: String, _ status: Int, _ body: String, type: String = "application/json", _ code: RestError.Code,
        _ check: @escaping @Sendable (RestError) -> Bool
    ) -> FrontCase {
        FrontCase(
            name: name, play: { $0.enqueue(status: status, fields: ["Content-Type": type], body) },
            expected: .failure(code) { $0.status == status && $0.body == Array(body.utf8) && check($0) })
    }

    static let errorShapes: [FrontCase] = [
        failure("an array of faults", 400, #"[{"errorCode":"A","message":"a"},{"errorCode":"B","message":"b"}]"#, .api)
        {
            $0.faults.map(\.errorCode.rawValue) == ["A", "B"]
        },
        failure("one fault", 400, #"{"errorCode":"A","message":"a"}"#, .api) { $0.faults.count == 1 },
        failure("an OAuth error", 400, #"{"error":"invalid_request","error_description":"no"}"#, .api) {
            $0.faults.first?.message == "no"
        },
        failure("several records", 300, #"["/services/data/v60.0/a","/services/data/v60.0/b"]"#, .api) {
            $0.matchingRecords.count == 2
        },
        failure(
            "failed parts of a collection", 400,
            #"[{"success":false,"errors":[{"statusCode":"DUPLICATE_VALUE","message":"twice","fields":[]}]}]"#, .api
        ) { $0.faults.first?.errorCode == .init(rawValue: "DUPLICATE_VALUE") },
        failure("plain text", 403, "go away", type: "text/plain", .forbidden) { $0.message.contains("go away") },
        failure("a page", 403, "<html><title>Down</title></html>", type: "text/html", .forbidden) {
            $0.message.contains("page")
        },
        failure("nothing at all", 404, "", .notFound) { $0.faults.isEmpty },
        failure("a precondition that failed", 412, "[]", .api) { $0.faults.isEmpty },
        failure("another charset", 400, "caf\u{e9}", type: "text/plain; charset=ISO-8859-1", .api) { _ in true },
    ]

    /// Cases about the write outcome.
    static let writes: [FrontCase] = [
        FrontCase(
            name: "a write that may have been applied", request: .create("Account", ["Name": "A"]),
            play: { $0.enqueue(.failure(TransportError(.connectionLost, "lost", mayHaveReachedServer: true))) },
            expected: .failure(.transport) { $0.outcome == .unknown }),
        FrontCase(
            name: "a write that was refused", request: .create("Account", ["Name": "A"]),
            play: { $0.enqueue(status: 400, #"[{"errorCode":"REQUIRED_FIELD_MISSING","message":"Name"}]"#) },
            expected: .failure(.api) { $0.outcome == .notApplied }),
        FrontCase(
            name: "a write that was applied, with an answer nobody can read",
            request: .create("Account", ["Name": "A"]),
            play: { $0.enqueue(status: 201, fields: ["Content-Type": "text/html"], "<p>done") },
            expected: .failure(.decoding) { $0.outcome == .applied }),
        FrontCase(
            name: "a write that was sent again and applied", request: .create("Account", ["Name": "A"]),
            response: .json,
            play: {
                $0.enqueue(.failure(TransportError(.notConnected, "refused", mayHaveReachedServer: false)))
                $0.enqueue(status: 201, #"{"id":"001","success":true}"#)
            },
            expected: .payload(.dictionary(["id": "001", "success": true]))),
    ]

    static let others: [FrontCase] = [
        FrontCase(
            name: "an array", response: .json, play: { $0.enqueue("[1,2]") }, expected: .payload(.array([1, 2]))),
        FrontCase(name: "no content", response: .json, play: { $0.enqueue(status: 204) }, expected: .payload(.empty)),
        FrontCase(name: "not modified", response: .json, play: { $0.enqueue(status: 304) }, expected: .payload(.empty)),
        FrontCase(
            name: "bytes", request: RestRequest(resource: .data(["blob"]), expectation: .anything), response: .anything,
            play: { $0.enqueue(fields: ["Content-Type": "image/png"], "png") },
            expected: .payload(.data(Array("png".utf8)))),
        FrontCase(
            name: "a redirect that is followed",
            play: {
                $0.enqueue(status: 307, fields: ["Location": "/services/data/v60.0/elsewhere"])
                $0.enqueue(Behaviour.records)
            }, expected: page),
        FrontCase(
            name: "a handler that replaces the error",
            prepare: { client in
                client.onError(of: RestError.self) { error, _ in
                    .replace(with: RestError(.init(rawValue: "ours"), "ours", underlying: error))
                }
            },
            play: { $0.enqueue(status: 404) },
            expected: .failure(.init(rawValue: "ours")) { ($0.underlying as? RestError)?.status == 404 }),
        FrontCase(
            name: "a handler that sends the call again",
            prepare: { client in client.onError(of: RestError.self) { _, _ in .retry(after: .seconds(1)) } },
            play: {
                $0.enqueue(status: 404)
                $0.enqueue(Behaviour.records)
            }, expected: page),
        FrontCase(
            name: "an open circuit",
            configure: {
                var policy = RestClient.CircuitBreakerPolicy()
                policy.minimumRequests = 1
                $0.circuitBreaker = policy
                $0.retryPolicy = .never
            },
            prepare: { client in _ = try? await client.send(.plainLimits) },
            play: { $0.enqueue(status: 500) }, expected: .failure(.circuitOpen) { $0.status == nil }),
        FrontCase(
            name: "an interceptor that refuses",
            configure: {
                $0.interceptors = [
                    Intercepting { _, _ async throws(RestError) in
                        throw RestError(.init(rawValue: "policy"), "not on Sundays")
                    }
                ]
            },
            play: { _ in }, expected: .failure(.init(rawValue: "policy")) { $0.request?.name == "query" }),
    ]

    static let all = errorShapes + writes + others
}
