// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// One request on its way through the server.
///
/// Touched only by the thread that serves its connection.
final class Exchange {
    let target: String
    var request: ServerRequest?
    var reply: ServerReply?

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

/// The steps of a request, called by libmicrohttpd's threads.
final class ServerCore: Sendable {
    private let application: any ServerApplication
    private let suspended = Mutex(Suspended())
    /// A queue of its own and no task: the process may be testing with blocking calls on all threads of the task pool.
    private let timer = DispatchQueue(label: "LocalOrg.delays")

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

    /// The body is complete, or a delay is over.
    func finish(_ exchange: Exchange, on connection: ServerConnection) -> Bool {
        if let reply = exchange.reply { return connection.send(reply) }
        guard let request = exchange.request else { return false }
        let reply = application.answer(request)
        guard reply.delay > .zero, suspend(connection, for: reply.delay) else { return connection.send(reply) }
        exchange.reply = reply
        return true
    }

    /// Parks the connection; suspending and noting it are one step, so that no resumption can come between.
    private func suspend(_ connection: ServerConnection, for delay: Duration) -> Bool {
        let number: UInt64? = suspended.withLock { suspended in
            guard !suspended.isStopping else { return nil }
            suspended.next &+= 1
            suspended.connections[suspended.next] = connection
            connection.suspend()
            return suspended.next
        }
        guard let number else { return false }
        timer.asyncAfter(deadline: .now() + (delay / .seconds(1))) { [weak self] in self?.resume(number) }
        return true
    }

    private func resume(_ number: UInt64) {
        suspended.withLock { $0.connections.removeValue(forKey: number)?.resume() }
    }

    /// Wakes every delayed answer and lets no new one be delayed; libmicrohttpd demands it before it stops.
    func resumeAll() {
        suspended.withLock { suspended in
            suspended.isStopping = true
            for connection in suspended.connections.values { connection.resume() }
            suspended.connections.removeAll()
        }
    }
}
