// SPDX-License-Identifier: Apache-2.0

public import Dispatch
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
    private typealias Waiter = CheckedContinuation<Outcome, Never>

    private struct Core {
        var state = TransferState()
        var outcome: Outcome?
        var task: Task<Void, Never>?
        var waiters: [Waiter] = []
        var feed = TransferFeed()
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
    /// - Throws: ``CallError``; ``RestError/Code/cancelled`` when the transfer was cancelled.
    public var value: Output {
        get async throws(CallError<Failure>) {
            let outcome = await withTaskCancellationHandler {
                await withCheckedContinuation { wait($0) }
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
    public var progress: AsyncStream<TransferUpdate> {
        let (stream, reader) = AsyncStream<TransferUpdate>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let (number, isOver) = core.withLock { ($0.feed.add(reader), $0.state.phase == .over) }
        reader.onTermination = { [weak self] _ in self?.core.withLock { $0.feed.remove(number) } }
        if isOver { reader.finish() }
        return stream
    }

    /// Begins the transfer, unless somebody asked for it or held it before.
    func begin() { change { $0.start() } }

    /// Holds the transfer: the attempt under way ends, and what it did is kept where that can be.
    public func pause() { change { $0.pause() } }

    /// Begins the transfer, or goes on with one that was paused.
    public func resume() { change { $0.resume() } }

    /// Ends the transfer, unless it is over; its value is the error ``RestError/Code/cancelled`` then.
    public func cancel() { change { $0.cancel() } }

    /// Begins anew, whatever was done before; also when it is over.
    public func restart() { change { $0.restart() } }

    /// Waits until no attempt is under way.
    ///
    /// The value of a transfer that was cancelled is there before that; what its attempt holds, such as the beginning
    /// of a file, goes away with it.
    public func waitUntilIdle() async { await core.withLock(\.task)?.value }
}

/// What follows the changes of the state; whoever is told is told outside the lock.
extension Transfer {
    private struct News {
        var stopped: Task<Void, Never>?
        var outcome: Outcome?
        var waiters: [Waiter] = []
        var readers: [AsyncStream<TransferUpdate>.Continuation] = []
    }

    private func wait(_ waiter: Waiter) {
        let outcome = core.withLock { core -> Outcome? in
            if let outcome = core.outcome { return outcome }
            core.waiters.append(waiter)
            return nil
        }
        if let outcome { return waiter.resume(returning: outcome) }
        begin()
    }

    private func change(
        endedWith outcome: Outcome? = nil, _ change: (inout TransferState) -> TransferState.Effect?
    ) {
        let (news, spent) = core.withLock { core in
            (change(&core.state).map { perform($0, outcome, &core) } ?? News(), core.state.spentAttempt)
        }
        if let spent { release(spent) }
        news.stopped?.cancel()
        for reader in news.readers { reader.finish() }
        guard let outcome = news.outcome else { return }
        for waiter in news.waiters { waiter.resume(returning: outcome) }
    }

    private func perform(_ effect: TransferState.Effect, _ outcome: Outcome?, _ core: inout Core) -> News {
        switch effect {
        case .begin(let attempt, let isFresh):
            core.outcome = nil
            core.task = begin(attempt, isFresh)
            return News()
        case .stop: return News(stopped: core.task)
        case .deliver: return end(with: outcome ?? Self.cancelled, &core)
        case .deliverCancelled(let stopsAttempt):
            var news = end(with: Self.cancelled, &core)
            if stopsAttempt { news.stopped = core.task }
            return news
        }
    }

    private func end(with outcome: Outcome, _ core: inout Core) -> News {
        defer { core.waiters = [] }
        core.outcome = outcome
        return News(outcome: outcome, waiters: core.waiters, readers: core.feed.finish())
    }

    /// The task of an attempt is unstructured, because it belongs to nobody who waits.
    private func begin(_ number: Int, _ isFresh: Bool) -> Task<Void, Never> {
        let attempt = TransferAttempt(number: number, isFresh: isFresh) { [weak self] progress in
            self?.core.withLock { $0.feed.report(TransferUpdate(attempt: number, progress: progress)) }
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
