// SPDX-License-Identifier: Apache-2.0

import RestBase

final class ScriptPlayer {
    private let journal: Watched<ScriptServer.Journal>
    private let server: ConnectionServer
    private let index: Int
    private let socket: Socket
    private var unread: [UInt8] = []

    init(journal: Watched<ScriptServer.Journal>, server: ConnectionServer, index: Int, socket: Socket) {
        self.journal = journal
        self.server = server
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
        case .readHeader: return read(onlyHeader: true) != nil
        case .readToEnd: return readToEnd()
        case .sendBytes(let bytes): return send(bytes)
        case .drip(let bytes, let pause):
            return bytes.allSatisfy { byte in
                defer { server.pause(pause) }
                return send([byte])
            }
        case .flood(let bytes, let count): return (0..<count).allSatisfy { _ in send(bytes) }
        case .pause(let duration): return server.pause(duration)
        case .hold: return hold()
        case .relay(let port): return relay(toPort: port)
        case .finishSending: socket.finishSending()
        case .reset: socket.resetOnClose()
        }
        return true
    }

    /// Waits for a permit to continue, within the server's time limit.
    private func hold() -> Bool {
        let end = ContinuousClock.now + .seconds(10)
        while ContinuousClock.now < end {
            var isPermitted = false
            journal.update { journal in
                isPermitted = journal.permits > 0
                if isPermitted { journal.permits -= 1 }
            }
            if isPermitted { return true }
            guard server.pause(.milliseconds(1)) else { return false }
        }
        return false
    }

    private func send(_ bytes: [UInt8]) -> Bool {
        if socket.send(bytes) {
            change { $0.sentBytes += bytes.count }
            return true
        }
        noteClose()
        return false
    }

    /// Passes bytes on in both directions until one side ends.
    private func relay(toPort port: Int) -> Bool {
        guard let other = try? Socket.connected(port: port), server.register(other, for: index) else { return false }
        while true {
            guard unread.isEmpty || other.send(unread) else { return false }
            unread = []
            let ready = Socket.waitForInput([socket, other])
            if ready[1] {
                guard let bytes = other.receive(), !bytes.isEmpty, send(bytes) else { return false }
            }
            if ready[0], !fill() { return false }
        }
    }

    private func noteClose() {
        change { connection in
            connection.isClosedByPeer = true
            connection.closedAt = .now
        }
    }

    /// Receives more bytes, or returns `false` at the end of the connection.
    private func fill() -> Bool {
        let bytes = socket.receive()
        guard let bytes, !bytes.isEmpty else {
            noteClose()
            return false
        }
        unread += bytes
        change { $0.received += bytes }
        return true
    }

    private func readToEnd() -> Bool {
        while fill() { unread = [] }
        return true
    }

    private func readRequest() -> Bool {
        guard let message = read(onlyHeader: false) else { return false }
        change { $0.requests.append(String(decoding: message, as: UTF8.self)) }
        return true
    }

    /// Takes a request, or only its head, from the unread bytes.
    private func read(onlyHeader: Bool) -> [UInt8]? {
        var framing = MessageFraming.request
        var message: [UInt8] = []
        while true {
            let count = framing.consume(unread[...], onlyHeader: onlyHeader)
            message += unread[..<count]
            unread.removeFirst(count)
            if onlyHeader ? framing.isHeaderComplete : framing.isComplete { return message }
            guard fill() else { return nil }
        }
    }

    private func change(_ body: (inout ScriptServer.Connection) -> Void) {
        journal.update { body(&$0.connections[index]) }
    }
}
