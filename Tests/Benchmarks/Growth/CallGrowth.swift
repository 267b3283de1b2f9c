// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestSDK

/// Measures the cost of a GET of 600 bytes with up to 10,000 concurrent calls, against nginx on loopback.
///
/// The cost is elapsed time, and CPU time of this process. The sockets that stay open are also counted.
func callGrowthFigures() async throws {
    guard let server = try await TransportServer.start() else { return Figure.absent("growth.calls", peer: "nginx") }
    defer { server.stop() }
    let client = try RestClient(instanceURL: "\(server.url("/").origin)", accessToken: "token")
    let amounts = extent([1, 10, 100, 1_000, 10_000], short: [1, 10, 100])
    var wall = GrowthCurve("growth.calls", of: "calls at a time", amounts: amounts)
    var processor = GrowthCurve("growth.calls.cpu", of: "calls at a time", amounts: amounts)
    try await calls(1, 1, of: client)
    // One socket is the connection of the first call.
    let before = socketCount - 1
    var most = 0
    // The first round opens connections and starts threads, and is not counted.
    for round in 0...extent(7, short: 1) {
        for amount in amounts {
            let total = extent(amount == 1 ? 8_000 : 40_000, short: 2 * amount)
            let start = processorSeconds()
            let elapsed = try await seconds { try await calls(total, amount, of: client) }
            most = max(most, socketCount - before)
            guard round > 0 else { continue }
            wall.add(elapsed / Double(total), at: amount)
            processor.add((processorSeconds() - start) / Double(total), at: amount)
        }
    }
    for figure in wall.figures(atMost: 1.1) + processor.figures(atMost: 1.1) { figure.print() }
    let limit = RestClient.TransportLimits().maximumConnectionsPerHost
    Figure(
        name: "growth.calls.sockets", value: Double(most), unit: "sockets", relation: .atMost, bound: Double(limit),
        note: "kept open after \(amounts.last ?? 0) calls at a time"
    ).print()
    client.shutdown()
}

private func calls(_ total: Int, _ amount: Int, of client: RestClient) async throws {
    try await concurrently(amount, total: total) {
        let response = try await client.send(RestRequest(name: "small", resource: .serverPath("/600")))
        guard response.payload["totalSize"]?.int == 1 else { throw CommandFailed(command: "client", status: 1) }
    }
}

/// The number of open sockets of this process.
private var socketCount: Int {
    let folder = "/proc/self/fd"
    let entries = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return entries.count { entry in
        let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(entry)")
        return target?.hasPrefix("socket:") == true
    }
}
