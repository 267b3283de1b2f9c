// SPDX-License-Identifier: Apache-2.0

import Dispatch
import RestTransport
import Synchronization

/// A reply that one thread makes for the thread that serves the connection.
final class ReplySlot: Sendable {
    private let reply = Mutex<ServerReply?>(nil)

    func put(_ made: ServerReply) { reply.withLock { $0 = made } }
    func take() -> ServerReply? { reply.withLock { $0 } }
}

/// The steps of a request, called by libmicrohttpd's threads.
///
/// A step that returns `false` closes the connection.
final class ServerCore: Sendable {
    private let shell: ServerShell
    private let bodies: ByteBudget
    private let suspended = Mutex(Suspended())
    /// A queue and not a task, because tests may block every thread of the task pool.
    private let timer = DispatchQueue(label: "LocalServer.delays")
    private let lanes = WorkLanes()
    /// The number of open connections.
    let connectionCount = Atomic(0)

    private struct Suspended {
        var connections: [UInt64: ServerConnection] = [:]
        var next: UInt64 = 0
        var isStopping = false
    }

    /// The number of bytes of a rejected body that are read and discarded before the response.
    ///
    /// A socket that is closed with unread bytes resets the connection, and the reset may overtake the response (RFC
    /// 9112 9.6).
    private static let mostDiscarded = 256 << 20

    init(_ shell: ServerShell) {
        self.shell = shell
        bodies = ByteBudget(shell.limits.bodyMemory)
    }

    /// The head has arrived.
    func begin(_ exchange: Exchange, _ request: ServerRequest, on connection: ServerConnection) -> Bool {
        exchange.hasBegun = true
        switch shell.admit(request) {
        case .refused(let response):
            // A client that expects 100 has not sent the body, and the end of a body in another coding is unknown.
            let coding = request.fields["Transfer-Encoding"]?.lowercased() ?? "chunked"
            guard request.hasBody, request.fields["Expect"] == nil, coding == "chunked",
                request.announcedLength ?? 0 <= Self.mostDiscarded
            else { return send(ServerReply(response), exchange, on: connection) }
            exchange.refuse(response, discarding: Self.mostDiscarded)
        case .accepted(let mostBody):
            (exchange.request, exchange.mostBody) = (request, mostBody)
            if !bodies.hasRoom(for: request.announcedLength ?? 0) { refuse(.noRoom, exchange) }
        case .streamed(let sink, let mostBody):
            (exchange.request, exchange.mostBody) = (request, mostBody)
            exchange.request?.sink = sink
        }
        return true
    }

    /// A chunk of the body has arrived.
    func take(_ chunk: RawSpan, _ exchange: Exchange) -> Bool {
        let count = chunk.byteCount
        if exchange.rejection == nil, count > exchange.mostBody { refuse(.tooLarge, exchange) }
        exchange.mostBody -= count
        guard exchange.rejection == nil else { return exchange.mostBody >= 0 }
        if let sink = exchange.request?.sink { return sink.take(chunk) }
        guard bodies.take(count) else {
            refuse(.noRoom, exchange)
            return true
        }
        exchange.heldBytes += count
        unsafe chunk.withUnsafeBytes { unsafe exchange.request?.body.append(contentsOf: $0) }
        return true
    }

    /// Rejects a request whose body cannot be taken, with a response after the rest of the body.
    private func refuse(_ rejection: ServerRejection, _ exchange: Exchange) {
        let response = shell.refuse(rejection, exchange.request)
        giveBack(exchange)
        exchange.refuse(response, discarding: Self.mostDiscarded)
    }

    /// The body is complete, or the connection resumes with its reply.
    func finish(_ exchange: Exchange, on connection: ServerConnection) -> Bool {
        if let reply = exchange.slot?.take() { return send(reply, exchange, on: connection) }
        if let rejection = exchange.rejection { return send(ServerReply(rejection), exchange, on: connection) }
        guard let request = exchange.request else { return false }
        exchange.request = nil
        switch shell.respond(request) {
        case .ready(let reply) where reply.delay <= .zero: return send(reply, exchange, on: connection)
        case let response:
            let slot = ReplySlot()
            exchange.slot = slot
            guard let number = suspend(connection) else { return false }
            advance(response, number, slot)
            return true
        }
    }

    /// Continues a suspended request: to a lane, to its delay, or to its response.
    private func advance(_ response: ServerAction, _ number: UInt64, _ slot: ReplySlot) {
        switch response {
        case .later(let lane, let work):
            lanes.add({ [weak self] in self?.advance(work(), number, slot) }, to: lane)
        case .promised(let begin):
            begin { [weak self] response in self?.advance(response, number, slot) }
        case .ready(let reply):
            slot.put(reply)
            guard reply.delay > .zero else { return resume(number) }
            timer.asyncAfter(deadline: .now() + (reply.delay / .seconds(1))) { [weak self] in self?.resume(number) }
        }
    }

    private func send(_ reply: ServerReply, _ exchange: Exchange, on connection: ServerConnection) -> Bool {
        giveBack(exchange)
        return connection.send(reply)
    }

    /// The request has ended, successful or not.
    func end(_ exchange: Exchange) { giveBack(exchange) }

    private func giveBack(_ exchange: Exchange) {
        bodies.giveBack(exchange.heldBytes)
        exchange.heldBytes = 0
    }

    /// Suspends and records the connection in one step, so no resumption can come between.
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

    /// Stops the work on other threads, resumes all suspended requests and suspends no more.
    ///
    /// libmicrohttpd requires this before it stops.
    func stop() {
        suspended.withLock { $0.isStopping = true }
        shell.application.interrupt()
        lanes.stop()
        suspended.withLock { suspended in
            for connection in suspended.connections.values { connection.resume() }
            suspended.connections.removeAll()
        }
    }
}

/// The state of one request in the server.
///
/// Only the thread that serves its connection uses it.
final class Exchange {
    let target: String
    /// Whether the head was checked.
    var hasBegun = false
    /// The request until the response.
    var request: ServerRequest?
    /// The response to a request whose body is discarded.
    var rejection: ServerResponse?
    /// The response of another thread, or a delayed response.
    var slot: ReplySlot?
    /// The number of bytes of the body that may still arrive.
    var mostBody = 0
    /// The bytes of the budget that the body holds.
    var heldBytes = 0

    init(target: String) {
        self.target = target
    }

    /// Rejects the request, with a response after the body that closes the connection.
    func refuse(_ response: ServerResponse, discarding count: Int) {
        (request, rejection, mostBody) = (nil, response, count)
        rejection?.fields.append(("Connection", "close"))
    }
}

/// The maximum number of bytes in memory for all requests together.
final class ByteBudget: Sendable {
    private let limit: Int
    private let used = Mutex(0)

    init(_ limit: Int) {
        self.limit = limit
    }

    /// Takes `count` bytes, or returns `false` if too few are left.
    func take(_ count: Int) -> Bool {
        used.withLock { used in
            guard count <= limit - used else { return false }
            used += count
            return true
        }
    }

    func giveBack(_ count: Int) { used.withLock { $0 -= count } }

    /// Whether `count` bytes are left.
    func hasRoom(for count: Int) -> Bool { used.withLock { count <= limit - $0 } }
}

/// The threads for requests that take longer.
package enum WorkLane: Sendable, Hashable, CaseIterable {
    /// Short work.
    case brief
    /// Work that may take as long as a query.
    case slow

    /// The maximum number of running jobs, while others wait in the queue.
    package var width: Int { 4 }
}

/// The threads in addition to the server's, and their queued work in order.
///
/// Queues and not tasks, because tests may block every thread of the task pool.
final class WorkLanes: Sendable {
    typealias Work = @Sendable () -> Void

    private struct Line {
        var waiting: [Work] = []
        /// The position of the next work, because finished work is dropped in batches.
        var head = 0
        var running = 0

        mutating func next() -> Work? {
            guard head < waiting.count else {
                waiting.removeAll()
                head = 0
                return nil
            }
            defer { head += 1 }
            if head >= 1_024 {
                waiting.removeFirst(head)
                head = 0
            }
            return waiting[head]
        }
    }

    private struct State {
        var lines: [WorkLane: Line] = [:]
        var isStopping = false
    }

    private let state = Mutex(State())
    private let running = DispatchGroup()

    /// Adds work to a lane, or returns `false` if the lanes are stopping.
    @discardableResult
    func add(_ work: @escaping Work, to lane: WorkLane) -> Bool {
        state.withLock { state in
            guard !state.isStopping else { return false }
            state.lines[lane, default: Line()].waiting.append(work)
            guard state.lines[lane, default: Line()].running < lane.width else { return true }
            state.lines[lane, default: Line()].running += 1
            DispatchQueue(label: "LocalServer.\(lane)").async(group: running) { [self] in
                while let work = next(lane) { work() }
            }
            return true
        }
    }

    private func next(_ lane: WorkLane) -> Work? {
        state.withLock { state in
            if let work = state.lines[lane]?.next() { return work }
            state.lines[lane]?.running -= 1
            return nil
        }
    }

    /// Drops queued work, accepts no more, and returns after running work has ended.
    func stop() {
        let dropped = state.withLock { state in
            state.isStopping = true
            let dropped = state.lines.values.map(\.waiting)
            for lane in WorkLane.allCases { state.lines[lane]?.waiting.removeAll() }
            for lane in WorkLane.allCases { state.lines[lane]?.head = 0 }
            return dropped
        }
        withExtendedLifetime(dropped) {}
        running.wait()
    }
}
