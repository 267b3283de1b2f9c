// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RestTransport

@Suite("The buffer of a streamed response body")
struct StreamBufferTests {
    typealias Buffer = StreamBuffer<Int>

    private let block = [UInt8](repeating: 1, count: Buffer.highWater)

    @Test("A full buffer suspends the task once, and a read resumes it")
    func suspends() {
        var buffer = Buffer(overflow: .suspend)
        #expect(name(buffer.offer([1])) == "taken")
        #expect(name(buffer.offer(block)) == "pause")
        #expect(name(buffer.offer([2])) == "taken", "what was under way is kept")
        #expect(name(buffer.next(7)) == "piece of \(block.count + 2), paused")
        #expect(name(buffer.next(7)) == "wait")
        #expect(name(buffer.offer([3])) == "resume 7 with 1")
    }

    @Test("A full buffer rejects a chunk that does not fit, and the chunk is offered again after a read")
    func pauses() {
        var buffer = Buffer(overflow: .refuse)
        #expect(name(buffer.offer(block)) == "taken")
        #expect(name(buffer.offer([1, 2])) == "pause")
        #expect(name(buffer.next(7)) == "piece of \(block.count), paused")
        #expect(name(buffer.offer([1, 2])) == "taken")
        #expect(name(buffer.next(7)) == "piece of 2")
    }

    @Test("Concurrent readers get one chunk each, and then all readers see the end")
    func readers() {
        for overflow in [Buffer.Overflow.refuse, .suspend, .keep] {
            var buffer = Buffer(overflow: overflow)
            for reader in 1...3 { #expect(name(buffer.next(reader)) == "wait") }
            #expect(name(buffer.offer([1])) == "resume 1 with 1")
            #expect(buffer.finish(nil)?.waiters == [2, 3])
            #expect(name(buffer.next(1)) == "end")
        }
    }

    @Test("If a transport cannot pause, the buffer keeps all chunks in order")
    func keeps() {
        var buffer = Buffer(overflow: .keep)
        for chunk in [block, block, [1, 2]] { #expect(name(buffer.offer(chunk)) == "taken") }
        #expect(name(buffer.next(7)) == "piece of \(2 * block.count + 2)")
        #expect(name(buffer.offer([4])) == "taken")
        #expect(name(buffer.next(7)) == "piece of 1")
    }

    @Test("The received bytes are read first, and then the reader gets the end or the error")
    func ends() {
        var complete = Buffer(overflow: .keep)
        _ = complete.offer(block)
        _ = complete.offer([1])
        #expect(complete.finish(nil)?.waiters == [])
        #expect(name(complete.offer([1])) == "refuse")
        #expect(name(complete.next(7)) == "piece of \(block.count + 1)")
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
        case .resume(let waiter, let chunk): "resume \(waiter) with \((try? chunk.get())?.count ?? 0)"
        case .refuse: "refuse"
        }
    }

    private func name(_ next: Buffer.Next) -> String {
        switch next {
        case .wait: "wait"
        case .chunk(.failure(let error), _): error.code.rawValue
        case .chunk(.success(nil), _): "end"
        case .chunk(.success(let bytes?), let wasPaused):
            "piece of \(bytes.count)" + (wasPaused ? ", paused" : "")
        }
    }
}

@Suite("The buffer of a streamed request body")
struct UpstreamStateTests {
    typealias State = UpstreamState<Int>

    private let chunk = [UInt8](repeating: 1, count: 1_048_576)
    private let read = 65_536

    @Test("A source with chunks larger than the reads waits for space, so the backlog is bounded")
    func backPressure() {
        var state = State()
        var isWaiting = false
        var pushed = 0
        var taken = 0
        var backlog = 0
        while taken < 20 * chunk.count {
            if !isWaiting, pushed < 20 * chunk.count {
                pushed += chunk.count
                if case .wait = state.push(chunk, 7) { isWaiting = true }
            }
            backlog = max(backlog, pushed - taken)
            guard case .bytes(let bytes, let waiter) = state.read(upTo: read) else { break }
            taken += bytes.count
            if waiter == 7 {
                #expect(pushed - taken < State.highWater, "there is no room yet")
                isWaiting = false
            }
        }
        #expect(taken == 20 * chunk.count)
        #expect(backlog < State.highWater + chunk.count)
    }

    @Test("Bytes are read in the order in which they were written, regardless of the sizes of chunks and reads")
    func order() {
        var state = State()
        var source = 0
        var result: [UInt8] = []
        for step in 1...400 {
            let bytes = (0..<(step * 37 % 211)).map { UInt8(truncatingIfNeeded: source + $0) }
            source += bytes.count
            _ = state.push(bytes, step)
            if step.isMultiple(of: 3), case .bytes(let bytes, _) = state.read(upTo: step * 53 % 307 + 1) {
                result += bytes
            }
        }
        _ = state.finish(nil)
        while case .bytes(let bytes, _) = state.read(upTo: 100) { result += bytes }
        #expect(result == (0..<source).map { UInt8(truncatingIfNeeded: $0) })
        #expect(name(state.read(upTo: 1)) == "end")
    }

    @Test("A body longer than announced fails, and its last announced byte is not sent")
    func tooLong() {
        for chunks in [[10], [5, 5], [5, 1], [3, 3]] {
            var state = State(length: 5)
            var sent = 0
            for count in chunks {
                let push = state.push(Array(repeating: 1, count: count), 7)
                if case .refuse = push { break }
                while case .bytes(let bytes, _) = state.read(upTo: 2) { sent += bytes.count }
            }
            #expect(state.failure == .wrongLength, "\(chunks)")
            #expect(sent < 5, "\(chunks)")
            #expect(name(state.read(upTo: 2)) == "abort")
        }
    }

    @Test("A body shorter than announced fails, and a paused sender is resumed")
    func tooShort() {
        var state = State(length: 5)
        _ = state.push([1, 2], 7)
        #expect(name(state.read(upTo: 9)) == "2 bytes")
        #expect(name(state.read(upTo: 9)) == "pause")
        let isToTell = state.finish(nil)
        #expect(isToTell)
        #expect(state.failure == .wrongLength)
        #expect(name(state.read(upTo: 9)) == "abort")
    }

    @Test("A body as long as announced is sent completely, its last byte only after the source has ended")
    func announced() {
        var state = State(length: 5)
        _ = state.push([1, 2, 3, 4, 5], 7)
        #expect(name(state.read(upTo: 9)) == "4 bytes")
        #expect(name(state.read(upTo: 9)) == "pause")
        let isToTell = state.finish(nil)
        #expect(isToTell)
        #expect(name(state.read(upTo: 9)) == "1 bytes")
        #expect(name(state.read(upTo: 9)) == "end")
        #expect(state.failure == nil)
    }

    @Test("After a transfer has ended, an incomplete body does not look complete", arguments: [true, false])
    func closed(isMade: Bool) {
        var state = State()
        _ = state.push(chunk, 7)
        if isMade { _ = state.finish(nil) }
        _ = state.read(upTo: read)
        #expect(state.close() == 7)
        #expect(name(state.read(upTo: read)) == "abort")
        guard case .refuse = state.push([1], 8) else {
            Issue.record("the maker goes on")
            return
        }
        #expect(state.failure == nil)
    }

    private func name(_ read: State.Read) -> String {
        switch read {
        case .bytes(let bytes, _): "\(bytes.count) bytes"
        case .end: "end"
        case .pause: "pause"
        case .abort: "abort"
        }
    }
}

@Suite("Limits on bodies in memory")
struct BodyLimitsTests {
    private let mebibyte = 1_048_576

    @Test("A body up to the limit is accepted, and one more byte is rejected")
    func size() {
        let limits = BodyLimits(maximumBytes: 100, maximumRatio: 250)
        #expect(limits.rejection(of: 100) == nil)
        #expect(limits.rejection(of: 101) == "the body is larger than 100 bytes")
        #expect(limits.rejection(of: 101, packedBytes: 100) == "the body is larger than 100 bytes")
    }

    @Test("A compressed body may expand to 4 MiB at any ratio, and beyond that only by the maximum ratio")
    func ratio() {
        let limits = BodyLimits(maximumBytes: .max, maximumRatio: 10)
        #expect(limits.rejection(of: 4 * mebibyte, packedBytes: 1) == nil)
        #expect(limits.rejection(of: 4 * mebibyte + 1, packedBytes: 1)?.contains("bomb") == true)
        #expect(limits.rejection(of: 5 * mebibyte, packedBytes: mebibyte / 2) == nil)
        #expect(limits.rejection(of: 5 * mebibyte + 10, packedBytes: mebibyte / 2)?.contains("bomb") == true)
        #expect(limits.rejection(of: 5 * mebibyte) == nil, "it was not packed")
    }

    @Test("A maximum ratio below one counts as one, and large numbers do not overflow")
    func extremes() {
        let limits = BodyLimits(maximumBytes: .max, maximumRatio: 0)
        #expect(limits.rejection(of: .max, packedBytes: .max) == nil)
        #expect(limits.rejection(of: .max, packedBytes: 1) != nil)
    }

    @Test("At most 8 MiB are reserved for an announced length")
    func reservation() {
        let limits = BodyLimits(maximumBytes: .max, maximumRatio: 1)
        #expect(limits.reservation(for: 600) == 600)
        #expect(limits.reservation(for: .max) == 8 * mebibyte)
    }
}

@Suite("Timeouts of a transfer")
struct TransferActivityTests {
    private let start = ContinuousClock.now
    private var deadline: ContinuousClock.Instant { start + .seconds(100) }

    private func lateness(
        after seconds: Int, firstByte: Duration? = nil, idle: Duration? = nil,
        _ change: (inout TransferActivity) -> Void = { _ in }
    ) -> TransferActivity.Lateness {
        var activity = TransferActivity(last: start)
        change(&activity)
        return activity.lateness(at: start + .seconds(seconds), deadline: deadline, firstByte: firstByte, idle: idle)
    }

    @Test("A transfer fails at its deadline in every state")
    func total() {
        #expect(lateness(after: 99) == .none(next: deadline))
        #expect(lateness(after: 100) == .late("the deadline passed"))
        #expect(lateness(after: 100) { $0.isPaused = true } == .late("the deadline passed"))
    }

    @Test("The timeout for the first byte runs from the end of the request to the response head")
    func firstByte() {
        let limit = Duration.seconds(5)
        #expect(lateness(after: 9, firstByte: limit) == .none(next: start + .seconds(14)), "it has not left")
        #expect(lateness(after: 4, firstByte: limit) { $0.hasLeft = true } == .none(next: start + .seconds(5)))
        let late = lateness(after: 5, firstByte: limit) { $0.hasLeft = true }
        #expect(late == .late("no response arrived within firstByteTimeout"))
        #expect(
            lateness(after: 5, firstByte: limit) {
                $0.hasLeft = true
                $0.hasHead = true
            } == .none(next: deadline))
    }

    @Test("An idle body times out, unless its reader has paused it")
    func idle() {
        let limit = Duration.seconds(5)
        func body(_ activity: inout TransferActivity) {
            activity.hasLeft = true
            activity.hasHead = true
        }
        #expect(lateness(after: 4, idle: limit, body) == .none(next: start + .seconds(5)))
        #expect(lateness(after: 5, idle: limit, body) == .late("no bytes were sent or received within idleTimeout"))
        #expect(
            lateness(after: 5, idle: limit) {
                body(&$0)
                $0.isPaused = true
            } == .none(next: start + .seconds(10)))
        #expect(lateness(after: 5, idle: limit) { $0.hasLeft = true } == .none(next: start + .seconds(10)))
        let upload = lateness(after: 5, idle: limit) {
            $0.hasLeft = true
            $0.isSending = true
        }
        #expect(upload == .late("no bytes were sent or received within idleTimeout"))
    }
}
