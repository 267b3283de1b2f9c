// SPDX-License-Identifier: Apache-2.0

import RestTransport
import Synchronization
import Testing

@testable import Dropbox

@Suite("Transfers that are waited for until nothing is under way")
struct IdleTests {
    @Test("A cancelled transfer has its result at once, and is idle when its attempt has ended")
    func cancelled() async {
        let hasEnded = Mutex(false)
        let (isStopped, stopped) = AsyncStream<Void>.makeStream()
        let (mayEnd, end) = AsyncStream<Void>.makeStream()
        let transfer = Transfer<Int, Never> { _ in
            await withTaskCancellationHandler {
                // Waits also when it is cancelled, as what closes a file may.
                await Task { for await _ in mayEnd { return } }.value
            } onCancel: {
                stopped.yield()
            }
            hasEnded.withLock { $0 = true }
            return .success(1)
        }
        transfer.resume()
        transfer.cancel()
        for await _ in isStopped { break }
        await #expect(throws: CallError<Never>.self) { try await transfer.value }
        let endedAtOnce = hasEnded.withLock { $0 }
        #expect(!endedAtOnce)
        end.yield()
        await transfer.waitUntilIdle()
        let endedNow = hasEnded.withLock { $0 }
        #expect(endedNow)
    }

    @Test("A transfer that has not begun is idle")
    func cold() async {
        await Transfer<Int, Never> { _ in .success(1) }.waitUntilIdle()
    }
}
