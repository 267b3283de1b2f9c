// SPDX-License-Identifier: Apache-2.0

import RestTransport
import Synchronization

/// Hands the progress of one call to every reader; a slow one misses steps and always gets the newest.
final class ProgressFeed: Sendable {
    private struct State {
        var latest: TransferProgress?
        var isOver = false
        var readers: [UInt64: AsyncStream<TransferProgress>.Continuation] = [:]
        var last: UInt64 = 0
    }

    private let state = Mutex(State())

    /// The progress from now on, beginning with the present; ends with the call.
    var stream: AsyncStream<TransferProgress> {
        let (stream, continuation) = AsyncStream<TransferProgress>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let (number, latest, isOver) = state.withLock { state in
            state.last += 1
            if !state.isOver { state.readers[state.last] = continuation }
            return (state.last, state.latest, state.isOver)
        }
        continuation.onTermination = { [weak self] _ in self?.remove(number) }
        if let latest { continuation.yield(latest) }
        if isOver { continuation.finish() }
        return stream
    }

    /// Tells the readers how far the call has come.
    func report(_ progress: TransferProgress) {
        let readers = state.withLock { state in
            state.latest = progress
            return Array(state.readers.values)
        }
        for reader in readers { reader.yield(progress) }
    }

    /// The call is over.
    func finish() {
        let readers = state.withLock { state in
            state.isOver = true
            defer { state.readers = [:] }
            return Array(state.readers.values)
        }
        for reader in readers { reader.finish() }
    }

    private func remove(_ number: UInt64) {
        state.withLock { _ = $0.readers.removeValue(forKey: number) }
    }
}
