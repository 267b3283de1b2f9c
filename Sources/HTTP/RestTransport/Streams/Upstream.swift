// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A streamed request body between its source and the transport.
package final class Upstream: Sendable {
    package enum Read {
        /// The next bytes.
        case bytes(ArraySlice<UInt8>)
        /// The end of a complete body.
        case end
        /// No bytes yet. `onResume` is called when there are more.
        case pause
        /// The source failed or the transfer is over, so the body must not appear complete.
        case abort
    }

    package let source: HTTPBody.Source
    private let state: Mutex<UpstreamState<CheckedContinuation<Void, Never>>>

    package init(_ source: HTTPBody.Source) {
        self.source = source
        state = Mutex(UpstreamState(length: source.length))
    }

    /// The reason why the body is incomplete: the source threw an error, or the length is wrong.
    package var failure: TransportError? {
        switch state.withLock({ $0.failure }) {
        case nil: nil
        case .notMade: .bodyNotMade
        case .thrown(let error): error
        case .wrongLength: source.wrongLength
        }
    }

    /// Reads the source until it ends, it fails or the transfer is over.
    ///
    /// - Returns: the reason why the body is incomplete, which must fail the transfer, or `nil`.
    package func pump(
        _ next: HTTPBody.Source.Chunks, onResume: @Sendable () -> Void
    ) async -> TransportError? {
        do {
            var isWanted = true
            while isWanted, !Task.isCancelled, let chunk = try await next() {
                isWanted = await push(chunk, onResume: onResume)
            }
            finish(Task.isCancelled ? .notMade : nil, onResume: onResume)
        } catch {
            finish(.thrown(.bodySource(error, mayHaveReachedServer: true)), onResume: onResume)
        }
        return failure
    }

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

    /// Ends the transfer, and resumes the source if it is waiting.
    package func close() { state.withLock { $0.close() }?.resume() }

    private func finish(
        _ failure: UpstreamState<CheckedContinuation<Void, Never>>.Failure?, onResume: @Sendable () -> Void
    ) {
        if state.withLock({ $0.finish(failure) }) { onResume() }
    }

    /// Adds a chunk, waits while the buffer is full, and returns `false` if no more chunks are needed.
    private func push(_ chunk: [UInt8], onResume: @Sendable () -> Void) async -> Bool {
        var isTaken = true
        await withCheckedContinuation { (waiter: CheckedContinuation<Void, Never>) in
            switch state.withLock({ $0.push(chunk, waiter) }) {
            case .taken(let wasPaused):
                if wasPaused { onResume() }
                waiter.resume()
            case .wait(let wasPaused):
                if wasPaused { onResume() }
            case .refuse(let wasPaused):
                isTaken = false
                if wasPaused { onResume() }
                waiter.resume()
            }
        }
        return isTaken
    }
}

extension TransportError {
    static let bodyNotMade = TransportError(
        .invalidRequest, "the request body ended before it was complete", mayHaveReachedServer: true)
}

/// The task that produces a streamed request body, owned by the call that sends the body and cancelled with it.
///
/// The call does not await the task. A source may take any time and ignore cancellation, so a call that waited for it
/// could miss its deadline, and a stream could not deliver a response that arrives before the end of the body.
package final class BodyMaker: Sendable {
    private enum State {
        case idle
        /// The task is running or has finished.
        case started(Task<Void, Never>)
        /// The call is over, so a task that starts now is cancelled at once.
        case cancelled
    }

    private let state = Mutex(State.idle)

    package init() {}

    package func start(_ work: @escaping @Sendable () async -> Void) {
        let task = Task { await work() }
        let isOver = state.withLock { state in
            if case .cancelled = state { return true }
            state = .started(task)
            return false
        }
        if isOver { task.cancel() }
    }

    /// Cancels the task.
    ///
    /// The source's cancellation handlers run in this call, so do not hold a lock.
    package func cancel() {
        let task = state.withLock { state -> Task<Void, Never>? in
            defer { state = .cancelled }
            if case .started(let task) = state { return task }
            return nil
        }
        task?.cancel()
    }
}

/// The buffer between the source of a streamed request body and the transport.
///
/// The source pushes chunks until the buffer is full, and waits until there is room again. The transport reads until
/// the buffer is empty, and then pauses. Each method returns the action that its caller must take after releasing the
/// lock.
struct UpstreamState<Waiter> {
    enum Push {
        /// Continue. If the transport was paused, resume it.
        case taken(wasPaused: Bool)
        /// Wait until there is room. If the transport was paused, resume it.
        case wait(wasPaused: Bool)
        /// Stop, because the transfer is over or the body is too long. If the transport was paused, resume it.
        case refuse(wasPaused: Bool)
    }

    enum Read {
        /// The next bytes. If there is a waiter, resume it.
        case bytes(ArraySlice<UInt8>, Waiter?)
        /// The end of a complete body.
        case end
        /// No bytes yet.
        case pause
        /// The body is incomplete and must not appear complete.
        case abort
    }

    enum Failure: Equatable {
        /// The source was cancelled.
        case notMade
        /// The source threw an error.
        case thrown(TransportError)
        /// The source returned more or fewer bytes than announced.
        case wrongLength
    }

    private enum End: Equatable {
        /// The source has ended, and the transport reads the rest of the buffer.
        case complete
        /// The source has failed, and the next read aborts the transfer.
        case failed(Failure)
        /// The transfer is over, and the source stops at its next push.
        case closed
    }

    /// The number of buffered bytes at which the source must wait.
    static var highWater: Int { 256 * 1024 }

    /// The bytes to read next, empty only if the whole buffer is empty.
    private var current: ArraySlice<UInt8> = []
    /// The bytes that were pushed while `current` was not empty.
    private var later: [UInt8] = []
    /// The number of announced bytes still to come, or `nil` if no length was announced.
    private var owed: Int64?
    private var waiter: Waiter?
    private var isPaused = false
    private var end: End?

    init(length: Int64? = nil) { owed = length }

    var failure: Failure? { if case .failed(let failure)? = end { failure } else { nil } }

    mutating func push(_ bytes: [UInt8], _ waiter: Waiter) -> Push {
        guard end == nil else { return .refuse(wasPaused: false) }
        defer { isPaused = false }
        if let owed {
            guard bytes.count <= owed else {
                end = .failed(.wrongLength)
                return .refuse(wasPaused: isPaused)
            }
            self.owed = owed - Int64(bytes.count)
        }
        if current.isEmpty { current = bytes[...] } else { later += bytes }
        guard isFull else { return .taken(wasPaused: isPaused) }
        self.waiter = waiter
        return .wait(wasPaused: isPaused)
    }

    /// Records the end of the source, and returns `true` if the transport was paused and must be resumed.
    mutating func finish(_ failure: Failure?) -> Bool {
        guard end == nil else { return false }
        let isWhole = (owed ?? 0) == 0
        end = failure.map { .failed($0) } ?? (isWhole ? .complete : .failed(.wrongLength))
        defer { isPaused = false }
        return isPaused
    }

    mutating func read(upTo limit: Int) -> Read {
        if failure != nil || end == .closed { return .abort }
        let count = min(limit, current.count, sendable)
        guard count > 0 else {
            isPaused = end == nil
            return end == nil ? .pause : .end
        }
        let bytes = current.prefix(count)
        current = current.dropFirst(count)
        if current.isEmpty {
            current = later[...]
            later = []
        }
        return .bytes(bytes, isFull ? nil : takeWaiter())
    }

    /// Records the end of the transfer, and returns the waiter that must be resumed.
    mutating func close() -> Waiter? {
        if failure == nil { end = .closed }
        current = []
        later = []
        return takeWaiter()
    }

    private var count: Int { current.count + later.count }

    private var isFull: Bool { count >= Self.highWater }

    /// The number of bytes that may be sent now.
    ///
    /// The last announced byte is held until the source ends, so that a body that is too long never appears complete.
    private var sendable: Int { end == nil && owed == 0 ? count - 1 : count }

    private mutating func takeWaiter() -> Waiter? {
        defer { waiter = nil }
        return waiter
    }
}
