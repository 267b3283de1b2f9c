// SPDX-License-Identifier: Apache-2.0

import RestTransport
import Testing

@testable import RestURLSession

@Suite("The buffer of a streamed body")
struct StreamBufferTests {
    typealias Buffer = StreamBuffer<Int>

    private let block = [UInt8](repeating: 1, count: Buffer.highWater)

    @Test("A full buffer suspends its task once, and reading it lets the task go on")
    func suspends() {
        var buffer = Buffer(overflow: .suspend)
        #expect(name(buffer.offer([1])) == "taken")
        #expect(name(buffer.offer(block)) == "suspend")
        #expect(name(buffer.offer([2])) == "taken", "what was under way is kept")
        #expect(name(buffer.next(7)) == "piece of \(block.count + 2), suspended")
        #expect(name(buffer.next(7)) == "wait")
        #expect(name(buffer.offer([3])) == "resume 7 with 1")
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

    @Test("A complete body is read to its end, a broken one is an error at once")
    func ends() {
        var complete = Buffer(overflow: .spool)
        _ = complete.offer(block)
        _ = complete.offer([1])
        #expect(complete.finish(nil)?.0 == nil)
        #expect(name(complete.offer([1])) == "refuse")
        #expect(name(complete.next(7)) == "piece of \(block.count)")
        #expect(name(complete.next(7)) == "unspool 1")
        #expect(name(complete.next(7)) == "end")
        #expect(name(complete.next(7)) == "end")
        var broken = Buffer(overflow: .suspend)
        _ = broken.offer(block)
        _ = broken.finish(TransportError(.connectionLost, "", mayHaveReachedServer: true))
        #expect(name(broken.next(7)) == "connectionLost")
        var waiting = Buffer(overflow: .suspend)
        #expect(name(waiting.next(7)) == "wait")
        #expect(waiting.finish(nil)?.0 == 7)
    }

    private func name(_ offer: Buffer.Offer) -> String {
        switch offer {
        case .taken: "taken"
        case .suspend: "suspend"
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
        case .piece(.success(let bytes?), let wasSuspended):
            "piece of \(bytes.count)" + (wasSuspended ? ", suspended" : "")
        }
    }
}
