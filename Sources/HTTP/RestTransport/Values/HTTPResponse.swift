// SPDX-License-Identifier: Apache-2.0

/// A response: the head and the body, which is bytes, a file or a stream.
public struct HTTPResponse: Sendable, Hashable {
    /// Status and header fields.
    public var head: Head
    /// The body after content decoding (gzip is undone).
    public var content: Content
    // Boxed, because a response is handed on many times and would be several times as large with the figures in it.
    private var measured: Boxed<TransferMetrics>?

    /// Makes a response with a body in memory.
    ///
    /// - Parameters:
    ///   - head: status and header fields.
    ///   - body: the body after content decoding.
    ///   - metrics: what the transfer cost.
    public init(head: Head, body: [UInt8] = [], metrics: TransferMetrics? = nil) {
        self.init(head: head, content: .bytes(body), metrics: metrics)
    }

    /// Makes a response.
    ///
    /// - Parameters:
    ///   - head: status and header fields.
    ///   - content: the body after content decoding.
    ///   - metrics: what the transfer cost.
    public init(head: Head, content: Content, metrics: TransferMetrics? = nil) {
        self.head = head
        self.content = content
        measured = metrics.map { Boxed(wrappedValue: $0) }
    }

    /// The body in memory: empty when the body is a file or a stream.
    ///
    /// Setting it replaces such a body.
    public var body: [UInt8] {
        get { content.bytes }
        set { content = .bytes(newValue) }
    }

    /// The body as a stream: bytes come in one piece, and a file gives nothing.
    public var stream: HTTPBody.Stream { content.stream(metrics: metrics) }

    /// What the transfer cost, when the transport was told to measure; of a stream see `HTTPBody.Stream.metrics`.
    public var metrics: TransferMetrics? {
        get {
            guard case .stream(let stream) = content else { return measured?.wrappedValue }
            return measured?.wrappedValue ?? stream.metrics
        }
        set { measured = newValue.map { Boxed(wrappedValue: $0) } }
    }
}

extension HTTPResponse {
    /// Status and header fields of a response.
    public struct Head: Sendable, Hashable {
        /// The three-digit status code (RFC 9110 15).
        public var status: Int
        /// The header fields in the order received.
        public var fields: HTTPFields

        /// Makes a response head.
        public init(status: Int, fields: HTTPFields = [:]) {
            self.status = status
            self.fields = fields
        }
    }

    /// The body of a response.
    public enum Content: Sendable, Hashable {
        /// The whole body in memory.
        case bytes([UInt8])
        /// The body is in the file of a download, where this attempt put it.
        indirect case file(Download.Attempt)
        /// A body that is read while it arrives, once.
        case stream(HTTPBody.Stream)

        /// The body in memory.
        package var bytes: [UInt8] { if case .bytes(let bytes) = self { bytes } else { [] } }

        /// The body as a stream.
        package func stream(metrics: TransferMetrics? = nil) -> HTTPBody.Stream {
            if case .stream(let stream) = self { stream } else { HTTPBody.Stream(of: bytes, metrics: metrics) }
        }
    }

    /// The form in which a caller wants the body of a successful response.
    public enum Destination: Sendable {
        /// In memory.
        case memory
        /// In the file of a download.
        case file(Download)
        /// As a stream, which is returned when the response head has arrived.
        case stream

        /// Whether the body is read while it arrives.
        package var isStream: Bool { if case .stream = self { true } else { false } }
    }

    /// Returns a copy of the response with a streamed body read into memory.
    ///
    /// - Parameter limit: the maximum number of bytes.
    /// - Returns: the response; unchanged if its body is bytes or a file.
    /// - Throws: `.tooLarge` for a longer body, and the error of a body that breaks off.
    package func collected(upTo limit: Int) async throws(TransportError) -> HTTPResponse {
        guard case .stream(let stream) = content else { return self }
        let bytes = try await stream.collect(upTo: limit)
        return HTTPResponse(head: head, body: bytes, metrics: metrics)
    }
}

/// A value on the heap with the meaning of a value: copies share it until one of them changes.
///
/// For values of many words that are handed on far more often than read: a copy costs one pointer.
@propertyWrapper
package struct Boxed<Value: Sendable>: Sendable {
    private final class Box: Sendable {
        let value: Value

        init(_ value: Value) { self.value = value }
    }

    private var box: Box

    /// Boxes a value.
    package init(wrappedValue: Value) { box = Box(wrappedValue) }

    /// The value; a change makes a new box.
    package var wrappedValue: Value {
        get { box.value }
        set { box = Box(newValue) }
    }
}

extension Boxed: Equatable where Value: Equatable {
    /// Whether the values are equal.
    package static func == (left: Boxed, right: Boxed) -> Bool {
        left.box === right.box || left.wrappedValue == right.wrappedValue
    }
}

extension Boxed: Hashable where Value: Hashable {
    /// Feeds the value to a hasher.
    package func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}

extension Boxed: CustomReflectable {
    /// The mirror of the value.
    package var customMirror: Mirror { Mirror(reflecting: wrappedValue) }
}
