// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc) || canImport(Musl)
package import RestTesting
import RestBase
package import RestTransport
import Synchronization

/// A third-party server on loopback that speaks TLS and HTTP/2 and passes every request on by HTTP/1.1.
///
/// Its answers name the port that the client's connection came from in the field `X-Connection`.
package final class FrontServer: Sendable {
    /// The program that serves.
    package enum Program: String, Sendable, CaseIterable {
        case nginx
        case haproxy
        case apache
    }

    /// A version of TLS that a server speaks and no other, by the number that figures are called by.
    package enum TLSVersion: String, Sendable, CaseIterable {
        case tls12 = "12"
        case tls13 = "13"
    }

    /// Its address.
    package let url: HTTPURL
    private let process: Mutex<PeerProcess?>
    /// Its configuration and what it writes.
    private let folder: TemporaryFolder

    /// Starts a server; it answers when this returns.
    ///
    /// - Parameters:
    ///   - identity: the certificate it shows.
    ///   - program: which one.
    ///   - originPort: where it passes the requests on to; `nil` to the port that each request names in the field
    ///     `X-Origin-Port`, which goes no further. Only nginx can do so.
    ///   - keepsOrigin: whether it reuses its connections to there.
    /// - Returns: the front.
    /// - Throws: `PeerProcess.Failure` when its program does not start, or an error of the files that it reads.
    package static func start(
        _ identity: TestAuthority.Identity, program: Program = .nginx, originPort: Int?, keepsOrigin: Bool = false
    ) async throws -> FrontServer {
        let settings = FrontSettings(
            folder: try TemporaryFolder(), identity: identity, originPort: originPort, keepsOrigin: keepsOrigin)
        return try await elsewhere { try started(program, settings) }
    }

    /// Starts a server that adds TLS and the agreement on HTTP/2 to what another one says, byte for byte.
    package static func tunnel(_ identity: TestAuthority.Identity, toPort port: Int) async throws -> FrontServer {
        let settings = FrontSettings(
            folder: try TemporaryFolder(), identity: identity, originPort: port, keepsOrigin: true, isTunnel: true)
        return try await elsewhere { try started(.haproxy, settings) }
    }

    /// Starts a server that closes every connection behind one answer, which tells whether the handshake resumed a
    /// session (``isResumed(_:)``), and whether a client certificate was shown: its last word is then `SUCCESS`.
    ///
    /// - Parameters:
    ///   - identity: the certificate it shows.
    ///   - version: the only version of TLS it speaks.
    ///   - resumes: whether it resumes sessions at all.
    ///   - isMultiplexed: whether it agrees on HTTP/2.
    ///   - clientAuthority: a file with the authority of clients' certificates, which it then asks for.
    /// - Returns: the server.
    /// - Throws: what ``start(_:program:originPort:keepsOrigin:)`` throws.
    package static func handshakes(
        _ identity: TestAuthority.Identity, version: TLSVersion, resumes: Bool = true,
        isMultiplexed: Bool = false, clientAuthority: String? = nil
    ) async throws -> FrontServer {
        var settings = FrontSettings(
            folder: try TemporaryFolder(), identity: identity, originPort: nil, keepsOrigin: false)
        settings.handshakes = FrontSettings.Handshakes(
            version: version, resumes: resumes, isMultiplexed: isMultiplexed, clientAuthority: clientAuthority)
        return try await elsewhere { [settings] in try started(.nginx, settings) }
    }

    /// Whether the answer of a server that tells of its handshakes came over a session that was resumed.
    package static func isResumed(_ answer: HTTPResponse) -> Bool { answer.body.first == UInt8(ascii: "r") }

    /// Starts a program on a port that was free a moment ago; if another process has taken it, the next try follows.
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

    /// A server that a failed test leaves behind ends with its last reference.
    deinit {
        end()
    }

    /// Whether the port answers, and it is this process that does.
    private func waitsForConnections() -> Bool {
        let end = ContinuousClock.now + .seconds(20)
        while !hasEnded, .now < end {
            guard (try? Socket.connected(port: url.origin.port)) != nil else { continue }
            return !hasEnded
        }
        return false
    }

    /// Whether the program has ended, after a short wait.
    private var hasEnded: Bool { process.withLock { $0?.hasEnded(withinMilliseconds: 5) } ?? true }

    /// Ends the server.
    package func stop() async {
        try? await elsewhere { self.end() }
    }

    private func end() { process.withLock { $0.take() }?.end() }
}
#endif
