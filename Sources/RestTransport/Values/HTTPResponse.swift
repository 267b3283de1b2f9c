// SPDX-License-Identifier: Apache-2.0

/// A whole response: head and buffered body.
public struct HTTPResponse: Sendable, Hashable {
    /// Status and header fields.
    public var head: Head
    /// The body after content decoding (gzip is undone).
    public var body: [UInt8]
    private var measured: Measured?

    /// Makes a response.
    ///
    /// - Parameters:
    ///   - head: status and header fields.
    ///   - body: the body after content decoding.
    ///   - metrics: what the transfer cost.
    public init(head: Head, body: [UInt8] = [], metrics: TransferMetrics? = nil) {
        self.head = head
        self.body = body
        measured = metrics.map(Measured.init)
    }

    /// What the transfer cost, when the transport was told to measure.
    public var metrics: TransferMetrics? {
        get { measured?.metrics }
        set { measured = newValue.map(Measured.init) }
    }

    /// Apart from the response, which is handed on many times and would be several times as large with the figures in
    /// it.
    private final class Measured: Sendable, Hashable {
        let metrics: TransferMetrics

        init(_ metrics: TransferMetrics) {
            self.metrics = metrics
        }

        static func == (one: Measured, other: Measured) -> Bool { one.metrics == other.metrics }

        func hash(into hasher: inout Hasher) { hasher.combine(metrics) }
    }
}

extension HTTPResponse {
    /// Status and header fields of a response.
    public struct Head: Sendable, Hashable {
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

    /// A response whose body is read while it arrives.
    public struct Stream: Sendable {
        /// Status and header fields.
        public var head: Head
        /// The body in pieces, to be read once.
        public var body: HTTPBody.Stream
        /// What the transfer cost; see `HTTPBody.Stream.metrics`.
        public var metrics: TransferMetrics? { body.metrics }

        /// Makes a response.
        public init(head: Head, body: HTTPBody.Stream) {
            self.head = head
            self.body = body
        }
    }
}
