// SPDX-License-Identifier: Apache-2.0

/// A fault that a ``FaultProxy`` causes in an exchange of a request and its response.
///
/// Offsets and counts are in bytes of the message, including its head. The first eight are faults of a bad network, the
/// others are faults of a bad intermediary.
public enum NetworkFault: Sendable, Hashable {
    /// The direction of bytes.
    public enum Direction: Sendable, Hashable, CaseIterable {
        /// From the client to the server.
        case request
        /// From the server to the client.
        case response
    }

    /// Delays the request and the response, each by the time and a random part of the jitter.
    case latency(Duration, jitter: Duration)
    /// Limits the bytes per second in each direction.
    case bandwidth(bytesPerSecond: Int)
    /// Resets the client's connection when the request head has arrived, before the server gets any of it.
    case reset
    /// Discards all bytes in this direction, until the client closes.
    ///
    /// Without the request, the server receives nothing. Without the response, it has processed the request.
    case blackhole(Direction)
    /// Closes the connection with this delay after the response, discarding what the client sends meanwhile.
    case slowClose(Duration)
    /// Sends all bytes in chunks of this size, with a pause after each.
    case slices(bytes: Int, pause: Duration)
    /// Sends only this number of bytes of a message and then closes both connections.
    case byteLimit(Int, Direction)
    /// Closes only the sending direction, after the message in this direction.
    ///
    /// `request`: the server sees the end of the connection after the request and can still respond. `response`: the
    /// client sees it after the response and can still send, but gets no more responses.
    case halfClose(Direction)
    /// Inverts the bits of the byte at this offset, if the message is long enough.
    ///
    /// HTTP without TLS cannot detect a changed request, so the server may process another request than the client's.
    case corruptByte(Int, Direction)
    /// Discards the server's response and resets the client's connection.
    case droppedResponse
    /// Sends the whole response twice at once.
    ///
    /// A second response that arrived after the next request could not be distinguished from its response, because
    /// HTTP/1.1 does not identify the request of a response (RFC 9112 §9.3).
    case duplicatedResponse
}

extension NetworkFault {
    /// The kinds of random faults of a ``FaultPlan``.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Up to 10 ms of latency and up to 10 ms of jitter.
        case latency
        /// Between 256 KiB and 4 MiB per second.
        case bandwidth
        /// A reset before the server receives anything.
        case reset
        /// A request or a response that is lost, for which the client must have a timeout.
        case blackhole
        /// A close up to 10 ms after the response.
        case slowClose
        /// Chunks of 32 to 4096 bytes, with up to 0.1 ms between them.
        case slices
        /// A request cut within its first 512 bytes.
        case cutRequest
        /// A response cut within its first 512 bytes.
        case cutResponse
        /// A sending direction closed after the request or the response.
        case halfClose
        /// A byte changed within the first 256 of a request, which may make the server process another request.
        case corruptRequest
        /// A byte changed within the first 256 of a response.
        case corruptResponse
        /// A response discarded.
        case droppedResponse
        /// A response sent twice.
        case duplicatedResponse
    }

    /// Creates a random fault of a kind.
    init(_ kind: Kind, using random: inout SeededGenerator) {
        switch kind {
        case .latency:
            self = .latency(.microseconds(Int.random(in: 0...10_000, using: &random)), jitter: .milliseconds(10))
        case .bandwidth: self = .bandwidth(bytesPerSecond: Int.random(in: 262_144...4_194_304, using: &random))
        case .reset: self = .reset
        case .blackhole: self = .blackhole(Bool.random(using: &random) ? .request : .response)
        case .slowClose: self = .slowClose(.microseconds(Int.random(in: 0...10_000, using: &random)))
        case .slices:
            let pause = Duration.microseconds(Int.random(in: 0...100, using: &random))
            self = .slices(bytes: Int.random(in: 32...4_096, using: &random), pause: pause)
        case .cutRequest: self = .byteLimit(Int.random(in: 0...512, using: &random), .request)
        case .cutResponse: self = .byteLimit(Int.random(in: 0...512, using: &random), .response)
        case .halfClose: self = .halfClose(Bool.random(using: &random) ? .request : .response)
        case .corruptRequest: self = .corruptByte(Int.random(in: 0..<256, using: &random), .request)
        case .corruptResponse: self = .corruptByte(Int.random(in: 0..<256, using: &random), .response)
        case .droppedResponse: self = .droppedResponse
        case .duplicatedResponse: self = .duplicatedResponse
        }
    }
}
