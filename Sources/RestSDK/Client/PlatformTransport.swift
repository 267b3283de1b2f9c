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
    public static let shared: any HTTPTransport = make(RestClient.TransportLimits())

    /// Makes a transport with connections of its own.
    public static func make(_ limits: RestClient.TransportLimits) -> any HTTPTransport {
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
    fileprivate init(_ limits: RestClient.TransportLimits) {
        self.init()
        firstByteTimeout = limits.firstByteTimeout?.bounded
        idleTimeout = limits.idleTimeout?.bounded
        maximumBodyBytes = NumberRange.bytes.clamped(limits.maximumResponseSize)
        maximumConnectionsPerHost = min(limits.maximumConnectionsPerHost, RestClient.TransportLimits.mostConnections)
    }
}
#else
extension CurlConfiguration {
    /// A configuration with these limits.
    fileprivate init(_ limits: RestClient.TransportLimits) {
        self.init()
        connectTimeout = limits.connectTimeout.bounded
        firstByteTimeout = limits.firstByteTimeout?.bounded
        idleTimeout = limits.idleTimeout?.bounded
        maximumBodyBytes = NumberRange.bytes.clamped(limits.maximumResponseSize)
        maximumConnectionsPerHost = min(limits.maximumConnectionsPerHost, RestClient.TransportLimits.mostConnections)
        maximumConnections = min(limits.maximumConnections, RestClient.TransportLimits.mostConnections)
    }
}
#endif
