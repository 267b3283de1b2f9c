// SPDX-License-Identifier: Apache-2.0

public import Dispatch
import RestBase
public import RestSDK
import RestTransport
import Synchronization

/// An upload or download that can be observed, paused and restarted.
///
/// The transfer begins when the app reads its ``value`` or calls ``resume()``. It then continues without a reference to
/// this object.
///
/// ```swift
/// let upload = box.upload(.file(path: "plan.pdf"), to: "/plan.pdf")
/// for await update in upload.progress { … }
/// let file = try await upload.value
/// ```
public final class Transfer<Output: Sendable, Failure: Error & Sendable>: Sendable {
    typealias Outcome = Result<Output, CallError<Failure>>

    private struct Core {
        var state = TransferState()
        var task: Task<Void, Never>?
        var outcome = AwaitedValue<Outcome>()
        var feed = LatestValueFeed<TransferUpdate>()
        var newest: TransferUpdate?
        /// Whether `outcome` and `feed` have ended, so another attempt needs new ones.
        var hasEnded = false
    }

    private let core = Mutex(Core())
    private let work: @Sendable (TransferAttempt) async -> Outcome
    private let release: @Sendable (Int) -> Void

    /// Creates a transfer that has not begun.
    ///
    /// - Parameters:
    ///   - work: performs one attempt. It returns soon after its task is cancelled.
    ///   - release: releases the data that the attempts up to this number left, because the transfer is over.
    init(
        work: @escaping @Sendable (TransferAttempt) async -> Outcome,
        release: @escaping @Sendable (Int) -> Void = { _ in }
    ) {
        self.work = work
        self.release = release
    }

    /// The result of the transfer, which begins now if it has not begun.
    ///
    /// Cancelling the task cancels the transfer. If the transfer is paused, the property waits until it is resumed.
    ///
    /// - Throws: `CallError`, with `RestError.Code.cancelled` if the transfer was cancelled.
    public var value: Output {
        get async throws(CallError<Failure>) {
            begin()
            let outcome = await withTaskCancellationHandler {
                await core.withLock(\.outcome).value()
            } onCancel: {
                cancel()
            }
            return try outcome.get()
        }
    }

    /// The progress from now on until the transfer is over, at most twenty updates per second.
    ///
    /// A slow reader gets only the latest update. The bytes never decrease within an attempt. Each reader has its own
    /// sequence.
    public var progress: AsyncStream<TransferUpdate> { core.withLock(\.feed).stream }

    /// Begins the transfer if it was neither begun nor paused.
    func begin() { change { $0.start() } }

    /// Pauses the transfer: the current attempt ends, and its progress is kept if possible.
    public func pause() { change { $0.pause() } }

    /// Begins the transfer, or continues it after a pause.
    public func resume() { change { $0.resume() } }

    /// Cancels the transfer if it is still running, so that ``value`` throws `RestError.Code.cancelled`.
    public func cancel() { change { $0.cancel() } }

    /// Restarts the transfer from the beginning, even if it has finished.
    public func restart() { change { $0.restart() } }

    /// Waits until no attempt is running.
    ///
    /// After a cancellation, ``value`` throws before the last attempt has ended and has released its data.
    public func waitUntilIdle() async { await core.withLock(\.task)?.value }
}

extension Transfer {
    private func change(
        endedWith outcome: Outcome? = nil, _ change: (inout TransferState) -> TransferState.Effect?
    ) {
        let (stopped, ended, spent) = core.withLock { core in
            var (stopped, result): (Task<Void, Never>?, Outcome?)
            switch change(&core.state) {
            case .begin(let attempt, let isFresh):
                if core.hasEnded { (core.outcome, core.feed, core.hasEnded) = (.init(), .init(), false) }
                core.task = begin(attempt, isFresh)
            case .stop: stopped = core.task
            case .deliver: result = outcome ?? Self.cancelled
            case .deliverCancelled(let stopsAttempt):
                result = Self.cancelled
                if stopsAttempt { stopped = core.task }
            case nil: break
            }
            if result != nil { core.hasEnded = true }
            return (stopped, result.map { ($0, core.outcome, core.feed) }, core.state.spentAttempt)
        }
        if let spent { release(spent) }
        stopped?.cancel()
        guard let (result, outcome, feed) = ended else { return }
        feed.finish()
        outcome.resolve(result)
    }

    /// Reports an update, unless it is older than the newest one.
    private func report(_ update: TransferUpdate) {
        core.withLock { core in
            guard core.newest.map({ update.isNews(after: $0) }) ?? true else { return }
            core.newest = update
            core.feed.report(update)
        }
    }

    /// Starts the unstructured task of an attempt, which does not belong to a task that waits.
    private func begin(_ number: Int, _ isFresh: Bool) -> Task<Void, Never> {
        let attempt = TransferAttempt(number: number, isFresh: isFresh) { [weak self] progress in
            self?.report(TransferUpdate(attempt: number, progress: progress))
        }
        return Task(name: "transfer") { [work] in
            let outcome = await work(attempt)
            self.change(endedWith: outcome) { $0.ended(isSuccess: outcome.isSuccess) }
        }
    }

    private static var cancelled: Outcome { .failure(.rest(RestError(.cancelled, "the transfer was cancelled"))) }
}

extension Result {
    fileprivate var isSuccess: Bool { if case .success = self { true } else { false } }
}

/// Closures instead of `await`.
extension Transfer {
    /// Begins the transfer if it has not begun, and calls closures on the caller's actor.
    ///
    /// - Parameters:
    ///   - isolation: the caller's actor. Without an actor, the closures run on a thread of the concurrency runtime.
    ///     Use the method with a queue instead to let the compiler check the closures.
    ///   - progress: receives the progress, but not after `completion` was called.
    ///   - completion: receives the result once, also if the transfer is already over.
    /// - Returns: the transfer.
    @discardableResult
    public func response(
        isolation: isolated (any Actor)? = #isolation, progress: ((TransferUpdate) -> Void)? = nil,
        completion: @escaping (Result<Output, CallError<Failure>>) -> Void
    ) -> Transfer {
        Task(name: "transfer's response") {
            _ = isolation  // the task stays on the caller's actor, and so do the closures
            if let progress {
                for await update in started { progress(update) }
            }
            completion(await result)
        }
        return self
    }

    /// Begins the transfer if it has not begun, and calls closures on a queue.
    ///
    /// - Parameters:
    ///   - queue: the queue that runs the closures, one after another.
    ///   - progress: receives the progress, but not after `completion` was called.
    ///   - completion: receives the result once, also if the transfer is already over.
    /// - Returns: the transfer.
    @discardableResult
    public func response(
        on queue: DispatchQueue, progress: (@Sendable (TransferUpdate) -> Void)? = nil,
        completion: @escaping @Sendable (Result<Output, CallError<Failure>>) -> Void
    ) -> Transfer {
        Task(name: "transfer's response") {
            if let progress {
                for await update in started { await Self.call(on: queue) { progress(update) } }
            }
            let result = await result
            queue.async { completion(result) }
        }
        return self
    }

    /// The progress of the transfer, which begins now if it has not begun.
    private var started: AsyncStream<TransferUpdate> {
        defer { begin() }
        return progress
    }

    private var result: Result<Output, CallError<Failure>> {
        get async {
            do throws(CallError<Failure>) { return .success(try await value) } catch { return .failure(error) }
        }
    }

    private static func call(on queue: DispatchQueue, _ closure: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { called in
            queue.async {
                closure()
                called.resume()
            }
        }
    }
}
