// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestSDK

/// Measures whether slow queries on the embedded org delay short ones and writes, and the cost of unread results.
func orgQueryFigures() async throws {
    try await heldFigure()
    try await cursorFigure()
}

/// A timeout that no wait of the measurement can reach.
private let patience = Duration.seconds(300)

private func client(of org: LocalOrg) throws -> RestClient {
    try RestClient(instanceURL: org.instanceURL, accessToken: Secret(org.issueCredential().accessToken))
}

/// Runs four slow queries continuously, and one client that repeatedly reads a record and creates one.
private func heldFigure() async throws {
    let org = try await LocalOrg.start(LocalOrgConfiguration(records: extent(300_000, short: 500)))
    let (slow, healthy) = (try client(of: org), try client(of: org))
    let patterns = (0..<200).map { "Name LIKE '%z\($0)%x%'" }.joined(separator: " OR ")
    let slowQueries = [
        "SELECT COUNT() FROM Account WHERE \(patterns)",
        "SELECT BillingCity, COUNT(Id) n FROM Account WHERE \(patterns) GROUP BY BillingCity",
    ]
    let background = (0..<4).map { number in
        Task {
            var count = 0
            while !Task.isCancelled {
                let query = SOQL("\(raw: slowQueries[number % 2])")
                guard (try? await slow.send(.query(query).timeout(patience))) != nil else { continue }
                count += 1
            }
            return count
        }
    }
    var waits: [Duration] = []
    let clock = ContinuousClock()
    let end = clock.now + .seconds(extent(20, short: 1))
    while clock.now < end {
        waits.append(
            try await clock.measure {
                _ = try await healthy.send(.query("SELECT Id FROM Account LIMIT 1").timeout(patience))
            })
        waits.append(
            try await clock.measure {
                _ = try await healthy.send(.create("Account", ["Name": "healthy"]).timeout(patience))
            })
    }
    for task in background { task.cancel() }
    await org.stop()
    waits.sort()
    let p99 = waits[waits.count * 99 / 100].milliseconds
    Figure(
        name: "org.queries.held", value: (waits.last ?? .zero).milliseconds / 1_000, unit: "s",
        note: "longest of \(waits.count) short queries and writes beside 4 slow queries, p99 \(rounded(p99)) ms"
    ).print()
}

/// Runs a client that begins many large queries with different orders and does not read them to the end.
private func cursorFigure() async throws {
    let rows = extent(100_000, short: 1_000)
    let org = try await LocalOrg.start(LocalOrgConfiguration(records: rows))
    let client = try client(of: org)
    let query: SOQL = "SELECT Id FROM Account ORDER BY AnnualRevenue, Name"
    _ = try await client.send(.query(query, batchSize: 200).timeout(patience))
    guard ProcessMemory.resetPeak(), let before = ProcessMemory.present else {
        return Figure.absent("org.queries.memory", peer: "/proc/self/clear_refs")
    }
    let total = extent(200, short: 5)
    for _ in 0..<total { _ = try await client.send(.query(query, batchSize: 200).timeout(patience)) }
    let growth = Double((ProcessMemory.peak ?? 0) - before) / 1_048_576
    await org.stop()
    Figure(
        name: "org.queries.memory", value: growth, unit: "MiB", relation: .atMost, bound: 128,
        note: "growth by \(total) results of \(rows) rows that nobody reads on"
    ).print()
}
