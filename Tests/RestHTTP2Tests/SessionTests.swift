// SPDX-License-Identifier: Apache-2.0

import RestHTTP2
import RestTesting
import RestTransport
import Testing

@Suite("HTTP/2 sessions", .timeLimit(.minutes(2)))
struct SessionTests {
    @Test("A request, a response and trailers arrive as they were sent")
    func exchange() throws {
        var pair = try SessionPair()
        let request = HTTP2Request.test("/a?b=c", fields: ["x-test": "wörd", "te": "trailers"])
        let stream = try pair.client.open(request, isEnd: false)
        pair.client.send(stream, [1, 2, 3], isEnd: true)
        try pair.settle()
        #expect(pair.server.events() == [.request(stream, request), .data(stream, [1, 2, 3]), .end(stream)])
        let head = HTTP2Response(status: 200, fields: ["content-type": "x/y"])
        try pair.server.respond(stream, head, isEnd: false)
        pair.server.send(stream, [4], isEnd: false)
        pair.server.finish(stream, trailers: ["grpc-status": "0"])
        try pair.settle()
        let response = pair.client.events().filter {
            if case .sent = $0 { false } else { true }
        }
        #expect(
            response == [
                .response(stream, head), .data(stream, [4]), .trailers(stream, ["grpc-status": "0"]), .end(stream),
                .closed(stream, nil),
            ])
        #expect(pair.client.openStreams == 0 && pair.server.openStreams == 0)
    }

    @Test("A response of only a head ends the stream, and a server that is done stops the client")
    func early() throws {
        var pair = try SessionPair()
        let stream = try pair.client.open(.test(), isEnd: false)
        try pair.settle()
        try pair.server.respond(stream, HTTP2Response(status: 404), isEnd: true)
        try pair.settle()
        let events = pair.client.events()
        #expect(events.contains(.response(stream, HTTP2Response(status: 404))) && events.contains(.end(stream)))
        #expect(events.last == .closed(stream, HTTP2Error(.reset(.noError), "the peer ended the stream early")))
    }

    @Test("A stream stops at its window, and goes on when the reader has taken the bytes")
    func window() throws {
        var settings = HTTP2Settings()
        settings.streamWindow = 100_000
        var pair = try SessionPair(server: settings)
        try pair.settle()
        let first = try pair.client.open(.test(), isEnd: false)
        pair.client.send(first, [UInt8](repeating: 7, count: 250_000), isEnd: true)
        try pair.settle()
        #expect(pair.server.receivedBytes(of: first) == 100_000)
        // Another stream is not stopped by the first one's reader.
        let second = try pair.client.open(.test(), isEnd: false)
        pair.client.send(second, [UInt8](repeating: 8, count: 90_000), isEnd: true)
        try pair.settle()
        #expect(pair.server.receivedBytes(of: second) == 90_000)
        pair.server.consume(first, 100_000)
        try pair.settle()
        #expect(pair.server.receivedBytes(of: first) == 100_000)
        pair.server.consume(first, 100_000)
        try pair.settle()
        #expect(pair.server.receivedBytes(of: first) == 50_000)
    }

    @Test("GOAWAY rejects later streams and lets earlier ones finish")
    func goAway() throws {
        var pair = try SessionPair()
        let first = try pair.client.open(.test(), isEnd: false)
        try pair.settle()
        pair.server.leave()
        _ = try pair.deliver(toServer: false)
        // The client opens another one before it reads the GOAWAY, or after.
        let second = try pair.client.open(.test(), isEnd: true)
        try pair.settle()
        let events = pair.client.events()
        #expect(events.contains(.goAway(.noError, "")))
        #expect(events.contains { if case .closed(second, let error?) = $0 { error.isUnprocessed } else { false } })
        try pair.server.respond(first, HTTP2Response(status: 200), isEnd: true)
        pair.client.send(first, [], isEnd: true)
        try pair.settle()
        #expect(pair.client.events().contains(.response(first, HTTP2Response(status: 200))))
        #expect(pair.client.isOver && pair.server.isOver)
        #expect(pair.client.failure == nil && pair.server.failure == nil)
    }

    @Test("Headers that cannot be sent are rejected before the stream opens")
    func invalidHeaders() throws {
        let session = try HTTP2Session(.client)
        for fields: HTTPFields in [["a b": "c"], ["": "c"], ["a": "b\r\nc: d"], ["a": "\0"]] {
            #expect(throws: HTTP2Error.self) { try session.open(.test(fields: fields), isEnd: true) }
        }
        #expect(session.openStreams == 0)
    }

    /// Clients' streams with random bodies are echoed by a server, over connections that are cut anywhere.
    @Test("Random streams over randomly cut bytes arrive whole and in order", arguments: 0..<60)
    func model(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var settings = HTTP2Settings()
        settings.streamWindow = Int.random(in: 1_000...80_000, using: &random)
        settings.maximumStreams = Int.random(in: 1...8, using: &random)
        var pair = try SessionPair(client: settings, server: settings)
        try pair.settle()
        var model = EchoModel(pair: pair, window: settings.streamWindow)
        for _ in 0..<400 { try model.step(&random) }
        try model.finish(&random)
        model.check()
    }
}

extension HTTP2Session {
    /// The number of bytes of a stream in the events since the last call.
    func receivedBytes(of stream: Int32) -> Int {
        events().reduce(0) { sum, event in
            if case .data(stream, let bytes) = event { sum + bytes.count } else { sum }
        }
    }
}

/// A client whose streams are echoed by a server, and what each side has seen.
private struct EchoModel {
    struct Stream {
        var sent: [UInt8] = []
        var echoed: [UInt8] = []
        var isFinished = false
        var isReset = false
        var trailers: HTTPFields?
        var closing: HTTP2Error??
        /// Bytes that have arrived and that the reader has not taken.
        var unreadByServer = 0
        var unreadByClient = 0
        var serverCount = 0
    }

    var pair: SessionPair
    let window: Int
    var streams: [Int32: Stream] = [:]
    private var number = UInt8(0)

    init(pair: SessionPair, window: Int) { (self.pair, self.window) = (pair, window) }

    mutating func step(_ random: inout SeededGenerator) throws {
        let open = streams.filter { !$0.value.isFinished && !$0.value.isReset }.keys.sorted()
        switch Int.random(in: 0..<10, using: &random) {
        case 0 where streams.count < 20:
            streams[try pair.client.open(.test(), isEnd: false)] = Stream()
        case 1, 2, 3:
            guard let stream = open.randomElement(using: &random) else { return }
            number &+= 1
            let bytes = [UInt8](repeating: number, count: Int.random(in: 0...40_000, using: &random))
            streams[stream]?.sent += bytes
            streams[stream]?.isFinished = Bool.random(using: &random)
            pair.client.send(stream, bytes, isEnd: streams[stream]?.isFinished == true)
        case 4 where Int.random(in: 0..<8, using: &random) == 0:
            guard let stream = open.randomElement(using: &random) else { return }
            streams[stream]?.isReset = true
            pair.client.reset(stream, .cancel)
        case 5: read(&random)
        default:
            let limit = Int.random(in: 1...(Bool.random(using: &random) ? 20 : 30_000), using: &random)
            _ = try pair.deliver(toServer: Bool.random(using: &random), limit: limit)
            try react()
        }
    }

    /// Lets the readers of some streams take their bytes.
    private mutating func read(_ random: inout SeededGenerator, all: Bool = false) {
        for stream in streams.keys.sorted() where all || Bool.random(using: &random) {
            guard let state = streams[stream] else { continue }
            pair.server.consume(stream, state.unreadByServer)
            pair.client.consume(stream, state.unreadByClient)
            streams[stream]?.unreadByServer = 0
            streams[stream]?.unreadByClient = 0
        }
    }

    private mutating func react() throws {
        for event in pair.server.events() {
            switch event {
            case .request(let stream, _): try pair.server.respond(stream, HTTP2Response(status: 200), isEnd: false)
            case .data(let stream, let bytes):
                streams[stream]?.unreadByServer += bytes.count
                streams[stream]?.serverCount += bytes.count
                pair.server.send(stream, bytes, isEnd: false)
            case .end(let stream):
                pair.server.finish(stream, trailers: ["count": String(streams[stream]?.serverCount ?? -1)])
            default: break
            }
        }
        for event in pair.client.events() {
            switch event {
            case .data(let stream, let bytes):
                streams[stream]?.unreadByClient += bytes.count
                streams[stream]?.echoed += bytes
            case .trailers(let stream, let fields): streams[stream]?.trailers = fields
            case .closed(let stream, let error): streams[stream]?.closing = .some(error)
            default: break
            }
        }
        for state in streams.values where state.unreadByServer > max(window, 65_535) {
            Issue.record("\(state.unreadByServer) unread bytes exceed the window")
        }
    }

    /// Ends all streams and delivers everything.
    mutating func finish(_ random: inout SeededGenerator) throws {
        for (stream, state) in streams where !state.isFinished && !state.isReset {
            streams[stream]?.isFinished = true
            pair.client.send(stream, [], isEnd: true)
        }
        var quietTurns = 0
        while quietTurns < 3 {
            let limit = Int.random(in: 1...50_000, using: &random)
            let hasMoved = try pair.deliver(toServer: true, limit: limit) || pair.deliver(toServer: false, limit: limit)
            try react()
            read(&random, all: true)
            quietTurns = hasMoved ? 0 : quietTurns + 1
        }
    }

    func check() {
        #expect(pair.client.openStreams == 0 && pair.server.openStreams == 0)
        for (stream, state) in streams where !state.isReset {
            #expect(state.echoed == state.sent, "stream \(stream)")
            #expect(state.trailers == ["count": String(state.sent.count)], "stream \(stream)")
            #expect(state.closing == .some(.some(nil)) || state.closing == .some(nil), "stream \(stream)")
        }
    }
}
