// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc) || canImport(Musl)
import TestSupport
import RestCurl
import RestTesting
import RestTransport
import Testing

/// Sessions of TLS are resumed on new connections, and belong to one transport, host and port (RFC 8446 §2.2).
@Suite("CurlTransport and TLS sessions", .timeLimit(.minutes(1)))
struct SessionTests {
    typealias Version = FrontServer.TLSVersion

    private let authority: TestAuthority

    init() async throws {
        authority = try await TestAuthority.make()
    }

    private func transport(_ change: (inout CurlConfiguration) -> Void = { _ in }) -> CurlTransport {
        var configuration = CurlConfiguration()
        configuration.tls.authoritiesFile = authority.certificateFile
        change(&configuration)
        return CurlTransport(configuration: configuration)
    }

    private func isResumed(_ transport: CurlTransport, _ url: HTTPURL) async throws -> Bool {
        FrontServer.isResumed(try await transport.send(HTTPRequest(url: url), deadline: soon))
    }

    /// The same server by its name instead of its address.
    private func byName(_ url: HTTPURL) -> HTTPURL {
        HTTPURL(origin: Origin(scheme: .https, host: "localhost", port: url.origin.port), path: url.path)
    }

    @Test("Every connection but the first resumes, also those made at the same time", arguments: Version.allCases)
    func resumed(version: Version) async throws {
        let server = try await FrontServer.handshakes(authority.identity(), version: version)
        let transport = transport()
        #expect(try await !isResumed(transport, server.url))
        for _ in 0..<3 { #expect(try await isResumed(transport, server.url)) }
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 { group.addTask { try await isResumed(transport, server.url) } }
            for try await isResumed in group { #expect(isResumed) }
        }
        await transport.shutdown()
        await server.stop()
    }

    @Test("A connection of HTTP/2 that the server ends leaves its session", arguments: Version.allCases)
    func framed(version: Version) async throws {
        let server = try await FrontServer.handshakes(authority.identity(), version: version, isMultiplexed: true)
        let transport = transport { $0.collectsMetrics = true }
        for number in 0..<4 {
            let answer = try await transport.send(HTTPRequest(url: server.url), deadline: soon)
            #expect(answer.metrics?.protocolName == "HTTP/2" && answer.metrics?.isConnectionReused == false)
            #expect(FrontServer.isResumed(answer) == (number > 0), "connection \(number)")
        }
        await transport.shutdown()
        await server.stop()
    }

    @Test("Another name or port of a server is another host", arguments: Version.allCases)
    func hosts(version: Version) async throws {
        var wishes = TestAuthority.Wishes()
        wishes.host = "IP:127.0.0.1,DNS:localhost"
        let identity = try await authority.identity(wishes)
        let server = try await FrontServer.handshakes(identity, version: version)
        let other = try await FrontServer.handshakes(identity, version: version)
        let transport = transport()
        let urls = [server.url, byName(server.url), other.url]
        for url in urls { #expect(try await !isResumed(transport, url)) }
        for url in urls { #expect(try await isResumed(transport, url)) }
        await transport.shutdown()
        for server in [server, other] { await server.stop() }
    }

    @Test("No transport resumes what one with another trust, pin or certificate agreed on", arguments: Version.allCases)
    func strangers(version: Version) async throws {
        let identity = try await authority.identity()
        var wishes = TestAuthority.Wishes()
        wishes.purpose = "clientAuth"
        let client = try await authority.identity(wishes)
        let server = try await FrontServer.handshakes(
            identity, version: version, clientAuthority: authority.certificateFile)
        let pin = try await authority.keyDigest(of: identity)
        let list = try await authority.revocationList(of: [])
        let certified = transport {
            $0.tls.clientCertificateFile = client.certificateFile
            $0.tls.clientKeyFile = client.keyFile
        }
        let transports = [
            certified, transport(), transport { $0.tls.pinnedKeyDigests = [pin] },
            transport { $0.tls.revocationListsFile = list }, transport { $0.tls.minimumVersion = .tls12 },
        ]
        for isSecond in [false, true] {
            for (number, transport) in transports.enumerated() {
                let answer = try await transport.send(HTTPRequest(url: server.url), deadline: soon)
                #expect(FrontServer.isResumed(answer) == isSecond, "transport \(number)")
                #expect(text(answer).hasSuffix("SUCCESS") == (number == 0), "transport \(number): \(text(answer))")
            }
        }
        for transport in transports { await transport.shutdown() }
        await server.stop()
    }

    @Test("A key that is not pinned, or an authority that is not trusted, is refused whoever has a session")
    func refused() async throws {
        let server = try await FrontServer.handshakes(authority.identity(), version: .tls13)
        let known = transport()
        for isSecond in [false, true] { #expect(try await isResumed(known, server.url) == isSecond) }
        let stranger = try await TestAuthority.make()
        let pin = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
        let refusing = [
            transport { $0.tls.pinnedKeyDigests = [pin] },
            transport { $0.tls.authoritiesFile = stranger.certificateFile },
        ]
        for transport in refusing {
            for _ in 0..<2 {
                let error = await failure { () async throws(TransportError) in
                    try await transport.send(HTTPRequest(url: server.url), deadline: soon)
                }
                #expect(error?.code == .tls)
            }
        }
        await server.stop()
    }
}
#endif
