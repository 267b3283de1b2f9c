// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestCurl
import RestTransport

/// The same requests with the libcurl loop and RestCurl, alternately.
struct TransportPairs {
    private static let pairs = extent(21, short: 1)

    private let speeds: Pairs
    private let costs: Pairs

    /// Runs the pairs, with `total` requests and `concurrency` at a time.
    init(bare: TransportPeer, url: HTTPURL, concurrency: Int, total: Int) async throws {
        let transport = CurlTransport()
        var (theirs, ours): ([TransportPeer.Cost], [TransportPeer.Cost]) = ([], [])
        for _ in 0..<Self.pairs {
            theirs.append(try bare.measure(url: url, concurrency: concurrency, total: total))
            ours.append(try await Self.run(transport, url: url, concurrency: concurrency, total: total))
        }
        func each(_ costs: [TransportPeer.Cost], _ amount: (TransportPeer.Cost) -> Double) -> [Double] {
            costs.map { amount($0) / Double(total) }
        }
        speeds = Pairs(peer: each(theirs, \.seconds), ours: each(ours, \.seconds))
        costs = Pairs(peer: each(theirs, \.processorSeconds), ours: each(ours, \.processorSeconds))
        await transport.shutdown()
    }

    /// Returns the requests per second as a ratio to the libcurl loop, with the times of a request as sides.
    func speed(_ name: String, atLeast bound: Double) -> Figure { speeds.figure(name, atLeast: bound) }

    /// Returns the CPU time per request as a ratio to the libcurl loop.
    func cost(_ name: String, atMost bound: Double) -> Figure { costs.figure(name, atMost: bound) }

    /// Sends `total` requests with RestCurl, `concurrency` at a time.
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
}
