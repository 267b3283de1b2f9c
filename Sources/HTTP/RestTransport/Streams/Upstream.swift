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
