// SPDX-License-Identifier: Apache-2.0

import RestSDK
import RestTesting
import Simulation
import Synchronization
import Testing

@Suite("The call pipeline")
struct PipelineTests {
    private let transport = StubTransport()
    private let origin = "https://example.my.salesforce.com"
    private let expired = #"[{"message":"Session expired or invalid","errorCode":"INVALID_SESSION_ID"}]"#

    private func token(_ text: String) -> String {
        #"{"access_token":"\#(text)","instance_url":"https://example.my.salesforce.com"}"#
    }

    private func client(_ interceptors: [any Interceptor] = []) throws -> RestClient {
        try RestClient(
            loginURL: origin, clientID: "id", clientSecret: "secret",
            configuration: RestClient.Configuration(interceptors: interceptors, transport: transport))
    }

    private func tokensSent() -> [String?] {
        transport.requests.map { $0.fields["Authorization"] }
    }

    @Test("a call logs in, adds the token, and is sent once")
    func signed() async throws {
        transport.enqueue(token("a1"))
        transport.enqueue("{}")
        _ = try await client().send(.plainLimits)
        #expect(tokensSent() == [nil, "Bearer a1"])
    }

    @Test("an expired session is renewed once, and the request is replayed once")
    func replay() async throws {
        transport.enqueue(token("a1"))
        transport.enqueue(status: 401, expired)
        transport.enqueue(token("a2"))
        transport.enqueue(status: 201, #"{"id":"001","success":true,"errors":[]}"#)
        let response = try await client().send(.create("Account", ["Name": "A"]).field("X-Mine", "kept"))
        #expect(response.payload["id"]?.string == "001")
        #expect(tokensSent() == [nil, "Bearer a1", nil, "Bearer a2"])
        #expect(transport.requests[3].body == transport.requests[1].body)
        #expect(transport.requests[3].fields["X-Mine"] == "kept")
    }

    @Test("A43: a server that always returns 401 gets two requests and no more")
    func alwaysUnauthorized() async throws {
        transport.enqueue(token("a1"))
        transport.enqueue(status: 401, expired)
        transport.enqueue(token("a2"))
        transport.enqueue(status: 401, expired)
        let client = try client()
        let error = await expectFailure(.unauthorized) { try await client.send(.plainLimits) }
        #expect(error?.faults.first?.errorCode == "INVALID_SESSION_ID")
        #expect(transport.requests.count == 4)
    }

    @Test("a 401 that no token can cure and every 403 do not cause a renewal")
    func notCurable() async throws {
        transport.enqueue(token("a1"))
        transport.enqueue(
            status: 401,
            #"[{"message":"This session is not valid for use with the REST API","errorCode":"INVALID_SESSION_ID"}]"#)
        transport.enqueue(
            status: 403, #"[{"message":"TotalRequests Limit exceeded.","errorCode":"REQUEST_LIMIT_EXCEEDED"}]"#)
        let client = try client()
        await expectFailure(.unauthorized) { try await client.send(.plainLimits) }
        await expectFailure(.rateLimited) { try await client.send(.plainLimits) }
        #expect(transport.requests.count == 3)
    }

    @Test("a wrong client secret is a failed login, with the server's message")
    func wrongSecret() async throws {
        transport.enqueue(status: 401, #"{"error":"invalid_client","error_description":"invalid client credentials"}"#)
        let client = try client()
        let error = await expectFailure(.loginFailed) { try await client.send(.plainLimits) }
        #expect(error.map { "\($0.code)" } == "loginFailed")
        #expect(error?.message.hasPrefix("the login failed: invalid_client") == true)
        #expect(error?.advice.contains("client id and secret") == true)
        #expect((error?.underlying as? OAuthError)?.code == .invalidClient)
        #expect(error?.message.contains("invalid client credentials") == true)
    }

    @Test("the list of versions carries no token and needs no login")
    func versions() async throws {
        transport.enqueue(#"[{"version":"66.0"}]"#)
        let payload = try await client().send(.versions).payload
        #expect(payload[0]?["version"]?.string == "66.0")
        #expect(tokensSent() == [nil])
        #expect(transport.requests[0].url.description == "\(origin)/services/data")
    }

    @Test("an org that moves between two tokens gets the replay at its new URL")
    func moved() async throws {
        transport.enqueue(token("a1"))
        transport.enqueue(status: 401, expired)
        transport.enqueue(#"{"access_token":"a2","instance_url":"https://moved.my.salesforce.com"}"#)
        transport.enqueue("{}")
        _ = try await client().send(.plainLimits)
        #expect(
            transport.requests.last?.url.description == "https://moved.my.salesforce.com/services/data/v66.0/limits")
        #expect(tokensSent().last == "Bearer a2")
    }

    @Test("errors in a response with status 200 are not a success, in any calling style")
    func faultsIn200() async throws {
        transport.enqueue(token("a1"))
        transport.enqueue(#"[{"errorCode":"X","message":"m"}]"#)
        let client = try client()
        await expectFailure(.api, outcome: .unknown) {
            try await client.send(.update("Account", id: "001000000000001AAA", [:]))
        }
    }

    @Test(
        "each status has its error code, and errors of writes have a write outcome",
        arguments: [
            (300, RestError.Code.api, RestError.WriteOutcome.notApplied), (302, .redirected, .notApplied),
            (400, .api, .notApplied),
            (403, .forbidden, .notApplied), (404, .notFound, .notApplied), (412, .api, .notApplied),
            (414, .tooLarge, .notApplied), (429, .rateLimited, .notApplied), (500, .server, .unknown),
            (503, .server, .unknown),
        ])
    func statuses(status: Int, code: RestError.Code, outcome: RestError.WriteOutcome) async throws {
        transport.enqueue(token("a1"))
        transport.enqueue(status: status, fields: ["Content-Type": "text/html"], "<h1>no</h1>")
        let client = try client()
        let error = await expectFailure(code) { try await client.send(.create("Account", [:])) }
        #expect(error?.outcome == outcome)
        #expect(error?.body == Array("<h1>no</h1>".utf8))
    }

    @Test("a write on a lost connection has an unknown outcome, and one that was never sent was not applied")
    func writeOutcome() async throws {
        transport.enqueue(token("a1"))
        transport.enqueue(.failure(TransportError(.connectionLost, "closed", mayHaveReachedServer: true)))
        for _ in 0..<3 {  // requests that were not sent are retried
            transport.enqueue(.failure(TransportError(.notConnected, "refused", mayHaveReachedServer: false)))
        }
        let client = try client()
        await expectFailure(.transport, outcome: .unknown) { try await client.send(.create("Account", [:])) }
        await expectFailure(.notConnected, outcome: .notApplied) { try await client.send(.create("Account", [:])) }
    }

    @Test(
        "the root of the body determines the payload",
        arguments: [
            (200, "application/json", #"{"a":1}"#, RestPayload.dictionary(["a": 1])),
            (200, "application/json;charset=UTF-8", "[1]", .array([1])), (204, "", "", .empty),
            (200, "application/json", "7", .data([0x37])),
        ])
    func payloads(status: Int, type: String, body: String, payload: RestPayload) async throws {
        transport.enqueue(token("a1"))
        transport.enqueue(status: status, fields: ["Content-Type": type], body)
        #expect(try await client().send(.plainLimits).payload == payload)
    }

    @Test("a call can accept a response of any kind unchanged, and 304 is a success without content")
    func anything() async throws {
        transport.enqueue(token("a1"))
        transport.enqueue(fields: ["Content-Type": "text/csv"], "Id\n001\n")
        transport.enqueue(fields: ["Content-Type": "application/json"], #"{"a":1}"#)
        transport.enqueue(fields: ["Content-Type": "application/json"], "{")
        transport.enqueue(status: 304)
        let client = try client()
        var request = RestRequest(
            name: "file", resource: .serverPath("/services/data/v66.0/sobjects/Attachment/1/Body"))
        request.expectation = .anything
        #expect(try await client.send(request).payload == .data(Array("Id\n001\n".utf8)))
        #expect(try await client.send(request).payload == .data(Array(#"{"a":1}"#.utf8)))
        // A response with an invalid JSON body is also returned unchanged.
        #expect(try await client.send(request).payload == .data(Array("{".utf8)))
        let unchanged = try await client.send(.plainLimits)
        #expect(unchanged.payload == .empty)
        #expect(unchanged.head.status == 304)
    }

    @Test("a 200 whose JSON ends too early is an error, and is never partly returned")
    func cutJSON() async throws {
        transport.enqueue(token("a1"))
        transport.enqueue(fields: ["Content-Type": "application/json"], #"{"totalSize":2,"records":[{"Id":"001"}"#)
        let client = try client()
        let error = await expectFailure(.decoding) { try await client.send(.query("SELECT Id FROM Account")) }
        #expect(error?.body.count == 38)
    }

    @Test("a response that is not JSON is an error with the body, and the write was applied")
    func notJSON() async throws {
        transport.enqueue(token("a1"))
        transport.enqueue(fields: ["Content-Type": "text/html"], "<html>maintenance</html>")
        let client = try client()
        let error = await expectFailure(.decoding, outcome: .applied) { try await client.send(.create("Account", [:])) }
        #expect(error?.body == Array("<html>maintenance</html>".utf8))
        #expect(error?.message.contains("text/html") == true)
    }

    /// Records the order in which interceptors see a request and its response.
    private struct Tracing: Interceptor {
        let name: String
        let trace: Trace

        final class Trace: Sendable {
            let entries = Mutex<[String]>([])
        }

        func intercept(
            _ request: HTTPRequest, context: RequestContext, next: Next
        ) async throws(RestError) -> HTTPResponse {
            trace.entries.withLock { $0.append("\(name) in \(request.fields["Authorization"] ?? "unsigned")") }
            let response = try await next(request)
            trace.entries.withLock { $0.append("\(name) out \(response.head.status)") }
            return response
        }
    }

    @Test("interceptors are entered from the outermost to the innermost, before the request is authorized")
    func order() async throws {
        transport.enqueue(token("a1"))
        transport.enqueue("{}")
        let trace = Tracing.Trace()
        _ = try await client([Tracing(name: "A", trace: trace), Tracing(name: "B", trace: trace)]).send(.plainLimits)
        #expect(trace.entries.withLock { $0 } == ["A in unsigned", "B in unsigned", "B out 200", "A out 200"])
    }

    @Test(
        "plain HTTP to remote hosts, and URLs that are not an origin, are rejected",
        arguments: [
            "http://example.com", "https://example.com/path", "ftp://example.com", "example.com", "",
            "https://u@example.com",
        ])
    func badURL(url: String) {
        let error = #expect(throws: RestError.self) { try RestClient(instanceURL: url, accessToken: "t") }
        #expect(error?.code == .invalidRequest)
        #expect(error?.message.hasPrefix("instanceURL") == true)
    }
}

@Suite("Authorization of requests")
struct SigningTests {
    private let transport = StubTransport()
    private let expired = #"[{"message":"Session expired or invalid","errorCode":"INVALID_SESSION_ID"}]"#
    private let token = #"{"access_token":"a1","instance_url":"https://example.my.salesforce.com"}"#

    private func client() throws -> RestClient {
        try RestClient(
            loginURL: "https://login.salesforce.com", clientID: "id", clientSecret: "s",
            configuration: RestClient.Configuration(transport: transport))
    }

    private var sent: [String] {
        transport.requests.map { "\($0.url.origin.host) \($0.fields["Authorization"] ?? "-")" }
    }

    @Test("a caller's own Authorization header is kept, and a 401 to it does not cause a renewal")
    func ownAuthorization() async throws {
        transport.enqueue(token)
        transport.enqueue(status: 401, expired)
        let client = try client()
        await expectFailure(.unauthorized) {
            try await client.send(.plainLimits.field("authorization", "Bearer mine"))
        }
        #expect(sent == ["login.salesforce.com -", "example.my.salesforce.com Bearer mine"])
    }

    @Test("a request that chooses the login host is authorized and renewed there, and takes its token nowhere else")
    func loginHost() async throws {
        transport.enqueue(token)
        transport.enqueue(status: 401, expired)
        transport.enqueue(#"{"access_token":"a2","instance_url":"https://example.my.salesforce.com"}"#)
        transport.enqueue(#"{"user_id":"005"}"#)
        let user = try await client().send(.userInfo)
        #expect(user.payload["user_id"]?.string == "005")
        #expect(
            sent == [
                "login.salesforce.com -", "login.salesforce.com Bearer a1", "login.salesforce.com -",
                "login.salesforce.com Bearer a2",
            ])
        #expect(transport.requests[1].url.target == "/services/oauth2/userinfo")
    }

    @Test("a redirect from the login host to the instance is not followed, because the login host identifies the user")
    func redirected() async throws {
        transport.enqueue(token)
        transport.enqueue(
            status: 302, fields: ["Location": "https://example.my.salesforce.com/services/oauth2/userinfo"])
        let client = try client()
        await expectFailure(.redirected) { try await client.send(.userInfo) }
        #expect(sent == ["login.salesforce.com -", "login.salesforce.com Bearer a1"])
    }

    @Test("a browser session is requested with a form, from the instance")
    func singleAccess() async throws {
        transport.enqueue(token)
        transport.enqueue(#"{"frontdoor_uri":"https://example.my.salesforce.com/secur/frontdoor.jsp?otp=x"}"#)
        let response = try await client().send(.singleAccess(to: "/lightning/o/Account?a=1&b=2"))
        #expect(response.payload["frontdoor_uri"]?.string?.hasSuffix("otp=x") == true)
        let request = transport.requests[1]
        #expect(request.fields["Content-Type"] == "application/x-www-form-urlencoded")
        #expect(request.body == .bytes(Array("redirect_uri=%2Flightning%2Fo%2FAccount%3Fa%3D1%26b%3D2".utf8)))
        #expect(sent[1] == "example.my.salesforce.com Bearer a1")
    }

    @Test("a renewal on demand changes the token, and a token without a renewal stays")
    func refreshNow() async throws {
        transport.enqueue(token)
        transport.enqueue("{}")
        transport.enqueue(#"{"access_token":"a2","instance_url":"https://example.my.salesforce.com"}"#)
        transport.enqueue("{}")
        let client = try client()
        _ = try await client.send(.plainLimits)
        #expect(try await client.refreshNow().accessToken == "a2")
        _ = try await client.send(.plainLimits)
        #expect(sent.last == "example.my.salesforce.com Bearer a2")

        let fixed = try RestClient.of(transport)
        await expectFailure(.refreshFailed) { try await fixed.refreshNow() }
        transport.enqueue("{}")
        _ = try await fixed.send(.plainLimits)
        #expect(sent.last == "example.my.salesforce.com Bearer token")
    }

    @Test("the daily API usage of a response is read from its header")
    func allowance() async throws {
        transport.enqueue(token)
        transport.enqueue(fields: ["Sforce-Limit-Info": "api-usage=18/5000"], "{}")
        transport.enqueue("{}")
        let client = try client()
        #expect(try await client.send(.plainLimits).allowance == RestClient.APIAllowance(used: 18, allowed: 5_000))
        #expect(try await client.send(.plainLimits).allowance == nil)
    }
}
