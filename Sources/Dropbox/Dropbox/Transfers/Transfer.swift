// SPDX-License-Identifier: Apache-2.0

public import Dispatch
import RestBase
public import RestSDK
import RestTransport
import Synchronization

/// An upload or download that can be observed, paused and restarted.
///
/// It begins when you read its ``value`` or call ``resume()``. A transfer in progress continues even if you release
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
        var hasEnded = false
    }

    private let core = Mutex(Core())
    private let work: @Sendable (TransferAttempt) async -> Outcome
    private let release: @Sendable (Int) -> Void

    /// Creates a transfer that has not begun.
    ///
    /// - Parameters:
    ///   - work: makes one attempt. It must return soon after its task is cancelled.
    ///   - release: drops what all attempts up to a number left, because the transfer has finished.
    init(
        work: @escaping @Sendable (TransferAttempt) async -> Outcome,
        release: @escaping @Sendable (Int) -> Void = { _ in }
    ) {
        self.work = work
        self.release = release
    }

    /// The result of the transfer, which begins now if necessary.
    ///
    /// Cancelling the task cancels the transfer. If the transfer is paused, this waits until it is resumed.
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

    /// The progress from now until the transfer finishes, at most twenty updates per second.
    ///
    /// Only the newest update is stored. Within an attempt, the progress never decreases. Each reader has its own
    /// sequence.
    public var progress: AsyncStream<TransferUpdate> { core.withLock(\.feed).stream }

    /// Begins the transfer, unless it has begun or is paused.
    func begin() { change { $0.start() } }

    /// Pauses the transfer, which stops the attempt in progress and retains its work if possible.
    public func pause() { change { $0.pause() } }

    /// Begins the transfer, or resumes a paused one.
    public func resume() { change { $0.resume() } }

    /// Cancels the transfer if it has not finished, so that ``value`` throws `RestError.Code.cancelled`.
    public func cancel() { change { $0.cancel() } }

    /// Restarts the transfer from the beginning, even if it has finished.
    public func restart() { change { $0.restart() } }

    /// Waits until no attempt is in progress, for example until a cancelled attempt has removed its partial file.
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

    /// Reports an update, unless it belongs to an earlier attempt or is older than the newest update.
    private func report(_ update: TransferUpdate) {
        core.withLock { core in
            guard core.newest.map({ update.isNews(after: $0) }) ?? true else { return }
            core.newest = update
            core.feed.report(update)
        }
    }

    /// Starts the task of an attempt, which is unstructured because no waiting caller owns it.
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
    /// Begins the transfer, unless it has begun, and calls closures on the caller's actor.
    ///
    /// - Parameters:
    ///   - isolation: the caller's actor. Without an actor, closures run on a thread of the concurrency runtime. To
    ///     have the compiler check their accesses, pass a queue instead.
    ///   - progress: called with each update, but not after `completion`.
    ///   - completion: called once with the result, even if the transfer has already finished.
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

    /// Begins the transfer, unless it has begun, and calls closures on a queue.
    ///
    /// - Parameters:
    ///   - queue: the queue on which the closures are called, one after another.
    ///   - progress: called with each update, but not after `completion`.
    ///   - completion: called once with the result, even if the transfer has already finished.
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
