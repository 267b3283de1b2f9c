// SPDX-License-Identifier: Apache-2.0

/// Status and header fields of a response.
public struct HTTPResponseHead: Sendable, Hashable {
    /// The three-digit status code (RFC 9110 §15).
    public var status: Int
    /// The header fields in the order received.
    public var fields: HTTPFields

    /// Makes a response head.
    public init(status: Int, fields: HTTPFields = [:]) {
        self.status = status
        self.fields = fields
    }
}

/// A whole response: head and buffered body.
public struct HTTPResponse: Sendable, Hashable {
    /// Status and header fields.
    public var head: HTTPResponseHead
    /// The body after content decoding (gzip is undone).
    public var body: [UInt8]
    /// What the transfer cost, when the transport was told to measure.
    public var metrics: TransferMetrics?

    /// Makes a response.
    public init(head: HTTPResponseHead, body: [UInt8] = [], metrics: TransferMetrics? = nil) {
        self.head = head
        self.body = body
        self.metrics = metrics
    }
}
