// SPDX-License-Identifier: Apache-2.0

import Dropbox
import Synchronization

/// The progress of many downloads as that of one.
final class Tally: Sendable {
    let progress: AsyncStream<TransferProgress>
    private let reader: AsyncStream<TransferProgress>.Continuation
    private let total: Int64
    private let state = Mutex((counts: [String: Int64](), sum: Int64(0)))

    init(total: Int64) {
        self.total = total
        (progress, reader) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Notes how far one of them has come.
    func report(_ path: String, _ count: Int64) {
        let sum = state.withLock { state in
            state.sum += count - (state.counts.updateValue(count, forKey: path) ?? 0)
            return state.sum
        }
        reader.yield(TransferProgress(received: sum, receivedTotal: total))
    }
}
