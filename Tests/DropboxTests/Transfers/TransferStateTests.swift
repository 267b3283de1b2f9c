// SPDX-License-Identifier: Apache-2.0

import RestTesting
import Testing

@testable import Dropbox

@Suite("The states of a transfer")
struct TransferStateTests {
    private func running() -> TransferState {
        var state = TransferState()
        _ = state.start()
        return state
    }

    @Test("It begins once, and its first attempt's result is its own")
    func plain() {
        var state = TransferState()
        #expect(state.start() == .begin(attempt: 1, isFresh: true))
        #expect(state.start() == nil)
        #expect(state.ended(isSuccess: false) == .deliver)
        #expect(state.phase == .over)
        #expect(state.start() == nil)
        #expect(state.resume() == nil)
        #expect(state.pause() == nil)
        #expect(state.cancel() == nil)
    }

    @Test("A pause ends the attempt; resuming begins one that goes on, after the end of the one before")
    func pause() {
        var state = running()
        #expect(state.pause() == .stop)
        #expect(state.pause() == nil)
        #expect(state.ended(isSuccess: false) == nil)
        #expect(state.phase == .paused)
        #expect(state.resume() == .begin(attempt: 2, isFresh: false))
        #expect(state.pause() == .stop)
        #expect(state.resume() == nil)
        #expect(state.ended(isSuccess: false) == .begin(attempt: 3, isFresh: false))
    }

    @Test("A pause before the beginning holds it, and asking for the result does not begin it")
    func held() {
        var state = TransferState()
        #expect(state.pause() == nil)
        #expect(state.start() == nil)
        #expect(state.resume() == .begin(attempt: 1, isFresh: true))
    }

    @Test("A success that a pause came too late for is the result")
    func lateStop() {
        var state = running()
        _ = state.pause()
        #expect(state.ended(isSuccess: true) == .deliver)
        #expect(state.phase == .over)
    }

    @Test("A restart throws away what was there, also after the end and after a cancellation")
    func restart() {
        var state = running()
        #expect(state.restart() == .stop)
        #expect(state.restart() == nil)
        #expect(state.ended(isSuccess: true) == .begin(attempt: 2, isFresh: true))
        #expect(state.ended(isSuccess: true) == .deliver)
        #expect(state.restart() == .begin(attempt: 3, isFresh: true))
        #expect(state.cancel() == .deliverCancelled(stopsAttempt: true))
        #expect(state.restart() == nil)
        #expect(state.ended(isSuccess: true) == .begin(attempt: 4, isFresh: true))
    }

    @Test("A restart is not undone by a pause")
    func pausedRestart() {
        var state = running()
        _ = state.restart()
        #expect(state.pause() == nil)
        #expect(state.ended(isSuccess: true) == nil)
        #expect(state.resume() == .begin(attempt: 2, isFresh: true))
    }

    @Test("A cancellation is the end, whatever the attempt comes to")
    func cancel() {
        var cold = TransferState()
        #expect(cold.cancel() == .deliverCancelled(stopsAttempt: false))
        var state = running()
        _ = state.pause()
        #expect(state.cancel() == .deliverCancelled(stopsAttempt: false))
        #expect(state.ended(isSuccess: true) == nil)
        #expect(state.phase == .over)
    }

    @Test(
        "Whatever happens, one attempt runs at a time and one result is delivered", arguments: 0..<50 as Range<UInt64>)
    func anything(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var state = TransferState()
        var (isUnderWay, isOver, last) = (false, false, 0)
        for _ in 0..<200 {
            let choice = Int.random(in: 0..<6, using: &random)
            if choice == 5, !isUnderWay { continue }
            let effect: TransferState.Effect? =
                switch choice {
                case 0: state.start()
                case 1: state.resume()
                case 2: state.pause()
                case 3: state.restart()
                case 4: state.cancel()
                default: state.ended(isSuccess: Bool.random(using: &random))
                }
            if choice == 3 { isOver = false }
            if choice == 5 { isUnderWay = false }
            switch effect {
            case .begin(let attempt, _):
                #expect(!isUnderWay && !isOver && attempt == last + 1)
                (isUnderWay, last) = (true, attempt)
            case .stop: #expect(isUnderWay)
            case .deliver, .deliverCancelled:
                #expect(!isOver)
                isOver = true
            case nil: break
            }
            #expect((state.phase == .over) == isOver)
        }
    }
}
