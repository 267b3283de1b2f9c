// SPDX-License-Identifier: Apache-2.0

/// A response: the head and the body, which is bytes, a file or a stream.
public struct HTTPResponse: Sendable, Hashable {
    /// The status and the headers.
    public var head: Head
    /// The body after content decoding, such as gzip.
    public var content: Content
    // Boxed, because a response is copied often and would be several times as large with the metrics inside.
    private var measured: Boxed<TransferMetrics>?

    /// Creates a response with a body in memory.
    ///
    /// - Parameters:
    ///   - head: the status and the headers.
    ///   - body: the body after content decoding.
    ///   - metrics: the metrics of the transfer.
    public init(head: Head, body: [UInt8] = [], metrics: TransferMetrics? = nil) {
        self.init(head: head, content: .bytes(body), metrics: metrics)
    }

    /// Creates a response.
    ///
    /// - Parameters:
    ///   - head: the status and the headers.
    ///   - content: the body after content decoding.
    ///   - metrics: the metrics of the transfer.
    public init(head: Head, content: Content, metrics: TransferMetrics? = nil) {
        self.head = head
        self.content = content
        measured = metrics.map { Boxed(wrappedValue: $0) }
    }

    /// The body in memory, which is empty for a file or a stream and replaces it when set.
    public var body: [UInt8] {
        get { content.bytes }
        set { content = .bytes(newValue) }
    }

    /// The body as a stream, which is one chunk for bytes and empty for a file.
    public var stream: HTTPBody.Stream { content.stream(metrics: metrics) }

    /// The metrics of the transfer if the transport measures, where a stream has its own `HTTPBody.Stream.metrics`.
    public var metrics: TransferMetrics? {
        get {
            guard case .stream(let stream) = content else { return measured?.wrappedValue }
            return measured?.wrappedValue ?? stream.metrics
        }
        set { measured = newValue.map { Boxed(wrappedValue: $0) } }
    }
}

extension HTTPResponse {
    /// The status and the headers of a response.
    public struct Head: Sendable, Hashable {
        /// The three-digit status code (RFC 9110 §15).
        public var status: Int
        /// The headers in the order received.
        public var fields: HTTPFields

        /// Creates a response head.
        public init(status: Int, fields: HTTPFields = [:]) {
            self.status = status
            self.fields = fields
        }
    }

    /// The body of a response.
    public enum Content: Sendable, Hashable {
        /// The whole body in memory.
        case bytes([UInt8])
        /// The file of a download, written by this attempt.
        indirect case file(Download.Attempt)
        /// A body that is read once while it arrives.
        case stream(HTTPBody.Stream)

        package var bytes: [UInt8] { if case .bytes(let bytes) = self { bytes } else { [] } }

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

        package var isStream: Bool { if case .stream = self { true } else { false } }
    }

    /// Returns a copy of the response with the beginning of a streamed body in memory.
    ///
    /// - Parameter limit: the maximum number of bytes. The rest of the body is not read.
    /// - Returns: the response, unchanged if its body is bytes or a file.
    /// - Throws: the error of a body that breaks off earlier.
    package func beginning(upTo limit: Int) async throws(TransportError) -> HTTPResponse {
        guard case .stream(let stream) = content else { return self }
        var bytes: [UInt8] = []
        var iterator = stream.makeAsyncIterator()
        while bytes.count < limit, let chunk = try await iterator.next() {
            bytes += chunk.prefix(limit - bytes.count)
        }
        return HTTPResponse(head: head, body: bytes, metrics: metrics)
    }
}

/// A value on the heap with value semantics, whose copies share it until one of them changes.
///
/// It is for large values that are copied far more often than read, because a copy costs one pointer.
@propertyWrapper
package struct Boxed<Value: Sendable>: Sendable {
    private final class Box: Sendable {
        let value: Value

        init(_ value: Value) { self.value = value }
    }

    private var box: Box

    package init(wrappedValue: Value) { box = Box(wrappedValue) }

    package var wrappedValue: Value {
        get { box.value }
        set { box = Box(newValue) }
    }
}

extension Boxed: Equatable where Value: Equatable {
    package static func == (left: Boxed, right: Boxed) -> Bool {
        left.box === right.box || left.wrappedValue == right.wrappedValue
    }
}

extension Boxed: Hashable where Value: Hashable {
    package func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}

extension Boxed: CustomReflectable {
    package var customMirror: Mirror { Mirror(reflecting: wrappedValue) }
}
