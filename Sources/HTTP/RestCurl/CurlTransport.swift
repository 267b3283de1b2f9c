// SPDX-License-Identifier: Apache-2.0

public import RestTransport

/// A transport that sends requests with libcurl, on one thread for all calls.
///
/// It reuses connections, negotiates HTTP/2 over TLS, and decompresses response bodies. A request is sent at most once:
/// libcurl must not repeat it on a stale connection, so that a write never happens twice unnoticed.
public final class CurlTransport: HTTPTransport {
    private let loop: TransferLoop
    package let configuration: CurlConfiguration

    /// Creates a transport, whose thread starts with the first request.
    public init(configuration: CurlConfiguration = CurlConfiguration()) {
        self.configuration = configuration
        loop = TransferLoop(configuration: configuration)
    }

    deinit { loop.stop() }

    /// Sends the request as `HTTPTransport` specifies.
    public func send(
        _ request: HTTPRequest, to destination: HTTPResponse.Destination, deadline: ContinuousClock.Instant,
        progress: TransferProgress.Handler?
    ) async throws(TransportError) -> HTTPResponse {
        guard case .memory = destination else {
            return try await sendElsewhere(request, to: destination, deadline: deadline, progress: progress)
        }
        return try await run(Transfer(request: request, deadline: deadline, progress: progress))
    }

    /// Not inlined, to keep its locals out of the async frame of a call whose response stays in memory.
    @inline(never)
    private func sendElsewhere(
        _ request: HTTPRequest, to destination: HTTPResponse.Destination, deadline: ContinuousClock.Instant,
        progress: TransferProgress.Handler?
    ) async throws(TransportError) -> HTTPResponse {
        let place: BodyDestination =
            switch destination {
            case .memory: .memory
            case .file(let target): .file(target.attempt(for: request))
            case .stream: .reader(Downstream(overflow: .refuse))
            }
        let transfer = Transfer(request: request, deadline: deadline, destination: place, progress: progress)
        var response = try await run(transfer)
        switch place {
        case .memory: break
        case .file(let attempt):
            guard attempt.hasFile else { break }
            // Moving the file may wait for the disk, which would block the loop thread.
            try await attempt.finishAside()
            response.content = .file(attempt)
        case .reader(let body):
            let stream = body.stream { [loop] in
                loop.resume(transfer)
            } cancel: { [self] _ in
                // Retained until here, so that releasing the transport ends its transfers.
                withExtendedLifetime(self) { loop.cancel(transfer) }
            }
            response.content = .stream(stream)
        }
        return response
    }

    /// Ends every transfer with `.shutDown` and returns when the connections are closed.
    public func shutdown() async { await loop.stopAndWait() }

    private func run(_ transfer: Transfer) async throws(TransportError) -> HTTPResponse {
        try begin(transfer)
        return try await withTaskCancellationHandler {
            await Transfer.Waiter.suspend { waiter in
                if transfer.wait(waiter) { loop.start(transfer) }
            }
        } onCancel: {
            loop.cancel(transfer)
        }.get()
    }

    /// Not inlined, to keep its locals out of the async frame of a call.
    @inline(never)
    private func begin(_ transfer: Transfer) throws(TransportError) {
        try transfer.request.validate(before: transfer.deadline)
        guard let upstream = transfer.upstream else { return }
        let chunks = try upstream.source.begin()
        transfer.maker?.start { [loop] in
            let failure = await upstream.pump(chunks) { loop.resume(transfer) }
            if let failure { loop.end(transfer, failure) }
        }
    }
}

/// The settings of a `CurlTransport`: connections, timeouts, memory, trust and proxies.
public struct CurlConfiguration: Sendable {
    /// The maximum number of open connections to a host, for which further requests wait.
    public var maximumConnectionsPerHost = 32
    /// The maximum number of open connections to all hosts.
    public var maximumConnections = 256
    /// The maximum time for DNS lookup, connecting and the TLS handshake, after which the call fails with
    /// `.notConnected`.
    public var connectTimeout: Duration = .seconds(30)
    /// The maximum time from sending the request to the end of the response head, or `nil` for the deadline only.
    public var firstByteTimeout: Duration?
    /// The maximum time without a byte of a body in either direction, or `nil` for the deadline only.
    ///
    /// The time in which a stream waits for its reader does not count.
    public var idleTimeout: Duration? = .seconds(60)
    /// The maximum body size in memory, in bytes after decompression, above which the call fails with `.tooLarge`.
    public var maximumBodyBytes = 256 * 1024 * 1024
    /// The maximum size of the response head in bytes, above which the call fails with `.tooLarge`.
    public var maximumHeaderBytes = 64 * 1024
    /// The maximum ratio of a body's size to its compressed size, which applies above 4 MiB.
    ///
    /// Real data stays below 100, and a decompression bomb reaches about 1000. The ratio applies only to bodies in
    /// memory. A body that is streamed or written to a file takes no memory, and its reader sees the amount.
    public var maximumDecompressionRatio = 250
    /// The trust in servers and the client certificate.
    public var tls = TLS()
    /// The proxy for other hosts than this machine, because loopback addresses are always reached directly.
    public var proxy = Proxy.environment
    /// Whether responses have `TransferMetrics`, which a stream has after its body was read.
    public var collectsMetrics = false

    /// Creates the default settings.
    public init() {}

    /// The trust in servers and the client certificate.
    public struct TLS: Sendable {
        /// The minimum TLS version.
        public enum Version: Sendable {
            /// TLS 1.2 (RFC 5246).
            case tls12
            /// TLS 1.3 (RFC 8446).
            case tls13
        }

        /// The minimum TLS version.
        public var minimumVersion = Version.tls12
        /// A PEM file of certificate authorities to trust instead of the system's.
        public var authoritiesFile: String?
        /// A PEM file with certificate revocation lists (RFC 5280 §5).
        ///
        /// It must have a current list of every authority above a server's certificate. A server without one is not
        /// trusted. When newer lists exist, create a new transport, because lists expire.
        public var revocationListsFile: String?
        /// A PEM file with the certificate to send to servers that request one.
        public var clientCertificateFile: String?
        /// A PEM file with the certificate's private key.
        public var clientKeyFile: String?
        /// SHA-256 digests in base64 of the accepted public keys, where an empty array accepts any trusted certificate.
        ///
        /// Give at least two, so that the server can change its key.
        public var pinnedKeyDigests: [String] = []

        /// Creates settings with the system's trust and TLS 1.2 or later.
        public init() {}
    }

    /// The path to other hosts.
    public enum Proxy: Sendable, Hashable {
        /// The proxy in the variables `https_proxy`, `all_proxy` and `no_proxy`.
        case environment
        /// No proxy.
        case none
        /// A proxy, except for hosts that end with one of the given names.
        ///
        /// Requests use a tunnel (RFC 9110 §9.3.6), so that the proxy learns only hosts and ports.
        case server(HTTPURL, except: [String] = [], login: ProxyLogin? = nil)
    }
}
