// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestCurl
import RestTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Compares RestCurl with the async methods of URLSession, with 16 concurrent requests on as many connections.
///
/// URLSession sends fewer requests, so that both sides run for about as long. The times are those of one request.
func sessionFigure(_ server: TransportServer) async throws {
    let concurrency = 16
    let (theirs, ours) = extent((4_000, 40_000), short: (32, 64))
    let url = server.url("/600")
    let transport = CurlTransport()
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpMaximumConnectionsPerHost = concurrency
    let session = URLSession(configuration: configuration)
    let pairs = try await Pairs {
        try await seconds {
            try await fetch(url, with: session, concurrency: concurrency, total: theirs)
        } / Double(theirs)
    } ourSeconds: {
        try await TransportPairs.run(transport, url: url, concurrency: concurrency, total: ours).seconds / Double(ours)
    }
    pairs.figure("transport.urlsession.16", atLeast: 10).print()
    session.finishTasksAndInvalidate()
    await transport.shutdown()
}

/// Sends `total` requests with URLSession, `concurrency` at a time.
private func fetch(_ url: HTTPURL, with session: URLSession, concurrency: Int, total: Int) async throws {
    guard let address = URL(string: url.description) else { return }
    try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<concurrency {
            group.addTask {
                for _ in 0..<(total / concurrency) {
                    let (data, _) = try await session.data(for: URLRequest(url: address))
                    guard data.count == 600 else { throw CommandFailed(command: "URLSession", status: 1) }
                }
            }
        }
        try await group.waitForAll()
    }
}
