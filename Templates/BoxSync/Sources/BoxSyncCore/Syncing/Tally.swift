// SPDX-License-Identifier: Apache-2.0

import Dropbox
import Synchronization

/// The progress of many downloads as that of one.
final class Tally: Sendable {
    let progress: AsyncStream<TransferProgress>
    private let reader: AsyncStream<TransferProgress>.Continuation
    private let total: Int64
    private let counts = Mutex<[String: Int64]>([:])

    init(total: Int64) {
        self.total = total
        (progress, reader) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Notes how far one of them has come.
    func report(_ path: String, _ count: Int64) {
        let sum = counts.withLock { counts in
            counts[path] = count
            return counts.values.reduce(0, +)
        }
        reader.yield(TransferProgress(received: sum, receivedTotal: total))
    }
}
