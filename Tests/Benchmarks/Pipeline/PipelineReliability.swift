// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestSDK
import RestTesting
import RestTransport
import Simulation
import Synchronization

/// Measures whether every call ends once, in time and with a true result, for any network, server and caller.
func pipelineReliabilityFigures() async throws {
    try await scheduleFigures()
    try await deadServerFigures()
    try await mixedCallFigures()
    try await deadlineFigures()
    try await cancelFigures()
}

/// Measures calls with random network, clock, cancellation and deadline.
private func scheduleFigures() async throws {
    let total = extent(100_000, short: 50)
    let failed = Mutex<[String]>([])
    let ended = Mutex<[ScheduledPlace: Int]>([:])
    let next = Atomic(0)
    try await concurrently(4, total: total) {
        let seed = next.add(1, ordering: .relaxed).oldValue
        let report = try await CallSchedule(seed: UInt64(seed)).run()
        if let place = report.endedAt { ended.withLock { $0[place, default: 0] += 1 } }
        guard !report.faults.isEmpty else { return }
        failed.withLock { $0.append("seed \(seed): \(report.faults)") }
    }
    let failures = failed.withLock { $0 }
    let places = ended.withLock { counts in
        ScheduledPlace.allCases.map { "\($0) \(counts[$0] ?? 0)" }.joined(separator: ", ")
    }
    Figure(
        name: "pipeline.schedules", value: Double(failures.count), unit: "faults", relation: .atMost, bound: 0,
        note: failures.first ?? "\(total) schedules; ended from outside at \(places)"
    ).print()
}

/// Measures whether retries overload a server that rejects every connection.
private func deadServerFigures() async throws {
    let total = extent(10_000, short: 50)
    let probe = try ScriptServer([])
    await probe.stop()
    let transport = CountingTransport()
    let client = try RestClient(
        instanceURL: "http://127.0.0.1:\(probe.port)", accessToken: "token",
        configuration: RestClient.Configuration(transport: transport))
    let failures = Mutex(0)
    try await concurrently(16, total: total) {
        do throws(RestError) {
            _ = try await client.send(.plainLimits)
        } catch {
            if error.code == .notConnected { failures.withLock { $0 += 1 } }
        }
    }
    Figure(
        name: "pipeline.dead-server.sends", value: Double(transport.count) / Double(total), unit: "per call",
        relation: .atMost, bound: 1.004, note: "\(failures.withLock { $0 }) of \(total) calls told so"
    ).print()
}

/// The default transport with a counter.
final class CountingTransport: HTTPTransport {
    private let base: any HTTPTransport
    private let sends = Mutex(0)

    init(_ base: any HTTPTransport = PlatformTransport.shared) {
        self.base = base
    }

    var count: Int { sends.withLock { $0 } }

    func send(
        _ request: HTTPRequest, to destination: HTTPResponse.Destination, deadline: ContinuousClock.Instant,
        progress: TransferProgress.Handler?
    ) async throws(TransportError) -> HTTPResponse {
        sends.withLock { $0 += 1 }
        return try await base.send(request, deadline: deadline, progress: progress)
    }

    func shutdown() async { await base.shutdown() }
}

/// Returns the 99th percentile and the maximum.
func tail(_ durations: [Duration]) -> (p99: Duration, worst: Duration) {
    let sorted = durations.sorted()
    guard let worst = sorted.last else { return (.zero, .zero) }
    return (sorted[(sorted.count * 99 + 99) / 100 - 1], worst)
}

extension Duration {
    var milliseconds: Double { self / .milliseconds(1) }
}
