// SPDX-License-Identifier: Apache-2.0

import RestTesting
import Testing

@testable import RestSDK

@Suite("Settings that have no meaning")
struct OddSettingsTests {
    private static let durations: [Duration] = [
        .zero, .seconds(-1), .nanoseconds(1), Duration(secondsComponent: 0, attosecondsComponent: 1),
        .seconds(Int64.max), .seconds(Int64.min), Duration(secondsComponent: .max, attosecondsComponent: .max),
    ]
    private static let numbers = [0, -1, Int.min, Int.max]
    private let transport = StubTransport()

    /// Three calls to a server that fails twice and then answers; none of the calls may end the process.
    private func outcomes(_ configure: (inout RestClient.Configuration) -> Void) async throws -> [RestError.Code?] {
        for _ in 0..<2 { transport.enqueue(status: 503) }
        for _ in 0..<9 { transport.enqueue("{}") }
        var configuration = RestClient.Configuration(transport: transport, clock: ManualClock())
        configure(&configuration)
        let client = try RestClient(
            instanceURL: "https://example.my.salesforce.com", accessToken: "t", configuration: configuration)
        var codes: [RestError.Code?] = []
        for _ in 0..<3 {
            codes.append(await Result { () async throws(RestError) in try await client.send(.limits) }.failure?.code)
        }
        return codes
    }

    @Test("a breaker works with any window and pause", arguments: durations, durations)
    func breaker(window: Duration, pause: Duration) async throws {
        let codes = try await outcomes {
            var policy = CircuitBreakerPolicy()
            (policy.window, policy.pause) = (window, pause)
            policy.minimumRequests = 1
            $0.circuitBreaker = policy
            $0.retryPolicy = .never
        }
        #expect(codes.first == .server)
    }

    @Test("a breaker works with any share", arguments: [-1, 0, 2, .nan, .infinity, -.infinity] as [Double], numbers)
    func share(ratio: Double, minimum: Int) async throws {
        let codes = try await outcomes {
            var policy = CircuitBreakerPolicy()
            (policy.failureRatio, policy.minimumRequests) = (ratio, minimum)
            $0.circuitBreaker = policy
            $0.retryPolicy = .never
        }
        // One request is enough, unless so many are wanted as never come.
        #expect(codes[1] == (minimum == .max ? .server : .circuitOpen))
    }

    @Test("calls are sent again with any waits", arguments: durations)
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

    @Test("calls end, one way or the other, with any time limit", arguments: durations)
    func times(duration: Duration) async throws {
        _ = try await outcomes { $0.timeout = duration }
        _ = try await outcomes { $0.retryPolicy.attemptTimeout = duration }
        let client = try RestClient(
            instanceURL: "https://example.my.salesforce.com", accessToken: "t",
            configuration: RestClient.Configuration(transport: StubTransport(), clock: ManualClock()))
        client.onError(of: RestError.self) { _, _ in .retry(after: duration) }
        await #expect(throws: RestError.self) { try await client.send(.limits) }
    }

    @Test("limits set to odd numbers later count as those that are given to begin with", arguments: numbers)
    func limits(number: Int) async throws {
        var limits = RateLimits()
        (limits.concurrent, limits.perSecond, limits.reserve) = (number, number, number)
        #expect(limits == RateLimits(concurrent: number, perSecond: number, reserve: number))
        #expect(limits.concurrent ?? 0 >= 1 && limits.perSecond ?? 0 >= 1 && limits.reserve ?? -1 >= 0)
        limits.reserve = nil
        let codes = try await outcomes {
            $0.limits = limits
            $0.retryPolicy = .never
        }
        #expect(codes == [.server, .server, nil])
    }

    @Test("attempts below one are one", arguments: [0, -1, Int.min])
    func attempts(number: Int) async throws {
        let codes = try await outcomes { $0.retryPolicy.maximumAttempts = number }
        #expect(codes == [.server, .server, nil])
    }
}
