// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Plays one script on one connection.
final class ScriptPlayer {
    private let core: ScriptServer.Core
    private let index: Int
    private let socket: Socket
    private var unread: [UInt8] = []

    init(core: ScriptServer.Core, index: Int, socket: Socket) {
        self.core = core
        self.index = index
        self.socket = socket
    }

    /// Plays the steps until one fails because the peer is gone.
    func play(_ script: ScriptServer.Script) {
        for step in script {
            guard play(step) else { return }
        }
    }

    private func play(_ step: ScriptServer.Step) -> Bool {
        switch step {
        case .readRequest: return readRequest()
        case .readHeader: return readHeader() != nil
        case .readToEnd: return readToEnd()
        case .sendBytes(let bytes): return send(bytes)
        case .drip(let bytes, let pause):
            return bytes.allSatisfy { byte in
                defer { sleep(pause) }
                return send([byte])
            }
        case .flood(let bytes, let count): return (0..<count).allSatisfy { _ in send(bytes) }
        case .pause(let duration): sleep(duration)
        case .finishSending: socket.finishSending()
        case .reset: socket.resetOnClose()
        }
        return true
    }

    private func send(_ bytes: [UInt8]) -> Bool {
        if socket.send(bytes) {
            core.change(index) { $0.sentBytes += bytes.count }
            return true
        }
        noteClose()
        return false
    }

    private func noteClose() {
        core.change(index) { connection in
            connection.isClosedByPeer = true
            connection.closedAt = .now
        }
    }

    /// Takes more bytes; `false` at the end of the connection.
    private func fill() -> Bool {
        let bytes = socket.receive()
        guard let bytes, !bytes.isEmpty else {
            noteClose()
            return false
        }
        unread += bytes
        core.change(index) { $0.received += bytes }
        return true
    }

    private func readToEnd() -> Bool {
        while fill() { unread = [] }
        return true
    }

    /// Reads through the blank line and takes the header out of what is unread.
    private func readHeader() -> String? {
        while true {
            if let end = RequestFraming.headerEnd(unread) {
                defer { unread.removeFirst(end) }
                return String(decoding: unread[..<end], as: UTF8.self)
            }
            guard fill() else { return nil }
        }
    }

    private func readRequest() -> Bool {
        guard let header = readHeader() else { return false }
        while true {
            if let end = RequestFraming.bodyEnd(unread, header: header) {
                let request = header + String(decoding: unread[..<end], as: UTF8.self)
                unread.removeFirst(end)
                core.change(index) { $0.requests.append(request) }
                return true
            }
            guard fill() else { return false }
        }
    }

    private func sleep(_ duration: Duration) {
        let parts = duration.components
        let nanoseconds = Int(parts.attoseconds / 1_000_000_000)
        var wanted = timespec(tv_sec: Int(parts.seconds), tv_nsec: nanoseconds)
        var left = timespec()
        while unsafe nanosleep(&wanted, &left) != 0, errno == EINTR { wanted = left }
    }
}
