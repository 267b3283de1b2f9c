// SPDX-License-Identifier: Apache-2.0

import RestHTTP2
import RestTesting
import RestTransport
import Testing

/// Peers that violate HTTP/2, or use it to waste memory and time.
@Suite("Hostile HTTP/2 peers", .timeLimit(.minutes(2)))
struct HostilePeerTests {
    /// A server's session with one open stream, and the bytes that opened it.
    private static func server(_ change: (inout HTTP2Settings) -> Void = { _ in }) throws -> (HTTP2Session, Int32) {
        var settings = HTTP2Settings()
        change(&settings)
        let session = try HTTP2Session(.server, settings: settings)
        let client = try HTTP2Session(.client)
        let stream = try client.open(.test(), isEnd: false)
        try session.receive(client.output())
        _ = try session.output()
        return (session, stream)
    }

    /// Repeats bytes until the session fails, and returns the error and the number of bytes.
    private static func flood(
        _ session: HTTP2Session, _ bytes: [UInt8], isRead: Bool = true, limit: Int = 64 * 1024 * 1024
    ) -> (error: HTTP2Error?, bytes: Int) {
        var sent = 0
        do throws(HTTP2Error) {
            while sent < limit {
                try session.receive(bytes)
                sent += bytes.count
                _ = session.events()
                if isRead || session.failure != nil { _ = try session.output() }
                if let failure = session.failure { throw failure }
                if session.isOver { break }
            }
            return (nil, sent)
        } catch {
            return (error, sent)
        }
    }

    @Test("A window of more than 2^31 - 1 bytes")
    func overflow() throws {
        for isStream in [false, true] {
            let (session, stream) = try Self.server()
            let frame = RawFrame(RawFrame.window, stream: isStream ? stream : 0, [0x7F, 0xFF, 0xFF, 0xFF]).bytes
            let error = Self.flood(session, frame, limit: 100).error
            if isStream {
                // The stream ends, and the connection continues.
                #expect(error == nil && session.openStreams == 0)
            } else {
                #expect(error?.code == .protocolViolation && error?.message.contains("FLOW_CONTROL") == true)
            }
        }
    }

    @Test("More bytes than the window permits")
    func tooMuchData() throws {
        let (session, stream) = try Self.server { $0.streamWindow = 65_535 }
        let frame = RawFrame(RawFrame.data, stream: stream, [UInt8](repeating: 0, count: 16_384)).bytes
        let (error, bytes) = Self.flood(session, frame, limit: 1_000_000)
        #expect(error?.code == .protocolViolation || session.openStreams == 0, "\(String(describing: error))")
        #expect(bytes <= 6 * frame.count || error == nil)
    }

    @Test("Headers that never end")
    func continuations() throws {
        let session = try HTTP2Session(.server)
        try session.receive(RawFrame.preface + RawFrame.settings)
        // A literal header with a new name: `a: a`.
        try session.receive(RawFrame(RawFrame.headers, stream: 1, [0, 1, 0x61, 1, 0x61]).bytes)
        let frame = RawFrame(RawFrame.continuation, stream: 1, [0, 1, 0x61, 1, 0x61]).bytes
        let (error, bytes) = Self.flood(session, frame)
        #expect(error?.code == .protocolViolation || error?.code == .flooded, "\(String(describing: error))")
        #expect(bytes < 1_000_000)
    }

    @Test(
        "Frames without data, from a peer that reads",
        arguments: [
            RawFrame.settings, RawFrame(RawFrame.ping, [UInt8](repeating: 1, count: 8)).bytes,
            RawFrame(RawFrame.data, stream: 1).bytes,
            RawFrame(2, stream: 1, [0, 0, 0, 0, 1]).bytes, RawFrame(RawFrame.window, [0, 0, 0, 1]).bytes,
        ])
    func idleFrames(frame: [UInt8]) throws {
        let (session, _) = try Self.server()
        let (error, bytes) = Self.flood(session, frame)
        #expect(error?.code == .flooded)
        #expect(bytes / frame.count <= 10_001)
        // The same number of frames over a longer time is legitimate.
        let (patient, _) = try Self.server()
        for _ in 0..<3 {
            patient.beginInterval()
            #expect(Self.flood(patient, frame, limit: 9_000 * frame.count).error == nil)
        }
    }

    @Test("Frames of unknown types are skipped, as RFC 9113 demands, and cost no memory")
    func unknownFrames() throws {
        let (session, _) = try Self.server()
        let frames = (0..<1_000).flatMap { _ in RawFrame(0xFA, [1, 2, 3]).bytes }
        #expect(Self.flood(session, frames, limit: 4_000_000).error == nil)
        #expect(try session.openStreams == 1 && session.output().isEmpty)
    }

    @Test("Frames that need an answer, from a peer that reads none")
    func unread() throws {
        for frame in [RawFrame.settings, RawFrame(RawFrame.ping, [UInt8](repeating: 1, count: 8)).bytes] {
            let (session, _) = try Self.server { $0.maximumQueuedFrames = 500 }
            let (error, bytes) = Self.flood(session, frame, isRead: false)
            #expect(error?.code == .flooded)
            #expect(bytes / frame.count <= 502)
        }
    }

    @Test("Streams beyond the limit, from a peer that ignores the settings and reads nothing")
    func streams() throws {
        let session = try HTTP2Session(.server)
        try session.receive(RawFrame.preface + RawFrame.settings)
        var error: HTTP2Error?
        for number in 0..<20_000 where error == nil {
            // `GET / http` of the static table, and the authority `a`.
            let head: [UInt8] = [0x82, 0x84, 0x86, 0x41, 1, 0x61]
            let frame = RawFrame(RawFrame.headers, flags: 4, stream: Int32(2 * number + 1), head)
            error = Self.flood(session, frame.bytes, isRead: false, limit: 1).error
        }
        #expect(error?.code == .flooded || error?.code == .protocolViolation)
        #expect(session.openStreams <= 100)
    }

    @Test("Headers beyond the limit end their stream only")
    func hugeHeaders() throws {
        var settings = HTTP2Settings()
        settings.maximumHeaderBytes = 8_000
        var pair = try SessionPair(server: settings)
        var fields = HTTPFields()
        for index in 0..<200 { fields.append("x-\(index)", String(repeating: "v", count: 100)) }
        let large = try pair.client.open(.test(fields: fields), isEnd: true)
        let small = try pair.client.open(.test(), isEnd: true)
        try pair.settle()
        let seen = pair.server.events()
        #expect(seen.contains { if case .closed(large, let error?) = $0 { error.code == .tooLarge } else { false } })
        #expect(!seen.contains { if case .request(large, _) = $0 { true } else { false } })
        #expect(seen.contains(.request(small, .test())))
        #expect(pair.server.openStreams == 1)
    }

    @Test("A few bytes that refer to a long header thousands of times")
    func headerBomb() throws {
        let session = try HTTP2Session(.server)
        try session.receive(RawFrame.preface + RawFrame.settings)
        // A literal header `a` with 4,000 bytes, which gets the index 62, and then this index.
        let long = [0x40, 1, 0x61, 0x7F, 0xA1, 0x1E] + [UInt8](repeating: 0x76, count: 4_000)
        let bomb = long + [UInt8](repeating: 0x80 | 62, count: 10_000)
        try session.receive(RawFrame(RawFrame.headers, flags: 4, stream: 1, bomb).bytes)
        _ = try session.output()
        let errors = session.events().compactMap { if case .closed(1, let error?) = $0 { error.code } else { nil } }
        #expect(errors == [.tooLarge] && session.openStreams == 0 && session.failure == nil)
    }

    @Test("Streams that are reset as soon as they are open")
    func resets() throws {
        let session = try HTTP2Session(.server)
        try session.receive(RawFrame.preface + RawFrame.settings)
        var (error, count): (HTTP2Error?, Int32) = (nil, 0)
        while error == nil, count < 20_000 {
            let frames =
                RawFrame(RawFrame.headers, flags: 5, stream: 2 * count + 1, [0x82, 0x84, 0x86, 0x41, 1, 0x61]).bytes
                + RawFrame(RawFrame.reset, stream: 2 * count + 1, [0, 0, 0, 8]).bytes
            error = Self.flood(session, frames, limit: 1).error
            count += 1
        }
        // Some versions of nghttp2 have a limit of their own.
        #expect(error?.code == .flooded || error?.code == .protocolViolation)
        #expect(count <= 5_001 && session.openStreams <= 1)
    }

    @Test("Bytes on streams that are closed or were never opened")
    func strayData() throws {
        let bytes = [UInt8](repeating: 0, count: 1_000)
        let (session, stream) = try Self.server()
        session.reset(stream, .cancel)
        _ = try session.output()
        try session.receive(RawFrame(RawFrame.data, stream: stream, bytes).bytes)
        _ = try session.output()
        #expect(session.receivedBytes(of: stream) == 0 && session.openStreams == 0)
        let (other, _) = try Self.server()
        let error = Self.flood(other, RawFrame(RawFrame.data, stream: 99, bytes).bytes, limit: 10_000).error
        #expect(error?.code == .protocolViolation)
    }

    @Test("A reset with an unknown code counts as an internal error")
    func unknownReset() throws {
        let session = try HTTP2Session(.client)
        let stream = try session.open(.test(), isEnd: false)
        _ = try session.output()
        try session.receive(RawFrame.settings + RawFrame(RawFrame.reset, stream: stream, [0, 0, 0, 77]).bytes)
        #expect(
            session.events() == [.closed(stream, HTTP2Error(.reset(.internalError), "the peer ended the stream early"))]
        )
    }

    @Test("Peers that speak another protocol")
    func otherProtocols() throws {
        let client = try HTTP2Session(.client)
        let response = Array("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n".utf8)
        #expect(Self.flood(client, response, limit: 10_000).error?.code == .protocolViolation)
        let server = try HTTP2Session(.server)
        let request = Array("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
        #expect(Self.flood(server, request, limit: 10_000).error?.code == .protocolViolation)
    }

    @Test("Transcripts with random changes end without a trap", arguments: 0..<20)
    func mutations(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let client = try HTTP2Session(.client)
        for index in 0..<10 {
            let stream = try client.open(.test("/\(index)", fields: ["x-a": "b\(index)"]), isEnd: false)
            client.send(stream, [UInt8](repeating: 1, count: 1_000 * index), isEnd: index % 2 == 0)
        }
        let transcript = try client.output()
        for _ in 0..<100 {
            var bytes = transcript
            for _ in 0..<Int.random(in: 1...5, using: &random) {
                let position = Int.random(in: 24..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[position] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: position)
                default: bytes.insert(UInt8.random(in: 0...255, using: &random), at: position)
                }
            }
            let server = try HTTP2Session(.server)
            _ = Self.flood(server, bytes, limit: 1)
            #expect(server.openStreams <= 11)
        }
    }
}
