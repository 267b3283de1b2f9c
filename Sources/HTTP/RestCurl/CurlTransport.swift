// SPDX-License-Identifier: Apache-2.0

public import RestTransport

/// Sends requests with libcurl: one multi handle on one thread of its own serves every call.
///
/// Connections are kept and reused, HTTP/2 is used where TLS negotiates it, and compressed bodies are unpacked. A
/// request is sent at most once: libcurl's own repeat on a stale connection is refused, so that a write never happens
/// twice unseen.
public final class CurlTransport: HTTPTransport {
    private let loop: TransferLoop

    /// Makes a transport; its thread starts with the first request.
    ///
    /// - Parameter configuration: what the transport may use.
    public init(configuration: CurlConfiguration = CurlConfiguration()) {
        loop = TransferLoop(configuration: configuration)
    }

    deinit {
        loop.stop()
    }

    /// Sends the request; see `HTTPTransport`.
    public func send(
        _ request: HTTPRequest, to destination: HTTPResponse.Destination, deadline: ContinuousClock.Instant,
        progress: TransferProgress.Handler?
    ) async throws(TransportError) -> HTTPResponse {
        guard case .memory = destination else {
            return try await sendElsewhere(request, to: destination, deadline: deadline, progress: progress)
        }
        return try await run(Transfer(request: request, deadline: deadline, progress: progress))
    }

    /// Never inlined, so that a call whose response stays in memory keeps no room for it while it waits.
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
            // Not on the loop thread: the others would wait for the disk, too.
            try await attempt.finishAside()
            response.content = .file(attempt)
        case .reader(let body):
            let stream = body.stream { [loop] in
                loop.resume(transfer)
            } cancel: { [self] _ in
                // Held until here: a transport that was let go of ends its transfers.
                withExtendedLifetime(self) { loop.cancel(transfer) }
            }
            response.content = .stream(stream)
        }
        return response
    }

    /// Ends every transfer with `.shutDown` and returns when the connections are closed.
    public func shutdown() async {
        await loop.stopAndWait()
    }

    /// Checks the request, feeds a streamed body and waits for the outcome.
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

    /// Never inlined, so that a call keeps no room for it while it waits.
    @inline(never)
    private func begin(_ transfer: Transfer) throws(TransportError) {
        try transfer.request.validate(before: transfer.deadline)
        guard let upstream = transfer.upstream else { return }
        let pieces = try upstream.source.begin()
        transfer.maker?.start { [loop] in
            let failure = await upstream.pump(pieces) { loop.resume(transfer) }
            if let failure { loop.end(transfer, failure) }
        }
    }
}

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
        /// A PEM file with lists of the certificates that their authorities took back (RFC 5280 5).
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

    /// How to reach other hosts.
    public enum Proxy: Sendable, Hashable {
        /// As the variables `https_proxy`, `all_proxy` and `no_proxy` say.
        case environment
        /// Directly.
        case none
        /// Through this proxy, except for hosts that end with one of the given names.
        ///
        /// Requests go through a tunnel (RFC 9110 9.3.6), so that the proxy learns hosts and ports and nothing else.
        case server(HTTPURL, except: [String] = [], login: ProxyLogin? = nil)
    }
}
