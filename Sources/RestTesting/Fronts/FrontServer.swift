// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc) || canImport(Musl)
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

    /// Its address.
    package let url: HTTPURL
    private let process: Mutex<ChildProcess?>
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
    /// - Throws: `ChildProcess.Failure` when its program does not start, or an error of the files that it reads.
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

    /// Starts a program on a port that was free a moment ago; if another process has taken it, the next try follows.
    private static func started(_ program: Program, _ settings: FrontSettings) throws -> FrontServer {
        for _ in 0..<5 {
            let server = try FrontServer(program, settings)
            if server.waitsForConnections() { return server }
        }
        throw ChildProcess.Failure(description: "\(program) does not start: \(settings.log)")
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
