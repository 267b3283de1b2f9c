// SPDX-License-Identifier: Apache-2.0

public import RestTransport

#if canImport(Darwin)
import RestURLSession
#else
import RestCurl
#endif

/// The transport that fits the platform.
public enum PlatformTransport {
    /// The process's transport: one pool of connections for every client that has no transport or limits of its own.
    public static let shared: any HTTPTransport = make(TransportLimits())

    /// Makes a transport with connections of its own.
    public static func make(_ limits: TransportLimits) -> any HTTPTransport {
        #if canImport(Darwin)
        URLSessionTransport(configuration: SessionConfiguration(limits))
        #else
        CurlTransport(configuration: CurlConfiguration(limits))
        #endif
    }
}

#if canImport(Darwin)
extension SessionConfiguration {
    /// A configuration with these limits, as far as URLSession has them.
    fileprivate init(_ limits: TransportLimits) {
        self.init()
        firstByteTimeout = limits.firstByteTimeout
        idleTimeout = limits.idleTimeout
        maximumBodyBytes = limits.maximumResponseSize
        maximumConnectionsPerHost = limits.maximumConnectionsPerHost
    }
}
#else
extension CurlConfiguration {
    /// A configuration with these limits.
    fileprivate init(_ limits: TransportLimits) {
        self.init()
        connectTimeout = limits.connectTimeout
        firstByteTimeout = limits.firstByteTimeout
        idleTimeout = limits.idleTimeout
        maximumBodyBytes = limits.maximumResponseSize
        maximumConnectionsPerHost = limits.maximumConnectionsPerHost
        maximumConnections = limits.maximumConnections
    }
}
#endif
