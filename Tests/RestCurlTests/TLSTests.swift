// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc) || canImport(Musl)
import TestSupport
import Foundation
import RestCurl
import RestTesting
import RestTransport
import Testing

/// Tests settings that only `CurlConfiguration` has, in addition to `TransportConformance.trustCases`.
@Suite("CurlTransport and TLS", .timeLimit(.minutes(1)))
struct TLSTests {
    private let authority: TestAuthority

    init() async throws {
        authority = try await TestAuthority.make()
    }

    private func transport(_ change: (inout CurlConfiguration) -> Void = { _ in }) -> CurlTransport {
        CurlTransport(trusting: authority, change)
    }

    private func error(of transport: CurlTransport, _ url: HTTPURL) async -> TransportError? {
        await transport.error(for: HTTPRequest(method: .post, url: url, body: .bytes([1])))
    }

    @Test("A test's CA is not trusted by the operating system")
    func systemTrust() async throws {
        let server = try await TLSServer.start(authority.identity())
        let error = await error(of: CurlTransport(), server.url)
        expect(error, .tls, mayHaveReachedServer: false)
        await server.stop()
    }

    @Test("A pinned key is required in addition to a trusted certificate")
    func pins() async throws {
        let identity = try await authority.identity()
        let server = try await TLSServer.start(identity)
        let other = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
        let pin = try await authority.keyDigest(of: identity)
        let pinned = transport { $0.tls.pinnedKeyDigests = [other, pin] }
        #expect(try await pinned.send(HTTPRequest(url: server.url), deadline: soon).head.status == 200)
        let error = await error(of: transport { $0.tls.pinnedKeyDigests = [other] }, server.url)
        expect(error, .tls, mayHaveReachedServer: false)
        let untrusting = transport {
            $0.tls.authoritiesFile = identity.certificateFile + ".none"
            $0.tls.pinnedKeyDigests = [pin]
        }
        #expect(await self.error(of: untrusting, server.url)?.code == .tls, "a pin takes the place of no trust")
        await server.stop()
    }

    @Test("A60: a revoked certificate is rejected, and so is a certificate whose CA has no revocation list")
    func revocation() async throws {
        let (revoked, other) = (try await authority.identity(), try await authority.identity())
        let list = try await authority.revocationList(of: [revoked])
        let checking = transport { $0.tls.revocationListsFile = list }
        let server = try await TLSServer.start(revoked)
        #expect(try await transport().send(HTTPRequest(url: server.url), deadline: soon).head.status == 200)
        let error = await error(of: checking, server.url)
        expect(error, .tls, mayHaveReachedServer: false)
        #expect(error?.message.contains("revoked") == true, "\(error as Any)")
        await server.stop()
        let good = try await TLSServer.start(other)
        #expect(try await checking.send(HTTPRequest(url: good.url), deadline: soon).head.status == 200)
        let stranger = try await TestAuthority.make()
        for file in [try await stranger.revocationList(of: []), "/nonexistent/file"] {
            let error = await self.error(of: transport { $0.tls.revocationListsFile = file }, good.url)
            expect(error, .tls, mayHaveReachedServer: false)
        }
        await good.stop()
    }

    @Test("TLS 1.3 can be required")
    func minimumVersion() async throws {
        let server = try await TLSServer.start(authority.identity(), options: ["-tls1_2"])
        let error = await error(of: transport { $0.tls.minimumVersion = .tls13 }, server.url)
        expect(error, .tls, mayHaveReachedServer: false)
        #expect(try await transport().send(HTTPRequest(url: server.url), deadline: soon).head.status == 200)
        await server.stop()
    }

    @Test("A client certificate is sent to a server that requests it", arguments: ["-tls1_2", "-tls1_3"])
    func clientCertificate(version: String) async throws {
        var wishes = TestAuthority.Wishes()
        wishes.purpose = "clientAuth"
        let client = try await authority.identity(wishes)
        let server = try await TLSServer.start(
            authority.identity(),
            options: [version, "-Verify", "2", "-verify_return_error", "-CAfile", authority.certificateFile])
        let known = transport {
            $0.tls.clientCertificateFile = client.certificateFile
            $0.tls.clientKeyFile = client.keyFile
        }
        #expect(try await known.send(HTTPRequest(url: server.url), deadline: soon).head.status == 200)
        let stranger = try await authority.strangersIdentity(wishes)
        let unknown = transport {
            $0.tls.clientCertificateFile = stranger.certificateFile
            $0.tls.clientKeyFile = stranger.keyFile
        }
        // With TLS 1.3 the server rejects after the handshake, when the request may have been sent (RFC 8446 §4.4.2.4).
        let codes: [TransportError.Code] = version == "-tls1_2" ? [.tls] : [.tls, .connectionLost]
        for refused in [transport(), unknown] {
            let error = await error(of: refused, server.url)
            #expect(error.map { codes.contains($0.code) } == true, "\(error as Any)")
        }
        await server.stop()
    }

    @Test("A missing client certificate is an error before anything is sent")
    func missingClientCertificate() async throws {
        let server = try await TLSServer.start(authority.identity())
        let error = await error(of: transport { $0.tls.clientCertificateFile = "/nonexistent/file" }, server.url)
        expect(error, .tls, mayHaveReachedServer: false)
        await server.stop()
    }

    @Test("A setting that libcurl rejects is an error before anything is sent, and is not ignored")
    func refusedOptions() async throws {
        let server = try await TLSServer.start(authority.identity())
        // libcurl accepts strings of at most 8,000,000 bytes.
        let long = String(repeating: "x", count: 8_000_001)
        for transport in [
            transport { $0.tls.pinnedKeyDigests = [long] }, transport { $0.tls.authoritiesFile = long },
            transport { $0.tls.clientCertificateFile = long }, transport { $0.tls.clientKeyFile = long },
            transport { $0.tls.revocationListsFile = long },
        ] {
            let error = await error(of: transport, server.url)
            expect(error, .tls, mayHaveReachedServer: false)
            #expect(error?.message.contains("libcurl rejected") == true)
        }
        #expect(try await transport().send(HTTPRequest(url: server.url), deadline: soon).head.status == 200)
        await server.stop()
    }

    @Test("An IPv6 literal is connected to, named and verified as such", .enabled(if: LoopbackV6.isAvailable))
    func loopbackV6() async throws {
        let server = try await TLSServer.start(authority.identity(), host: "::1")
        #expect(server.url.description == "https://[::1]:\(server.url.origin.port)/")
        #expect(try await transport().send(HTTPRequest(url: server.url), deadline: soon).head.status == 200)
        await server.stop()
        var wishes = TestAuthority.Wishes()
        wishes.host = "IP:127.0.0.1"
        let other = try await TLSServer.start(authority.identity(wishes), host: "::1")
        #expect(await error(of: transport(), other.url)?.code == .tls)
        await other.stop()
    }
}

private enum LoopbackV6 {
    static var isAvailable: Bool {
        (try? String(contentsOfFile: "/proc/net/if_inet6", encoding: .utf8))?
            .contains("00000000000000000000000000000001") == true
    }
}

/// Tests TLS sessions: new connections resume them, and each belongs to one transport, host and port (RFC 8446 §2.2).
@Suite("CurlTransport and TLS sessions", .timeLimit(.minutes(1)))
struct SessionTests {
    typealias Version = FrontServer.TLSVersion

    private let authority: TestAuthority

    init() async throws {
        authority = try await TestAuthority.make()
    }

    private func transport(_ change: (inout CurlConfiguration) -> Void = { _ in }) -> CurlTransport {
        CurlTransport(trusting: authority, change)
    }

    private func isResumed(_ transport: CurlTransport, _ url: HTTPURL) async throws -> Bool {
        FrontServer.isResumed(try await transport.send(HTTPRequest(url: url), deadline: soon))
    }

    /// Returns the URL with the server's name instead of its IP address.
    private func byName(_ url: HTTPURL) -> HTTPURL {
        HTTPURL(origin: Origin(scheme: .https, host: "localhost", port: url.origin.port), path: url.path)
    }

    @Test(
        "Every connection except the first resumes the session, including concurrent connections",
        arguments: Version.allCases)
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

    @Test("After the server has closed an HTTP/2 connection, its session is resumed", arguments: Version.allCases)
    func framed(version: Version) async throws {
        let server = try await FrontServer.handshakes(authority.identity(), version: version, isMultiplexed: true)
        let transport = transport { $0.collectsMetrics = true }
        for number in 0..<4 {
            let response = try await transport.send(HTTPRequest(url: server.url), deadline: soon)
            #expect(response.metrics?.protocolName == "HTTP/2" && response.metrics?.isConnectionReused == false)
            #expect(FrontServer.isResumed(response) == (number > 0), "connection \(number)")
        }
        await transport.shutdown()
        await server.stop()
    }

    @Test("Another name or port of a server counts as another host", arguments: Version.allCases)
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

    @Test(
        "No transport resumes a session of a transport with other trust settings, pins or certificates",
        arguments: Version.allCases)
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
                let response = try await transport.send(HTTPRequest(url: server.url), deadline: soon)
                #expect(FrontServer.isResumed(response) == isSecond, "transport \(number)")
                #expect(text(response).hasSuffix("SUCCESS") == (number == 0), "transport \(number): \(text(response))")
            }
        }
        for transport in transports { await transport.shutdown() }
        await server.stop()
    }

    @Test("A key that is not pinned, or a CA that is not trusted, is rejected although another transport has a session")
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
                let error = await transport.error(for: HTTPRequest(url: server.url))
                #expect(error?.code == .tls)
            }
        }
        await server.stop()
    }
}

extension TestAuthority {
    /// Creates the CA's list of revoked certificates (RFC 5280 §5) as a PEM file.
    fileprivate func revocationList(of identities: [Identity]) async throws -> String {
        try await elsewhere { [self] in
            let name = root.certificateFile + "." + UUID().uuidString
            try "".write(toFile: name, atomically: false, encoding: .utf8)
            let configuration = """
                [ca]
                default_ca = authority
                [authority]
                database = \(name)
                default_md = sha256
                default_crl_days = 2
                """
            try configuration.write(toFile: name + ".conf", atomically: false, encoding: .utf8)
            let words = ["ca", "-config", name + ".conf", "-cert", root.certificateFile, "-keyfile", root.keyFile]
            for identity in identities {
                _ = try PeerProcess.output(of: Self.program, words + ["-revoke", identity.certificateFile])
            }
            _ = try PeerProcess.output(of: Self.program, words + ["-gencrl", "-out", name + ".crl"])
            return name + ".crl"
        }
    }
}
#endif
