// SPDX-License-Identifier: Apache-2.0

import Dispatch
import RestTransport
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
    private let shell: ServerShell
    private let bodies: ByteBudget
    private let suspended = Mutex(Suspended())
    /// A queue and not a task, because tests may block every thread of the task pool.
    private let timer = DispatchQueue(label: "LocalServer.delays")
    private let lanes = WorkLanes()

    private struct Suspended {
        var connections: [UInt64: ServerConnection] = [:]
        var next: UInt64 = 0
        var isStopping = false
    }

    /// The bytes of a rejected body that are read and thrown away before its client gets the response.
    ///
    /// A socket that is closed with unread bytes resets the connection, and the reset may overtake the response
    /// (RFC 9112 9.6).
    private static let mostDiscarded = 256 << 20

    init(_ shell: ServerShell) {
        self.shell = shell
        bodies = ByteBudget(shell.limits.bodyMemory)
    }

    /// The header has arrived.
    func begin(_ exchange: Exchange, _ request: ServerRequest, on connection: ServerConnection) -> Bool {
        exchange.hasBegun = true
        switch shell.admit(request) {
        case .refused(let response):
            // Who waits to be told to go on has not sent the body, and nobody knows the end of one in another coding.
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

    /// A piece of the body has arrived.
    func take(_ piece: RawSpan, _ exchange: Exchange) -> Bool {
        let count = piece.byteCount
        if exchange.refusal == nil, count > exchange.mostBody { refuse(.tooLarge, exchange) }
        exchange.mostBody -= count
        guard exchange.refusal == nil else { return exchange.mostBody >= 0 }
        if let sink = exchange.request?.sink { return sink.take(piece) }
        guard bodies.take(count) else {
            refuse(.noRoom, exchange)
            return true
        }
        exchange.heldBytes += count
        unsafe piece.withUnsafeBytes { unsafe exchange.request?.body.append(contentsOf: $0) }
        return true
    }

    /// Gives a request up whose body cannot be taken; it is answered once the rest of it has come.
    private func refuse(_ refusal: ServerRefusal, _ exchange: Exchange) {
        let response = shell.refuse(refusal, exchange.request)
        giveBack(exchange)
        exchange.refuse(response, discarding: Self.mostDiscarded)
    }

    /// The body is complete, or the connection resumes with its reply.
    func finish(_ exchange: Exchange, on connection: ServerConnection) -> Bool {
        if let reply = exchange.slot?.take() { return send(reply, exchange, on: connection) }
        if let refusal = exchange.refusal { return send(ServerReply(refusal), exchange, on: connection) }
        guard let request = exchange.request else { return false }
        exchange.request = nil
        switch shell.answer(request) {
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
        return connection.send(reply)
    }

    /// The request is over, however it ended.
    func end(_ exchange: Exchange) { giveBack(exchange) }

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
        shell.application.interrupt()
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
    /// Whether the header was looked at.
    var hasBegun = false
    /// The request, until it is answered.
    var request: ServerRequest?
    /// The answer to a request whose body is thrown away.
    var refusal: ServerResponse?
    /// Holds the answer that another thread makes or that is delayed.
    var slot: ReplySlot?
    /// How many bytes of the body may still come.
    var mostBody = 0
    /// The bytes of the budget that the body holds.
    var heldBytes = 0

    init(target: String) {
        self.target = target
    }

    /// Gives the request up; it is answered when its body has come, which ends the connection.
    func refuse(_ response: ServerResponse, discarding count: Int) {
        (request, refusal, mostBody) = (nil, response, count)
        refusal?.fields.append(("Connection", "close"))
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

/// The threads for requests that cannot be answered on the thread that read them.
package enum WorkLane: Sendable, Hashable, CaseIterable {
    /// Short work.
    case brief
    /// Work that may take as long as a query is allowed to.
    case slow

    /// How many pieces of work go on at once; others wait for their turn.
    package var width: Int { 4 }
}

/// The threads beside the server's, and the work that waits for them, in the order it came.
///
/// Queues and not tasks, because tests may block every thread of the task pool.
final class WorkLanes: Sendable {
    typealias Work = @Sendable () -> Void

    private struct Line {
        var waiting: [Work] = []
        /// The position of the next work; taken work is dropped now and then, so that taking one moves nothing.
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

    /// Adds work to a lane; `false` when the lanes are stopping.
    @discardableResult
    func add(_ work: @escaping Work, to lane: WorkLane) -> Bool {
        state.withLock { state in
            guard !state.isStopping else { return false }
            state.lines[lane, default: Line()].waiting.append(work)
            guard state.lines[lane, default: Line()].running < lane.width else { return true }
            state.lines[lane, default: Line()].running += 1
            DispatchQueue(label: "LocalServer.\(lane)").async(group: running) { [self] in drain(lane) }
            return true
        }
    }

    private func drain(_ lane: WorkLane) {
        while let work = next(lane) { work() }
    }

    /// The next work of a lane; with none left the thread is done.
    private func next(_ lane: WorkLane) -> Work? {
        state.withLock { state in
            if let work = state.lines[lane]?.next() { return work }
            state.lines[lane]?.running -= 1
            return nil
        }
    }

    /// Drops what waits, takes nothing more, and returns when what runs has ended.
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
