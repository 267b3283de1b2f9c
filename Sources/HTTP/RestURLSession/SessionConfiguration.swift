// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What a `URLSessionTransport` may use: connections, time, memory and, on Apple platforms, trust and proxies.
///
/// The properties mean the same as those of `CurlConfiguration` from RestCurl. Foundation does not tell when a
/// connection stands, so connecting counts towards `firstByteTimeout`.
public struct SessionConfiguration: Sendable {
    /// Connections open to one host at a time; more requests wait for one to become free.
    public var maximumConnectionsPerHost = 32
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
    /// Foundation does not tell how many bytes came over the wire, so this holds for bodies that announce their
    /// length; others are limited by `maximumBodyBytes` alone.
    public var maximumDecompressionRatio = 250
    /// Whether responses carry `TransferMetrics`.
    ///
    /// On Linux they hold what can be seen from outside: first byte, total and the bytes of the bodies.
    public var collectsMetrics = false
    #if canImport(Darwin)
    /// Whom to trust and how to prove who we are.
    public var tls = TLS()
    /// How to reach hosts other than this machine; loopback addresses are always reached directly.
    public var proxy = Proxy.system
    /// Whether a call waits for a network to come up instead of failing with `.notConnected`; its deadline holds.
    public var waitsForConnectivity = false
    #endif

    /// The defaults.
    public init() {}
}

extension URLSessionConfiguration {
    /// The same configuration without cookies, cache and credential store.
    func plain(_ settings: SessionConfiguration) -> URLSessionConfiguration {
        urlCache = nil
        requestCachePolicy = .reloadIgnoringLocalCacheData
        httpCookieStorage = nil
        httpShouldSetCookies = false
        httpCookieAcceptPolicy = .never
        urlCredentialStorage = nil
        httpMaximumConnectionsPerHost = settings.maximumConnectionsPerHost
        return self
    }

    /// The same configuration for calls whose time runs by a clock of ours: URLSession's starts anew with every piece.
    func withoutTimeouts() -> URLSessionConfiguration {
        timeoutIntervalForRequest = URLRequest.backstop
        timeoutIntervalForResource = URLRequest.backstop
        return self
    }
}
