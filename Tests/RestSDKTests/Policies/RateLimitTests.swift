// SPDX-License-Identifier: Apache-2.0

import RestTesting
import RestTransport
import Simulation
import Synchronization
import Testing

@testable import RestSDK

@Suite("The client's own rate limits", .timeLimit(.minutes(2)))
struct RateLimiterTests {
    private let start = ContinuousClock.now
    private let never: Duration = .seconds(3_600)

    private func at(_ seconds: Double) -> ContinuousClock.Instant { start + .seconds(seconds) }

    @Test("a limited number of requests run at once, and the others start in order")
    func concurrent() {
        var state = RateLimiterState(limits: RestClient.RateLimits(concurrent: 2))
        #expect(state.ask(at: start) == .start(1))
        #expect(state.ask(at: start) == .start(2))
        for number in 1...3 as ClosedRange<UInt64> {
            #expect(state.ask(at: start) == nil)
            state.join(number, deadline: at(60))
        }
        #expect(state.release(at: start).isEmpty)
        state.ended(1, .succeeded)
        // A slot is free, but the requests in the queue come first.
        #expect(state.ask(at: start) == nil)
        #expect(state.release(at: start).map(\.number) == [1])
        state.ended(2, .failed)
        state.ended(3, .failed)
        #expect(state.release(at: start).map(\.number) == [2, 3])
        #expect(state.running == 2)
    }

    @Test("a limited number of requests start within any second")
    func perSecond() {
        var state = RateLimiterState(limits: RestClient.RateLimits(perSecond: 3))
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

    @Test("a deadline ends the wait, a cancelled request leaves the queue, and the others keep their order")
    func leaving() {
        var state = RateLimiterState(limits: RestClient.RateLimits(concurrent: 1))
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

    @Test("an urgent request starts ahead of the queue, and still counts")
    func urgent() {
        var state = RateLimiterState(limits: RestClient.RateLimits(concurrent: 1))
        #expect(state.ask(at: start) == .start(1))
        #expect(state.ask(isUrgent: true, at: start) == .start(2))
        state.ended(1, .succeeded)
        #expect(state.ask(at: start) == nil)
    }

    @Test("when only the reserve of the allowance is left, one request a minute checks whether there is more")
    func allowance() {
        var state = RateLimiterState(limits: RestClient.RateLimits(reserve: 100))
        #expect(state.ask(at: start) == .start(1))
        #expect(state.learn(RestClient.APIAllowance(used: 4_899, allowed: 5_000), from: 1, at: start) == true)
        #expect(state.ask(at: start) == .start(2))
        let spent = RestClient.APIAllowance(used: 4_900, allowed: 5_000)
        #expect(state.learn(spent, from: 2, at: start) == true)
        #expect(state.learn(spent, from: 2, at: start) == false)
        #expect(state.ask(at: at(0)) == .refuse(spent))
        #expect(state.ask(at: at(59)) == .refuse(spent))
        #expect(state.ask(isUrgent: true, at: at(59)) == .start(3))
        #expect(state.ask(at: at(60)) == .start(4))
        // Those two requests count as used until the org reports otherwise.
        #expect(state.ask(at: at(61)) == .refuse(RestClient.APIAllowance(used: 4_902, allowed: 5_000)))
        #expect(state.learn(RestClient.APIAllowance(used: 10, allowed: 5_000), from: 4, at: at(62)) == true)
        #expect(state.ask(at: at(62)) == .start(5))
        // The allowance is used up again according to a new report, so no request checks it.
        #expect(state.learn(spent, from: 5, at: at(600)) == true)
        #expect(state.ask(at: at(600)) == .refuse(spent))
    }

    @Test("a report that was overtaken does not release calls, and a report of a later request does")
    func overtaken() {
        var state = RateLimiterState(limits: RestClient.RateLimits(reserve: 5))
        for number in 1...3 as ClosedRange<UInt64> { #expect(state.ask(at: start) == .start(number)) }
        #expect(state.learn(RestClient.APIAllowance(used: 95, allowed: 100), from: 3, at: start) == true)
        #expect(state.learn(RestClient.APIAllowance(used: 93, allowed: 100), from: 1, at: start) == false)
        #expect(state.ask(at: start) == .refuse(RestClient.APIAllowance(used: 95, allowed: 100)))
        #expect(state.ask(at: at(60)) == .start(4))
        #expect(state.learn(RestClient.APIAllowance(used: 40, allowed: 100), from: 4, at: at(60)) == true)
        #expect(state.ask(at: at(60)) == .start(5))
    }

    @Test("calls that the org cannot have counted do not use up the allowance")
    func uncounted() {
        var state = RateLimiterState(limits: RestClient.RateLimits(reserve: 5))
        #expect(state.ask(at: start) == .start(1))
        #expect(state.learn(RestClient.APIAllowance(used: 94, allowed: 100), from: 1, at: start) == true)
        for attempt in 2...50 as ClosedRange<UInt64> {
            #expect(state.ask(at: start) == .start(attempt))
            state.ended(attempt, .failed, mayBeCounted: false)
        }
        #expect(state.ask(at: start) == .start(51))
        state.ended(51, .failed)
        #expect(state.ask(at: start) == .refuse(RestClient.APIAllowance(used: 95, allowed: 100)))
    }

    @Test("the concurrency limit is halved after the org reports too many requests, and grows again")
    func crowded() {
        var state = RateLimiterState(limits: RestClient.RateLimits())
        for number in 1...8 as ClosedRange<UInt64> { #expect(state.ask(at: start) == .start(number)) }
        state.ended(1, .crowded)
        #expect(state.ceiling == 4)
        for number in 2...8 as ClosedRange<UInt64> { state.ended(number, .succeeded) }
        #expect(state.ceiling == 5)
        for number in 9...13 as ClosedRange<UInt64> { #expect(state.ask(at: start) == .start(number)) }
        #expect(state.ask(at: start) == nil)
    }

    @Test(
        "the usage header of the org is parsed",
        arguments: [
            ("api-usage=18/5000", RestClient.APIAllowance(used: 18, allowed: 5_000)),
            (
                "api-usage=18/5000; per-app-api-usage=17/250(appName=sample)",
                RestClient.APIAllowance(used: 18, allowed: 5_000, app: .init(name: "sample", used: 17, allowed: 250))
            ),
            ("api-usage=18/5000; per-app-api-usage=17/250", RestClient.APIAllowance(used: 18, allowed: 5_000)),
            ("api-usage=18/5000; per-app-api-usage=-1/9(appName=x)", RestClient.APIAllowance(used: 18, allowed: 5_000)),
            ("api-bursts=1/750; api-usage=6000/5000", RestClient.APIAllowance(used: 6_000, allowed: 5_000)),
            ("api-usage=18", nil), ("api-usage=-1/5", nil), ("api-usage=1/0", nil), ("", nil),
            ("per-app-api-usage=17/250(appName=sample)", nil), ("api-usage=99999999999999999999/1", nil),
        ])
    func field(text: String, expected: RestClient.APIAllowance?) {
        #expect(RestClient.APIAllowance(in: ["Sforce-Limit-Info": text]) == expected)
    }

    private func client(_ limits: RestClient.RateLimits, _ transport: StubTransport, _ clock: ManualClock) throws
        -> RestClient
    {
        var configuration = RestClient.Configuration(retryPolicy: .never, transport: transport, clock: clock)
        configuration.limits = limits
        return try RestClient.of(configuration)
    }

    @Test("with ten starts per second, a hundred calls take nine seconds, and none is lost")
    func paced() async throws {
        let (transport, clock) = (StubTransport(), ManualClock(alarmsBeyond: .seconds(20)))
        let begin = clock.now
        for _ in 0..<100 { transport.enqueue("{}") }
        let client = try client(RestClient.RateLimits(concurrent: 3, perSecond: 10), transport, clock)
        let failures = await withTaskGroup { group in
            for _ in 0..<100 {
                group.addTask {
                    await Result { () async throws(RestError) in try await client.send(.plainLimits) }.failure
                }
            }
            return await group.reduce(0) { $0 + ($1 == nil ? 0 : 1) }
        }
        #expect(failures == 0)
        #expect(clock.now - begin >= .seconds(9))
        #expect(client.runner.limiter.waiting == 0)
    }

    @Test("a queue whose client is gone leaves no timer")
    func gone() async throws {
        let clock = ManualClock(alarmsBeyond: .zero)
        weak var line: RateLimiter?
        do {
            let limiter = RateLimiter(limits: RestClient.RateLimits(concurrent: 1), clock: clock)
            line = limiter
            func enter(_ timeout: Duration) async -> RateLimiterState.Admission {
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

    @Test("the client reports the org's allowance, and rejects calls without sending when it is used up")
    func told() async throws {
        let (transport, clock) = (StubTransport(), ManualClock())
        transport.enqueue(fields: ["Sforce-Limit-Info": "api-usage=95/100"], "{}")
        let client = try client(RestClient.RateLimits(reserve: 10), transport, clock)
        #expect(client.allowance == nil)
        _ = try await client.send(.plainLimits)
        #expect(client.allowance == RestClient.APIAllowance(used: 95, allowed: 100))
        await expectFailure(.rateLimited, outcome: .notApplied) { try await client.send(.create("Account", [:])) }
        #expect(transport.requests.count == 1)
    }
}

@Suite("The reserve of API calls, with random events", .timeLimit(.minutes(2)))
struct ReserveModelTests {
    private struct Model {
        private static let allowed = 300

        private struct Attempt {
            let number: UInt64
            /// The usage that the org reports in its response, or `nil` until it gets the request.
            var report: Int?
        }

        private var random: SeededGenerator
        private let now = ContinuousClock.now
        private let reserve: Int
        private var state: RateLimiterState
        private var flying: [Attempt] = []
        private var lastWaiter: UInt64 = 0
        private var used: Int
        /// The highest report received, and the attempts that may have been counted since then.
        private var highest: (used: Int, since: Set<UInt64>)?
        private(set) var starts = 0

        init(seed: UInt64) {
            random = SeededGenerator(seed: seed)
            reserve = Int.random(in: 0...30, using: &random)
            used = Int.random(in: 0...Self.allowed, using: &random)
            let places = [nil, 1, 3, 8].randomElement(using: &random) ?? nil
            state = RateLimiterState(limits: RestClient.RateLimits(concurrent: places, reserve: reserve))
        }

        mutating func step() {
            switch Int.random(in: 0..<8, using: &random) {
            case 0...2: ask()
            case 3...4: arrive()
            default: end()
            }
        }

        private mutating func ask() {
            let isUrgent = random.unit() < 0.05
            switch state.ask(isUrgent: isUrgent, at: now) {
            case .start(let number): start(number, isUrgent)
            case .refuse: #expect(highest != nil && permitted <= 0, "refused though the org has calls left")
            case .timedOut, .cancelled: #expect(Bool(false), "a request that did not wait")
            case nil:
                lastWaiter += 1
                state.join(lastWaiter, deadline: now + .seconds(60))
            }
        }

        /// The number of further requests that the highest report permits.
        private var permitted: Int {
            highest.map { Self.allowed - reserve - $0.used - $0.since.count } ?? .max
        }

        private mutating func start(_ number: UInt64, _ isUrgent: Bool = false) {
            #expect(isUrgent || permitted > 0, "a call of the reserve was sent")
            highest?.since.insert(number)
            flying.append(Attempt(number: number))
            starts += 1
        }

        /// The org receives a request and counts it.
        private mutating func arrive() {
            guard let index = flying.indices.randomElement(using: &random), flying[index].report == nil else { return }
            used += 1
            flying[index].report = used
        }

        /// A response arrives, is lost, or has no report, or a request is never sent.
        private mutating func end() {
            guard let index = flying.indices.randomElement(using: &random) else { return }
            let attempt = flying.remove(at: index)
            let report = random.unit() < 0.85 ? attempt.report : nil
            state.ended(
                attempt.number, report == nil ? .failed : .succeeded, mayBeCounted: attempt.report != nil)
            if attempt.report == nil { highest?.since.remove(attempt.number) }
            if let report {
                _ = state.learn(
                    RestClient.APIAllowance(used: report, allowed: Self.allowed), from: attempt.number, at: now)
                if report > highest?.used ?? -1 { highest = (report, []) }
            }
            for (_, release) in state.release(at: now) {
                switch release {
                case .start(let number): start(number)
                case .refuse: #expect(permitted <= 0, "refused though the org has calls left")
                case .timedOut, .cancelled: Issue.record("nobody's time has passed")
                }
            }
        }
    }

    @Test("requests start exactly as long as the last report permits", arguments: 0..<6)
    func reserve(batch: Int) {
        var starts = 0
        for seed in UInt64(batch * 100)..<UInt64(batch * 100 + 100) {
            var model = Model(seed: seed)
            for _ in 0..<1_500 { model.step() }
            starts += model.starts
        }
        #expect(starts > 1_000)
    }

    /// An org that counts calls, and reports the count in each response.
    private final class CountingOrg: HTTPTransport {
        let used: Mutex<Int>
        init(used: Int) { self.used = Mutex(used) }

        func send(
            _ request: HTTPRequest, to destination: HTTPResponse.Destination, deadline: ContinuousClock.Instant,
            progress: TransferProgress.Handler?
        ) async throws(TransportError) -> HTTPResponse {
            let count = used.withLock { used in
                used += 1
                return used
            }
            for _ in 0..<10 { await Task.yield() }
            let fields: HTTPFields = ["Sforce-Limit-Info": "api-usage=\(count)/100"]
            return HTTPResponse(head: HTTPResponse.Head(status: 200, fields: fields), body: Array("{}".utf8))
        }

        func shutdown() async {}
    }

    @Test("calls in the client's queue leave the reserve to others, and report that they were not sent")
    func queue() async throws {
        let org = CountingOrg(used: 90)
        var configuration = RestClient.Configuration(retryPolicy: .never, transport: org)
        configuration.limits = RestClient.RateLimits(concurrent: 1, reserve: 5)
        let client = try RestClient.of(configuration)
        let failures = await withTaskGroup { group in
            for _ in 0..<50 {
                group.addTask {
                    await Result { () async throws(RestError) in
                        try await client.send(.create("Account", ["Name": "x"]))
                    }.failure
                }
            }
            return await group.reduce(into: [RestError]()) { if let error = $1 { $0.append(error) } }
        }
        #expect(org.used.withLock { $0 } == 95)
        #expect(failures.count == 45)
        #expect(failures.allSatisfy { $0.code == .rateLimited && $0.outcome == .notApplied })
        #expect(client.runner.limiter.waiting == 0)
    }
}
