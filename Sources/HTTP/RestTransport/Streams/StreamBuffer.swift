// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The buffer between a transport and the readers of a streamed response body: the value that makes back-pressure safe.
///
/// The transport offers pieces until the buffer is full; what then happens is its way of overflowing. Whoever reads
/// takes all there is, or waits in line. Each method returns what its caller must do.
package struct StreamBuffer<Waiter> {
    /// What a reader gets: a piece, `nil` at the end, or why the body broke off.
    package typealias Piece = Result<[UInt8]?, TransportError>

    /// What happens to a body that arrives faster than it is read.
    package enum Overflow: Sendable {
        /// The piece that does not fit is not taken and will be offered again: the transport pauses.
        case refuse
        /// The piece is taken and the transport suspended until the buffer was read.
        case suspend
        /// Everything is taken, for a transport that cannot pause.
        case keep
    }

    /// What the transport does with a piece it offered.
    package enum Offer {
        /// It was taken.
        case taken
        /// The buffer is full: pause; the piece was taken if the transport suspends, else it will be offered again.
        case pause
        /// It goes to the reader who waited longest; resume it.
        case resume(Waiter, Piece)
        /// Nobody reads any more.
        case refuse
    }

    /// What a reader does.
    package enum Next {
        /// There is something; if the transport had paused it must go on.
        case piece(Piece, wasPaused: Bool)
        /// Nothing yet; the waiter is kept.
        case wait
    }

    /// As much is buffered in memory, in bytes.
    package static var highWater: Int { 256 * 1024 }

    private let overflow: Overflow
    private var buffered: [UInt8] = []
    private var isPaused = false
    /// The readers who wait for a piece, in the order they came; there are none while there is something to read.
    private var waiters: [Waiter] = []
    private var end: Piece?

    /// Makes an empty buffer.
    package init(overflow: Overflow) {
        self.overflow = overflow
    }

    /// The transport has a piece.
    package mutating func offer(_ bytes: [UInt8]) -> Offer {
        guard end == nil else { return .refuse }
        guard waiters.isEmpty else { return .resume(waiters.removeFirst(), .success(bytes)) }
        if overflow == .refuse, buffered.count >= Self.highWater {
            isPaused = true
            return .pause
        }
        // A transport that was suspended may still deliver what it has.
        if buffered.isEmpty { buffered = bytes } else { buffered += bytes }
        guard overflow == .suspend, !isPaused, buffered.count >= Self.highWater else { return .taken }
        isPaused = true
        return .pause
    }

    /// A reader wants the next piece.
    package mutating func next(_ waiter: Waiter) -> Next {
        if !buffered.isEmpty {
            defer {
                buffered = []
                isPaused = false
            }
            return .piece(.success(buffered), wasPaused: isPaused && end == nil)
        }
        if let end { return .piece(end, wasPaused: false) }
        waiters.append(waiter)
        return .wait
    }

    /// The body has ended; what came before can still be read, also where it broke off.
    ///
    /// - Returns: the readers to resume, with what they get.
    package mutating func finish(_ error: TransportError?) -> (waiters: [Waiter], piece: Piece)? {
        guard end == nil else { return nil }
        let end: Piece = error.map { .failure($0) } ?? .success(nil)
        self.end = end
        defer { waiters = [] }
        return (waiters, end)
    }
}

/// A response body on its way from a transport to its readers.
package final class Downstream: Sendable {
    package typealias Buffer = StreamBuffer<CheckedContinuation<Result<[UInt8]?, TransportError>, Never>>

    private struct State {
        var buffer: Buffer
        var metrics: TransferMetrics?
        var pacing: (pause: @Sendable () -> Void, resume: @Sendable () -> Void)?
    }

    private let state: Mutex<State>

    /// Makes an empty body.
    package init(overflow: Buffer.Overflow) {
        state = Mutex(State(buffer: Buffer(overflow: overflow)))
    }

    /// Stops and restarts the transport, in the order in which that was decided: both run under the lock.
    package func pace(pause: @escaping @Sendable () -> Void, resume: @escaping @Sendable () -> Void) {
        state.withLock { $0.pacing = (pause, resume) }
    }

    /// Offers a piece.
    ///
    /// - Returns: `taken`, `pause` or `refuse`.
    package func offer(_ bytes: [UInt8]) -> Buffer.Offer {
        let offer = state.withLock { state in
            let offer = state.buffer.offer(bytes)
            if case .pause = offer { state.pacing?.pause() }
            return offer
        }
        guard case .resume(let waiter, let piece) = offer else { return offer }
        waiter.resume(returning: piece)
        return .taken
    }

    /// The next piece; suspends while there is none.
    ///
    /// - Parameter onResume: is told when the transport goes on.
    /// - Returns: the piece, `nil` at the end, or the failure of the transport.
    package func next(onResume: @Sendable () -> Void) async -> Result<[UInt8]?, TransportError> {
        await withCheckedContinuation { waiter in
            let next = state.withLock { state in
                let next = state.buffer.next(waiter)
                if case .piece(_, wasPaused: true) = next { state.pacing?.resume() }
                return next
            }
            guard case .piece(let piece, let wasPaused) = next else { return }
            if wasPaused { onResume() }
            waiter.resume(returning: piece)
        }
    }

    /// The body as a stream.
    ///
    /// - Parameters:
    ///   - onResume: is told when the transport goes on.
    ///   - cancel: ends the transfer, because the reader's task was cancelled or nobody reads the body any more.
    /// - Returns: the stream, which keeps what the closures hold.
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
            cancel("nobody reads the body any more")
        } metrics: {
            self.metrics
        }
    }

    /// What the transfer cost; `nil` before its end, and when nobody measures.
    package var metrics: TransferMetrics? { state.withLock(\.metrics) }

    /// Tells what the transfer cost, before its end is told.
    package func note(_ metrics: TransferMetrics) { state.withLock { $0.metrics = metrics } }

    /// Ends the body: complete without an error, broken off with one.
    package func finish(_ error: TransportError?) {
        let result = state.withLock { state in
            state.pacing = nil
            return state.buffer.finish(error)
        }
        guard let (waiters, piece) = result else { return }
        for waiter in waiters { waiter.resume(returning: piece) }
    }
}
