// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RestTransport

@Suite("The buffer of a streamed request body")
struct UpstreamStateTests {
    typealias State = UpstreamState<Int>

    private let piece = [UInt8](repeating: 1, count: 1_048_576)
    private let read = 65_536

    @Test("A maker of pieces larger than the reads waits until there is room again: the backlog is bounded")
    func backPressure() {
        var state = State()
        var isWaiting = false
        var pushed = 0
        var taken = 0
        var backlog = 0
        while taken < 20 * piece.count {
            if !isWaiting, pushed < 20 * piece.count {
                pushed += piece.count
                if case .wait = state.push(piece, 7) { isWaiting = true }
            }
            backlog = max(backlog, pushed - taken)
            guard case .bytes(let bytes, let waiter) = state.read(upTo: read) else { break }
            taken += bytes.count
            if waiter == 7 {
                #expect(pushed - taken < State.highWater, "there is no room yet")
                isWaiting = false
            }
        }
        #expect(taken == 20 * piece.count)
        #expect(backlog < State.highWater + piece.count)
    }

    @Test("Bytes come out as they went in, whatever the sizes of pieces and reads")
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

    @Test("A body longer than announced fails, and its last announced byte never leaves")
    func tooLong() {
        for pieces in [[10], [5, 5], [5, 1], [3, 3]] {
            var state = State(length: 5)
            var sent = 0
            for count in pieces {
                let push = state.push(Array(repeating: 1, count: count), 7)
                if case .refuse = push { break }
                while case .bytes(let bytes, _) = state.read(upTo: 2) { sent += bytes.count }
            }
            #expect(state.failure == .wrongLength, "\(pieces)")
            #expect(sent < 5, "\(pieces)")
            #expect(name(state.read(upTo: 2)) == "abort")
        }
    }

    @Test("A body shorter than announced fails, and tells a sender that paused")
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

    @Test("A body as long as announced is read to its end, its last byte when the maker has ended")
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

    @Test("A transfer that is over never makes half a body look like a whole one", arguments: [true, false])
    func closed(isMade: Bool) {
        var state = State()
        _ = state.push(piece, 7)
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
