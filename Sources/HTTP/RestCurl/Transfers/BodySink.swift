// SPDX-License-Identifier: Apache-2.0

import CCurl
import RestTransport
import Synchronization

/// Where the loop thread puts the body of a response.
enum BodySink {
    /// Into the receiver's own buffer.
    case memory
    /// To a reader who may be slower than the network.
    case reader(Downstream)
    /// Into a file.
    case file(HTTPResponse.Download.Attempt)
}

/// A response body on its way from the loop thread to its readers.
final class Downstream: Sendable {
    typealias State = StreamBuffer<CheckedContinuation<Result<[UInt8]?, TransportError>, Never>>

    private let state = Mutex(State(overflow: .refuse))
    private let cost = Mutex<TransferMetrics?>(nil)

    /// Offers a piece from the loop thread.
    ///
    /// - Returns: `taken`, `pause` or `refuse`.
    func offer(_ bytes: UnsafeRawBufferPointer) -> State.Offer {
        let piece = unsafe Array(bytes)
        let offer = state.withLock { $0.offer(piece) }
        guard case .resume(let waiter, let piece) = offer else { return offer }
        waiter.resume(returning: piece)
        return .taken
    }

    /// The next piece for the reader; suspends while there is none.
    func next(onResume: @Sendable () -> Void) async -> Result<[UInt8]?, TransportError> {
        await withCheckedContinuation { waiter in
            guard case .piece(let piece, let wasPaused) = state.withLock({ $0.next(waiter) }) else { return }
            if wasPaused { onResume() }
            waiter.resume(returning: piece)
        }
    }

    /// What the transfer cost; `nil` before its end, and when nobody measures.
    var metrics: TransferMetrics? { cost.withLock { $0 } }

    /// Tells what the transfer cost, before its end is told.
    func note(_ metrics: TransferMetrics) { cost.withLock { $0 = metrics } }

    /// Ends the body: complete without an error, broken off with one.
    func finish(_ error: TransportError?) {
        guard let (waiters, piece) = state.withLock({ $0.finish(error) }) else { return }
        for waiter in waiters { waiter.resume(returning: piece) }
    }
}

extension HTTPResponse.Download.Attempt {
    private typealias Outcome = Result<Void, TransportError>

    /// Puts the complete file in its place on a thread that may wait for the disk; its caller's may not.
    func finishAside() async throws(TransportError) {
        try await withCheckedContinuation { (continuation: CheckedContinuation<Outcome, Never>) in
            let context = unsafe Unmanaged.passRetained(Work { continuation.resume(returning: self.outcome) })
            let failure = unsafe ccurl_start_thread(
                { context in
                    guard let context = unsafe context else { return nil }
                    unsafe Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
                    return nil
                }, context.toOpaque())
            guard failure != 0 else { return }
            unsafe context.release()
            let reason = TransportError(
                .file, "the downloaded file cannot be moved into place: no thread could be started",
                mayHaveReachedServer: true)
            continuation.resume(returning: .failure(reason))
        }.get()
    }

    private var outcome: Outcome { Result { () throws(TransportError) in try finish() } }

    /// What the thread does.
    private final class Work: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
}
