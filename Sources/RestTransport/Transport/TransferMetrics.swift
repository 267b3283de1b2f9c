// SPDX-License-Identifier: Apache-2.0

/// What one transfer cost; times are counted from its start.
public struct TransferMetrics: Sendable, Hashable {
    /// When the host's name was resolved.
    public var nameLookup: Duration = .zero
    /// When the connection stood.
    public var connect: Duration = .zero
    /// When TLS stood; zero without TLS.
    public var tls: Duration = .zero
    /// When the first byte of the answer arrived.
    public var firstByte: Duration = .zero
    /// When the answer was complete.
    public var total: Duration = .zero
    /// Bytes of the request body sent.
    public var sentBytes: Int64 = 0
    /// Bytes of the response body received, before decompression.
    public var receivedBytes: Int64 = 0
    /// Whether a connection of an earlier request served.
    public var isConnectionReused = false
    /// The protocol spoken, such as `HTTP/1.1` or `HTTP/2`.
    public var protocolName = ""

    /// Makes metrics with nothing measured.
    public init() {}
}
