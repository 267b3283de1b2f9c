// SPDX-License-Identifier: Apache-2.0

import RestTesting
import RestTransport
import Synchronization
import Testing

@testable import RestSDK

/// The reserve of API calls, kept while requests start, wait, end and overtake each other at random, beside an org that
/// counts them.
@Suite("The reserve of API calls, at random", .timeLimit(.minutes(2)))
struct ReserveModelTests {
    private struct Model {
        private static let allowed = 300

        private struct Attempt {
            let number: UInt64
            /// What the org says in its response; `nil` while it has not got the request.
            var report: Int?
        }

        private var random: SeededGenerator
        private let now = ContinuousClock.now
        private let reserve: Int
        private var state: RateLimiterState
        private var flying: [Attempt] = []
        private var lastWaiter: UInt64 = 0
        /// How many calls the org has counted.
        private var used: Int
        /// The highest report that has come, and how many may have been counted since then.
        private var highest: (used: Int, since: Set<UInt64>)?
        private(set) var starts = 0

        init(seed: UInt64) {
            random = SeededGenerator(seed: seed)
            reserve = Int.random(in: 0...30, using: &random)
            used = Int.random(in: 0...Self.allowed, using: &random)
            let places = [nil, 1, 3, 8].randomElement(using: &random) ?? nil
            state = RateLimiterState(limits: RateLimits(concurrent: places, reserve: reserve))
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
            case .wait:
                lastWaiter += 1
                state.join(lastWaiter, deadline: now + .seconds(60))
            }
        }

        /// How many more may start by the highest report.
        private var permitted: Int {
            highest.map { Self.allowed - reserve - $0.used - $0.since.count } ?? .max
        }

        private mutating func start(_ number: UInt64, _ isUrgent: Bool = false) {
            #expect(isUrgent || permitted > 0, "a call of the reserve was sent")
            highest?.since.insert(number)
            flying.append(Attempt(number: number))
            starts += 1
        }

        /// The org gets a request and counts it.
        private mutating func arrive() {
            guard let index = flying.indices.randomElement(using: &random), flying[index].report == nil else { return }
            used += 1
            flying[index].report = used
        }

        /// A response comes, is lost, or says nothing; or a request never leaves.
        private mutating func end() {
            guard let index = flying.indices.randomElement(using: &random) else { return }
            let attempt = flying.remove(at: index)
            let report = random.unit() < 0.85 ? attempt.report : nil
            state.ended(
                attempt.number, report == nil ? .failed : .succeeded, mayBeCounted: attempt.report != nil)
            if attempt.report == nil { highest?.since.remove(attempt.number) }
            if let report {
                _ = state.learn(APIAllowance(used: report, allowed: Self.allowed), from: attempt.number, at: now)
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

    @Test("nothing is sent beyond what the last report permits, and nothing is held back before", arguments: 0..<6)
    func reserve(batch: Int) {
        var starts = 0
        for seed in UInt64(batch * 100)..<UInt64(batch * 100 + 100) {
            var model = Model(seed: seed)
            for _ in 0..<1_500 { model.step() }
            starts += model.starts
        }
        #expect(starts > 1_000)
    }

    /// An org that counts calls, and says so with each response.
    private final class CountingOrg: HTTPTransport {
        let used: Mutex<Int>
        init(used: Int) { self.used = Mutex(used) }

        func send(
            _ request: HTTPRequest, deadline: ContinuousClock.Instant, progress: TransferProgress.Handler?
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

    @Test("calls that wait in the client's queue leave the reserve to others, and say that they were not sent")
    func queue() async throws {
        let org = CountingOrg(used: 90)
        var configuration = RestClient.Configuration(retryPolicy: .never, transport: org)
        configuration.limits = RateLimits(concurrent: 1, reserve: 5)
        let client = try RestClient(
            instanceURL: "https://example.my.salesforce.com", accessToken: "t", configuration: configuration)
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
