// SPDX-License-Identifier: Apache-2.0

import RestTransport
import Testing

@Suite("The buffer of a streamed body")
struct StreamBufferTests {
    typealias Buffer = StreamBuffer<Int>

    private let block = [UInt8](repeating: 1, count: Buffer.highWater)

    @Test("A full buffer suspends its task once, and reading it lets the task go on")
    func suspends() {
        var buffer = Buffer(overflow: .suspend)
        #expect(name(buffer.offer([1])) == "taken")
        #expect(name(buffer.offer(block)) == "pause")
        #expect(name(buffer.offer([2])) == "taken", "what was under way is kept")
        #expect(name(buffer.next(7)) == "piece of \(block.count + 2), paused")
        #expect(name(buffer.next(7)) == "wait")
        #expect(name(buffer.offer([3])) == "resume 7 with 1")
    }

    @Test("A full buffer refuses the piece that does not fit, which comes again when it was read")
    func pauses() {
        var buffer = Buffer(overflow: .refuse)
        #expect(name(buffer.offer(block)) == "taken")
        #expect(name(buffer.offer([1, 2])) == "pause")
        #expect(name(buffer.next(7)) == "piece of \(block.count), paused")
        #expect(name(buffer.offer([1, 2])) == "taken")
        #expect(name(buffer.next(7)) == "piece of 2")
    }

    @Test("Readers who wait at the same time get one piece after the other, and all of them the end")
    func readers() {
        for overflow in [Buffer.Overflow.refuse, .suspend, .spool] {
            var buffer = Buffer(overflow: overflow)
            for reader in 1...3 { #expect(name(buffer.next(reader)) == "wait") }
            #expect(name(buffer.offer([1])) == "resume 1 with 1")
            #expect(buffer.finish(nil)?.waiters == [2, 3])
            #expect(name(buffer.next(1)) == "end")
        }
    }

    @Test("A full buffer goes on in the file, in order, and in memory again when the file was read")
    func spools() {
        var buffer = Buffer(overflow: .spool)
        #expect(name(buffer.offer(block)) == "taken")
        #expect(name(buffer.offer(block)) == "spool")
        #expect(name(buffer.offer([1, 2])) == "spool")
        #expect(name(buffer.next(7)) == "piece of \(block.count)")
        #expect(name(buffer.offer([3])) == "spool", "it is newer than the file")
        #expect(name(buffer.next(7)) == "unspool \(block.count)")
        #expect(name(buffer.next(7)) == "unspool 3")
        #expect(name(buffer.offer([4])) == "taken")
        #expect(name(buffer.next(7)) == "piece of 1")
    }

    @Test("A body is read as far as it came, then its reader is told of the end or the break")
    func ends() {
        var complete = Buffer(overflow: .spool)
        _ = complete.offer(block)
        _ = complete.offer([1])
        #expect(complete.finish(nil)?.waiters == [])
        #expect(name(complete.offer([1])) == "refuse")
        #expect(name(complete.next(7)) == "piece of \(block.count)")
        #expect(name(complete.next(7)) == "unspool 1")
        #expect(name(complete.next(7)) == "end")
        #expect(name(complete.next(7)) == "end")
        var broken = Buffer(overflow: .suspend)
        _ = broken.offer(block)
        _ = broken.finish(TransportError(.connectionLost, "", mayHaveReachedServer: true))
        #expect(name(broken.next(7)) == "piece of \(block.count)")
        #expect(name(broken.next(7)) == "connectionLost")
        #expect(name(broken.next(7)) == "connectionLost")
        var waiting = Buffer(overflow: .suspend)
        #expect(name(waiting.next(7)) == "wait")
        #expect(waiting.finish(nil)?.waiters == [7])
    }

    private func name(_ offer: Buffer.Offer) -> String {
        switch offer {
        case .taken: "taken"
        case .pause: "pause"
        case .resume(let waiter, let piece): "resume \(waiter) with \((try? piece.get())?.count ?? 0)"
        case .spool: "spool"
        case .refuse: "refuse"
        }
    }

    private func name(_ next: Buffer.Next) -> String {
        switch next {
        case .wait: "wait"
        case .unspool(let count): "unspool \(count)"
        case .piece(.failure(let error), _): error.code.rawValue
        case .piece(.success(nil), _): "end"
        case .piece(.success(let bytes?), let wasPaused):
            "piece of \(bytes.count)" + (wasPaused ? ", paused" : "")
        }
    }
}
