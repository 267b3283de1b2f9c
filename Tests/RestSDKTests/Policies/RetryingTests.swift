// SPDX-License-Identifier: Apache-2.0

import RestSDK
import RestTesting
import Testing

@Suite("Sending a call again")
struct RetryingTests {
    private let transport = StubTransport()
    private let clock = ManualClock()

    private func client(_ policy: RetryPolicy = RetryPolicy()) throws -> RestClient {
        try RestClient(
            instanceURL: "https://example.my.salesforce.com", accessToken: "token",
            configuration: RestClient.Configuration(retryPolicy: policy, transport: transport, clock: clock))
    }

    private func lose(mayHaveReachedServer: Bool = true) {
        transport.enqueue(
            .failure(TransportError(.connectionLost, "closed", mayHaveReachedServer: mayHaveReachedServer)))
    }

    @Test("a read that fails for now is sent up to three times, with short waits drawn anew")
    func read() async throws {
        transport.enqueue(status: 502)
        lose()
        transport.enqueue("{}")
        _ = try await client().send(.limits)
        #expect(transport.requests.count == 3)
        #expect(clock.sleeps.count == 2)
        #expect(clock.sleeps[0] <= .milliseconds(50) && clock.sleeps[1] <= .milliseconds(100))
    }

    @Test("the error tells every attempt")
    func attempts() async throws {
        for _ in 0..<3 { transport.enqueue(status: 500) }
        let client = try client()
        let error = await #expect(throws: RestError.self) { try await client.send(.limits) }
        #expect(error?.attempts.map(\.status) == [500, 500])
        #expect(error?.attempts.map(\.delay) == clock.sleeps)
        #expect(error?.status == 500)
    }

    @Test("a create that may have been applied is never sent again; one that never left is")
    func create() async throws {
        lose()
        let client = try client()
        let error = await #expect(throws: RestError.self) { try await client.send(.create("Account", [:])) }
        #expect(error?.outcome == .unknown)
        #expect(transport.requests.count == 1)
        lose(mayHaveReachedServer: false)
        transport.enqueue(status: 201, #"{"id":"001"}"#)
        #expect(try await client.send(.create("Account", [:])).payload["id"]?.string == "001")
    }

    @Test("an upsert is idempotent; its outcome stays unknown when an earlier attempt's is")
    func upsert() async throws {
        lose()
        lose(mayHaveReachedServer: false)
        lose(mayHaveReachedServer: false)
        let client = try client()
        let error = await #expect(throws: RestError.self) {
            try await client.send(.upsert("Account", externalID: "E__c", "x", [:]))
        }
        #expect(transport.requests.count == 3)
        #expect(error?.outcome == .unknown)
    }

    @Test("what the server refused for good is sent once", arguments: [400, 403, 404, 409, 412, 501])
    func refused(status: Int) async throws {
        transport.enqueue(status: status, #"[{"errorCode":"REQUEST_LIMIT_EXCEEDED","message":"no"}]"#)
        let client = try client()
        await #expect(throws: RestError.self) { try await client.send(.limits) }
        #expect(transport.requests.count == 1)
    }

    @Test("Retry-After is waited for; beyond the limit the call fails at once and says what was asked")
    func retryAfter() async throws {
        transport.enqueue(status: 503, fields: ["Retry-After": "7"])
        transport.enqueue("{}")
        _ = try await client().send(.limits)
        #expect(clock.sleeps.count == 1)
        #expect(clock.sleeps[0] >= .seconds(7) && clock.sleeps[0] < .seconds(8))
        transport.enqueue(status: 429, fields: ["Retry-After": "3600"])
        let client = try client()
        let error = await #expect(throws: RestError.self) { try await client.send(.limits) }
        #expect(error?.retryAfter == .seconds(3_600))
        #expect(clock.sleeps.count == 1)
    }

    @Test("nobody waits beyond the deadline")
    func deadline() async throws {
        transport.enqueue(status: 503, fields: ["Retry-After": "30"])
        let client = try client()
        let error = await #expect(throws: RestError.self) { try await client.send(.limits.timeout(.seconds(10))) }
        #expect(error?.code == .server)
        #expect(clock.sleeps.isEmpty)
    }

    @Test("with a dead server 10,000 calls make 35 retries, no storm")
    func budget() async throws {
        let client = try client()
        for _ in 0..<10_000 {
            lose()
            lose()
            lose()
        }
        var failures = 0
        for _ in 0..<10_000 {
            do { _ = try await client.send(.limits) } catch { failures += 1 }
        }
        #expect(failures == 10_000)
        #expect(transport.requests.count == 10_035)
    }

    @Test("a call's own policy wins")
    func own() async throws {
        transport.enqueue(status: 500)
        var request = RestRequest.limits
        request.retryPolicy = .never
        let client = try client()
        let once = request
        await #expect(throws: RestError.self) { try await client.send(once) }
        #expect(transport.requests.count == 1)
    }
}

@Suite("Logging in again after a fault that passes")
struct LoginRetryTests {
    private let transport = StubTransport()
    private let clock = ManualClock(alarmsBeyond: .seconds(20))

    private func client() throws -> RestClient {
        try RestClient(
            loginURL: "https://example.my.salesforce.com", clientID: "id", clientSecret: "secret",
            configuration: RestClient.Configuration(transport: transport, clock: clock))
    }

    @Test("the first login is retried like a request, also for a write: nothing of it has left")
    func firstLogin() async throws {
        transport.enqueue(status: 503)
        transport.enqueue(.failure(TransportError(.connectionLost, "closed", mayHaveReachedServer: true)))
        transport.enqueue(#"{"access_token":"a","instance_url":"https://example.my.salesforce.com"}"#)
        transport.enqueue(status: 201, #"{"id":"001"}"#)
        #expect(try await client().send(.create("Account", [:])).payload["id"]?.string == "001")
        #expect(transport.requests.count == 4)
    }

    @Test("a login that is refused is not tried again; the error names the request and every attempt")
    func refused() async throws {
        transport.enqueue(status: 503)
        transport.enqueue(status: 400, #"{"error":"invalid_client"}"#)
        let client = try client()
        let error = await #expect(throws: RestError.self) { try await client.send(.limits) }
        #expect(error?.code == .refreshFailed)
        #expect(error?.request?.description.contains("limits") == true)
        #expect(error?.attempts.map(\.code) == [.server])
        #expect(transport.requests.count == 2)
    }

    @Test("what cannot be sent says which request it was, without a login")
    func invalid() async throws {
        let client = try client()
        let error = await #expect(throws: RestError.self) { try await client.send(.query("")) }
        #expect(error?.code == .invalidRequest)
        #expect(error?.request?.name == "query")
        #expect(transport.requests.isEmpty)
    }
}
