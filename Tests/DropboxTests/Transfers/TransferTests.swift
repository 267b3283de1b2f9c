// SPDX-License-Identifier: Apache-2.0

import RestTesting
import RestTransport
import Synchronization
import Testing

@testable import Dropbox

@Suite("Transfers")
struct TransferTests {
    private typealias Job = Transfer<Int, Files.UploadError>

    /// Attempts that tell when they have begun, and end when the test says so or when they are stopped.
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

    @Test("It begins when its value is asked for, and all who ask get it")
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

    @Test("A pause ends the attempt and keeps who waits; resuming goes on")
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

    @Test("A restart begins anew, also when it is over")
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

    @Test("A cancellation ends the wait at once, also a paused one's, and cancelling the waiting task does it too")
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

    @Test("Progress never falls within an attempt, and ends with the transfer")
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
