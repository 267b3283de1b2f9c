// SPDX-License-Identifier: Apache-2.0

import RestTesting
import RestTransport
import Synchronization
import Testing

@testable import Dropbox

@Suite("Transfers")
struct TransferTests {
    private typealias Job = Transfer<Int, Files.UploadError>

    /// Attempts that report their start, and end when the test ends them or when they are stopped.
    private final class Script: Sendable {
        let begun = AsyncStream<TransferAttempt>.makeStream()
        let endings = Mutex<[Int: CheckedContinuation<Bool, Never>]>([:])

        func run(_ attempt: TransferAttempt) async -> Job.Outcome {
            let isDone = await withTaskCancellationHandler {
                await withCheckedContinuation { ending in
                    endings.withLock { $0[attempt.number] = ending }
                    if Task.isCancelled { end(attempt.number, false) }
                    begun.continuation.yield(attempt)
                }
            } onCancel: {
                end(attempt.number, false)
            }
            return isDone ? .success(attempt.number) : .failure(.rest(RestError(.cancelled, "stopped")))
        }

        func end(_ number: Int, _ isDone: Bool) {
            endings.withLock { $0.removeValue(forKey: number) }?.resume(returning: isDone)
        }
    }

    private let script = Script()

    private func transfer() -> Job {
        Job { [script] attempt in await script.run(attempt) }
    }

    @Test("a transfer starts when its value is requested, and all waiting tasks get the value")
    func value() async throws {
        let transfer = transfer()
        async let first = transfer.value
        async let second = transfer.value
        var begun = script.begun.stream.makeAsyncIterator()
        #expect(await begun.next()?.number == 1)
        script.end(1, true)
        let values = try await [first, second, transfer.value]
        #expect(values == [1, 1, 1])
    }

    @Test("a pause stops the attempt while tasks keep waiting, and resuming continues the transfer")
    func pause() async throws {
        let transfer = transfer()
        async let value = transfer.value
        var begun = script.begun.stream.makeAsyncIterator()
        _ = await begun.next()
        transfer.pause()
        transfer.resume()
        let second = await begun.next()
        #expect(second?.number == 2)
        #expect(second?.isFresh == false)
        script.end(2, true)
        #expect(try await value == 2)
    }

    @Test("a restart starts from the beginning, also after the transfer has finished")
    func restart() async throws {
        let transfer = transfer()
        transfer.resume()
        var begun = script.begun.stream.makeAsyncIterator()
        _ = await begun.next()
        transfer.restart()
        #expect(await begun.next()?.isFresh == true)
        script.end(2, true)
        #expect(try await transfer.value == 2)
        transfer.restart()
        #expect(await begun.next()?.number == 3)
        script.end(3, true)
        #expect(try await transfer.value == 3)
    }

    @Test("a cancellation ends the wait immediately, also if the transfer is paused or the waiting task is cancelled")
    func cancel() async throws {
        let paused = transfer()
        paused.pause()
        let waiting = Task { () -> Bool in
            do throws(CallError<Files.UploadError>) {
                _ = try await paused.value
                return false
            } catch {
                return error.rest.code == .cancelled
            }
        }
        waiting.cancel()
        #expect(await waiting.value)
        let running = transfer()
        running.resume()
        running.cancel()
        await #expect(throws: CallError<Files.UploadError>.self) { try await running.value }
    }

    @Test("the progress never decreases within an attempt, and its updates end with the transfer")
    func progress() async throws {
        let transfer = transfer()
        transfer.resume()
        var begun = script.begun.stream.makeAsyncIterator()
        let first = try #require(await begun.next())
        var updates = transfer.progress.makeAsyncIterator()
        first.report(TransferProgress(sent: 10))
        #expect(await updates.next() == TransferUpdate(attempt: 1, progress: TransferProgress(sent: 10)))
        first.report(TransferProgress(sent: 5))
        transfer.restart()
        let second = try #require(await begun.next())
        second.report(TransferProgress(sent: 1))
        first.report(TransferProgress(sent: 20))
        #expect(await updates.next() == TransferUpdate(attempt: 2, progress: TransferProgress(sent: 1)))
        script.end(2, true)
        _ = try await transfer.value
        #expect(await updates.next() == nil)
        var late = transfer.progress.makeAsyncIterator()
        #expect(await late.next()?.progress.sent == 1)
        #expect(await late.next() == nil)
    }
}

@Suite("The states of a transfer")
struct TransferStateTests {
    private func running() -> TransferState {
        var state = TransferState()
        _ = state.start()
        return state
    }

    @Test("a transfer starts once, and the result of its first attempt is its result")
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

    @Test("a pause stops the attempt, and resuming starts a continued attempt after the previous one has ended")
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

    @Test("a transfer that is paused before it starts waits, even if its result is requested")
    func held() {
        var state = TransferState()
        #expect(state.pause() == nil)
        #expect(state.start() == nil)
        #expect(state.resume() == .begin(attempt: 1, isFresh: true))
    }

    @Test("a success that arrives after a pause is the result")
    func lateStop() {
        var state = running()
        _ = state.pause()
        #expect(state.ended(isSuccess: true) == .deliver)
        #expect(state.phase == .over)
    }

    @Test("a restart discards the earlier attempt, also after the end and after a cancellation")
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

    @Test("a restart remains requested after a pause")
    func pausedRestart() {
        var state = running()
        _ = state.restart()
        #expect(state.pause() == nil)
        #expect(state.ended(isSuccess: true) == nil)
        #expect(state.resume() == .begin(attempt: 2, isFresh: true))
    }

    @Test("a cancellation is final, whatever the attempt's result is")
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
        "in any order of events, one attempt runs at a time and one result is delivered",
        arguments: 0..<50 as Range<UInt64>)
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
