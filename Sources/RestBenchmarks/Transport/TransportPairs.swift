// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestCurl
import RestTransport

/// The same requests by the bare loop and by RestCurl, in turn.
struct TransportPairs {
    private static let pairs = extent(21, short: 1)

    private var speeds: [Double] = []
    private var costs: [Double] = []

    /// Runs the pairs: that many requests, so many at a time.
    init(bare: TransportPeer, url: HTTPURL, concurrency: Int, total: Int) async throws {
        let transport = CurlTransport()
        for _ in 0..<Self.pairs {
            let theirs = try bare.measure(url: url, concurrency: concurrency, total: total)
            let ours = try await Self.run(transport, url: url, concurrency: concurrency, total: total)
            speeds.append(theirs.seconds / ours.seconds)
            costs.append(ours.processorSeconds / theirs.processorSeconds)
        }
        speeds.sort()
        costs.sort()
        await transport.shutdown()
    }

    /// How many times the bare loop's requests per second.
    func speed(_ name: String, atLeast bound: Double) -> Figure {
        Figure(
            name: name, value: speeds[speeds.count / 2], unit: "x", relation: .atLeast, bound: bound,
            note: spread(speeds))
    }

    /// How many times the bare loop's processor time per request.
    func cost(_ name: String, atMost bound: Double) -> Figure {
        Figure(
            name: name, value: costs[costs.count / 2], unit: "x", relation: .atMost, bound: bound, note: spread(costs))
    }

    private func spread(_ values: [Double]) -> String {
        "min \(rounded(values.first ?? 0)) max \(rounded(values.last ?? 0)) of \(values.count) pairs"
    }

    /// That many requests by RestCurl, so many at a time.
    static func run(
        _ transport: CurlTransport, url: HTTPURL, concurrency: Int, total: Int
    ) async throws -> TransportPeer.Cost {
        let before = processorSeconds()
        let request = HTTPRequest(url: url)
        let elapsed = try await seconds {
            try await concurrently(concurrency, total: total) {
                _ = try await transport.send(request, deadline: .now + .seconds(60))
            }
        }
        return TransportPeer.Cost(seconds: elapsed, processorSeconds: processorSeconds() - before)
    }

    /// Processor time of this process so far.
    private static func processorSeconds() -> Double {
        Double(clock()) / Double(CLOCKS_PER_SEC)
    }
}
