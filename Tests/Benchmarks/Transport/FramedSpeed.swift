// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc) || canImport(Musl)
import RestBase
import Foundation
import RestCurl
import RestTesting
import RestTransport

/// Compares RestCurl over HTTP/2 with h2load: 100 concurrent small requests over one TLS connection to nginx.
func framedSpeedFigures() async throws {
    let name = "http2.h2load"
    guard let program = JSONPeer.executable("h2load") else { return Figure.absent(name, peer: "h2load") }
    guard let server = try await FramedServer.start() else { return Figure.absent(name, peer: "nginx") }
    defer { server.stop() }
    var configuration = CurlConfiguration()
    configuration.tls.authoritiesFile = server.authority.certificateFile
    configuration.maximumConnectionsPerHost = 1
    configuration.collectsMetrics = true
    let transport = CurlTransport(configuration: configuration)
    let first = try await transport.send(HTTPRequest(url: server.url), deadline: .now + .seconds(60))
    guard first.metrics?.protocolName == "HTTP/2" else { throw CommandFailed(command: "HTTP/2", status: 1) }
    let (concurrency, total) = (100, extent(40_000, short: 200))
    let pairs = try await Pairs(11) {
        try load(program, server.url, concurrency: concurrency, total: total) / Double(total)
    } ourSeconds: {
        try await TransportPairs.run(transport, url: server.url, concurrency: concurrency, total: total).seconds
            / Double(total)
    }
    pairs.figure(name, atLeast: 0.8).print()
    await transport.shutdown()
}

/// Returns the time of h2load's requests in seconds, by its own clock.
private func load(_ program: String, _ url: HTTPURL, concurrency: Int, total: Int) throws -> Double {
    let text = try output(
        program, ["-n", "\(total)", "-c", "1", "-m", "\(concurrency)", "-t", "1", url.description], environment: [:])
    // finished in 1.23s, 32520.33 req/s, 20.11MB/s
    let rate = text.split(separator: "\n").first { $0.hasPrefix("finished in") }?
        .split(separator: " ").adjacent(before: "req/s,").flatMap { Double($0) }
    guard let rate, rate > 0, text.contains(" \(total) succeeded, 0 failed") else {
        throw CommandFailed(command: "h2load: \(text)", status: 1)
    }
    return Double(total) / rate
}

extension [Substring] {
    fileprivate func adjacent(before word: String) -> Substring? {
        firstIndex { $0 == word }.flatMap { $0 > 0 ? self[$0 - 1] : nil }
    }
}

/// An nginx that responds over TLS and HTTP/2 with 600 bytes.
private struct FramedServer {
    let authority: TestAuthority
    let url: HTTPURL
    private let nginx: NginxServer

    /// Starts nginx, or returns `nil` if it is not installed.
    static func start() async throws -> FramedServer? {
        let authority = try await TestAuthority.make()
        let identity = try await authority.identity()
        let port = try Socket.portForLater()
        let configuration = """
              open_file_cache max=100; client_body_temp_path b; http2_max_concurrent_streams 256;
              server {
                listen 127.0.0.1:\(port) ssl http2; root www;
                ssl_certificate \(identity.certificateFile); ssl_certificate_key \(identity.keyFile);
              }
            """
        let nginx = try await NginxServer.start(port: port, configuration: configuration) { folder in
            let root = folder.appendingPathComponent("www")
            try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
            try Data(repeating: 0x61, count: 600).write(to: root.appendingPathComponent("600"))
        }
        let url = HTTPURL(origin: Origin(scheme: .https, host: "127.0.0.1", port: port), path: "/600")
        return nginx.map { FramedServer(authority: authority, url: url, nginx: $0) }
    }

    func stop() { nginx.stop() }
}
#else
func framedSpeedFigures() {
    Figure.absent("http2.h2load", peer: "nginx under Linux, which")
}
#endif
