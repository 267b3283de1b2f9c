// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// A reply on its way from the thread that made it to the one that serves the connection.
final class ReplySlot: Sendable {
    private let reply = Mutex<ServerReply?>(nil)

    func put(_ made: ServerReply) { reply.withLock { $0 = made } }
    func take() -> ServerReply? { reply.withLock { $0 } }
}

/// The steps of a request, called by libmicrohttpd's threads.
///
/// A step that returns `false` closes the connection.
final class ServerCore: Sendable {
    let connections: ConnectionWatch
    private let application: any ServerApplication
    private let bodies: ByteBudget
    /// Whether the connections have TLS: then only libmicrohttpd can write to them.
    private let isSecure: Bool
    private let suspended = Mutex(Suspended())
    /// A queue and not a task, because tests may block every thread of the task pool.
    private let timer = DispatchQueue(label: "LocalServer.delays")
    private let lanes = WorkLanes()

    private struct Suspended {
        var connections: [UInt64: ServerConnection] = [:]
        var next: UInt64 = 0
        var isStopping = false
    }

    init(application: any ServerApplication, limits: ServerLimits, isSecure: Bool) {
        self.isSecure = isSecure
        self.application = application
        connections = ConnectionWatch(
            limits: limits, refusal: isSecure ? [] : application.response(to: .timeout).closingBytes)
        bodies = ByteBudget(limits.bodyMemory)
    }

    /// The header has arrived.
    func begin(_ exchange: Exchange, _ request: ServerRequest, on connection: ServerConnection) -> Bool {
        exchange.hasBegun = true
        switch application.admit(request) {
        case .refused(let response):
            guard request.hasBody, !isSecure else { return send(ServerReply(response), exchange, on: connection) }
            exchange.link.answerEarly(response.closingBytes, status: response.status)
            return false
        case .accepted(let mostBody):
            guard bodies.hasRoom(for: request.announcedLength ?? 0) else { return refuse(.noRoom, exchange) }
            return admit(request, exchange, mostBody)
        case .streamed(let sink, let mostBody):
            var request = request
            request.sink = sink
            return admit(request, exchange, mostBody)
        }
    }

    private func admit(_ request: ServerRequest, _ exchange: Exchange, _ mostBody: Int) -> Bool {
        exchange.mostBody = mostBody
        exchange.request = request
        return exchange.link.advance { clock in
            if request.hasBody { clock.beginBody(at: .now) } else { clock.beginHandling(at: .now) }
        }
    }

    /// A piece of the body has arrived.
    func take(_ piece: RawSpan, _ exchange: Exchange) -> Bool {
        let count = piece.byteCount
        guard count <= exchange.mostBody else { return refuse(.tooLarge, exchange) }
        exchange.mostBody -= count
        if let sink = exchange.request?.sink {
            return sink.take(piece) && exchange.link.advance { $0.receiveBody(count) }
        }
        guard bodies.take(count) else { return refuse(.noRoom, exchange) }
        exchange.heldBytes += count
        unsafe piece.withUnsafeBytes { unsafe exchange.request?.body.append(contentsOf: $0) }
        return exchange.link.advance { $0.receiveBody(count) }
    }

    private func refuse(_ refusal: ServerRefusal, _ exchange: Exchange) -> Bool {
        let response = application.response(to: refusal)
        exchange.link.answerEarly(isSecure ? [] : response.closingBytes, status: response.status)
        return false
    }

    /// The body is complete, or the connection resumes with its reply.
    func finish(_ exchange: Exchange, on connection: ServerConnection) -> Bool {
        if let reply = exchange.slot?.take() { return send(reply, exchange, on: connection) }
        guard let request = exchange.request, exchange.link.advance({ $0.beginHandling(at: .now) }) else {
            return false
        }
        exchange.request = nil
        switch application.answer(request) {
        case .ready(let reply) where reply.delay <= .zero: return send(reply, exchange, on: connection)
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
        case .promised(let begin):
            begin { [weak self] answer in self?.advance(answer, number, slot) }
        case .ready(let reply):
            slot.put(reply)
            guard reply.delay > .zero else { return resume(number) }
            timer.asyncAfter(deadline: .now() + (reply.delay / .seconds(1))) { [weak self] in self?.resume(number) }
        }
    }

    private func send(_ reply: ServerReply, _ exchange: Exchange, on connection: ServerConnection) -> Bool {
        giveBack(exchange)
        return exchange.link.advance { $0.beginAnswer(of: reply.response.length, at: .now) }
            && connection.send(reply)
    }

    /// The request is over, however it ended.
    func end(_ exchange: Exchange) {
        giveBack(exchange)
        if let request = exchange.request, let status = exchange.link.endStatus {
            application.note(request, status: status)
        }
        exchange.link.rest()
    }

    private func giveBack(_ exchange: Exchange) {
        bodies.giveBack(exchange.heldBytes)
        exchange.heldBytes = 0
    }
}

extension ServerCore {
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

    /// Ends the work on other threads, wakes every suspended request and suspends no more.
    ///
    /// libmicrohttpd requires this before it stops.
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

/// One request on its way through the server.
///
/// Touched only by the thread that serves its connection.
final class Exchange {
    let target: String
    /// Where the target stands in memory.
    let place: Range<UInt>
    let link: ConnectionLink
    /// Whether the header was looked at.
    var hasBegun = false
    /// The request, until it is answered.
    var request: ServerRequest?
    /// Holds the answer that another thread makes or that is delayed.
    var slot: ReplySlot?
    /// How many bytes of the body may still come.
    var mostBody = 0
    /// The bytes of the budget that the body holds.
    var heldBytes = 0

    init(target: String, at place: Range<UInt>, link: ConnectionLink) {
        self.target = target
        self.place = place
        self.link = link
    }
}

/// The bytes that all requests together may hold at a time.
final class ByteBudget: Sendable {
    private let limit: Int
    private let used = Mutex(0)

    init(_ limit: Int) {
        self.limit = limit
    }

    /// Takes so many bytes; `false` if there are too few.
    func take(_ count: Int) -> Bool {
        used.withLock { used in
            guard count <= limit - used else { return false }
            used += count
            return true
        }
    }

    func giveBack(_ count: Int) { used.withLock { $0 -= count } }

    /// Whether so many bytes could be taken now.
    func hasRoom(for count: Int) -> Bool { used.withLock { count <= limit - $0 } }
}
