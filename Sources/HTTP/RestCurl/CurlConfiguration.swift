// SPDX-License-Identifier: Apache-2.0

public import RestTransport

/// What a `CurlTransport` may use: connections, time, memory, trust and proxies.
public struct CurlConfiguration: Sendable {
    /// Connections open to one host at a time; more requests wait for one to become free.
    public var maximumConnectionsPerHost = 32
    /// Connections open at a time to all hosts together.
    public var maximumConnections = 256
    /// The longest time for resolving the name, connecting and TLS; then the call fails with `.notConnected`.
    public var connectTimeout: Duration = .seconds(30)
    /// The longest time from sending the request to the end of the answer's header; `nil` leaves it to the deadline.
    public var firstByteTimeout: Duration?
    /// The longest time without a byte of a body in either direction; `nil` leaves it to the deadline.
    ///
    /// A stream whose reader makes it wait is not idle.
    public var idleTimeout: Duration? = .seconds(60)
    /// The largest body `send` buffers, in bytes after decompression; a larger one fails with `.tooLarge`.
    public var maximumBodyBytes = 256 * 1024 * 1024
    /// The largest response header, all lines together, in bytes; a larger one fails with `.tooLarge`.
    public var maximumHeaderBytes = 64 * 1024
    /// How many times larger than its compressed form a body may become, once it is over 4 MiB.
    ///
    /// Real data stays below 100; a decompression bomb reaches about 1000. Only bodies kept in memory are measured: one
    /// that is streamed or written to a file takes no memory, and its reader sees how much comes.
    public var maximumDecompressionRatio = 250
    /// Whom to trust and how to prove who we are.
    public var tls = TLS()
    /// How to reach hosts other than this machine; loopback addresses are always reached directly.
    public var proxy = Proxy.environment
    /// Whether responses carry `TransferMetrics`; those of a stream are known when its body was read.
    public var collectsMetrics = false

    /// The defaults.
    public init() {}

    /// Whom to trust and how to prove who we are.
    public struct TLS: Sendable {
        /// The oldest protocol accepted.
        public enum Version: Sendable {
            /// TLS 1.2 (RFC 5246).
            case tls12
            /// TLS 1.3 (RFC 8446).
            case tls13
        }

        /// The oldest protocol accepted.
        public var minimumVersion = Version.tls12
        /// A PEM file of certificate authorities to trust instead of the system's.
        public var authoritiesFile: String?
        /// A PEM file with lists of the certificates that their authorities took back (RFC 5280 §5).
        ///
        /// It must have the list of every authority above a server's certificate: one without a list in force is not
        /// trusted. Lists end; make a new transport when there are newer ones.
        public var revocationListsFile: String?
        /// A PEM file with the certificate to show to servers that ask for one.
        public var clientCertificateFile: String?
        /// A PEM file with the certificate's private key.
        public var clientKeyFile: String?
        /// SHA-256 digests in base64 of the public keys to accept; empty accepts every key of a trusted certificate.
        ///
        /// Give at least two, so that the server's key can change.
        public var pinnedKeyDigests: [String] = []

        /// The system's trust, TLS 1.2 or later.
        public init() {}
    }
}

extension CurlConfiguration {
    /// How to reach other hosts.
    public enum Proxy: Sendable, Hashable {
        /// As the variables `https_proxy`, `all_proxy` and `no_proxy` say.
        case environment
        /// Directly.
        case none
        /// Through this proxy, except for hosts that end with one of the given names.
        ///
        /// Requests go through a tunnel (RFC 9110 §9.3.6), so that the proxy learns hosts and ports and nothing else.
        case server(HTTPURL, except: [String] = [], login: ProxyLogin? = nil)
    }
}
