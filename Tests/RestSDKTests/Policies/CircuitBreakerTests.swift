// SPDX-License-Identifier: Apache-2.0

import RestTesting
import RestTransport
import Simulation
import Synchronization
import Testing

@testable import RestSDK

@Suite("The circuit breaker")
struct CircuitBreakerTests {
    private let start = ContinuousClock.now
    private func at(_ seconds: Double) -> ContinuousClock.Instant { start + .seconds(seconds) }

    private func opened() -> CircuitState {
        var state = CircuitState(policy: RestClient.CircuitBreakerPolicy(), at: start)
        for number in 0..<20 { state.ended(number < 18 ? .succeeded : .failed, of: .pass, at: at(1)) }
        return state
    }

    @Test("the circuit opens at a tenth of twenty requests within thirty seconds, and not before")
    func opens() {
        var state = CircuitState(policy: RestClient.CircuitBreakerPolicy(), at: start)
        for _ in 0..<19 { state.ended(.failed, of: .pass, at: start) }
        #expect(state.phase == .closed)
        // These failures are forgotten after the window.
        for _ in 0..<19 { state.ended(.succeeded, of: .pass, at: at(31)) }
        state.ended(.failed, of: .pass, at: at(31))
        #expect(state.phase == .closed)
        #expect(opened().phase == .open(until: at(6)))
    }

    @Test("one probe at a time decides")
    func probes() {
        var state = opened()
        #expect(state.admit(at: at(5.9)) == .refuse(until: at(6)))
        #expect(state.admit(at: at(6)) == .probe)
        #expect(state.admit(at: at(6)) == .refuse(until: nil))
        state.ended(.failed, of: .probe, at: at(7))
        #expect(state.phase == .open(until: at(12)))
        #expect(state.admit(at: at(12)) == .probe)
        // A late response to a call from before the circuit opened has no effect.
        state.ended(.succeeded, of: .pass, at: at(12))
        #expect(state.phase == .probing)
        // After a cancelled probe, the next call is the probe.
        state.ended(.silent, of: .probe, at: at(13))
        #expect(state.admit(at: at(13)) == .probe)
        state.ended(.succeeded, of: .probe, at: at(14))
        #expect(state.phase == .closed)
        state.ended(.failed, of: .pass, at: at(14))
        #expect(state.phase == .closed)
    }

    @Test("an open circuit rejects calls with a typed error, sends nothing, and closes when the server recovers")
    func calls() async throws {
        let (transport, clock) = (StubTransport(), ManualClock())
        for _ in 0..<20 { transport.enqueue(status: 500) }
        var configuration = RestClient.Configuration(retryPolicy: .never, transport: transport, clock: clock)
        configuration.circuitBreaker = RestClient.CircuitBreakerPolicy()
        let client = try RestClient.of(configuration)
        for _ in 0..<20 { await #expect(throws: RestError.self) { try await client.send(.plainLimits) } }
        await expectFailure(.circuitOpen, outcome: .notApplied) { try await client.send(.create("Account", [:])) }
        #expect(transport.requests.count == 20)
        clock.advance(by: .seconds(5))
        for _ in 0..<2 {
            transport.enqueue("{}")
            _ = try await client.send(.plainLimits)
        }
        #expect(transport.requests.count == 22)
    }

    @Test("a call that times out in the client's own queue does not count as a failure of the server")
    func line() async throws {
        let (transport, clock) = (StubTransport(), ManualClock(alarmsBeyond: .zero))
        var configuration = RestClient.Configuration(retryPolicy: .never, transport: transport, clock: clock)
        var policy = RestClient.CircuitBreakerPolicy()
        policy.minimumRequests = 1
        configuration.circuitBreaker = policy
        configuration.limits = RestClient.RateLimits(concurrent: 1)
        let client = try RestClient.of(configuration)
        transport.enqueue(.silence)
        let first = Task { try? await client.send(.plainLimits.timeout(.seconds(600))) }
        while transport.requests.isEmpty { await Task.yield() }
        let second = Task {
            await Result { () async throws(RestError) in try await client.send(.plainLimits) }.failure
        }
        while client.runner.limiter.waiting == 0 || clock.alarms == 0 { await Task.yield() }
        clock.advance(by: .seconds(61))
        #expect(await second.value?.code == .timedOut)
        first.cancel()
        _ = await first.value
        transport.enqueue("{}")
        _ = try await client.send(.plainLimits)
        // A request that was sent and timed out does count.
        transport.enqueue(.failure(TransportError(.timedOut, "late", mayHaveReachedServer: true)))
        for code in [RestError.Code.timedOut, .circuitOpen] {
            await expectFailure(code) { try await client.send(.plainLimits) }
        }
    }

    /// A server whose first response is lost when the test opens the gate.
    private final class LostResponse: HTTPTransport {
        let gate = Gate()
        let requests = Mutex(0)

        func send(
            _ request: HTTPRequest, to destination: HTTPResponse.Destination, deadline: ContinuousClock.Instant,
            progress: TransferProgress.Handler?
        ) async throws(TransportError) -> HTTPResponse {
            let isFirst = requests.withLock { requests in
                requests += 1
                return requests == 1
            }
            guard isFirst else { return HTTPResponse(head: HTTPResponse.Head(status: 200), body: Array("{}".utf8)) }
            await gate.pass()
            throw TransportError(.connectionLost, "reset", mayHaveReachedServer: true)
        }

        func shutdown() async {}
    }

    @Test("calls that wait in the client's own queue when the circuit opens are not sent")
    func openedMeanwhile() async throws {
        let (transport, clock) = (LostResponse(), ManualClock(alarmsBeyond: .zero))
        var configuration = RestClient.Configuration(retryPolicy: .never, transport: transport, clock: clock)
        var policy = RestClient.CircuitBreakerPolicy()
        policy.minimumRequests = 1
        configuration.circuitBreaker = policy
        configuration.limits = RestClient.RateLimits(concurrent: 1)
        let client = try RestClient.of(configuration)
        let first = Task { try? await client.send(.plainLimits) }
        while transport.requests.withLock({ $0 }) == 0 { await Task.yield() }
        let others = (0..<5).map { _ in
            Task {
                await Result { () async throws(RestError) in try await client.send(.create("Account", [:])) }.failure
            }
        }
        while client.runner.limiter.waiting < 5 { await Task.yield() }
        transport.gate.open()
        _ = await first.value
        for other in others {
            let error = await other.value
            #expect(error?.code == .circuitOpen && error?.outcome == .notApplied)
        }
        #expect(transport.requests.withLock { $0 } == 1)
        clock.advance(by: .seconds(5))
        _ = try await client.send(.plainLimits)
    }

    @Test("errors about the content of a request keep the circuit closed")
    func rejections() async throws {
        let transport = StubTransport()
        var configuration = RestClient.Configuration(retryPolicy: .never, transport: transport)
        configuration.circuitBreaker = RestClient.CircuitBreakerPolicy()
        let client = try RestClient.of(configuration)
        for _ in 0..<40 {
            transport.enqueue(status: 404)
            await expectFailure(.notFound) { try await client.send(.plainLimits) }
        }
    }
}
