// SPDX-License-Identifier: Apache-2.0

/// A whole response: head and buffered body.
public struct HTTPResponse: Sendable, Hashable {
    /// Status and header fields.
    public var head: Head
    /// The body after content decoding (gzip is undone).
    ///
    /// Empty when the body goes to a file or to the reader of a stream. Setting it replaces such a body.
    public var body: [UInt8] {
        didSet { if delivery != nil { delivery = nil } }
    }
    private var attached: Attached?

    /// Makes a response.
    ///
    /// - Parameters:
    ///   - head: status and header fields.
    ///   - body: the body after content decoding.
    ///   - metrics: what the transfer cost.
    public init(head: Head, body: [UInt8] = [], metrics: TransferMetrics? = nil) {
        self.head = head
        self.body = body
        attached = metrics.map { Attached(metrics: $0, delivery: nil) }
    }

    /// What the transfer cost, when the transport was told to measure.
    public var metrics: TransferMetrics? {
        get { attached?.metrics }
        set { attach(newValue, delivery) }
    }

    /// Where the body is; `nil` when it is ``body``.
    package var delivery: Delivery? {
        get { attached?.delivery }
        set { attach(metrics, newValue) }
    }

    private mutating func attach(_ metrics: TransferMetrics?, _ delivery: Delivery?) {
        attached = metrics == nil && delivery == nil ? nil : Attached(metrics: metrics, delivery: delivery)
    }

    /// Apart from the response, which is handed on many times and would be several times as large with the figures in
    /// it.
    private final class Attached: Sendable, Hashable {
        let metrics: TransferMetrics?
        let delivery: Delivery?

        init(metrics: TransferMetrics?, delivery: Delivery?) {
            self.metrics = metrics
            self.delivery = delivery
        }

        static func == (one: Attached, other: Attached) -> Bool { one.metrics == other.metrics }

        func hash(into hasher: inout Hasher) { hasher.combine(metrics) }
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

    /// The location of a body that is not in memory.
    package enum Delivery: Sendable {
        /// The file of this download. The attempt of this number put it there.
        case file(Download, attempt: Int)
        /// A stream for one reader, which this object represents.
        case stream(HTTPBody.Stream, reader: any AnyObject & Sendable)
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
