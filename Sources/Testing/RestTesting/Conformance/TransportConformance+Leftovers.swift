// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc) || canImport(Musl)
public import RestTransport

extension TransportConformance {
    /// A case about surplus bytes after a response over TLS, which requires a transport with specific settings.
    ///
    /// Head and body are sent in separate TLS records, so that the surplus bytes are decrypted together with the body
    /// and wait in the TLS library, not in the socket.
    public struct LeftoverCase: Sendable, CustomStringConvertible {
        /// The settings that a transport requires to reach the server of a case.
        public struct Setting: Sendable {
            /// A PEM file with the certificate authorities to trust.
            public let authoritiesFile: String
            /// A PEM file with the client certificate, if the server requests one.
            public internal(set) var clientCertificateFile: String?
            /// A PEM file with the key of the client certificate.
            public internal(set) var clientKeyFile: String?
            /// The proxy to use, if the case has one.
            public internal(set) var proxy: HTTPURL?
        }

        /// The requirement on the transport.
        public let name: String
        fileprivate let version: String
        fileprivate var showsCertificate = false
        fileprivate var isTunnelled = false

        /// The case's name.
        public var description: String { name }

        /// Runs the case against an `openssl s_server` on loopback.
        ///
        /// - Parameter make: creates a transport with these settings, which is shut down at the end.
        /// - Throws: `Violation`, or the error that prevented the case from running.
        public func run(making make: @Sendable (Setting) -> any HTTPTransport) async throws {
            let authority = try await TestAuthority.make()
            var setting = Setting(authoritiesFile: authority.certificateFile)
            let server = try await server(authority, &setting)
            let proxy = try ScriptServer([
                .readHeader, .send("HTTP/1.1 200 Connection established\r\n\r\n"),
                .relay(toPort: server.url.origin.port),
            ])
            if isTunnelled { setting.proxy = proxy.url() }
            let transport = make(setting)
            let failure = await failure(of: transport, server)
            await transport.shutdown()
            await server.stop()
            await proxy.stop()
            if let failure { throw failure }
        }

        private func server(_ authority: TestAuthority, _ setting: inout Setting) async throws -> TLSServer {
            var options = [version, "-alpn", "http/1.1"]
            if showsCertificate {
                var wishes = TestAuthority.Wishes()
                wishes.purpose = "clientAuth"
                let client = try await authority.identity(wishes)
                setting.clientCertificateFile = client.certificateFile
                setting.clientKeyFile = client.keyFile
                options += ["-Verify", "2", "-verify_return_error", "-CAfile", authority.certificateFile]
            }
            var wishes = TestAuthority.Wishes()
            if isTunnelled { wishes.host = "DNS:\(Self.host)" }
            return try await TLSServer.start(authority.identity(wishes), isScripted: true, options: options)
        }

        private func failure(of transport: any HTTPTransport, _ server: TLSServer) async -> (any Error)? {
            do {
                try await check(transport, server)
                return nil
            } catch {
                return error
            }
        }

        private static let host = "somewhere.invalid"

        private func check(_ transport: any HTTPTransport, _ server: TLSServer) async throws {
            let origin = isTunnelled ? Origin(scheme: .https, host: Self.host) : server.url.origin
            func request(_ path: String) -> HTTPRequest { HTTPRequest(url: HTTPURL(origin: origin, path: path)) }
            async let first = transport.stream(request("/first"), deadline: soon)
            try await server.request("GET /first HTTP/1.1")
            try await server.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n")
            // The header is there: what follows has a record of its own.
            let body = try await first.stream
            try await server.send("first" + "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged")
            try require(try await body.collect(upTo: 100) == Array("first".utf8), "the first body has other content")
            async let second = transport.send(request("/second"), deadline: soon)
            try await server.request("GET /second HTTP/1.1")
            try await server.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecond")
            let text = String(decoding: try await second.body, as: UTF8.self)
            try require(text, is: "second", "body of the second call")
        }
    }

    /// Cases about surplus bytes after a response, for each TLS version, with a client certificate and in a proxy
    /// tunnel.
    public static var leftoverCases: [LeftoverCase] {
        [("TLS 1.2", "-tls1_2"), ("TLS 1.3", "-tls1_3")].flatMap { name, version in
            [
                LeftoverCase(name: "treats no bytes of \(name) as the next response", version: version),
                LeftoverCase(
                    name: "treats no bytes of \(name) with a client certificate as the next response", version: version,
                    showsCertificate: true),
                LeftoverCase(
                    name: "treats no bytes of \(name) in a tunnel as the next response", version: version,
                    isTunnelled: true),
            ]
        }
    }
}
#endif
