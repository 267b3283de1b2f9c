// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestSDK
import RestTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Measures a GET of 600 bytes through the whole client with a parsed response, 16 at a time.
///
/// The baselines are a libcurl loop without parsing, and URLSession with JSONSerialization.
func pipelineSpeedFigures() async throws {
    guard let server = try await TransportServer.start() else {
        return Figure.absent("pipeline.get600", peer: "nginx")
    }
    defer { server.stop() }
    let url = server.url("/600")
    let client = try RestClient(instanceURL: "\(url.origin)", accessToken: "token")
    let (concurrency, total) = (16, extent(40_000, short: 160))

    func ours() async throws -> Double {
        try await seconds {
            try await concurrently(concurrency, total: total) {
                let response = try await client.send(RestRequest(name: "small", resource: .serverPath("/600")))
                guard response.payload["totalSize"]?.int == 1 else { throw CommandFailed(command: "client", status: 1) }
            }
        }
    }
    if let bare = try TransportPeer(folder: server.folder) {
        try await Pairs(
            11,
            peerSeconds: { try bare.measure(url: url, concurrency: concurrency, total: total).seconds },
            ourSeconds: ours
        ).figure("pipeline.get600.bare", atLeast: 0.65).print()
    } else {
        Figure.absent("pipeline.get600.bare", peer: "a C compiler with libcurl's headers")
    }
    try await Pairs(
        peerSeconds: { try await urlSessionSeconds(url, concurrency: concurrency, total: total) }, ourSeconds: ours
    ).figure("pipeline.get600.urlsession", atLeast: 7).print()
}

/// Returns the seconds for URLSession and JSONSerialization, extrapolated from a tenth of the requests.
private func urlSessionSeconds(_ url: HTTPURL, concurrency: Int, total: Int) async throws -> Double {
    guard let address = URL(string: url.description) else { throw CommandFailed(command: "\(url)", status: 1) }
    let session = URLSession(configuration: .ephemeral)
    defer { session.invalidateAndCancel() }
    return try await 10
        * seconds {
            try await concurrently(concurrency, total: total / 10) {
                let (data, _) = try await session.data(from: address)
                let root = try JSONSerialization.jsonObject(with: data) as? [String: Any]
                guard root?["totalSize"] as? Int == 1 else { throw CommandFailed(command: "URLSession", status: 1) }
            }
        }
}
