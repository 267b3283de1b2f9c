// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTesting
import Synchronization

/// A server on 127.0.0.1 that sends exact HTTP/2 frames (RFC 9113) without TLS, which a front server adds.
///
/// It ignores the request's headers and window sizes, because responses of less than 64 KiB fit the initial window.
package final class FrameServer: Sendable {
    /// An action for a request.
    package enum Step: Sendable {
        /// Sends headers as literals, in as many frames as necessary.
        case headers([(String, String)], ends: Bool = false)
        /// Sends a chunk of a body.
        case data([UInt8], ends: Bool = false)
        /// Sends a frame of any type on the request's stream, or on the connection itself.
        case frame(type: UInt8, flags: UInt8 = 0, [UInt8], onStream: Bool = true)
        case close

        /// Sends the head of a successful response with these headers.
        package static func ok(_ fields: [(String, String)] = [], ends: Bool = false) -> Step {
            .headers([(":status", "200")] + fields, ends: ends)
        }

        /// Resets the stream (RFC 9113 §7).
        package static func reset(_ code: UInt8) -> Step { .frame(type: 3, [0, 0, 0, code]) }
    }

    package typealias Script = [Step]

    /// The remaining scripts; the last one is repeated.
    private final class Scripts: Sendable {
        private let left: Mutex<[Script]>

        init(_ scripts: [Script]) { left = Mutex(scripts) }

        func next() -> Script {
            left.withLock { left in left.count > 1 ? left.removeFirst() : left.first ?? [] }
        }
    }

    private let server: ConnectionServer
    package var port: Int { server.port }

    /// Starts a server that plays one script per request and repeats the last one.
    ///
    /// - Throws: an error if no socket can be opened.
    package init(_ scripts: [Script]) throws {
        let scripts = Scripts(scripts)
        server = try ConnectionServer {
        } onStop: {
        } handler: { _, _, socket in
            FrameConnection(socket).serve { scripts.next() }
        } onClose: { _ in
        }
    }

    deinit {
        server.stop()
    }
}

final class FrameConnection {
    private typealias Frame = (type: UInt8, flags: UInt8, stream: [UInt8], payload: ArraySlice<UInt8>)

    /// The frame types (RFC 9113 §6).
    private static let (data, headers, settings, ping, continuation) =
        (0, 1, 4, 6, 9) as (UInt8, UInt8, UInt8, UInt8, UInt8)
    private static let endStream: UInt8 = 1
    private static let endHeaders: UInt8 = 4
    private static let acknowledged: UInt8 = 1
    /// The size of the client's connection preface (RFC 9113 §3.4).
    private static let prefaceBytes = 24
    private static let largestPayload = 16_384
    private static let connection: [UInt8] = [0, 0, 0, 0]

    private let socket: Socket
    private var unread: [UInt8] = []

    init(_ socket: Socket) { self.socket = socket }

    /// Responds to requests until one side closes the connection.
    func serve(_ script: () -> FrameServer.Script) {
        guard take(Self.prefaceBytes) != nil, send(Self.settings, 0, Self.connection, []) else { return }
        while let frame = next() {
            let isDone: Bool
            switch frame.type {
            case Self.settings where frame.flags & Self.acknowledged == 0:
                isDone = !send(Self.settings, Self.acknowledged, Self.connection, [])
            case Self.ping where frame.flags & Self.acknowledged == 0:
                isDone = !send(Self.ping, Self.acknowledged, Self.connection, frame.payload)
            case Self.headers where frame.flags & Self.endStream != 0,
                Self.data where frame.flags & Self.endStream != 0:
                isDone = !script().allSatisfy { play($0, on: frame.stream) }
            default:
                isDone = false
            }
            if isDone { return }
        }
    }

    private func play(_ step: FrameServer.Step, on stream: [UInt8]) -> Bool {
        switch step {
        case .headers(let fields, let ends): sendHeaders(fields, ends: ends, on: stream)
        case .data(let bytes, let ends): send(Self.data, ends ? Self.endStream : 0, stream, bytes[...])
        case .frame(let type, let flags, let payload, let onStream):
            send(type, flags, onStream ? stream : Self.connection, payload[...])
        case .close: false
        }
    }

    private func sendHeaders(_ fields: [(String, String)], ends: Bool, on stream: [UInt8]) -> Bool {
        var written: [UInt8] = []
        for (name, value) in fields { written += [0] + Self.literal(name) + Self.literal(value) }
        var block = written[...]
        var (type, flags) = (Self.headers, ends ? Self.endStream : 0)
        repeat {
            let chunk = block.prefix(Self.largestPayload)
            block = block.dropFirst(chunk.count)
            guard send(type, flags | (block.isEmpty ? Self.endHeaders : 0), stream, chunk) else { return false }
            (type, flags) = (Self.continuation, 0)
        } while !block.isEmpty
        return true
    }

    /// A string literal with its length prefix (RFC 7541 §5).
    private static func literal(_ text: String) -> [UInt8] {
        let bytes = Array(text.utf8)
        guard bytes.count >= 127 else { return [UInt8(bytes.count)] + bytes }
        var length: [UInt8] = [127]
        var left = bytes.count - 127
        while left >= 128 {
            length.append(UInt8(left % 128 + 128))
            left /= 128
        }
        return length + [UInt8(left)] + bytes
    }

    private func send(_ type: UInt8, _ flags: UInt8, _ stream: [UInt8], _ payload: ArraySlice<UInt8>) -> Bool {
        let length = [16, 8, 0].map { UInt8(truncatingIfNeeded: payload.count >> $0) }
        return socket.send(length + [type, flags] + stream + payload)
    }

    private func next() -> Frame? {
        guard let head = take(9) else { return nil }
        let length = head[..<3].reduce(0) { $0 << 8 | Int($1) }
        guard let payload = take(length) else { return nil }
        return (head[3], head[4], Array(head[5...]), payload[...])
    }

    private func take(_ count: Int) -> [UInt8]? {
        while unread.count < count {
            guard let bytes = socket.receive(), !bytes.isEmpty else { return nil }
            unread += bytes
        }
        defer { unread.removeFirst(count) }
        return Array(unread[..<count])
    }
}
