// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestSDK

/// What a GET of 600 bytes through the whole client costs beside up to 10,000 others, by nginx on loopback.
///
/// The cost is time that passes, and processor time of this process; and the sockets that stay open are counted.
func callGrowthFigures() async throws {
    guard let server = try await TransportServer.start() else { return Figure.absent("growth.calls", peer: "nginx") }
    defer { server.stop() }
    let client = try RestClient(instanceURL: "\(server.url("/").origin)", accessToken: "token")
    let amounts = extent([1, 10, 100, 1_000, 10_000], short: [1, 10, 100])
    var wall = GrowthCurve("growth.calls", of: "calls at a time", amounts: amounts)
    var processor = GrowthCurve("growth.calls.cpu", of: "calls at a time", amounts: amounts)
    try await calls(1, 1, of: client)
    // One of them is the connection that was made just now.
    let before = socketCount - 1
    var most = 0
    // The first round makes the other connections, and threads, and does not count.
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
        let answer = try await client.send(RestRequest(name: "small", resource: .serverPath("/600")))
        guard answer.payload["totalSize"]?.int == 1 else { throw CommandFailed(command: "client", status: 1) }
    }
}

/// The sockets of this process that are open.
private var socketCount: Int {
    let folder = "/proc/self/fd"
    let entries = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return entries.count { entry in
        let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(entry)")
        return target?.hasPrefix("socket:") == true
    }
}
