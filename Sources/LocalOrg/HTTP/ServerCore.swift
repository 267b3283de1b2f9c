// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// One request on its way through the server.
///
/// Touched only by the thread that serves its connection.
final class Exchange {
    let target: String
    var request: ServerRequest?
    /// Where the answer comes to that was made at the side or is held back.
    var slot: ReplySlot?

    init(target: String) {
        self.target = target
    }

    /// Takes a piece of the body; `false` beyond the cap, which closes the connection.
    func append(_ piece: RawSpan) -> Bool {
        guard let size = request?.body.count, size + piece.byteCount <= HTTPServer.Limits.body else { return false }
        unsafe piece.withUnsafeBytes { unsafe request?.body.append(contentsOf: $0) }
        return true
    }
}

/// A reply on its way from the thread that made it to the one that serves the connection.
final class ReplySlot: Sendable {
    private let reply = Mutex<ServerReply?>(nil)

    func put(_ made: ServerReply) { reply.withLock { $0 = made } }
    func take() -> ServerReply? { reply.withLock { $0 } }
}

/// The steps of a request, called by libmicrohttpd's threads.
final class ServerCore: Sendable {
    private let application: any ServerApplication
    private let suspended = Mutex(Suspended())
    /// A queue of its own and no task: the process may be testing with blocking calls on all threads of the task pool.
    private let timer = DispatchQueue(label: "LocalOrg.delays")
    private let lanes = WorkLanes()

    private struct Suspended {
        var connections: [UInt64: ServerConnection] = [:]
        var next: UInt64 = 0
        var isStopping = false
    }

    init(application: any ServerApplication) {
        self.application = application
    }

    /// The header has arrived.
    func begin(_ exchange: Exchange, method: String, version: String, on connection: ServerConnection) -> Bool {
        let request = ServerRequest(
            method: method, target: exchange.target, version: version, fields: connection.fields())
        exchange.request = request
        guard let refusal = application.refuse(request) else { return true }
        return connection.send(ServerReply(refusal))
    }

    /// The body is complete, or the connection goes on after a stay at the side.
    func finish(_ exchange: Exchange, on connection: ServerConnection) -> Bool {
        if let reply = exchange.slot?.take() { return connection.send(reply) }
        guard let request = exchange.request, exchange.slot == nil else { return false }
        switch application.answer(request) {
        case .ready(let reply) where reply.delay <= .zero: return connection.send(reply)
        case let answer:
            let slot = ReplySlot()
            exchange.slot = slot
            guard let number = suspend(connection) else { return false }
            advance(answer, number, slot)
            return true
        }
    }

    /// Brings a suspended request on: to a lane, to its delay, or to its end.
    private func advance(_ answer: ServerAnswer, _ number: UInt64, _ slot: ReplySlot) {
        switch answer {
        case .later(let lane, let work):
            lanes.add({ [weak self] in self?.advance(work(), number, slot) }, to: lane)
        case .ready(let reply):
            slot.put(reply)
            guard reply.delay > .zero else { return resume(number) }
            timer.asyncAfter(deadline: .now() + (reply.delay / .seconds(1))) { [weak self] in self?.resume(number) }
        }
    }

    /// Parks the connection; suspending and noting it are one step, so that no resumption can come between.
    private func suspend(_ connection: ServerConnection) -> UInt64? {
        suspended.withLock { suspended in
            guard !suspended.isStopping else { return nil }
            suspended.next &+= 1
            suspended.connections[suspended.next] = connection
            connection.suspend()
            return suspended.next
        }
    }

    private func resume(_ number: UInt64) {
        suspended.withLock { $0.connections.removeValue(forKey: number)?.resume() }
    }

    /// Ends the work at the side, wakes every suspended request and lets no new one be suspended; libmicrohttpd demands
    /// it before it stops.
    func stop() {
        suspended.withLock { $0.isStopping = true }
        application.interrupt()
        lanes.stop()
        resumeAll()
    }

    private func resumeAll() {
        suspended.withLock { suspended in
            for connection in suspended.connections.values { connection.resume() }
            suspended.connections.removeAll()
        }
    }
}
