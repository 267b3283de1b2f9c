// SPDX-License-Identifier: Apache-2.0

import RestTransport
import Testing

@testable import Dropbox

@Suite("The updates of a transfer")
struct TransferFeedTests {
    private func update(_ sent: Int64, attempt: Int = 1) -> TransferUpdate {
        TransferUpdate(attempt: attempt, progress: TransferProgress(sent: sent))
    }

    @Test("A reader hears at most twenty times a second, and of the last one in any case")
    func rate() async {
        var feed = TransferFeed()
        let (stream, reader) = AsyncStream<TransferUpdate>.makeStream(bufferingPolicy: .unbounded)
        _ = feed.add(reader)
        let start = ContinuousClock.now + .seconds(1)
        for step in 0..<1_000 { feed.report(update(Int64(step)), at: start + .milliseconds(step)) }
        for reader in feed.finish() { reader.finish() }
        var heard: [Int64] = []
        for await update in stream { heard.append(update.progress.sent) }
        #expect(heard == Array(stride(from: 0, to: 1_000, by: 50)) + [999])
    }

    @Test("What is behind, or of an earlier attempt, is not told")
    func order() async {
        var feed = TransferFeed()
        let (stream, reader) = AsyncStream<TransferUpdate>.makeStream(bufferingPolicy: .unbounded)
        _ = feed.add(reader)
        let start = ContinuousClock.now + .seconds(1)
        for (number, update) in [update(5), update(3), update(5), update(1, attempt: 2), update(9)].enumerated() {
            feed.report(update, at: start + .seconds(number))
        }
        for reader in feed.finish() { reader.finish() }
        var heard: [TransferUpdate] = []
        for await update in stream { heard.append(update) }
        #expect(heard == [update(5), update(1, attempt: 2)])
    }
}
