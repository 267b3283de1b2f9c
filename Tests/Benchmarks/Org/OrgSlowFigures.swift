// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation

/// An org in a process of its own under a thousand slow connections, and what one healthy client sees of it.
func orgSlowFigures() async throws {
    raiseDescriptorLimit()
    if ServerProcess.isOurs {
        let org = try await LocalOrg.start()
        try ServerProcess.serve(port: org.port, token: org.issueCredential().accessToken)
        return await org.stop()
    }
    let org = try ServerProcess(area: "org.slow")
    let end = ContinuousClock.now + .seconds(extent(60, short: 3))
    let slowClients = extent(1_000, short: 40)
    let crowd = OrgSlowCrowd(slowClients, at: org, until: end)
    let client = OrgHealthyClient(org)
    async let crowded = onThread { crowd.run() }
    let healthy = await onThread { client.run(until: end) }
    let slow = await crowded
    let peak = try org.stop()
    let (p99, worst) = tail(healthy.times)
    Figure(
        name: "org.slow.p99", value: p99.milliseconds, unit: "ms",
        note:
            "\(healthy.times.count) calls beside \(slowClients) slow clients, worst \(rounded(worst.milliseconds)) ms"
    ).print()
    Figure(
        name: "org.slow.refused", value: Double(healthy.refused), unit: "calls", relation: .atMost, bound: 0,
        note: "of the slow ones \(slow.ended) were ended, \(slow.refused) not let in"
    ).print()
    Figure(
        name: "org.slow.memory", value: Double(peak) / Double(1 << 20), unit: "MiB", relation: .atMost, bound: 128
    ).print()
}

/// Runs blocking work on a thread of its own.
func onThread<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: work()) }
    }
}

/// A client that asks for its limits fifty times a second, each time on a new connection.
struct OrgHealthyClient {
    struct Report: Sendable {
        var times: [Duration] = []
        var refused = 0
    }

    private let port: Int
    private let request: [UInt8]

    init(_ org: ServerProcess) {
        port = org.port
        request = Array(
            """
            GET /services/data/v66.0/limits HTTP/1.1\r\nHost: 127.0.0.1:\(org.port)\r
            Authorization: Bearer \(org.token)\r\nConnection: close\r\n\r\n
            """.utf8)
    }

    func run(until end: ContinuousClock.Instant) -> Report {
        var report = Report()
        while ContinuousClock.now < end {
            let start = ContinuousClock.now
            let isAnswered = call()
            report.times.append(ContinuousClock.now - start)
            if !isAnswered { report.refused += 1 }
            usleep(20_000)
        }
        return report
    }

    private func call() -> Bool {
        guard let socket = OrgSocket(port: port), socket.send(request), let answer = socket.receiveAll() else {
            return false
        }
        return answer.starts(with: "HTTP/1.1 200".utf8)
    }
}
