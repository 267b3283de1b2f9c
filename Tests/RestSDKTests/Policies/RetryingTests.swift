// SPDX-License-Identifier: Apache-2.0

import RestTesting
import RestTransport
import Simulation
import Testing

@testable import RestSDK

@Suite("Retries")
struct RetryingTests {
    private let transport = StubTransport()
    private let clock = ManualClock()

    private func client(_ policy: RetryPolicy = RetryPolicy()) throws -> RestClient {
        try RestClient.of(transport, retryPolicy: policy, clock: clock)
    }

    private func lose(mayHaveReachedServer: Bool = true) {
        transport.enqueue(
            .failure(TransportError(.connectionLost, "closed", mayHaveReachedServer: mayHaveReachedServer)))
    }

    @Test("a read with a transient error is sent up to three times, with random short delays")
    func read() async throws {
        transport.enqueue(status: 502)
        lose()
        transport.enqueue("{}")
        _ = try await client().send(.plainLimits)
        #expect(transport.requests.count == 3)
        #expect(clock.sleeps.count == 2)
        #expect(clock.sleeps[0] <= .milliseconds(50) && clock.sleeps[1] <= .milliseconds(100))
    }

    @Test("the error lists every attempt")
    func attempts() async throws {
        for _ in 0..<3 { transport.enqueue(status: 500) }
        let client = try client()
        let error = await #expect(throws: RestError.self) { try await client.send(.plainLimits) }
        #expect(error?.attempts.map(\.status) == [500, 500])
        #expect(error?.attempts.map(\.delay) == clock.sleeps)
        #expect(error?.status == 500)
    }

    @Test("a create that may have been applied is never sent again, and one that was not sent is")
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

    @Test("an upsert is idempotent, and its outcome is unknown if an earlier attempt's outcome is")
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

    @Test("a request with a permanent error is sent once", arguments: [400, 403, 404, 409, 412, 501])
    func refused(status: Int) async throws {
        transport.enqueue(status: status, #"[{"errorCode":"REQUEST_LIMIT_EXCEEDED","message":"no"}]"#)
        let client = try client()
        await #expect(throws: RestError.self) { try await client.send(.plainLimits) }
        #expect(transport.requests.count == 1)
    }

    @Test("Retry-After is respected, and a delay above the limit fails the call at once with that delay")
    func retryAfter() async throws {
        transport.enqueue(status: 503, fields: ["Retry-After": "7"])
        transport.enqueue("{}")
        _ = try await client().send(.plainLimits)
        #expect(clock.sleeps.count == 1)
        #expect(clock.sleeps[0] >= .seconds(7) && clock.sleeps[0] < .seconds(8))
        transport.enqueue(status: 429, fields: ["Retry-After": "3600"])
        let client = try client()
        let error = await #expect(throws: RestError.self) { try await client.send(.plainLimits) }
        #expect(error?.retryAfter == .seconds(3_600))
        #expect(clock.sleeps.count == 1)
    }

    @Test("no call waits longer than its deadline")
    func deadline() async throws {
        transport.enqueue(status: 503, fields: ["Retry-After": "30"])
        let client = try client()
        await expectFailure(.server) { try await client.send(.plainLimits.timeout(.seconds(10))) }
        #expect(clock.sleeps.isEmpty)
    }

    @Test("with a server that is down, 10,000 calls make only 35 retries")
    func budget() async throws {
        let client = try client()
        for _ in 0..<10_000 {
            lose()
            lose()
            lose()
        }
        var failures = 0
        for _ in 0..<10_000 {
            do { _ = try await client.send(.plainLimits) } catch { failures += 1 }
        }
        #expect(failures == 10_000)
        #expect(transport.requests.count == 10_035)
    }

    @Test("a call's own policy takes precedence")
    func own() async throws {
        transport.enqueue(status: 500)
        var request = RestRequest.plainLimits
        request.retryPolicy = .never
        let client = try client()
        let once = request
        await #expect(throws: RestError.self) { try await client.send(once) }
        #expect(transport.requests.count == 1)
    }
}

@Suite("Retrying a login after a transient error")
struct LoginRetryTests {
    private let transport = StubTransport()
    private let clock = ManualClock(alarmsBeyond: .seconds(20))

    private func client() throws -> RestClient {
        try RestClient.loggingIn(RestClient.Configuration(transport: transport, clock: clock))
    }

    @Test("the first login is retried like a request, even for a write, which was not sent yet")
    func firstLogin() async throws {
        transport.enqueue(status: 503)
        transport.enqueue(.failure(TransportError(.connectionLost, "closed", mayHaveReachedServer: true)))
        transport.enqueue(#"{"access_token":"a","instance_url":"https://example.my.salesforce.com"}"#)
        transport.enqueue(status: 201, #"{"id":"001"}"#)
        #expect(try await client().send(.create("Account", [:])).payload["id"]?.string == "001")
        #expect(transport.requests.count == 4)
    }

    @Test("a rejected login is not retried, and the error names the request and every attempt")
    func refused() async throws {
        transport.enqueue(status: 503)
        transport.enqueue(status: 400, #"{"error":"invalid_client"}"#)
        let client = try client()
        let error = await expectFailure(.loginFailed) { try await client.send(.plainLimits) }
        #expect(error?.request?.description.contains("limits") == true)
        #expect(error?.attempts.map(\.code) == [.server])
        #expect(transport.requests.count == 2)
    }

    @Test("an invalid request is named in the error, without a login")
    func invalid() async throws {
        let client = try client()
        let error = await expectFailure(.invalidRequest) { try await client.send(.query("")) }
        #expect(error?.request?.name == "query")
        #expect(transport.requests.isEmpty)
    }
}

@Suite("The Retry-After header")
struct RetryAfterTests {
    private let now = "Sun, 06 Nov 1994 08:49:37 GMT"

    @Test(
        "a valid value is a delay",
        arguments: [
            ("0", 0), ("1", 1), ("120", 120), ("007", 7), ("9999999999", 9_999_999_999),
            ("Sun, 06 Nov 1994 08:49:37 GMT", 0), ("Sun, 06 Nov 1994 08:50:37 GMT", 60),
            ("Sunday, 06-Nov-94 08:50:37 GMT", 60), ("Sun Nov  6 08:50:37 1994", 60),
            ("Wed Nov 16 08:49:37 1994", 864_000),
            ("Sun, 06 Nov 1994 08:48:37 GMT", 0), ("Mon, 07 Nov 1994 08:49:37 GMT", 86_400),
            ("Tue, 29 Feb 2000 00:00:00 GMT", 167_670_623), ("Fri, 31 Dec 9999 23:59:59 GMT", 252_618_189_022),
            ("0000000000", 0), ("60", 60), ("3600", 3_600), ("Sun, 06 Nov 1994 08:49:38 GMT", 1),
            ("Sunday, 06-Nov-94 08:49:37 GMT", 0), ("Sun Nov  6 08:49:36 1994", 0),
            ("Sun, 06 Nov 1994 08:49:60 GMT", 23), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
        ])
    func delays(text: String, seconds: Int) {
        #expect(RetryAfter.delay(in: ["Retry-After": text, "Date": now]) == .seconds(seconds))
    }

    @Test(
        "an invalid value is no delay",
        arguments: [
            "", " ", "-1", "+1", "1.5", "1e3", "0x10", "１２", "99999999999", "soon", "1 2", "1;", "NaN", "inf",
            "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 6 Nov 1994 08:49:37 GMT",
            "Sun, 06 nov 1994 08:49:37 GMT", "Xyz, 06 Nov 1994 08:49:37 GMT", "Sun, 32 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 06 Nov 1994 8:49:37 GMT",
            "Sun, 06 Nov 19994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06-Nov-1994 08:49:37 GMT",
            "Sunday, 06-Nov-194 08:49:37 GMT", "Sun Nov 6 08:49:37 1994", "1994-11-06T08:49:37Z",
            "Sun,06 Nov 1994 08:49:37 GMT", "12s", "5 ", " 5", "0.0", "1,5", "1_000", "∞", "null", "Sun", "GMT",
            "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:61 GMT", "Sun, 06 Nov 1994 -1:49:37 GMT",
            "Sun, 06 Nov 1994 08:49:37 GMT ", "Sun, 06 Nov 1994 08:49:37 +0000", "Sun, 06 Foo 1994 08:49:37 GMT",
        ])
    func ignored(text: String) {
        #expect(RetryAfter.delay(in: ["Retry-After": text, "Date": now]) == nil)
    }

    @Test("without a valid Date header of the server, a date is compared with the local clock")
    func present() throws {
        let later = "Sun, 06 Nov 1994 08:51:37 GMT"
        let present = try #require(HTTPDate(now))
        #expect(RetryAfter.delay(in: ["Retry-After": later], present: present) == .seconds(120))
        #expect(RetryAfter.delay(in: ["Retry-After": later, "Date": "today"], present: present) == .seconds(120))
        // Compared with the present, that was long ago, and the end of the calendar is far away.
        #expect(RetryAfter.delay(in: ["Retry-After": later]) == .zero)
        let end = try #require(RetryAfter.delay(in: ["Retry-After": "Fri, 31 Dec 9999 23:59:59 GMT"]))
        #expect(end > .seconds(200_000_000_000) && end < .seconds(252_000_000_000))
    }

    @Test("the longest of several values counts")
    func several() {
        #expect(RetryAfter.delay(in: ["Retry-After": "3", "retry-after": "9", "RETRY-AFTER": "x"]) == .seconds(9))
    }

    private func delay(_ status: Int, _ body: String, _ fields: HTTPFields = [:]) -> Duration? {
        RestError(
            rejection: HTTPResponse(head: HTTPResponse.Head(status: status, fields: fields), body: Array(body.utf8)),
            isWrite: false
        ).retryAfter
    }

    @Test("the delay in the body of a 429 counts if there is no header")
    func inBody() {
        #expect(
            delay(429, #"{"error_summary":"x","error":{"reason":{".tag":"x"},"retry_after":300}}"#) == .seconds(300))
        #expect(delay(429, #"{"retry_after":1.5}"#) == .seconds(1.5))
        #expect(delay(429, #"{"retry_after":300}"#, ["Retry-After": "7"]) == .seconds(7))
        #expect(delay(409, #"{"retry_after":300}"#) == nil)
        for value in ["-1", "1e300", "\"5\"", "null", "{}"] {
            #expect(delay(429, #"{"retry_after":\#(value)}"#) == nil)
        }
        #expect(delay(429, "<h1>busy</h1>") == nil)
    }

    @Test(
        "a delay is drawn below a bound that doubles up to the limit",
        arguments: [
            (1, 50), (2, 100), (3, 200), (5, 800), (9, 12_800), (10, 20_000), (40, 20_000), (1_000, 20_000),
        ])
    func backoff(retry: Int, milliseconds: Int) {
        let policy = RetryPolicy()
        let delay = policy.delay(beforeRetry: retry, for: .transient, draw: 0.5, retryAfter: nil)
        #expect(delay == .milliseconds(milliseconds) * 0.5)
    }
}
