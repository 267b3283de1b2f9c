// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestSDK
import RestTesting
import Synchronization

/// Measures how late a thousand calls with random timeouts and obstacles return.
func deadlineFigures() async throws {
    let total = extent(1_000, short: 16)
    let bench = try await DeadlineBench()
    let late = Mutex<[Duration]>([])
    let timedOut = Atomic(0)
    let next = Atomic(0)
    try await concurrently(8, total: total) {
        let outcome = try await bench.call(next.add(1, ordering: .relaxed).oldValue)
        late.withLock { $0.append(outcome.lateness) }
        if outcome.isTimeout { timedOut.add(1, ordering: .relaxed) }
    }
    await bench.stop()
    let (p99, worst) = tail(late.withLock { $0 })
    Figure(
        name: "pipeline.deadline.late", value: p99.milliseconds, unit: "ms",
        note: "p99 of \(total), worst \(rounded(worst.milliseconds)) ms, \(timedOut.load(ordering: .relaxed)) timed out"
    ).print()
}

/// An org that responds late, not at all, or with a request to wait, and clients with a queue.
private final class DeadlineBench: Sendable {
    private let org: LocalOrg
    private let proxy: FaultProxy
    private let shared: RestClient
    private let paced: RestClient

    init() async throws {
        org = try await LocalOrg.start()
        let kinds: [NetworkFault.Kind] = [.blackhole, .latency, .bandwidth, .slices, .droppedResponse]
        proxy = try FaultProxy(to: org.port, plan: FaultPlan(seed: 2026, probability: 0.5, kinds: kinds))
        let token = Secret(org.issueCredential().accessToken)
        shared = try RestClient(instanceURL: "\(proxy.origin)", accessToken: token)
        var configuration = RestClient.Configuration()
        configuration.limits = RestClient.RateLimits(concurrent: 1, perSecond: 20)
        paced = try RestClient(instanceURL: org.instanceURL, accessToken: token, configuration: configuration)
    }

    /// Makes a call and returns how long after its timeout it returned.
    func call(_ number: Int) async throws -> (lateness: Duration, isTimeout: Bool) {
        let limit = Duration.milliseconds(Int.random(in: 5...150))
        let client = try client(number)
        let start = ContinuousClock.now
        do {
            _ = try await client.send(.query("SELECT Id, Name FROM Account").timeout(limit))
            return (max(.zero, ContinuousClock.now - start - limit), false)
        } catch {
            return (max(.zero, ContinuousClock.now - start - limit), error.code == .timedOut)
        }
    }

    private func client(_ number: Int) throws -> RestClient {
        switch number % 4 {
        case 0:  // a login first, through the same network
            return try RestClient(
                loginURL: "\(proxy.origin)", clientID: org.clientID, clientSecret: Secret(org.clientSecret))
        case 1: return paced
        case 2:
            org.faults.add(.status(503, fields: ["Retry-After": "\(Int.random(in: 0...1))"]), matching: "/query")
            return shared
        default: return shared
        }
    }

    func stop() async {
        await proxy.stop()
        await org.stop()
    }
}
