// SPDX-License-Identifier: Apache-2.0

import RestTransport
import Synchronization

/// Hands the progress of one call to every reader; a slow one misses steps and always gets the newest.
final class ProgressFeed: Sendable {
    private struct State {
        var latest: TransferProgress?
        var isOver = false
        var readers: [UInt64: Reader] = [:]
        var last: UInt64 = 0
    }

    typealias Reader = AsyncStream<TransferProgress>.Continuation

    private let state = Mutex(State())
    private let yield: @Sendable (Reader, TransferProgress) -> Void

    /// Makes a feed without readers.
    ///
    /// - Parameter yield: hands a value to a reader.
    init(yield: @escaping @Sendable (Reader, TransferProgress) -> Void = { $0.yield($1) }) { self.yield = yield }

    /// The progress from now on, beginning with the present; ends with the call.
    var stream: AsyncStream<TransferProgress> {
        let (stream, reader) = AsyncStream<TransferProgress>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let isOver = state.withLock { state in
            if let latest = state.latest { yield(reader, latest) }
            guard !state.isOver else { return true }
            state.last += 1
            let number = state.last
            reader.onTermination = { [weak self] _ in self?.remove(number) }
            state.readers[number] = reader
            return false
        }
        if isOver { reader.finish() }
        return stream
    }

    /// Tells the readers how far the call has come.
    ///
    /// A value is handed out under the lock: outside of it, a later value could overtake it and be replaced by it.
    func report(_ progress: TransferProgress) {
        state.withLock { state in
            guard !state.isOver else { return }
            state.latest = progress
            for reader in state.readers.values { yield(reader, progress) }
        }
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
