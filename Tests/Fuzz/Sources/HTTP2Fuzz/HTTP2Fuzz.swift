// SPDX-License-Identifier: Apache-2.0

import FuzzSupport
import RestHTTP2
import RestTransport

/// The function that libFuzzer calls with each input.
///
/// An input is a byte of choices, a byte with the size of the chunks, and the peer's bytes.
///
/// Unsafe by need: this is libFuzzer's C interface. The bytes are copied before anything else.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = unsafe fuzzedBytes(start, count)
    guard input.count > 2 else { return 0 }
    guard var side = try? FuzzedSide(choices: input[0]) else { fatalError("no session") }
    let size = Int(input[1]) * 4 + 1
    var rest = input[2...]
    while !rest.isEmpty, side.take(Array(rest.prefix(size))) { rest = rest.dropFirst(size) }
    side.end()
    return 0
}

/// One side of a connection whose peer is the fuzzer, and the rules for what it reports.
private struct FuzzedSide {
    private struct Stream {
        var hasHead = false
        var hasEnded = false
        var isClosed = false
        var unread = 0
    }

    private static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + [0, 0, 0, 4, 0, 0, 0, 0, 0]
    /// The number of streams that a client opens.
    private static let requests = 3

    private let session: HTTP2Session
    private let settings: HTTP2Settings
    /// Whether the peer reads, and whether this side takes the bytes of bodies.
    private let (isRead, takesBodies): (Bool, Bool)
    private var streams: [Int32: Stream] = [:]
    private var (received, sent) = (0, 0)

    init(choices: UInt8) throws(HTTP2Error) {
        var settings = HTTP2Settings()
        settings.streamWindow = 65_535
        if choices & 2 != 0 {
            (settings.maximumHeaderBytes, settings.maximumHeaderLines) = (512, 8)
            (settings.maximumIdleFrames, settings.maximumQueuedFrames, settings.maximumStreams) = (20, 20, 3)
        }
        self.settings = settings
        (isRead, takesBodies) = (choices & 4 == 0, choices & 8 == 0)
        session = try HTTP2Session(choices & 1 == 0 ? .server : .client, settings: settings)
        if session.role == .client {
            for number in 0..<Self.requests {
                let request = HTTP2Request(scheme: "http", authority: "localhost", path: "/\(number)")
                let stream = try session.open(request, isEnd: false)
                session.send(stream, [UInt8](repeating: 1, count: 100), isEnd: number == 0)
                streams[stream] = Stream()
            }
        } else {
            _ = receive(Self.preface)
        }
    }

    /// Processes bytes of the peer, and returns whether the connection continues.
    mutating func take(_ bytes: [UInt8]) -> Bool {
        received += bytes.count
        guard receive(bytes) else { return false }
        var events: [HTTP2Event] = []
        session.collect(into: &events)
        for event in events { check(event) }
        return write() && !session.isOver
    }

    /// Ends the connection, as its thread does.
    mutating func end() {
        if let failure = session.failure {
            require(!failure.message.isEmpty && failure.message.utf8.count <= 1_000, "a short message")
            require(!receive([0]), "no way back after an error")
        } else {
            session.leave()
        }
        _ = write()
    }

    private func receive(_ bytes: [UInt8]) -> Bool {
        unsafe bytes.withUnsafeBytes { bytes in
            do throws(HTTP2Error) { unsafe try session.receive(bytes) } catch { return false }
            return true
        }
    }

    /// Writes all frames if the peer reads, whose number of bytes has a limit.
    private mutating func write() -> Bool {
        guard isRead || session.failure != nil else { return true }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4_096, alignment: 1)
        defer { unsafe buffer.deallocate() }
        do throws(HTTP2Error) {
            while true {
                let count = unsafe try session.fill(buffer)
                guard count > 0 else { return true }
                sent += count
                require(sent <= 20 * received + 20_000, "a bounded output")
            }
        } catch {
            return false
        }
    }

    private mutating func check(_ event: HTTP2Event) {
        switch event {
        case .request(let id, let request):
            require(session.role == .server && streams[id] == nil && id % 2 == 1, "a new stream of the peer")
            checkLines(request.fields)
            streams[id] = Stream(hasHead: true)
            respond(id)
        case .response(let id, let response):
            require(session.role == .client && streams[id]?.hasHead == false, "one response head")
            require((200...599).contains(response.status), "a final status")
            checkLines(response.fields)
            update(id) { $0.hasHead = true }
        case .data(let id, let bytes):
            require(streams[id]?.hasHead == true && streams[id]?.hasEnded == false, "data between head and end")
            update(id) { $0.unread += bytes.count }
            require((streams[id]?.unread ?? 0) <= settings.streamWindow, "no more bytes than the window")
            if takesBodies {
                session.consume(id, bytes.count)
                update(id) { $0.unread = 0 }
            }
        case .trailers(let id, let fields):
            require(streams[id]?.hasHead == true && streams[id]?.hasEnded == false, "trailers after the head")
            checkLines(fields)
        case .end(let id):
            require(streams[id]?.hasEnded == false, "one end")
            update(id) { $0.hasEnded = true }
        case .sent(let id, let count): require(streams[id] != nil && count > 0, "sent bytes of a stream")
        case .closed(let id, let error):
            // A stream whose head was rejected was never reported.
            require(streams[id]?.isClosed != true, "one close")
            require((error?.message.utf8.count ?? 0) <= 1_000, "a short message")
            update(id) { ($0.isClosed, $0.hasEnded) = (true, true) }
        // A byte that is not UTF-8 becomes a replacement character of three bytes.
        case .goAway(_, let text): require(text.utf8.count <= 600, "a bounded reason")
        }
    }

    private mutating func update(_ id: Int32, _ change: (inout Stream) -> Void) {
        change(&streams[id, default: Stream()])
    }

    private func checkLines(_ fields: HTTPFields) {
        require(fields.count <= settings.maximumHeaderLines, "a bounded number of lines")
        let size = fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
        // Bytes that are not UTF-8 become replacement characters of three bytes.
        require(size <= 3 * settings.maximumHeaderBytes, "bounded lines")
    }

    /// Responds to a request in one of several ways.
    private func respond(_ id: Int32) {
        switch id % 8 {
        case 1: try? session.respond(id, HTTP2Response(status: 200), isEnd: true)
        case 3:
            try? session.respond(id, HTTP2Response(status: 200), isEnd: false)
            session.send(id, [1, 2, 3], isEnd: false)
            session.finish(id, trailers: ["grpc-status": "0"])
        case 5: session.reset(id, .cancel)
        default: session.ping()
        }
    }
}
