// SPDX-License-Identifier: Apache-2.0

import RestTesting
import RestTransport
import Simulation
import Synchronization
import Testing

@testable import RestSDK

@Suite("Limits of retries")
struct RetryLimitTests {
    /// Records the deadlines, advances the clock, and fails a number of times.
    private final class SlowTransport: HTTPTransport {
        let deadlines = Mutex<[ContinuousClock.Instant]>([])
        let clock: ManualClock
        let pause: Duration
        let failures: Int

        init(_ clock: ManualClock, pause: Duration, failures: Int) {
            (self.clock, self.pause, self.failures) = (clock, pause, failures)
        }

        func send(
            _ request: HTTPRequest, to destination: HTTPResponse.Destination, deadline: ContinuousClock.Instant,
            progress: TransferProgress.Handler?
        ) async throws(TransportError) -> HTTPResponse {
            let count = deadlines.withLock { deadlines in
                deadlines.append(deadline)
                return deadlines.count
            }
            clock.advance(by: pause)
            guard count > failures else { throw TransportError(.timedOut, "late", mayHaveReachedServer: true) }
            return HTTPResponse(head: HTTPResponse.Head(status: 200), body: Array("{}".utf8))
        }

        func shutdown() async {}
    }

    private let clock = ManualClock(alarmsBeyond: .seconds(20))

    private func client(
        _ transport: any HTTPTransport, _ policy: RetryPolicy = RetryPolicy(), interceptors: [any Interceptor] = [],
        clock: ManualClock? = nil
    ) throws -> RestClient {
        try RestClient.of(transport, retryPolicy: policy, interceptors: interceptors, clock: clock ?? self.clock)
    }

    @Test("an attempt has its own timeout, and a read continues with the next attempt")
    func attemptTimeout() async throws {
        var policy = RetryPolicy()
        policy.attemptTimeout = .seconds(10)
        let transport = SlowTransport(clock, pause: .seconds(10), failures: 2)
        let start = clock.now
        _ = try await client(transport, policy).send(.plainLimits.timeout(.seconds(25)))
        let limits = transport.deadlines.withLock { $0.map { $0 - start } }
        #expect(limits.count == 3)
        #expect(limits[0] == .seconds(10))
        #expect(limits[1] >= .seconds(20) && limits[1] < .seconds(21))
        #expect(limits[2] == .seconds(25))
    }

    @Test("a write that timed out is not sent again, because it may have been applied")
    func slowWrite() async throws {
        var policy = RetryPolicy()
        policy.attemptTimeout = .seconds(10)
        let transport = SlowTransport(clock, pause: .seconds(10), failures: 1)
        let client = try client(transport, policy)
        await expectFailure(.timedOut, outcome: .unknown) { try await client.send(.create("Account", [:])) }
        #expect(transport.deadlines.withLock { $0.count } == 1)
    }

    @Test("no attempt begins with less than fifty milliseconds left", arguments: [40, 60])
    func minimumTime(left: Int) async throws {
        let retrying = Retrying(
            policy: RetryPolicy(), budget: RetryBudget(), observer: Observer(RestClient.Configuration()), clock: clock,
            draw: { 0 })
        let call = Call(.plainLimits, at: clock.now, timeout: .seconds(60))
        var attempts = 0
        await expectFailure(.transport) {
            try await retrying.repeating(call, asking: { _, _ in .propagate }) { () throws(RestError) in
                attempts += 1
                if attempts == 1 { clock.advance(by: .seconds(60) - .milliseconds(left)) }
                throw RestError(.transport, "closed")
            }
        }
        #expect(attempts == (left < 50 ? 1 : 3))
    }

    private func dawdling(_ clock: ManualClock, _ time: Duration) -> Intercepting {
        Intercepting { request, next async throws(RestError) in
            clock.advance(by: time)
            return try await next(request)
        }
    }

    @Test("a write that is ready with too little time left is not sent, and a short call needs a tenth of its timeout")
    func lateWrite() async throws {
        let transport = StubTransport()
        // Even the short deadlines of the calls must wait until the test advances the clock.
        let clock = ManualClock(alarmsBeyond: .zero)
        let client = try client(transport, interceptors: [dawdling(clock, .milliseconds(960))], clock: clock)
        await expectFailure(.timedOut, outcome: .notApplied) {
            try await client.send(.create("Account", [:]).timeout(.seconds(1)))
        }
        #expect(transport.requests.isEmpty)
        transport.enqueue("{}")
        let quick = try self.client(transport, interceptors: [dawdling(clock, .milliseconds(15))], clock: clock)
        _ = try await quick.send(.plainLimits.timeout(.milliseconds(20)))
        #expect(transport.requests.count == 1)
    }

    @Test("handlers that retry calls use the same retry budget")
    func handlers() async throws {
        let transport = StubTransport()
        let client = try client(transport)
        client.onError(of: RestError.self) { _, _ in .retry(after: .zero) }
        for _ in 0..<80 { transport.enqueue(status: 409) }
        for _ in 0..<20 { await #expect(throws: RestError.self) { try await client.send(.plainLimits) } }
        #expect(transport.requests.count == 20 + RetryBudget.capacity / RetryReason.transient.cost)
    }

    private func left(_ budget: RetryBudget) -> Int {
        var count = 0
        while budget.take(.throttled) { count += 1 }
        return count
    }

    @Test("successful retries of a request, a handler and the first login are returned to the budget")
    func refunds() async throws {
        let transport = StubTransport()
        let token = #"{"access_token":"a","instance_url":"https://example.my.salesforce.com"}"#
        let login = try RestClient.loggingIn(RestClient.Configuration(transport: transport, clock: clock))
        for (status, body) in [(503, ""), (200, token), (200, "{}")] { transport.enqueue(status: status, body) }
        _ = try await login.send(.plainLimits)
        #expect(left(login.runner.retrying.budget) == 100)

        let handled = try client(transport)
        handled.onError(of: RestError.self) { _, _ in .retry(after: .zero) }
        for status in [409, 200] { transport.enqueue(status: status, "{}") }
        _ = try await handled.send(.plainLimits)
        #expect(left(handled.runner.retrying.budget) == 100)

        let plain = try client(transport)
        for status in [502, 200] { transport.enqueue(status: status, "{}") }
        _ = try await plain.send(.plainLimits)
        #expect(left(plain.runner.retrying.budget) == 100)
    }

    @Test("a token request that is still being processed is retried like a throttled request")
    func clash() {
        let rejection = OAuthError(.invalidGrant, "token request is already being processed")
        #expect(
            RetryPolicy.reason(for: RestError(rejection, isWrite: true, isFirstLogin: false), isIdempotent: false)
                == .throttled)
        let final = OAuthError(.invalidGrant, "expired authorization code")
        #expect(
            RetryPolicy.reason(for: RestError(final, isWrite: true, isFirstLogin: false), isIdempotent: true) == nil)
    }

    @Test("a proxy that rejects the credentials is not retried, and the advice mentions the proxy")
    func proxyLogin() {
        let rejection = TransportError(.proxyUnauthorized, "407", mayHaveReachedServer: false)
        let error = RestError(rejection, isWrite: true)
        #expect(error.code == .proxyUnauthorized)
        #expect(error.outcome == .notApplied)
        #expect(error.advice.contains("proxy"))
        #expect(RetryPolicy.reason(for: error, isIdempotent: true) == nil)
        let token = OAuthError(.unreachable, "no token", transport: rejection)
        let login = RestError(token, isWrite: false, isFirstLogin: true)
        #expect(RetryPolicy.reason(for: login, isIdempotent: true) == nil)
        #expect(login.code == .proxyUnauthorized)
    }

    @Test(
        "an org with too many concurrent calls is retried at a lower rate, and one without allowance is not",
        arguments: [
            ("ConcurrentRequests (Concurrent API Requests) Limit exceeded.", true),
            ("ConcurrentPerOrgLongTxn Limit exceeded.", true), ("TotalRequests Limit exceeded.", false),
        ])
    func concurrency(message: String, isPassing: Bool) async throws {
        let transport = StubTransport()
        let client = try client(transport)
        transport.enqueue(status: 403, #"[{"errorCode":"REQUEST_LIMIT_EXCEEDED","message":"\#(message)"}]"#)
        transport.enqueue("{}")
        let error = await Result { () async throws(RestError) in try await client.send(.plainLimits) }.failure
        #expect(error?.code == (isPassing ? nil : .rateLimited))
        #expect(transport.requests.count == (isPassing ? 2 : 1))
        #expect(client.runner.limiter.ceiling == (isPassing ? 2 : nil))
    }
}

@Suite("Meaningless settings")
struct OddSettingsTests {
    private static let durations: [Duration] = [
        .zero, .seconds(-1), .nanoseconds(1), Duration(secondsComponent: 0, attosecondsComponent: 1),
        .seconds(Int64.max), .seconds(Int64.min), Duration(secondsComponent: .max, attosecondsComponent: .max),
    ]
    private static let numbers = [0, -1, Int.min, Int.max]
    private let transport = StubTransport()

    /// Makes three calls to a server that fails twice, none of which may end the process.
    private func outcomes(_ configure: (inout RestClient.Configuration) -> Void) async throws -> [RestError.Code?] {
        for _ in 0..<2 { transport.enqueue(status: 503) }
        for _ in 0..<9 { transport.enqueue("{}") }
        var configuration = RestClient.Configuration(transport: transport, clock: ManualClock())
        configure(&configuration)
        let client = try RestClient.of(configuration)
        var codes: [RestError.Code?] = []
        for _ in 0..<3 {
            codes.append(
                await Result { () async throws(RestError) in try await client.send(.plainLimits) }.failure?.code)
        }
        return codes
    }

    @Test("a circuit breaker works with any window and pause", arguments: durations, durations)
    func breaker(window: Duration, pause: Duration) async throws {
        let codes = try await outcomes {
            var policy = RestClient.CircuitBreakerPolicy()
            (policy.window, policy.pause) = (window, pause)
            policy.minimumRequests = 1
            $0.circuitBreaker = policy
            $0.retryPolicy = .never
        }
        #expect(codes.first == .server)
    }

    @Test(
        "a circuit breaker works with any ratio", arguments: [-1, 0, 2, .nan, .infinity, -.infinity] as [Double],
        numbers)
    func share(ratio: Double, minimum: Int) async throws {
        let codes = try await outcomes {
            var policy = RestClient.CircuitBreakerPolicy()
            (policy.failureRatio, policy.minimumRequests) = (ratio, minimum)
            $0.circuitBreaker = policy
            $0.retryPolicy = .never
        }
        // One request is enough, unless the minimum is never reached.
        #expect(codes[1] == (minimum == .max ? .server : .circuitOpen))
    }

    @Test("retries work with any delays", arguments: durations)
    func retries(duration: Duration) async throws {
        for field in [\RetryPolicy.transientScale, \.throttlingScale, \.maximumDelay, \.maximumRetryAfter] {
            let codes = try await outcomes {
                var policy = RetryPolicy()
                policy.maximumAttempts = 9
                policy.transientScale = duration
                policy[keyPath: field] = duration
                $0.retryPolicy = policy
            }
            #expect(codes.contains(nil))
        }
        for attempt in [1, 40, .max] {
            var policy = RetryPolicy()
            (policy.transientScale, policy.maximumDelay) = (duration, duration)
            let delay = policy.delay(beforeRetry: attempt, for: .transient, draw: 0.99, retryAfter: nil)
            #expect(delay.map { $0 >= .zero && $0 <= .longest } == true)
        }
    }

    @Test("calls end with any timeouts", arguments: durations)
    func times(duration: Duration) async throws {
        _ = try await outcomes { $0.timeout = duration }
        _ = try await outcomes { $0.retryPolicy.attemptTimeout = duration }
        let client = try RestClient.of(StubTransport(), clock: ManualClock())
        client.onError(of: RestError.self) { _, _ in .retry(after: duration) }
        await #expect(throws: RestError.self) { try await client.send(.plainLimits) }
    }

    @Test("invalid rate limits that are set later are corrected as in the initializer", arguments: numbers)
    func limits(number: Int) async throws {
        var limits = RestClient.RateLimits()
        (limits.concurrent, limits.perSecond, limits.reserve) = (number, number, number)
        #expect(limits == RestClient.RateLimits(concurrent: number, perSecond: number, reserve: number))
        #expect(limits.concurrent ?? 0 >= 1 && limits.perSecond ?? 0 >= 1 && limits.reserve ?? -1 >= 0)
        limits.reserve = nil
        let codes = try await outcomes {
            $0.limits = limits
            $0.retryPolicy = .never
        }
        #expect(codes == [.server, .server, nil])
    }

    @Test("fewer than one attempt counts as one", arguments: [0, -1, Int.min])
    func attempts(number: Int) async throws {
        let codes = try await outcomes { $0.retryPolicy.maximumAttempts = number }
        #expect(codes == [.server, .server, nil])
    }
}
