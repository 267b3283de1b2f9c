// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import RestCurl

/// Two sockets connected to each other.
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

    /// Something comes that nobody asked for.
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

    /// A connection in the table; a socket of this kind has no port.
    private func connection(_ pair: SocketPair, number: Int32) throws -> ConnectionTable.Connection {
        let ends = ConnectionTable.Ends(address: "here", port: number, localPort: -1)
        table.add(ends, candidates: [pair.ours], isQuiet: true, isMultiplexed: false)
        return try #require(table.connection(between: ends))
    }

    @Test("One look serves each idle connection once, in its turn only")
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

    @Test("A busy connection, and any of many that are idle, is looked at by itself")
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

    @Test("What is no HTTP/1.1, or is not there any more, is not looked at")
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
