// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The buffer between a transport and the readers of a streamed response body, which provides back-pressure.
///
/// The transport offers chunks until the buffer is full, where the overflow mode decides how it continues. A reader
/// takes the whole content or waits in a queue. Each method returns the action that its caller must take.
package struct StreamBuffer<Waiter> {
    /// A chunk, `nil` at the end, or the error of an incomplete body.
    package typealias Chunk = Result<[UInt8]?, TransportError>

    /// The handling of a body that arrives faster than it is read.
    package enum Overflow: Sendable {
        /// Reject the chunk and pause the transport, which then offers the chunk again.
        case refuse
        /// Take the chunk and suspend the transport until the buffer has been read.
        case suspend
        /// Take all chunks, for a transport that cannot pause.
        case keep
    }

    /// The result of offering a chunk.
    package enum Offer {
        case taken
        /// The buffer is full, so the transport must pause, and offer the chunk again in the mode `refuse`.
        case pause
        /// The chunk goes to the first waiter in the queue, which must be resumed.
        case resume(Waiter, Chunk)
        /// The body has no readers any more.
        case refuse
    }

    /// The result of asking for a chunk.
    package enum Next {
        /// A chunk, the end or an error. If the transport was paused, resume it.
        case chunk(Chunk, wasPaused: Bool)
        /// The buffer is empty, and the waiter was added to the queue.
        case wait
    }

    /// The number of buffered bytes at which the transport must pause.
    package static var highWater: Int { 256 * 1024 }

    private let overflow: Overflow
    private var buffered: [UInt8] = []
    private var isPaused = false
    /// The waiting readers in order of arrival, which is empty unless the buffer is empty.
    private var waiters: [Waiter] = []
    private var end: Chunk?

    package init(overflow: Overflow) { self.overflow = overflow }

    /// Adds a chunk from the transport.
    package mutating func offer(_ bytes: [UInt8]) -> Offer {
        guard end == nil else { return .refuse }
        guard waiters.isEmpty else { return .resume(waiters.removeFirst(), .success(bytes)) }
        if overflow == .refuse, buffered.count >= Self.highWater {
            isPaused = true
            return .pause
        }
        // A suspended transport may still deliver the bytes that it has.
        if buffered.isEmpty { buffered = bytes } else { buffered += bytes }
        guard overflow == .suspend, !isPaused, buffered.count >= Self.highWater else { return .taken }
        isPaused = true
        return .pause
    }

    /// Returns the buffered bytes or adds the reader to the queue.
    package mutating func next(_ waiter: Waiter) -> Next {
        if !buffered.isEmpty {
            defer {
                buffered = []
                isPaused = false
            }
            return .chunk(.success(buffered), wasPaused: isPaused && end == nil)
        }
        if let end { return .chunk(end, wasPaused: false) }
        waiters.append(waiter)
        return .wait
    }

    /// Ends the body unless it has already ended, and returns the readers to resume with their result.
    ///
    /// The buffered bytes can still be read.
    package mutating func finish(_ error: TransportError?) -> (waiters: [Waiter], chunk: Chunk)? {
        guard end == nil else { return nil }
        let end: Chunk = error.map { .failure($0) } ?? .success(nil)
        self.end = end
        defer { waiters = [] }
        return (waiters, end)
    }
}

/// A response body between a transport and its readers.
package final class Downstream: Sendable {
    package typealias Buffer = StreamBuffer<CheckedContinuation<Result<[UInt8]?, TransportError>, Never>>

    private struct State {
        var buffer: Buffer
        var metrics: TransferMetrics?
        var pacing: (pause: @Sendable () -> Void, resume: @Sendable () -> Void)?
    }

    private let state: Mutex<State>

    package init(overflow: Buffer.Overflow) {
        state = Mutex(State(buffer: Buffer(overflow: overflow)))
    }

    /// Sets the functions that pause and resume the transport, which run under the lock to preserve their order.
    package func pace(pause: @escaping @Sendable () -> Void, resume: @escaping @Sendable () -> Void) {
        state.withLock { $0.pacing = (pause, resume) }
    }

    /// Offers a chunk and returns `taken`, `pause` or `refuse`.
    package func offer(_ bytes: [UInt8]) -> Buffer.Offer {
        let offer = state.withLock { state in
            let offer = state.buffer.offer(bytes)
            if case .pause = offer { state.pacing?.pause() }
            return offer
        }
        guard case .resume(let waiter, let chunk) = offer else { return offer }
        waiter.resume(returning: chunk)
        return .taken
    }

    /// Returns the next chunk, `nil` at the end or the error of the transport, and waits while the buffer is empty.
    ///
    /// It calls `onResume` when the transport must continue.
    package func next(onResume: @Sendable () -> Void) async -> Result<[UInt8]?, TransportError> {
        await withCheckedContinuation { waiter in
            let next = state.withLock { state in
                let next = state.buffer.next(waiter)
                if case .chunk(_, wasPaused: true) = next { state.pacing?.resume() }
                return next
            }
            guard case .chunk(let chunk, let wasPaused) = next else { return }
            if wasPaused { onResume() }
            waiter.resume(returning: chunk)
        }
    }

    /// Returns the body as a stream, which retains the closures.
    ///
    /// It calls `onResume` when the transport must continue, and `cancel` to end the transfer when the reader's task is
    /// cancelled or the stream is released.
    package func stream(
        onResume: @escaping @Sendable () -> Void, cancel: @escaping @Sendable (_ reason: String) -> Void
    ) -> HTTPBody.Stream {
        HTTPBody.Stream { () async throws(TransportError) in
            try await withTaskCancellationHandler {
                await self.next(onResume: onResume)
            } onCancel: {
                cancel("the task was cancelled")
            }.get()
        } onAbandon: {
            cancel("the body is no longer read")
        } metrics: {
            self.metrics
        }
    }

    /// The metrics of the transfer, or `nil` before its end or if the transport does not measure.
    package var metrics: TransferMetrics? { state.withLock(\.metrics) }

    /// Stores the metrics of the transfer, before ``finish(_:)``.
    package func note(_ metrics: TransferMetrics) { state.withLock { $0.metrics = metrics } }

    /// Ends the body, which is incomplete if there is an error.
    package func finish(_ error: TransportError?) {
        let result = state.withLock { state in
            state.pacing = nil
            return state.buffer.finish(error)
        }
        guard let (waiters, chunk) = result else { return }
        for waiter in waiters { waiter.resume(returning: chunk) }
    }
}
