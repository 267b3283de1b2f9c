// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc) || canImport(Musl)
public import RestTransport

extension TransportConformance {
    /// A case about certificates and TLS versions, which requires a transport that trusts a given certificate
    /// authority.
    public struct TrustCase: Sendable, CustomStringConvertible {
        /// The requirement on the transport.
        public let name: String
        fileprivate let wishes: TestAuthority.Wishes
        fileprivate var issuer = Issuer.trusted
        fileprivate var options: [String] = []

        /// Runs the case against an `openssl s_server` on loopback.
        ///
        /// - Parameter make: creates a transport that trusts the CAs in a PEM file, and is shut down at the end.
        /// - Throws: `Violation`, or the error that prevented the case from running.
        public func run(making make: @Sendable (_ authoritiesFile: String) -> any HTTPTransport) async throws {
            let authority = try await TestAuthority.make()
            let identity = try await issuer.identity(wishes, authority)
            let server = try await TLSServer.start(identity, options: options)
            let transport = make(authority.certificateFile)
            do {
                try await check(transport, server.url)
            } catch {
                await server.stop()
                throw error
            }
            await transport.shutdown()
            await server.stop()
        }

        /// The case's name.
        public var description: String { name }

        private func check(_ transport: any HTTPTransport, _ url: HTTPURL) async throws {
            let request = HTTPRequest(url: url)
            guard isRefused else {
                let status = try await transport.send(request, deadline: soon).head.status
                return try require(status, is: 200, "status")
            }
            try await expectFailure([.tls], reached: false) { () async throws(TransportError) in
                try await transport.send(request, deadline: soon)
            }
        }

        fileprivate var isRefused = true
    }

    /// The signer of a server's certificate.
    fileprivate enum Issuer: Sendable {
        /// The CA that the transport trusts.
        case trusted
        /// A CA that the transport does not know.
        case unknown
        /// An ordinary certificate of the trusted CA, which must not sign.
        case impostor

        func identity(_ wishes: TestAuthority.Wishes, _ authority: TestAuthority) async throws -> TestAuthority.Identity
        {
            switch self {
            case .trusted: return try await authority.identity(wishes)
            case .unknown: return try await authority.strangersIdentity(wishes)
            case .impostor: return try await authority.identity(wishes, signedBy: authority.identity())
            }
        }
    }

    /// Whether the `openssl` command line is installed, which these cases require.
    public static var canRunTrustCases: Bool { TestAuthority.isAvailable }

    /// Cases about certificates and TLS versions: the transport must accept only one of the servers.
    public static var trustCases: [TrustCase] {
        [accepted] + badCertificates + [
            weak("TLS 1.0", ["-tls1", "-cipher", "ALL:@SECLEVEL=0"]),
            weak("TLS 1.1", ["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"]),
            weak("a cipher without encryption", ["-tls1_2", "-cipher", "ECDHE-ECDSA-NULL-SHA:@SECLEVEL=0"]),
        ]
    }

    private static func weak(_ what: String, _ options: [String]) -> TrustCase {
        TrustCase(name: "rejects \(what)", wishes: .init(), options: options)
    }

    private static var accepted: TrustCase {
        var accepted = TrustCase(name: "accepts a certificate of a trusted CA", wishes: .init())
        accepted.isRefused = false
        return accepted
    }

    private static var badCertificates: [TrustCase] {
        [
            bad("that has expired") { $0.days = -1 },
            bad("that is self-signed") { $0.isSelfSigned = true },
            bad("for another host") { $0.host = "DNS:elsewhere.invalid,IP:127.0.0.2" },
            bad("for another purpose") { $0.purpose = "clientAuth" },
            bad("of an unknown CA", .unknown),
            bad("of a signer that is not a CA", .impostor),
            // Otherwise the server itself would not use it.
            bad("signed with SHA-1", options: ["-cipher", "ALL:@SECLEVEL=0"]) { $0.digest = "sha1" },
        ]
    }

    private static func bad(
        _ what: String, _ issuer: Issuer = .trusted, options: [String] = [],
        change: (inout TestAuthority.Wishes) -> Void = { _ in }
    ) -> TrustCase {
        var wishes = TestAuthority.Wishes()
        change(&wishes)
        return TrustCase(name: "rejects a certificate \(what)", wishes: wishes, issuer: issuer, options: options)
    }
}
#endif
