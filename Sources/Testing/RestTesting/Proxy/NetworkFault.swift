// SPDX-License-Identifier: Apache-2.0

/// One thing a ``FaultProxy`` does to one exchange: a request and its answer.
///
/// Offsets and counts are bytes of the message, its header included. The first eight are the faults of a bad network,
/// the others those of a bad intermediary.
public enum NetworkFault: Sendable, Hashable {
    /// Which way bytes go.
    public enum Direction: Sendable, Hashable, CaseIterable {
        /// From the client to the server.
        case request
        /// From the server to the client.
        case answer
    }

    /// Holds back the request and the answer, each by the time and a random part of the jitter.
    case latency(Duration, jitter: Duration)
    /// Lets no more bytes through in a second, either way.
    case bandwidth(bytesPerSecond: Int)
    /// Resets the client's connection when the request's header has come; the server sees nothing of it.
    case reset
    /// Discards everything in this direction, until the client gives up.
    ///
    /// Without the request the server sees nothing; without the answer it has done what was asked.
    case blackhole(Direction)
    /// Closes the connection that long after the answer; what the client sends until then is lost.
    case slowClose(Duration)
    /// Passes everything on in pieces of so many bytes, with a pause after each.
    case slices(bytes: Int, pause: Duration)
    /// Passes on so many bytes of one message and then closes the connection, on both sides.
    case byteLimit(Int, Direction)
    /// Closes one side only, after the message that goes this way.
    ///
    /// `request`: the server sees the end of the connection behind the request and can still answer.
    /// `answer`: the client sees it behind the answer and can still send, but gets no more answers.
    case halfClose(Direction)
    /// Inverts the bits of the byte at that offset; a shorter message passes unchanged.
    ///
    /// HTTP without TLS cannot detect a changed request, so the server may do something that was not asked for.
    case corruptByte(Int, Direction)
    /// Lets the server answer, discards the answer and resets the client's connection.
    case droppedResponse
    /// Sends the whole answer twice at once.
    ///
    /// A second answer that came later, behind the next request, could not be told from that request's own: HTTP/1.1
    /// has nothing that binds an answer to its request (RFC 9112 9.3).
    case duplicatedResponse
}

extension NetworkFault {
    /// The kinds a ``FaultPlan`` draws from.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Up to 10 ms of latency and as much jitter.
        case latency
        /// Between 256 KiB and 4 MiB a second.
        case bandwidth
        /// A reset before the server sees anything.
        case reset
        /// A request or an answer that vanishes; the client needs a timeout of its own.
        case blackhole
        /// A close up to 10 ms after the answer.
        case slowClose
        /// Pieces of 32 to 4096 bytes, with up to 0.1 ms between them.
        case slices
        /// A request cut within its first 512 bytes.
        case cutRequest
        /// An answer cut within its first 512 bytes.
        case cutAnswer
        /// A side closed behind the request or the answer.
        case halfClose
        /// A byte changed within the first 256 of a request, which may make the server do something else.
        case corruptRequest
        /// A byte changed within the first 256 of an answer.
        case corruptAnswer
        /// An answer thrown away.
        case droppedResponse
        /// An answer sent twice.
        case duplicatedResponse
    }

    /// Draws a fault of a kind.
    init(_ kind: Kind, using random: inout SeededGenerator) {
        switch kind {
        case .latency:
            self = .latency(.microseconds(Int.random(in: 0...10_000, using: &random)), jitter: .milliseconds(10))
        case .bandwidth: self = .bandwidth(bytesPerSecond: Int.random(in: 262_144...4_194_304, using: &random))
        case .reset: self = .reset
        case .blackhole: self = .blackhole(Bool.random(using: &random) ? .request : .answer)
        case .slowClose: self = .slowClose(.microseconds(Int.random(in: 0...10_000, using: &random)))
        case .slices:
            let pause = Duration.microseconds(Int.random(in: 0...100, using: &random))
            self = .slices(bytes: Int.random(in: 32...4_096, using: &random), pause: pause)
        case .cutRequest: self = .byteLimit(Int.random(in: 0...512, using: &random), .request)
        case .cutAnswer: self = .byteLimit(Int.random(in: 0...512, using: &random), .answer)
        case .halfClose: self = .halfClose(Bool.random(using: &random) ? .request : .answer)
        case .corruptRequest: self = .corruptByte(Int.random(in: 0..<256, using: &random), .request)
        case .corruptAnswer: self = .corruptByte(Int.random(in: 0..<256, using: &random), .answer)
        case .droppedResponse: self = .droppedResponse
        case .duplicatedResponse: self = .duplicatedResponse
        }
    }
}
