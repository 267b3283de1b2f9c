// SPDX-License-Identifier: Apache-2.0

public import RestTransport

#if canImport(Darwin)
import RestURLSession
#else
import RestCurl
#endif

/// The transport that fits the platform.
public enum PlatformTransport {
    /// The process's transport: one pool of connections for every client that has no transport of its own.
    public static let shared: any HTTPTransport = makeTransport()

    #if canImport(Darwin)
    private static func makeTransport() -> any HTTPTransport { URLSessionTransport() }
    #else
    private static func makeTransport() -> any HTTPTransport { CurlTransport() }
    #endif
}
