// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A request body on its way from its maker to whoever sends it.
package final class Upstream: Sendable {
    /// What the sender gets.
    package enum Read {
        /// These bytes come next.
        case bytes(ArraySlice<UInt8>)
        /// The body is complete.
        case end
        /// Nothing yet; the sender is told when to go on.
        case pause
        /// The maker failed, or nobody wants the body any more.
        case abort
    }

    private let state = Mutex(UpstreamState<CheckedContinuation<Void, Never>>())

    /// Makes an empty body.
    package init() {}

    /// Whether the maker gave up before the end of the body.
    package var hasFailed: Bool { state.withLock { $0.hasFailed } }

    /// Takes everything the maker gives until its end, its failure or the end of the transfer.
    package func pump(
        _ next: @Sendable () async throws -> [UInt8]?, onResume: @Sendable () -> Void
    ) async {
        do {
            while !Task.isCancelled, let piece = try await next() {
                guard await push(piece, onResume: onResume) else { return }
            }
            finish(hasFailed: Task.isCancelled, onResume: onResume)
        } catch {
            finish(hasFailed: true, onResume: onResume)
        }
    }

    /// Takes what comes next, at most so many bytes.
    package func read(upTo limit: Int) -> Read {
        switch state.withLock({ $0.read(upTo: limit) }) {
        case .bytes(let bytes, let waiter):
            waiter?.resume()
            return .bytes(bytes)
        case .end: return .end
        case .pause: return .pause
        case .abort: return .abort
        }
    }

    /// Lets the maker go when the transfer is over.
    package func close() {
        state.withLock { $0.close() }?.resume()
    }

    private func finish(hasFailed: Bool, onResume: @Sendable () -> Void) {
        if state.withLock({ $0.finish(hasFailed: hasFailed) }) { onResume() }
    }

    /// Hands a piece over and waits while the buffer is full; `false` when nobody reads any more.
    private func push(_ piece: [UInt8], onResume: @Sendable () -> Void) async -> Bool {
        var isTaken = true
        await withCheckedContinuation { (waiter: CheckedContinuation<Void, Never>) in
            switch state.withLock({ $0.push(piece, waiter) }) {
            case .taken(let wasPaused):
                if wasPaused { onResume() }
                waiter.resume()
            case .wait(let wasPaused):
                if wasPaused { onResume() }
            case .refuse:
                isTaken = false
                waiter.resume()
            }
        }
        return isTaken
    }
}
