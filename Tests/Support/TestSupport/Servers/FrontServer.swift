// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc) || canImport(Musl)
package import RestTesting
import RestBase
package import RestTransport
import Synchronization

/// A third-party server on loopback with TLS and HTTP/2 that forwards every request over HTTP/1.1.
///
/// Its responses contain the client's port in the header `X-Connection`.
package final class FrontServer: Sendable {
    package enum Program: String, Sendable, CaseIterable {
        case nginx
        case haproxy
        case apache
    }

    /// The only TLS version of a server, with its number in the names of metrics.
    package enum TLSVersion: String, Sendable, CaseIterable {
        case tls12 = "12"
        case tls13 = "13"
    }

    package let url: HTTPURL
    private let process: Mutex<PeerProcess?>
    /// Contains the configuration and the program's files.
    private let folder: TemporaryDirectory

    /// Starts a server and waits until it accepts connections.
    ///
    /// - Parameters:
    ///   - identity: the server's certificate.
    ///   - program: the server program.
    ///   - originPort: the port to forward requests to. If `nil`, each request names the port in the header
    ///     `X-Origin-Port`, which is not forwarded. Only nginx supports this.
    ///   - keepsOrigin: whether connections to that port are reused.
    /// - Returns: the front server.
    /// - Throws: `PeerProcess.Failure` if the program does not start, or an error of the files that it reads.
    package static func start(
        _ identity: TestAuthority.Identity, program: Program = .nginx, originPort: Int?, keepsOrigin: Bool = false
    ) async throws -> FrontServer {
        let settings = FrontSettings(
            folder: try TemporaryDirectory(), identity: identity, originPort: originPort, keepsOrigin: keepsOrigin)
        return try await elsewhere { try started(program, settings) }
    }

    /// Starts a server that adds TLS and the negotiation of HTTP/2 to another server's bytes.
    package static func tunnel(_ identity: TestAuthority.Identity, toPort port: Int) async throws -> FrontServer {
        let settings = FrontSettings(
            folder: try TemporaryDirectory(), identity: identity, originPort: port, keepsOrigin: true, isTunnel: true)
        return try await elsewhere { try started(.haproxy, settings) }
    }

    /// Starts a server that closes every connection after one response.
    ///
    /// The response shows whether the handshake resumed a session (``isResumed(_:)``). It ends with `SUCCESS` if the
    /// client sent a certificate.
    ///
    /// - Parameters:
    ///   - identity: the server's certificate.
    ///   - version: the only version of TLS.
    ///   - resumes: whether the server resumes sessions.
    ///   - isMultiplexed: whether the server negotiates HTTP/2.
    ///   - clientAuthority: a file with the CA of the client certificates, which the server requests if this is not
    ///     `nil`.
    /// - Returns: the server.
    /// - Throws: the errors of ``start(_:program:originPort:keepsOrigin:)``.
    package static func handshakes(
        _ identity: TestAuthority.Identity, version: TLSVersion, resumes: Bool = true,
        isMultiplexed: Bool = false, clientAuthority: String? = nil
    ) async throws -> FrontServer {
        var settings = FrontSettings(
            folder: try TemporaryDirectory(), identity: identity, originPort: nil, keepsOrigin: false)
        settings.handshakes = FrontSettings.Handshakes(
            version: version, resumes: resumes, isMultiplexed: isMultiplexed, clientAuthority: clientAuthority)
        return try await elsewhere { [settings] in try started(.nginx, settings) }
    }

    /// Whether a response of ``handshakes(_:version:resumes:isMultiplexed:clientAuthority:)`` came over a resumed
    /// session.
    package static func isResumed(_ response: HTTPResponse) -> Bool { response.body.first == UInt8(ascii: "r") }

    /// Starts a program on a port that was free just before, and tries again if another process has taken the port.
    private static func started(_ program: Program, _ settings: FrontSettings) throws -> FrontServer {
        for _ in 0..<5 {
            let server = try FrontServer(program, settings)
            if server.waitsForConnections() { return server }
        }
        throw PeerProcess.Failure(description: "\(program) does not start: \(settings.log)")
    }

    private init(_ program: Program, _ settings: FrontSettings) throws {
        folder = settings.folder
        let port = try Socket.portForLater()
        url = HTTPURL(origin: Origin(scheme: .https, host: "127.0.0.1", port: port), path: "/")
        process = Mutex(try settings.process(program, port: port))
    }

    /// Stops a server that a failed test did not stop.
    deinit {
        end()
    }

    /// Whether this process accepts connections on the port.
    private func waitsForConnections() -> Bool {
        let end = ContinuousClock.now + .seconds(20)
        while !hasEnded, .now < end {
            guard (try? Socket.connected(port: url.origin.port)) != nil else { continue }
            return !hasEnded
        }
        return false
    }

    /// Whether the program has exited, after a short wait.
    private var hasEnded: Bool { process.withLock { $0?.hasEnded(withinMilliseconds: 5) } ?? true }

    package func stop() async {
        try? await elsewhere { self.end() }
    }

    private func end() { process.withLock { $0.take() }?.end() }
}
#endif
