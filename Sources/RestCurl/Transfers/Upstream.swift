// SPDX-License-Identifier: Apache-2.0

import CCurl
import Synchronization

/// A request body on its way from its maker to the loop thread.
final class Upstream: Sendable {
    private let state = Mutex(UpstreamState<CheckedContinuation<Void, Never>>())

    /// Whether the maker gave up before the end of the body.
    var hasFailed: Bool { state.withLock { $0.hasFailed } }

    /// Takes everything the maker gives until its end, its failure or the end of the transfer.
    func pump(
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

    /// Fills libcurl's buffer; the return value is the one of a read call-back.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let limit = buffer.count
        switch state.withLock({ $0.read(upTo: limit) }) {
        case .bytes(let bytes, let waiter):
            unsafe bytes.withUnsafeBytes { unsafe buffer.copyMemory(from: $0) }
            waiter?.resume()
            return bytes.count
        case .end: return 0
        case .pause: return Int(CURL_READFUNC_PAUSE)
        case .abort: return Int(CURL_READFUNC_ABORT)
        }
    }

    /// Lets the maker go when the transfer is over.
    func close() {
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
