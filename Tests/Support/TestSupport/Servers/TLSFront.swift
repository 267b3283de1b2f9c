// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc) || canImport(Musl)
package import RestTesting
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import RestBase
package import RestTransport

/// An HAProxy on loopback that terminates TLS for many concurrent connections and forwards the bytes unchanged.
package final class TLSFront: Sendable {
    package let origin: Origin
    private let process: PeerProcess
    private let folder: TemporaryDirectory

    /// Starts HAProxy and waits until it accepts connections.
    ///
    /// - Parameters:
    ///   - identity: the server's certificate.
    ///   - port: the local port to which the bytes are forwarded.
    ///   - options: additional options of the `bind` line.
    /// - Returns: the front server.
    /// - Throws: `PeerProcess.Failure` if the program does not start, or an error of the files that it reads.
    package static func start(
        _ identity: TestAuthority.Identity, to port: Int, options: String = "alpn http/1.1"
    ) async throws -> TLSFront {
        try await elsewhere { try TLSFront(identity, port, options) }
    }

    private init(_ identity: TestAuthority.Identity, _ target: Int, _ options: String) throws {
        folder = try TemporaryDirectory()
        let port = try Socket.portForLater()
        let chunks = try [identity.certificateFile, identity.keyFile].map {
            try String(contentsOfFile: $0, encoding: .utf8)
        }
        try folder.write(chunks.joined(), to: "identity.pem")
        try folder.write(
            """
            global
              maxconn 4000
              nbthread 1
            defaults
              mode tcp
              timeout connect 5s
              timeout client 60s
              timeout server 60s
            listen front
              bind 127.0.0.1:\(port) ssl crt \(folder.path("identity.pem")) \(options)
              server back 127.0.0.1:\(target)

            """, to: "haproxy.cfg")
        origin = Origin(scheme: .https, host: "127.0.0.1", port: port)
        process = try PeerProcess("/usr/sbin/haproxy", ["-db", "-q", "-f", folder.path("haproxy.cfg")])
        try waitUntilReady(port)
    }

    private func waitUntilReady(_ port: Int) throws {
        for _ in 0..<500 {
            if (try? Socket.connected(port: port)) != nil { return }
            usleep(10_000)
        }
        process.end()
        throw PeerProcess.Failure(description: "haproxy does not listen")
    }

    package func stop() async {
        try? await elsewhere { [process] in process.end() }
    }
}
#endif
