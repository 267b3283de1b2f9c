// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc) || canImport(Musl)
import TestSupport
import RestCurl
import RestTesting
import RestTransport
import Synchronization

/// Measures the share of TLS handshakes that resume a session, if the server closes every connection.
///
/// It also compares the cost of a request with a full handshake and with a resumed one.
func resumptionFigures() async throws {
    guard NginxServer.program != nil else { return Figure.absent("tls.resumed", peer: "nginx") }
    let authority = try await TestAuthority.make()
    for version in FrontServer.TLSVersion.allCases {
        try await resumptionFigures(of: version, authority)
    }
}

private func resumptionFigures(of version: FrontServer.TLSVersion, _ authority: TestAuthority) async throws {
    let identity = try await authority.identity()
    let resuming = try await FrontServer.handshakes(identity, version: version)
    let plain = try await FrontServer.handshakes(identity, version: version, resumes: false)
    let total = extent(500, short: 20)
    let one = transport(authority)
    let counted = try await resumed(one, resuming.url, concurrency: 1, total: total)
    Figure(
        name: "tls.resumed.\(version.rawValue)", value: Double(counted), unit: "handshakes", relation: .atLeast,
        bound: Double(total - 1), note: "of \(total) connections one after the other"
    ).print()
    let many = transport(authority)
    let crowd = 16
    let countedOfCrowd = try await resumed(many, resuming.url, concurrency: crowd, total: total)
    Figure(
        name: "tls.resumed.\(version.rawValue).\(crowd)", value: Double(countedOfCrowd), unit: "handshakes",
        relation: .atLeast, bound: Double(total - crowd), note: "of \(total) connections, \(crowd) at a time"
    ).print()
    try await Pairs(11) {
        guard try await resumed(one, plain.url, concurrency: 1, total: total) == 0 else {
            throw CommandFailed(command: "a server without sessions", status: 1)
        }
    } ours: {
        _ = try await resumed(one, resuming.url, concurrency: 1, total: total)
    }.figure("tls.resumption.\(version.rawValue)", atLeast: 1).print()
    for transport in [one, many] { await transport.shutdown() }
    for server in [resuming, plain] { await server.stop() }
}

private func transport(_ authority: TestAuthority) -> CurlTransport {
    var configuration = CurlConfiguration()
    configuration.tls.authoritiesFile = authority.certificateFile
    return CurlTransport(configuration: configuration)
}

/// Returns the number of requests over a resumed session, according to the server's responses.
private func resumed(
    _ transport: CurlTransport, _ url: HTTPURL, concurrency: Int, total: Int
) async throws -> Int {
    let count = Mutex(0)
    try await concurrently(concurrency, total: total) {
        let response = try await transport.send(HTTPRequest(url: url), deadline: .now + .seconds(60))
        if FrontServer.isResumed(response) { count.withLock { $0 += 1 } }
    }
    return count.withLock { $0 }
}
#else
func resumptionFigures() {
    Figure.absent("tls.resumed", peer: "nginx under Linux, which")
}
#endif
