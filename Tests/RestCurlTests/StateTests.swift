// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestTransport
import Testing

@testable import RestCurl

@Suite("State machines behind the locks")
struct StateTests {
    @Test("One wake-up is enough for all messages until the loop collects them")
    func oneWakeUp() {
        var box = Mailbox<Int>()
        var taken: [Int] = []
        #expect(post(&box, 1) == .startThread)
        #expect(post(&box, 2) == .none)
        #expect(!sleep(&box))
        let isStopping0 = box.collect(into: &taken)
        #expect(!isStopping0)
        #expect(taken == [1, 2])
        #expect(sleep(&box))
        #expect(post(&box, 3) == .wake)
        #expect(post(&box, 4) == .none)
        let isStopping1 = box.collect(into: &taken)
        #expect(!isStopping1)
        #expect(taken == [3, 4])
        #expect(post(&box, 5) == .none)
        #expect(!sleep(&box))
    }

    @Test("Stopping wakes the loop once and rejects later messages")
    func stopping() {
        var box = Mailbox<Int>()
        var taken: [Int] = []
        _ = box.post(1, isFirst: true)
        _ = box.collect(into: &taken)
        #expect(sleep(&box))
        #expect(stop(&box) == .wake)
        #expect(stop(&box) == .none)
        #expect(post(&box, 2) == .refuse)
        #expect(!sleep(&box))
        let isStopping2 = box.collect(into: &taken)
        #expect(isStopping2)
        box.close()
        #expect(stop(&box) == .refuse)
    }

    @Test("A loop that never started does not need to be stopped")
    func stoppingIdle() {
        var box = Mailbox<Int>()
        #expect(stop(&box) == .refuse)
        #expect(post(&box, 1) == .refuse)
    }

    @Test("Only new work starts a loop, and messages about existing work are dropped without one")
    func firstMessage() {
        var box = Mailbox<Int>()
        var taken: [Int] = []
        let early = box.post(1, isFirst: false)
        #expect(early == .refuse)
        #expect(!box.hasMessages)
        #expect(post(&box, 2) == .startThread)
        let later = box.post(3, isFirst: false)
        #expect(later == .none)
        _ = box.collect(into: &taken)
        #expect(taken == [2, 3])
    }

    @Test("The loop sleeps until the earliest deadline, rounded up")
    func sleeping() {
        let now = ContinuousClock.now
        var watch = DeadlineWatch()
        #expect(watch.sleepMilliseconds(now: now) == 60_000)
        watch.add(now + .seconds(3600))
        #expect(watch.sleepMilliseconds(now: now) == 60_000)
        watch.add(now + .microseconds(1500))
        #expect(watch.sleepMilliseconds(now: now) == 2)
        watch.add(now + .seconds(5))
        #expect(watch.sleepMilliseconds(now: now) == 2)
        #expect(watch.sleepMilliseconds(now: now + .seconds(1)) == 0)
        let isEarly = watch.isDue(at: now + .milliseconds(1))
        #expect(!isEarly)
        let isDue = watch.isDue(at: now + .milliseconds(2))
        #expect(isDue)
        #expect(watch.sleepMilliseconds(now: now) == 60_000)
    }

    private func post(_ box: inout Mailbox<Int>, _ message: Int) -> Mailbox<Int>.Action {
        box.post(message, isFirst: true)
    }
    private func stop(_ box: inout Mailbox<Int>) -> Mailbox<Int>.Action { box.stop() }
    private func sleep(_ box: inout Mailbox<Int>) -> Bool { box.fallAsleep() }

    @Test("The buffer is at least as large as one read from a socket, and larger for a file")
    func receiveBufferSize() {
        let (_, attempt) = HTTPResponse.Download(path: "answer").begin(HTTPRequest(url: HTTPURL(path: "/")))
        #expect(ReceiveBufferSize.bytes(for: .memory) >= 32 * 1024)
        #expect(ReceiveBufferSize.bytes(for: .reader(Downstream(overflow: .refuse))) >= 32 * 1024)
        #expect(ReceiveBufferSize.bytes(for: .file(attempt)) > ReceiveBufferSize.bytes(for: .memory))
    }
}

@Suite("Buffers of bodies")
struct BodyBufferPoolTests {
    /// Takes, fills and delivers a buffer repeatedly, while a reader holds the newest buffers.
    private func deliver(_ rounds: Int, from pool: BodyBufferPool, heldByReader: Int) {
        var read: [[UInt8]] = []
        for round in 0..<rounds {
            var buffer = pool.take(capacity: 1 << 20)
            #expect(buffer.isEmpty && buffer.capacity >= 1 << 20)
            buffer.append(UInt8(truncatingIfNeeded: round))
            pool.keep(buffer)
            read.append(buffer)
            if read.count > heldByReader { read.removeFirst() }
            // A buffer that a reader holds is never filled again.
            for (age, held) in read.reversed().enumerated() {
                #expect(held == [UInt8(truncatingIfNeeded: round - age)])
            }
        }
    }

    @Test("the pool has as many buffers as are being read, and then reuses the oldest", arguments: [0, 1, 2, 3, 5])
    func lying(heldByReader: Int) {
        let pool = BodyBufferPool()
        deliver(100, from: pool, heldByReader: heldByReader)
        // The number increases whenever the oldest buffer is still being read, until one is free.
        #expect(pool.readCount == heldByReader)
    }

    @Test("bodies of all sizes leave no more buffers than are needed at one time")
    func sizes() {
        let pool = BodyBufferPool()
        var last: [UInt8] = []
        for round in 0..<200 {
            var buffer = pool.take(capacity: 200_000 + round * 7_919 % 1_000_000)
            buffer.append(1)
            pool.keep(buffer)
            last = buffer
        }
        #expect(last.capacity >= 200_000 && pool.count <= 2 && pool.readCount <= 1)
    }

    @Test("A reader that holds every buffer makes the pool keep only a few")
    func bounded() {
        let pool = BodyBufferPool()
        deliver(100, from: pool, heldByReader: 100)
        #expect(pool.readCount == 8)
        pool.clear()
        #expect(pool.readCount == 0 && pool.isEmpty)
    }
}

private struct SocketPair {
    let ours: Int32
    private let theirs: Int32

    init() {
        var sockets: [Int32] = [0, 0]
        #if canImport(Glibc)
        let type = Int32(SOCK_STREAM.rawValue)
        #else
        let type = SOCK_STREAM
        #endif
        #expect(unsafe socketpair(AF_UNIX, type, 0, &sockets) == 0)
        (ours, theirs) = (sockets[0], sockets[1])
    }

    /// Sends a byte that was not requested.
    func disturb() {
        #expect(unsafe write(theirs, "x", 1) == 1)
    }

    func close() {
        _ = [ours, theirs].map { Foundation.close($0) }
    }
}

@Suite("The table of connections")
struct ConnectionTableTests {
    private let turn = LoopTurn()
    private let table = ConnectionTable()

    init() {
        turn.begin()
    }

    /// Adds a connection to the table, whose socket has no port.
    private func connection(_ pair: SocketPair, number: Int32) throws -> ConnectionTable.Connection {
        let ends = ConnectionTable.Ends(address: "here", port: number, localPort: -1)
        table.add(ends, candidates: [pair.ours], isQuiet: true, isMultiplexed: false)
        return try #require(table.connection(between: ends))
    }

    @Test("One check covers each idle connection once, and only in its own turn")
    func oneLook() throws {
        let pairs = [SocketPair(), SocketPair()]
        defer { pairs.forEach { $0.close() } }
        let first = try connection(pairs[0], number: 1)
        let second = try connection(pairs[1], number: 2)
        table.lookAtIdle(for: 2, in: turn)
        pairs[0].disturb()
        #expect(!table.hasInput(first, in: turn), "the look of this turn counts")
        #expect(table.hasInput(first, in: turn), "the next request there comes after an answer")
        pairs[1].disturb()
        turn.begin()
        #expect(table.hasInput(second, in: turn), "the look of the last turn does not count")
        table.lookAtIdle(for: 2, in: turn)
        #expect(table.hasInput(first, in: turn) && table.hasInput(second, in: turn))
    }

    @Test("A busy connection, and each of many idle connections, is checked separately")
    func ownLook() throws {
        let pairs = (0..<10).map { _ in SocketPair() }
        defer { pairs.forEach { $0.close() } }
        let connections = try pairs.indices.map { try connection(pairs[$0], number: Int32($0)) }
        connections[0].requests = 1
        table.lookAtIdle(for: 10, in: turn)
        pairs[0].disturb()
        #expect(table.hasInput(connections[0], in: turn))
        turn.begin()
        table.lookAtIdle(for: 2, in: turn)
        pairs[9].disturb()
        #expect(table.hasInput(connections[9], in: turn))
    }

    @Test("A connection that is not HTTP/1.1, or no longer exists, is not checked")
    func noLook() throws {
        let pair = SocketPair()
        defer { pair.close() }
        let one = try connection(pair, number: 1)
        pair.disturb()
        one.isQuiet = false
        #expect(!table.hasInput(one, in: turn))
        table.remove(pair.ours)
        let ends = ConnectionTable.Ends(address: "here", port: 1, localPort: -1)
        #expect(table.connection(between: ends) == nil)
    }
}

@Suite("The multi handle")
struct MultiHandleTests {
    @Test("A transfer that libcurl rejects is an error immediately, and not at the deadline")
    func refusedTransfer() throws {
        let configuration = CurlConfiguration()
        let multi = try #require(MultiHandle(configuration: configuration))
        let handle = try EasyHandle(
            configuration: configuration, buffers: BodyBufferPool(), multi: multi, turn: LoopTurn())
        try multi.add(handle)
        let error = #expect(throws: TransportError.self) { try multi.add(handle) }
        #expect(error?.mayHaveReachedServer == false)
        multi.remove(handle)
    }
}
