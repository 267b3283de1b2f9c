// SPDX-License-Identifier: Apache-2.0

import RestSDK
import RestTesting
import Simulation
import Testing

@Suite("A session that expires during a call")
struct ReplayTests {
    private let transport = StubTransport()
    private let origin = "https://example.my.salesforce.com"
    private let expired = #"[{"message":"Session expired or invalid","errorCode":"INVALID_SESSION_ID"}]"#

    private func token(_ text: String, at instance: String = "example") -> String {
        #"{"access_token":"\#(text)","instance_url":"https://\#(instance).my.salesforce.com"}"#
    }

    private func client() throws -> RestClient {
        try RestClient(
            loginURL: origin, clientID: "id", clientSecret: "secret",
            configuration: RestClient.Configuration(
                transport: transport, clock: ManualClock(alarmsBeyond: .seconds(20)))
        )
    }

    private func upload(_ method: HTTPMethod) -> RestRequest {
        RestRequest(
            name: "upload", method: method, resource: .data(["upload"]), body: .stream(HTTPBody.Source.once { nil }))
    }

    private func tokensSent() -> [String?] { transport.requests.map { $0.fields["Authorization"] } }

    @Test("a body that can be sent once fails with the server's 401, and the next call has the new token")
    func streamRefused() async throws {
        transport.enqueue(token("a1"))
        transport.enqueue(status: 401, expired)
        transport.enqueue(token("a2"))
        transport.enqueue("{}")
        let (client, upload) = (try client(), upload(.post))
        let error = await expectFailure(.unauthorized, outcome: .notApplied) { try await client.send(upload) }
        #expect(error?.faults.first?.errorCode == .invalidSessionID)
        _ = try await client.send(.plainLimits)
        #expect(tokensSent() == [nil, "Bearer a1", nil, "Bearer a2"])
    }

    @Test("a body that can be sent once is not sent again after any error", arguments: [HTTPMethod.put, .post])
    func streamFailed(method: HTTPMethod) async throws {
        transport.enqueue(token("a1"))
        transport.enqueue(status: 503)
        transport.enqueue(.failure(TransportError(.notConnected, "refused", mayHaveReachedServer: false)))
        let client = try client()
        for code in [RestError.Code.server, .notConnected] {
            let upload = upload(method)
            await expectFailure(code) { try await client.send(upload) }
        }
        #expect(transport.requests.count == 3)
    }

    @Test("a body that can be sent once waits for a retried login, because it was not sent yet")
    func streamAfterLogin() async throws {
        transport.enqueue(status: 503)
        transport.enqueue(token("a1"))
        transport.enqueue("{}")
        _ = try await client().send(upload(.post))
        #expect(tokensSent() == [nil, nil, "Bearer a1"])
    }

    @Test("the response to the replay is the response of the call, also if it is an error")
    func refusedReplay() async throws {
        transport.enqueue(token("a1"))
        transport.enqueue(status: 401, expired)
        transport.enqueue(token("a2"))
        transport.enqueue(status: 400, #"[{"message":"No such column","errorCode":"INVALID_FIELD"}]"#)
        let client = try client()
        let error = await expectFailure(.api, outcome: .notApplied) {
            try await client.send(.create("Account", ["X": 1]))
        }
        #expect(error?.faults.first?.errorCode == .invalidField)
        #expect(transport.requests.count == 4)
    }

    @Test("a token that the identity service rejects is renewed")
    func identityService() async throws {
        transport.enqueue(token("a1"))
        transport.enqueue(status: 403, fields: ["Content-Type": "text/html"], "Bad_OAuth_Token")
        transport.enqueue(token("a2"))
        transport.enqueue(#"{"user_id":"005"}"#)
        let request = RestRequest(name: "userinfo", resource: .serverPath("/services/oauth2/userinfo"))
        #expect(try await client().send(request).payload["user_id"]?.string == "005")
        #expect(tokensSent() == [nil, "Bearer a1", nil, "Bearer a2"])
        #expect(transport.requests[3].url.description == "\(origin)/services/oauth2/userinfo")
    }

    @Test("a 401 of a call without a token is its response, and does not cause a renewal")
    func unsigned() async throws {
        transport.enqueue(status: 401, expired)
        var request = RestRequest.plainLimits
        request.isAuthorized = false
        let (client, unsigned) = (try client(), request)
        await expectFailure(.unauthorized) { try await client.send(unsigned) }
        #expect(transport.requests.map { $0.url.path } == ["/services/data/v66.0/limits"])
    }

    @Test("with dead tokens, concurrent calls fail after one renewal, as writes that were not applied")
    func deadTokens() async throws {
        transport.enqueue(token("a1"))
        let client = try client()
        transport.enqueue("{}")
        _ = try await client.send(.plainLimits)
        for _ in 0..<5 {
            transport.enqueue(
                .response(HTTPResponse(head: HTTPResponse.Head(status: 401), body: Array(expired.utf8))),
                when: { $0.url.path.hasSuffix("/Account") })
        }
        transport.enqueue(
            .response(
                HTTPResponse(head: HTTPResponse.Head(status: 400), body: Array(#"{"error":"invalid_grant"}"#.utf8))),
            when: { $0.url.path.hasSuffix("/token") })
        let errors = await withTaskGroup { group in
            for _ in 0..<5 {
                group.addTask {
                    await Result { () async throws(RestError) in
                        try await client.send(.create("Account", ["Name": "A"]))
                    }.failure
                }
            }
            return await group.reduce(into: [RestError?]()) { $0.append($1) }
        }
        #expect(errors.map { $0?.code } == Array(repeating: .refreshFailed, count: 5))
        #expect(errors.allSatisfy { $0?.outcome == .notApplied })
        #expect(transport.requests.count { $0.url.path.hasSuffix("/token") } == 2)
    }

    @Test("a token that cannot be renewed survives a 401")
    func bareTokenRefused() async throws {
        let client = try RestClient(
            instanceURL: origin, accessToken: "t", configuration: RestClient.Configuration(transport: transport))
        transport.enqueue(status: 401, expired)
        transport.enqueue("{}")
        let error = await #expect(throws: RestError.self) { try await client.send(.create("Account", ["Name": "A"])) }
        #expect(error?.code == .unauthorized && error?.outcome == .notApplied && error?.status == 401)
        #expect(error?.message.contains("expired") == true && error?.attempts.isEmpty == true)
        _ = try await client.send(.plainLimits)
        #expect(tokensSent() == ["Bearer t", "Bearer t"])
    }

    @Test("after its token has ended, a client can still make calls that need no token")
    func bareTokenEnded() async throws {
        let client = try RestClient(
            instanceURL: origin, accessToken: "t", configuration: RestClient.Configuration(transport: transport))
        for _ in 1...2 {
            transport.enqueue(status: 401, expired)
            await expectFailure(.unauthorized) { try await client.send(.plainLimits) }
        }
        for _ in 1...2 { transport.enqueue("[]") }
        _ = try await client.send(.versions)
        _ = try await client.send(.plainLimits.field("authorization", "Bearer mine"))
        #expect(tokensSent() == ["Bearer t", "Bearer t", nil, "Bearer mine"])
        #expect(transport.requests.allSatisfy { "https://\($0.url.origin.host)" == origin })
    }

    @Test("tokens that are valid for one call are renewed for every call")
    func shortLives() async throws {
        transport.enqueue(token("a0"))
        transport.enqueue("{}")
        let client = try client()
        _ = try await client.send(.plainLimits)
        for number in 1...20 {
            transport.enqueue(status: 401, expired)
            transport.enqueue(token("a\(number)"))
            transport.enqueue("{}")
            _ = try await client.send(.plainLimits)
        }
        #expect(tokensSent().last == "Bearer a20")
    }

    @Test("a server that rejects every new token is asked for five tokens")
    func loop() async throws {
        transport.enqueue(token("a0"))
        transport.enqueue("{}")
        let client = try client()
        _ = try await client.send(.plainLimits)
        for _ in 1...20 {
            transport.enqueue(
                .response(HTTPResponse(head: HTTPResponse.Head(status: 401), body: Array(expired.utf8))),
                when: { $0.fields["Authorization"] != nil })
            transport.enqueue(
                .response(HTTPResponse(head: HTTPResponse.Head(status: 200), body: Array(token("again").utf8))),
                when: { $0.fields["Authorization"] == nil })
        }
        for _ in 1...10 { await #expect(throws: RestError.self) { try await client.send(.plainLimits) } }
        #expect(tokensSent().count { $0 == nil } - 1 == 5)
    }

    @Test("a renewal that fails for good ends its own account and no other account")
    func otherAccount() async throws {
        let other = try RestClient(
            instanceURL: origin, accessToken: "other", configuration: RestClient.Configuration(transport: transport))
        transport.enqueue(token("a1"))
        transport.enqueue(status: 401, expired)
        transport.enqueue(status: 400, #"{"error":"invalid_grant"}"#)
        transport.enqueue("{}")
        let client = try client()
        for _ in 0..<2 {
            await expectFailure(.refreshFailed) { try await client.send(.plainLimits) }
        }
        _ = try await other.send(.plainLimits)
        #expect(tokensSent() == [nil, "Bearer a1", nil, "Bearer other"])
    }

    @Test("a call that was built before its org moved goes to the new URL, with the token for it")
    func movedMeanwhile() async throws {
        let instance = Origin(scheme: .https, host: "example.my.salesforce.com")
        let tokens = TokenManager(credential: Credential(accessToken: "a1", instance: instance), renewal: .none)
        let moving = Intercepting { request, next async throws(RestError) in
            await tokens.install(
                Credential(accessToken: "a2", instance: Origin(scheme: .https, host: "moved.my.salesforce.com")))
            return try await next(request)
        }
        let client = RestClient(
            tokens: tokens, configuration: RestClient.Configuration(interceptors: [moving], transport: transport))
        transport.enqueue("{}")
        _ = try await client.send(.create("Account", ["Name": "A"]))
        #expect(transport.requests.map(\.url.origin.host) == ["moved.my.salesforce.com"])
        #expect(tokensSent() == ["Bearer a2"])
    }

    @Test("a token request that is still being processed is retried, and does not end the login")
    func clash() async throws {
        transport.enqueue(token("a1"))
        transport.enqueue(status: 401, expired)
        transport.enqueue(
            status: 400,
            #"{"error":"invalid_grant","error_description":"token request is already being processed"}"#)
        transport.enqueue(status: 401, expired)
        transport.enqueue(token("a2"))
        transport.enqueue("{}")
        _ = try await client().send(.plainLimits)
        #expect(tokensSent().last == "Bearer a2")
    }
}
