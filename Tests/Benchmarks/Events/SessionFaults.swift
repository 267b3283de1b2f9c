// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import RestHTTP2
import RestTesting
import RestTransport

/// Two HTTP/2 sessions whose bytes arrive late, in random chunks, or not at all.
struct SessionFaults {
    /// The outcome of one seed.
    private enum Outcome {
        /// All bytes of all streams arrived, each stream with its end.
        case complete
        /// The connection was cut, and what had arrived was the beginning of what was sent.
        case cut
        /// Bytes were lost, changed or out of order, or an end was missing.
        case wrong
    }

    private static let streams = 3
    private var random: SeededGenerator
    private let client: Side
    private let server: Side

    /// Runs the sessions that the Pub/Sub API uses, two for each seed.
    static func figure(seeds: Int) throws {
        var (wrong, cut) = (0, 0)
        for seed in 0..<seeds {
            switch try outcome(seed: seed) {
            case .complete: break
            case .cut: cut += 1
            case .wrong: wrong += 1
            }
        }
        Figure(
            name: "events.faults.http2", value: Double(wrong), unit: "connections", relation: .atMost, bound: 0,
            note: "\(seeds) seeds, \(cut) connections cut"
        ).print()
    }

    private static func outcome(seed: Int) throws -> Outcome {
        var faults = try SessionFaults(seed: seed)
        return try faults.run()
    }

    private init(seed: Int) throws {
        random = SeededGenerator(seed: UInt64(seed))
        var settings = HTTP2Settings()
        settings.streamWindow = Int.random(in: 500...70_000, using: &random)
        client = Side(try HTTP2Session(.client, settings: settings))
        settings.streamWindow = Int.random(in: 500...70_000, using: &random)
        server = Side(try HTTP2Session(.server, settings: settings))
    }

    private mutating func run() throws -> Outcome {
        for number in 0..<Self.streams {
            let request = HTTP2Request(scheme: "http", authority: "localhost", path: "/\(number)")
            client.begin(try client.session.open(request, isEnd: false))
        }
        // Half of the connections are cut at some step.
        let steps = Int.random(in: 20...200, using: &random)
        let cut = Bool.random(using: &random) ? Int.random(in: 0..<steps, using: &random) : steps
        for _ in 0..<cut {
            let (from, to) = Bool.random(using: &random) ? (client, server) : (server, client)
            switch Int.random(in: 0..<6, using: &random) {
            case 0, 1:
                let first = Int(random.next(upTo: 255))
                let bytes = (0..<Int(random.next(upTo: 200)) * 25).map { UInt8(truncatingIfNeeded: first + $0) }
                from.send(bytes, on: Int(random.next(upTo: 250)))
            case 2: from.consume()
            case 3: from.session.ping()
            default: _ = try to.receive(from, Int.random(in: 1...4_000, using: &random))
            }
        }
        if cut < steps { return isPrefix ? .cut : .wrong }
        for stream in client.sent.keys { client.finish(stream) }
        repeat {
            client.consume()
            server.consume()
            // A server that finished a stream before the client would stop it (RFC 9113 §8.1).
            for stream in server.ended { server.finish(stream) }
        } while try server.receive(client, .max) || client.receive(server, .max)
        return isPrefix && isComplete ? .complete : .wrong
    }

    private var isPrefix: Bool {
        client.sent.allSatisfy { $0.value.starts(with: server.received[$0.key] ?? []) }
            && server.sent.allSatisfy { $0.value.starts(with: client.received[$0.key] ?? []) }
    }

    private var isComplete: Bool {
        client.sent.allSatisfy { $0.value.count == server.received[$0.key]?.count ?? 0 }
            && server.sent.allSatisfy { $0.value.count == client.received[$0.key]?.count ?? 0 }
            && client.ended.count == Self.streams && server.ended.count == Self.streams
    }

    /// One side, with what it has sent and received.
    private final class Side {
        let session: HTTP2Session
        private(set) var sent: [Int32: [UInt8]] = [:]
        private(set) var received: [Int32: [UInt8]] = [:]
        private(set) var ended: Set<Int32> = []
        private var unread: [Int32: Int] = [:]
        private var finished: Set<Int32> = []
        /// Bytes that this side has written and the other side has not read.
        private var flying: [UInt8] = []

        init(_ session: HTTP2Session) { self.session = session }

        func begin(_ stream: Int32) { sent[stream] = [] }

        func send(_ bytes: [UInt8], on number: Int) {
            let streams = sent.keys.sorted()
            guard !streams.isEmpty else { return }
            let stream = streams[number % streams.count]
            sent[stream]?.append(contentsOf: bytes)
            session.send(stream, bytes, isEnd: false)
        }

        func consume() {
            for (stream, count) in unread { session.consume(stream, count) }
            unread = [:]
        }

        /// Ends a stream, once.
        func finish(_ stream: Int32) {
            guard finished.insert(stream).inserted else { return }
            session.finish(stream, trailers: ["grpc-status": "0"])
        }

        /// Reads some bytes of the other side, and returns whether there were any.
        func receive(_ other: Side, _ limit: Int) throws -> Bool {
            try other.write()
            let bytes = Array(other.flying.prefix(limit))
            guard !bytes.isEmpty else { return false }
            other.flying.removeFirst(bytes.count)
            let result: Result<Void, HTTP2Error> = unsafe bytes.withUnsafeBytes { bytes in
                do throws(HTTP2Error) { return .success(unsafe try session.receive(bytes)) } catch {
                    return .failure(error)
                }
            }
            try result.get()
            var events: [HTTP2Event] = []
            session.collect(into: &events)
            for event in events { try take(event) }
            return true
        }

        private func write() throws {
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 16_384, alignment: 1)
            defer { unsafe buffer.deallocate() }
            while true {
                let count = unsafe try session.fill(buffer)
                guard count > 0 else { return }
                unsafe flying.append(contentsOf: buffer[..<count])
            }
        }

        private func take(_ event: HTTP2Event) throws {
            switch event {
            case .request(let stream, _):
                begin(stream)
                try session.respond(stream, HTTP2Response(status: 200), isEnd: false)
            case .data(let stream, let bytes):
                received[stream, default: []] += bytes
                unread[stream, default: 0] += bytes.count
            case .end(let stream): ended.insert(stream)
            default: break
            }
        }
    }
}

extension SeededGenerator {
    /// A number from zero to `most`.
    fileprivate mutating func next(upTo most: UInt8) -> UInt8 { .random(in: 0...most, using: &self) }
}
#endif
