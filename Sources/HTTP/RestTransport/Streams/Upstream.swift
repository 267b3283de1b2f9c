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
        /// The maker failed, or nobody wants the body any more: it must not look complete.
        case abort
    }

    /// Who makes the body; one that gives more or less than announced has failed.
    package let source: HTTPBody.Source
    private let state: Mutex<UpstreamState<CheckedContinuation<Void, Never>>>

    /// Makes an empty body.
    package init(_ source: HTTPBody.Source) {
        self.source = source
        state = Mutex(UpstreamState(length: source.length))
    }

    /// Why the body will not be complete: the maker threw, or gave more or less than was announced.
    package var failure: TransportError? {
        switch state.withLock({ $0.failure }) {
        case nil: nil
        case .notMade: .bodyNotMade
        case .thrown(let error): error
        case .wrongLength: source.wrongLength
        }
    }

    /// Takes everything the maker gives until its end, its failure or the end of the transfer.
    ///
    /// - Returns: why the body will not be complete; the transfer must then be given up.
    package func pump(
        _ next: HTTPBody.Source.Pieces, onResume: @Sendable () -> Void
    ) async -> TransportError? {
        do {
            var isWanted = true
            while isWanted, !Task.isCancelled, let piece = try await next() {
                isWanted = await push(piece, onResume: onResume)
            }
            finish(Task.isCancelled ? .notMade : nil, onResume: onResume)
        } catch {
            finish(.thrown(.bodySource(error, mayHaveReachedServer: true)), onResume: onResume)
        }
        return failure
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

    private func finish(
        _ failure: UpstreamState<CheckedContinuation<Void, Never>>.Failure?, onResume: @Sendable () -> Void
    ) {
        if state.withLock({ $0.finish(failure) }) { onResume() }
    }

    /// Hands a piece over and waits while the buffer is full; `false` when no more is wanted.
    private func push(_ piece: [UInt8], onResume: @Sendable () -> Void) async -> Bool {
        var isTaken = true
        await withCheckedContinuation { (waiter: CheckedContinuation<Void, Never>) in
            switch state.withLock({ $0.push(piece, waiter) }) {
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
    /// The call was cancelled while its body was made.
    static let bodyNotMade = TransportError(
        .invalidRequest, "the request body ended before it was complete", mayHaveReachedServer: true)
}

/// The task in which a streamed request body is made: owned by the call that sends the body, and cancelled with it.
///
/// Nobody awaits it. Who makes a body may take any time and may pay no heed to being cancelled; a call that waited for
/// it would outlive its deadline, and a stream could not hand out an answer that comes before the body's end.
package final class BodyMaker: Sendable {
    private enum State {
        /// Nothing is made yet.
        case idle
        /// The task runs, or has ended by itself.
        case started(Task<Void, Never>)
        /// The call is over: a task that starts now is cancelled at once.
        case cancelled
    }

    private let state = Mutex(State.idle)

    /// Makes a maker that does nothing yet.
    package init() {}

    /// Starts to make the body; to be called once.
    package func start(_ work: @escaping @Sendable () async -> Void) {
        let task = Task { await work() }
        let isOver = state.withLock { state in
            if case .cancelled = state { return true }
            state = .started(task)
            return false
        }
        if isOver { task.cancel() }
    }

    /// Cancels the task; what the body's maker does about it runs in here, so no lock may be held.
    package func cancel() {
        let task = state.withLock { state -> Task<Void, Never>? in
            defer { state = .cancelled }
            if case .started(let task) = state { return task }
            return nil
        }
        task?.cancel()
    }
}

/// The buffer between the maker of a streamed request body and its sender.
///
/// The maker pushes pieces until the buffer is full and waits until there is room again; the sender reads until the
/// buffer is empty and then pauses. Each method returns what its caller must do after the lock is released.
struct UpstreamState<Waiter> {
    /// What the maker does after a push.
    enum Push {
        /// Go on; if the sender had paused it must be told.
        case taken(wasPaused: Bool)
        /// Wait until there is room; if the sender had paused it must be told.
        case wait(wasPaused: Bool)
        /// Stop: nobody reads any more, or this is more than was announced; if the sender had paused it must be told.
        case refuse(wasPaused: Bool)
    }

    /// What the sender gets.
    enum Read {
        /// These bytes; resume the maker if it is given.
        case bytes(ArraySlice<UInt8>, Waiter?)
        /// The end of the body.
        case end
        /// Nothing yet.
        case pause
        /// The body will not be complete: it must not look as if it were.
        case abort
    }

    /// Why a body will not be complete.
    enum Failure: Equatable {
        /// The maker was cancelled.
        case notMade
        /// The maker threw an error.
        case thrown(TransportError)
        /// The maker gave more or less than was announced.
        case wrongLength
    }

    private enum End: Equatable {
        /// The maker has nothing more; the sender reads what is buffered.
        case complete
        /// The maker has stopped; the sender gives up at its next read.
        case failed(Failure)
        /// The transfer is over: the maker stops at its next push, and nothing is read any more.
        case closed
    }

    /// As much may be buffered before the maker waits, in bytes.
    static var highWater: Int { 256 * 1024 }

    /// What the sender reads; empty only when nothing is buffered.
    private var current: ArraySlice<UInt8> = []
    /// What was pushed while there was something to read.
    private var later: [UInt8] = []
    /// How many announced bytes the maker still owes; `nil` when no length was announced.
    private var owed: Int64?
    private var waiter: Waiter?
    private var isPaused = false
    private var end: End?

    /// Makes an empty buffer for a body that is as long as announced.
    init(length: Int64? = nil) {
        owed = length
    }

    /// Why the body will not be complete.
    var failure: Failure? {
        if case .failed(let failure)? = end { failure } else { nil }
    }

    /// The maker has a piece.
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

    /// The maker has nothing more; `true` when the sender had paused and must be told.
    mutating func finish(_ failure: Failure?) -> Bool {
        guard end == nil else { return false }
        let isWhole = (owed ?? 0) == 0
        end = failure.map { .failed($0) } ?? (isWhole ? .complete : .failed(.wrongLength))
        defer { isPaused = false }
        return isPaused
    }

    /// The sender wants bytes.
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

    /// The transfer is over; gives the maker to resume if it waits.
    mutating func close() -> Waiter? {
        if failure == nil { end = .closed }
        current = []
        later = []
        return takeWaiter()
    }

    private var count: Int { current.count + later.count }

    private var isFull: Bool { count >= Self.highWater }

    /// How much may be sent now.
    ///
    /// The last announced byte waits for the maker's end: a body that turns out too long is then never taken for a
    /// whole one.
    private var sendable: Int { end == nil && owed == 0 ? count - 1 : count }

    private mutating func takeWaiter() -> Waiter? {
        defer { waiter = nil }
        return waiter
    }
}
