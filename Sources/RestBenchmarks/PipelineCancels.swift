// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocalOrg
import RestCurl
import RestSDK
import RestTesting

/// Calls that are cancelled wherever they can wait: how soon they are over, what they leave behind, and who hears late.
func cancelFigures() async throws {
    let rounds = 100
    let descriptors = try openDescriptors()
    let bench = try await CancelBench()
    var took: [Duration] = []
    var delegates: [RecordingDelegate] = []
    var wrong = 0
    for round in 0..<rounds * CancelBench.Point.allCases.count {
        let point = CancelBench.Point.allCases[round % CancelBench.Point.allCases.count]
        let outcome = try await bench.cancel(at: point)
        took.append(outcome.took)
        delegates.append(outcome.delegate)
        if !outcome.isCancelled { wrong += 1 }
    }
    await bench.stop()
    // The org's side of a connection closes a moment after ours.
    let limit = ContinuousClock.now + .seconds(3)
    while try openDescriptors() > descriptors, ContinuousClock.now < limit {
        try await Task.sleep(for: .milliseconds(10))
    }
    let (p99, worst) = tail(took)
    Figure(
        name: "pipeline.cancel.time", value: p99.milliseconds, unit: "ms", relation: .atMost, bound: 10,
        note:
            "p99 of \(took.count) at \(CancelBench.Point.allCases.count) places, worst \(rounded(worst.milliseconds)) ms"
    ).print()
    Figure(
        name: "pipeline.cancel.untold", value: Double(wrong), unit: "calls", relation: .atMost, bound: 0
    ).print()
    Figure(
        name: "pipeline.cancel.late-callbacks", value: Double(delegates.filter { $0.callbacks.count != 1 }.count),
        unit: "calls", relation: .atMost, bound: 0
    ).print()
    Figure(
        name: "pipeline.cancel.descriptors", value: Double(try openDescriptors() - descriptors), unit: "descriptors",
        relation: .atMost, bound: 0, note: "beyond those before"
    ).print()
}

private func openDescriptors() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/dev/fd").count
}

/// An org that holds calls up where they are to be cancelled.
private final class CancelBench {
    /// Where a call waits when it is cancelled.
    enum Point: CaseIterable {
        case start, login, line, flight, renewal, backOff, handler
    }

    private let org: LocalOrg
    private let base = CurlTransport()

    init() async throws {
        org = try await LocalOrg.start()
    }

    func stop() async {
        await base.shutdown()
        await org.stop()
    }

    /// Cancels a new call there.
    func cancel(at point: Point) async throws -> (took: Duration, isCancelled: Bool, delegate: RecordingDelegate) {
        let transport = CountingTransport(base)
        var configuration = RestClientConfiguration(transport: transport)
        configuration.limits = RateLimits(concurrent: 1)
        let client = try RestClient(
            loginURL: org.instanceURL, clientID: org.clientID, clientSecret: Secret(org.clientSecret),
            configuration: configuration)
        let sends = try await prepare(point, client)
        let delegate = RecordingDelegate()
        let blocker = point == .line ? client.send(.limits, on: .global()) { _ in } : nil
        if blocker != nil { try await wait(for: sends, of: transport) }
        let task = client.send(.limits, delegate: delegate, on: .global())
        try await wait(for: sends, of: transport)
        // Long enough to be at the place, at another moment each time.
        if point != .start { try await Task.sleep(for: .microseconds(Int.random(in: 2_000...4_000))) }
        let start = ContinuousClock.now
        task.cancel()
        _ = try? await task.value
        let took = ContinuousClock.now - start
        blocker?.cancel()
        _ = try? await blocker?.value
        org.faults.clear()
        guard case .cancelled? = delegate.callbacks.first else { return (took, false, delegate) }
        return (took, true, delegate)
    }

    private func wait(for sends: Int, of transport: CountingTransport) async throws {
        let limit = ContinuousClock.now + .seconds(10)
        while transport.count < sends {
            guard ContinuousClock.now < limit else { throw CommandFailed(command: "cancel", status: Int32(sends)) }
            await Task.yield()
        }
    }

    /// Lays the obstacle.
    ///
    /// - Returns: how often the client has sent when the call has come to it.
    private func prepare(_ point: Point, _ client: RestClient) async throws -> Int {
        let hold = Fault.delay(.seconds(1))
        // Logged in before, so that no login outlives the call and takes the next one's obstacle.
        if point != .login { _ = try await client.send(.limits) }
        switch point {
        case .start: return 0
        case .login:
            org.faults.add(hold, matching: "/token")
            return 1
        case .line, .flight:
            org.faults.add(hold, matching: "/services/data")
            return 3
        case .renewal:
            org.faults.expireAccessTokens()
            org.faults.add(hold, matching: "/token")
            return 4
        case .backOff:
            org.faults.add(.status(503, fields: ["Retry-After": "20"]), matching: "/services/data")
            return 3
        case .handler:
            org.faults.add(.status(404), matching: "/services/data")
            client.onError(of: RestError.self) { _, _ in .retry(after: .seconds(20)) }
            return 3
        }
    }
}
