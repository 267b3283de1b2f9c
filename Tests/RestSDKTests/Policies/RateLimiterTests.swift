// SPDX-License-Identifier: Apache-2.0

import RestTesting
import Testing

@testable import RestSDK

@Suite("The client's own limits", .timeLimit(.minutes(2)))
struct RateLimiterTests {
    private let start = ContinuousClock.now
    private let never: Duration = .seconds(3_600)

    private func at(_ seconds: Double) -> ContinuousClock.Instant { start + .seconds(seconds) }

    @Test("so many at once; who waits starts in the order of coming")
    func concurrent() {
        var state = RateLimiterState(limits: RateLimits(concurrent: 2))
        #expect(state.ask(at: start) == .start(1))
        #expect(state.ask(at: start) == .start(2))
        for number in 1...3 as ClosedRange<UInt64> {
            #expect(state.ask(at: start) == .wait)
            state.join(number, deadline: at(60))
        }
        #expect(state.release(at: start).isEmpty)
        state.ended(1, .succeeded)
        // A place is free, but those in line come first.
        #expect(state.ask(at: start) == .wait)
        #expect(state.release(at: start).map(\.number) == [1])
        state.ended(2, .failed)
        state.ended(3, .failed)
        #expect(state.release(at: start).map(\.number) == [2, 3])
        #expect(state.running == 2)
    }

    @Test("no more than so many start within any second")
    func perSecond() {
        var state = RateLimiterState(limits: RateLimits(perSecond: 3))
        var starts: [ContinuousClock.Instant] = []
        var now = start
        for number in 0..<40 as Range<UInt64> {
            if case .start = state.ask(at: now) { starts.append(now) } else { state.join(number, deadline: at(999)) }
            now += .milliseconds(70)
            for _ in state.release(at: now) { starts.append(now) }
        }
        while let next = state.nextRelease, next < at(900) {
            for _ in state.release(at: next) { starts.append(next) }
        }
        #expect(starts.count == 40)
        #expect(zip(starts, starts.dropFirst(3)).allSatisfy { $1 - $0 >= .seconds(1) })
        #expect((starts.last ?? start) - start <= .seconds(14))
    }

    @Test("a deadline ends the wait; a cancelled one leaves the line; the others keep their order")
    func leaving() {
        var state = RateLimiterState(limits: RateLimits(concurrent: 1))
        #expect(state.ask(at: start) == .start(1))
        for (number, deadline) in [(1, 5.0), (2, 60), (3, 5), (4, 60)] {
            state.join(UInt64(number), deadline: at(deadline))
        }
        #expect(state.nextRelease == at(5))
        #expect(state.abandon(2) == true)
        #expect(state.abandon(2) == false)
        let released = state.release(at: at(5))
        #expect(released.map(\.number) == [1, 3] && released.allSatisfy { $0.release == .timedOut })
        #expect(state.nextRelease == at(60))
        state.ended(1, .succeeded)
        #expect(state.release(at: at(6)).map(\.number) == [4])
        #expect(state.nextRelease == nil)
    }

    @Test("an urgent request starts past the line and counts all the same")
    func urgent() {
        var state = RateLimiterState(limits: RateLimits(concurrent: 1))
        #expect(state.ask(at: start) == .start(1))
        #expect(state.ask(isUrgent: true, at: start) == .start(2))
        state.ended(1, .succeeded)
        #expect(state.ask(at: start) == .wait)
    }

    @Test("when the org's allowance is used up but for the reserve, one request a minute asks whether it is back")
    func allowance() {
        var state = RateLimiterState(limits: RateLimits(reserve: 100))
        #expect(state.ask(at: start) == .start(1))
        #expect(state.learn(APIAllowance(used: 4_899, allowed: 5_000), from: 1, at: start) == true)
        #expect(state.ask(at: start) == .start(2))
        let spent = APIAllowance(used: 4_900, allowed: 5_000)
        #expect(state.learn(spent, from: 2, at: start) == true)
        #expect(state.learn(spent, from: 2, at: start) == false)
        #expect(state.ask(at: at(0)) == .refuse(spent))
        #expect(state.ask(at: at(59)) == .refuse(spent))
        #expect(state.ask(isUrgent: true, at: at(59)) == .start(3))
        #expect(state.ask(at: at(60)) == .start(4))
        // Those two count as used until the org says otherwise.
        #expect(state.ask(at: at(61)) == .refuse(APIAllowance(used: 4_902, allowed: 5_000)))
        #expect(state.learn(APIAllowance(used: 10, allowed: 5_000), from: 4, at: at(62)) == true)
        #expect(state.ask(at: at(62)) == .start(5))
        // Used up again: the org's word is new, so nobody asks whether it is true.
        #expect(state.learn(spent, from: 5, at: at(600)) == true)
        #expect(state.ask(at: at(600)) == .refuse(spent))
    }

    @Test("a response that was overtaken does not bring calls back; one of a later request does")
    func overtaken() {
        var state = RateLimiterState(limits: RateLimits(reserve: 5))
        for number in 1...3 as ClosedRange<UInt64> { #expect(state.ask(at: start) == .start(number)) }
        #expect(state.learn(APIAllowance(used: 95, allowed: 100), from: 3, at: start) == true)
        #expect(state.learn(APIAllowance(used: 93, allowed: 100), from: 1, at: start) == false)
        #expect(state.ask(at: start) == .refuse(APIAllowance(used: 95, allowed: 100)))
        #expect(state.ask(at: at(60)) == .start(4))
        #expect(state.learn(APIAllowance(used: 40, allowed: 100), from: 4, at: at(60)) == true)
        #expect(state.ask(at: at(60)) == .start(5))
    }

    @Test("calls that cannot have been counted do not use up the allowance")
    func uncounted() {
        var state = RateLimiterState(limits: RateLimits(reserve: 5))
        #expect(state.ask(at: start) == .start(1))
        #expect(state.learn(APIAllowance(used: 94, allowed: 100), from: 1, at: start) == true)
        for attempt in 2...50 as ClosedRange<UInt64> {
            #expect(state.ask(at: start) == .start(attempt))
            state.ended(attempt, .failed, mayBeCounted: false)
        }
        #expect(state.ask(at: start) == .start(51))
        state.ended(51, .failed)
        #expect(state.ask(at: start) == .refuse(APIAllowance(used: 95, allowed: 100)))
    }

    @Test("an org that is crowded is asked for half as much, and then again for more")
    func crowded() {
        var state = RateLimiterState(limits: RateLimits())
        for number in 1...8 as ClosedRange<UInt64> { #expect(state.ask(at: start) == .start(number)) }
        state.ended(1, .crowded)
        #expect(state.ceiling == 4)
        for number in 2...8 as ClosedRange<UInt64> { state.ended(number, .succeeded) }
        #expect(state.ceiling == 5)
        for number in 9...13 as ClosedRange<UInt64> { #expect(state.ask(at: start) == .start(number)) }
        #expect(state.ask(at: start) == .wait)
    }

    @Test(
        "the org's field is read as it is written",
        arguments: [
            ("api-usage=18/5000", APIAllowance(used: 18, allowed: 5_000)),
            (
                "api-usage=18/5000; per-app-api-usage=17/250(appName=sample)",
                APIAllowance(used: 18, allowed: 5_000, app: .init(name: "sample", used: 17, allowed: 250))
            ),
            ("api-usage=18/5000; per-app-api-usage=17/250", APIAllowance(used: 18, allowed: 5_000)),
            ("api-usage=18/5000; per-app-api-usage=-1/9(appName=x)", APIAllowance(used: 18, allowed: 5_000)),
            ("api-bursts=1/750; api-usage=6000/5000", APIAllowance(used: 6_000, allowed: 5_000)),
            ("api-usage=18", nil), ("api-usage=-1/5", nil), ("api-usage=1/0", nil), ("", nil),
            ("per-app-api-usage=17/250(appName=sample)", nil), ("api-usage=99999999999999999999/1", nil),
        ])
    func field(text: String, expected: APIAllowance?) {
        #expect(APIAllowance(in: ["Sforce-Limit-Info": text]) == expected)
    }

    private func client(_ limits: RateLimits, _ transport: StubTransport, _ clock: ManualClock) throws -> RestClient {
        var configuration = RestClient.Configuration(retryPolicy: .never, transport: transport, clock: clock)
        configuration.limits = limits
        return try RestClient(
            instanceURL: "https://example.my.salesforce.com", accessToken: "t", configuration: configuration)
    }

    @Test("a hundred calls through a client that may start ten a second take nine seconds, none is lost")
    func paced() async throws {
        let (transport, clock) = (StubTransport(), ManualClock(alarmsBeyond: .seconds(20)))
        let begin = clock.now
        for _ in 0..<100 { transport.enqueue("{}") }
        let client = try client(RateLimits(concurrent: 3, perSecond: 10), transport, clock)
        let failures = await withTaskGroup { group in
            for _ in 0..<100 {
                group.addTask { await Result { () async throws(RestError) in try await client.send(.limits) }.failure }
            }
            return await group.reduce(0) { $0 + ($1 == nil ? 0 : 1) }
        }
        #expect(failures == 0)
        #expect(clock.now - begin >= .seconds(9))
        #expect(client.runner.limiter.waiting == 0)
    }

    @Test("a line whose client is gone leaves no timer behind")
    func gone() async throws {
        let clock = ManualClock(alarmsBeyond: .zero)
        weak var line: RateLimiter?
        do {
            let limiter = RateLimiter(limits: RateLimits(concurrent: 1), clock: clock)
            line = limiter
            func enter(_ timeout: Duration) async -> RateLimiter.Admission {
                if let admission = limiter.ask(isUrgent: false) { return admission }
                return await limiter.wait(until: clock.now + timeout)
            }
            _ = await enter(.seconds(60))
            for seconds in [60, 30] {
                let call = Task { await enter(.seconds(seconds)) }
                while limiter.waiting == 0 || clock.alarms == 0 { await Task.yield() }
                call.cancel()
                guard case .cancelled = await call.value else { return #expect(Bool(false)) }
            }
        }
        while line != nil || clock.alarms > 0 { await Task.yield() }
    }

    @Test("the org's allowance is told by the client, and a spent one refuses calls without sending")
    func told() async throws {
        let (transport, clock) = (StubTransport(), ManualClock())
        transport.enqueue(fields: ["Sforce-Limit-Info": "api-usage=95/100"], "{}")
        let client = try client(RateLimits(reserve: 10), transport, clock)
        #expect(client.allowance == nil)
        _ = try await client.send(.limits)
        #expect(client.allowance == APIAllowance(used: 95, allowed: 100))
        let error = await #expect(throws: RestError.self) { try await client.send(.create("Account", [:])) }
        #expect(error?.code == .rateLimited)
        #expect(error?.outcome == .notApplied)
        #expect(transport.requests.count == 1)
    }
}
