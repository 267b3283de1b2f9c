// SPDX-License-Identifier: Apache-2.0

/// How far a transfer has come, in bytes of the bodies.
public struct TransferProgress: Sendable, Hashable {
    /// Called by the transport's own thread while the transfer runs and once more at its end; must return quickly.
    public typealias Handler = @Sendable (TransferProgress) -> Void

    /// Bytes of the request body handed to the connection.
    public var sent: Int64
    /// Bytes of the request body in all, when known.
    public var sentTotal: Int64?
    /// Bytes of the response body received, after decompression.
    public var received: Int64
    /// Bytes of the response body in all, when announced and not compressed.
    public var receivedTotal: Int64?

    /// Makes a progress value.
    public init(sent: Int64 = 0, sentTotal: Int64? = nil, received: Int64 = 0, receivedTotal: Int64? = nil) {
        self.sent = sent
        self.sentTotal = sentTotal
        self.received = received
        self.receivedTotal = receivedTotal
    }
}
