// SPDX-License-Identifier: Apache-2.0

/// What a `CurlTransport` may use: connections, time and memory.
public struct CurlConfiguration: Sendable {
    /// Connections open to one host at a time; more requests wait for one to become free.
    public var maximumConnectionsPerHost = 32
    /// Connections open at a time to all hosts together.
    public var maximumConnections = 256
    /// The longest time for resolving the name, connecting and TLS; the deadline of the call ends it earlier.
    public var connectTimeout: Duration = .seconds(30)
    /// The largest body `send` buffers, in bytes after decompression; a larger one fails with `.tooLarge`.
    public var maximumBodyBytes = 256 * 1024 * 1024
    /// The largest response header, all lines together, in bytes; a larger one fails with `.tooLarge`.
    public var maximumHeaderBytes = 64 * 1024
    /// How many times larger than its compressed form a body may become, once it is over 4 MiB.
    ///
    /// Real data stays below 100; a decompression bomb reaches about 1000.
    public var maximumDecompressionRatio = 250

    /// The defaults.
    public init() {}
}
