// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport
import Synchronization

/// The state of a connection's thread, which no other thread uses.
///
/// Each turn reads what has arrived, applies the commands of streams, writes what is to be sent, and sleeps until the
/// socket or a command wakes it.
@safe struct HTTP2Thread: ~Copyable {
    /// The size of each buffer between the session and the socket.
    private static let bufferBytes = 64 * 1024
    /// The number of reads in a turn, after which commands and output have their turn.
    private static let readsPerTurn = 8
    /// The number of handlers that may run for each stream that the peer may open.
    ///
    /// A peer that resets its streams at once can open others while the handlers have not finished.
    private static let handlersPerStream = 2

    private let loop: HTTP2Loop
    private let link: any HTTP2Link
    private let session: HTTP2Session
    private let handler: HTTP2Loop.Handler?
    private var cores: [Int32: StreamCore] = [:]
    private var commands: [HTTP2Loop.Command] = []
    private var events: [HTTP2Event] = []
    private let input: UnsafeMutableRawBufferPointer
    private let output: UnsafeMutableRawBufferPointer
    /// The part of the output buffer that the socket has not taken.
    ///
    /// The buffer is filled again when it is empty, because a TLS library that has not taken bytes must get the same
    /// bytes at the same address again.
    private var unsent = 0..<0
    /// The socket and the bell, for which the thread waits.
    private var waits: [pollfd]
    private var lastInterval = ContinuousClock.now
    /// The peer's reason for leaving the connection.
    private var farewell: String?

    init(loop: HTTP2Loop, link: any HTTP2Link, session: HTTP2Session, handler: HTTP2Loop.Handler?) {
        (self.loop, self.link, self.session, self.handler) = (loop, link, session, handler)
        waits = [link.descriptor, loop.bellDescriptor].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        unsafe input = .allocate(byteCount: Self.bufferBytes, alignment: 16)
        unsafe output = .allocate(byteCount: Self.bufferBytes, alignment: 16)
    }

    deinit {
        unsafe input.deallocate()
        unsafe output.deallocate()
    }

    /// The streams that have not ended, and those that the last commands should have opened.
    var streams: [StreamCore] { Array(cores.values) + commands.compactMap(\.opened) }

    /// Runs until the connection ends, and returns the reason.
    mutating func run() -> HTTP2Error {
        do throws(HTTP2Error) {
            var isReadable = false
            while true {
                let mayHaveMore = isReadable ? try readInput() : false
                if loop.collect(into: &commands) { return leave() }
                for command in commands { apply(command) }
                commands.removeAll(keepingCapacity: true)
                try writeOutput()
                if let failure = session.failure { throw failure }
                if session.isOver, unsent.isEmpty { throw lost }
                isReadable = wait(isAwake: mayHaveMore)
            }
        } catch {
            return error
        }
    }

    private var lost: HTTP2Error {
        HTTP2Error(.connectionLost, "the peer closed the connection\(farewell.map { ": \($0)" } ?? "")")
    }

    /// Announces the end of the connection to the peer, if the socket accepts the bytes at once.
    private mutating func leave() -> HTTP2Error {
        session.leave()
        do throws(HTTP2Error) { try writeOutput() } catch {}
        return .shutDown
    }

    /// Sleeps until there is work, and returns whether there may be bytes to read.
    private mutating func wait(isAwake: Bool) -> Bool {
        let isAsleep = !isAwake && loop.fallAsleep()
        waits[0].events = Int16(POLLIN) | (unsent.isEmpty || link.awaitsInput ? 0 : Int16(POLLOUT))
        guard unsafe poll(&waits, nfds_t(waits.count), isAsleep ? -1 : 0) > 0 else { return isAwake }
        if waits[1].revents != 0 { unsafe loop.silenceBell(input) }
        return isAwake || waits[0].revents & ~Int16(POLLOUT) != 0
    }

    /// Uses the link, whose errors end the connection.
    private func transfer<Value>(
        _ body: (any HTTP2Link) throws(TransportError) -> Value
    ) throws(HTTP2Error) -> Value {
        do throws(TransportError) { return try body(link) } catch {
            throw HTTP2Error(.connectionLost, error.message, transport: error)
        }
    }

    // MARK: - Input

    /// Reads what has arrived, and returns whether there may be more, which a TLS library may hold.
    private mutating func readInput() throws(HTTP2Error) -> Bool {
        for _ in 0..<Self.readsPerTurn {
            let arrived = try transfer { link throws(TransportError) in unsafe try link.receive(into: input) }
            guard let count = arrived else { return false }
            guard count > 0 else { throw lost }
            let now = ContinuousClock.now
            if now - lastInterval >= .seconds(1) {
                session.beginInterval()
                lastInterval = now
            }
            // Streams get the events before an error too.
            defer { dispatch() }
            unsafe try session.receive(UnsafeRawBufferPointer(rebasing: input[..<count]))
        }
        return true
    }

    private mutating func dispatch() {
        session.collect(into: &events)
        for event in events { handle(event) }
    }

    private mutating func handle(_ event: HTTP2Event) {
        switch event {
        case .request(let id, let request): begin(id, request)
        case .response(let id, let head): cores[id]?.state.withLock { $0.receive(head: head) }?.resume()
        case .data(let id, let bytes): cores[id]?.state.withLock { $0.receive(bytes) }?.resume()
        case .trailers(let id, let fields): cores[id]?.state.withLock { $0.receive(trailers: fields) }
        case .end(let id): cores[id]?.state.withLock { $0.endPeer() }?.resume()
        case .sent(let id, let count): cores[id]?.state.withLock { $0.sent(count) }?.resume()
        case .closed(let id, let error):
            guard let core = cores.removeValue(forKey: id) else { return }
            // A server that has finished its response stops the client, for which its reader may still wait.
            if let error { core.fail(error) } else { core.state.withLock { $0.endPeer() }?.resume() }
        case .goAway(let code, let reason):
            loop.noteLeaving()
            if code != .noError { farewell = "\(code) \(reason.debugDescription)" }
        }
    }

    /// Runs the handler for a request of the peer, unless too many are running.
    private mutating func begin(_ id: Int32, _ request: HTTP2Request) {
        let most = loop.settings.maximumStreams * Self.handlersPerStream
        guard let handler, loop.runningHandlers.load(ordering: .relaxed) < most else {
            return session.reset(id, .refusedStream)
        }
        let core = StreamCore(loop: loop, role: .server)
        unsafe core.id = id
        cores[id] = core
        loop.runningHandlers.add(1, ordering: .relaxed)
        core.run(
            Task { [loop] in
                await handler(request, HTTP2Stream(core, owner: nil))
                loop.runningHandlers.subtract(1, ordering: .relaxed)
            })
    }

    // MARK: - Output

    private mutating func apply(_ command: HTTP2Loop.Command) {
        switch command {
        case .use(let body): body(session)
        case .open(let core, let request, let isEnd):
            guard core.state.withLock({ $0.error }) == nil else { return }
            do throws(HTTP2Error) {
                let id = try session.open(request, isEnd: isEnd)
                unsafe core.id = id
                cores[id] = core
            } catch {
                core.fail(error)
            }
        }
    }

    /// Writes until the session has nothing to send or the socket takes no more.
    private mutating func writeOutput() throws(HTTP2Error) {
        while true {
            if unsent.isEmpty {
                unsent = 0..<(unsafe try session.fill(output))
                dispatch()
                if unsent.isEmpty { return }
            }
            let count: Int
            do throws(HTTP2Error) {
                count = try transfer { link throws(TransportError) in
                    unsafe try link.send(UnsafeRawBufferPointer(rebasing: output[unsent]))
                }
            } catch {
                // The peer may have said why before it closed the connection.
                _ = try readInput()
                throw error
            }
            guard count > 0 else { return }
            unsent = unsent.lowerBound + count..<unsent.upperBound
        }
    }
}
