// SPDX-License-Identifier: Apache-2.0

public import Dispatch
import RestBase
public import RestSDK
import RestTransport
import Synchronization

/// An upload or a download as a thing that one can watch, hold and begin anew.
///
/// It begins when somebody asks for its ``value`` or calls ``resume()``. A transfer that has begun goes on without its
/// handle.
///
/// ```swift
/// let upload = box.upload(.file(path: "plan.pdf"), to: "/plan.pdf")
/// for await update in upload.progress { … }
/// let file = try await upload.value
/// ```
public final class Transfer<Output: Sendable, Failure: Error & Sendable>: Sendable {
    /// What a transfer comes to.
    typealias Outcome = Result<Output, CallError<Failure>>

    private struct Core {
        var state = TransferState()
        var task: Task<Void, Never>?
        var outcome = AwaitedValue<Outcome>()
        var feed = LatestValueFeed<TransferUpdate>()
        var newest: TransferUpdate?
        /// Whether outcome and feed have ended, so that another attempt needs new ones.
        var hasEnded = false
    }

    private let core = Mutex(Core())
    private let work: @Sendable (TransferAttempt) async -> Outcome
    private let release: @Sendable (Int) -> Void

    /// Makes a transfer that has not begun.
    ///
    /// - Parameters:
    ///   - work: makes one attempt; ends soon when its task is cancelled.
    ///   - release: lets go of what attempts left to the next one, up to that of a number: the transfer is over.
    init(
        work: @escaping @Sendable (TransferAttempt) async -> Outcome,
        release: @escaping @Sendable (Int) -> Void = { _ in }
    ) {
        self.work = work
        self.release = release
    }

    /// What the transfer comes to; it begins now if it has not begun.
    ///
    /// Cancelling the task cancels the transfer. A transfer that is paused is waited for until somebody resumes it.
    ///
    /// - Throws: `CallError`; `RestError.Code.cancelled` when the transfer was cancelled.
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

    /// How far it has come, from now on until it is over: the newest only, at most twenty times a second, and never
    /// less than before within an attempt.
    ///
    /// Each reader has a sequence of its own.
    public var progress: AsyncStream<TransferUpdate> { core.withLock(\.feed).stream }

    /// Begins the transfer, unless somebody asked for it or held it before.
    func begin() { change { $0.start() } }

    /// Holds the transfer: the attempt under way ends, and what it did is kept where that can be.
    public func pause() { change { $0.pause() } }

    /// Begins the transfer, or goes on with one that was paused.
    public func resume() { change { $0.resume() } }

    /// Ends the transfer, unless it is over; its value is the error `RestError.Code.cancelled` then.
    public func cancel() { change { $0.cancel() } }

    /// Begins anew, whatever was done before; also when it is over.
    public func restart() { change { $0.restart() } }

    /// Waits until no attempt is under way.
    ///
    /// The value of a transfer that was cancelled is there before that; what its attempt holds, such as the beginning
    /// of a file, goes away with it.
    public func waitUntilIdle() async { await core.withLock(\.task)?.value }
}

/// The effects of the changes of the state.
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

    /// Reports an update, unless it is of an earlier attempt or behind the newest one.
    private func report(_ update: TransferUpdate) {
        core.withLock { core in
            guard core.newest.map({ update.isNews(after: $0) }) ?? true else { return }
            core.newest = update
            core.feed.report(update)
        }
    }

    /// The task of an attempt is unstructured, because it belongs to nobody who waits.
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

/// Closures in place of `await`.
extension Transfer {
    /// Begins the transfer, unless it has begun, and calls closures on the caller's actor.
    ///
    /// - Parameters:
    ///   - isolation: the caller's actor; a caller on none hears on a thread of the concurrency runtime, and names a
    ///     queue to have the compiler check what its closures touch.
    ///   - progress: is told how far it has come; not any more when `completion` was called.
    ///   - completion: gets what the transfer comes to, once, also when it is over already.
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
    ///   - queue: where the closures are called, one after another.
    ///   - progress: is told how far it has come; not any more when `completion` was called.
    ///   - completion: gets what the transfer comes to, once, also when it is over already.
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

    /// The progress of the transfer, which begins now if nobody asked for it before.
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
