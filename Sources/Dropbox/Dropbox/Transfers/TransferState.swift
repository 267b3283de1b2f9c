// SPDX-License-Identifier: Apache-2.0

import RestSDK
public import RestTransport

/// What becomes of a transfer: which attempt runs, and what follows its end.
///
/// One attempt runs at a time: whoever wants another one waits until the one before has ended, so that two never write
/// the same file. An attempt that was told to stop and succeeded all the same has done its work; only a restart throws
/// that away.
struct TransferState: Sendable, Hashable {
    /// Where the transfer stands, as its owner wants it.
    enum Phase: Sendable, Hashable {
        /// Nobody has asked for it yet.
        case cold
        /// It runs, or is about to.
        case running
        /// It waits until somebody resumes it.
        case paused
        /// It has its result.
        case over
    }

    /// What is to be done.
    enum Effect: Sendable, Hashable {
        /// Begin an attempt of this number; a fresh one forgets what those before left.
        case begin(attempt: Int, isFresh: Bool)
        /// Tell the attempt under way to end.
        case stop
        /// The result of the attempt that ended is the transfer's.
        case deliver
        /// The transfer was cancelled; the attempt under way, if there is one, is told to end.
        case deliverCancelled(stopsAttempt: Bool)
    }

    private(set) var phase = Phase.cold
    /// The number of the last attempt, from 1.
    private(set) var attempt = 0
    private var isUnderWay = false
    private var isStopping = false
    private var isFresh = true

    /// The last attempt, when what it left is of no use any more: the transfer is over, and nothing is under way.
    var spentAttempt: Int? { phase == .over && !isUnderWay ? attempt : nil }

    /// Somebody wants the result: a transfer that nobody asked for before begins.
    mutating func start() -> Effect? { phase == .cold ? resume() : nil }

    /// Goes on where the attempt before stopped.
    mutating func resume() -> Effect? {
        guard phase == .cold || phase == .paused else { return nil }
        phase = .running
        return begin()
    }

    /// Holds the transfer, also one that has not begun.
    mutating func pause() -> Effect? {
        guard phase == .cold || phase == .running else { return nil }
        phase = .paused
        return stop()
    }

    /// Begins anew, also after the end.
    mutating func restart() -> Effect? {
        (phase, isFresh) = (.running, true)
        return isUnderWay ? stop() : begin()
    }

    /// Ends the transfer.
    mutating func cancel() -> Effect? {
        guard phase != .over else { return nil }
        phase = .over
        return .deliverCancelled(stopsAttempt: stop() != nil)
    }

    /// The attempt under way has ended.
    mutating func ended(isSuccess: Bool) -> Effect? {
        let wasStopped = isStopping
        (isUnderWay, isStopping) = (false, false)
        guard phase == .running || phase == .paused else { return nil }
        let isWanted = isSuccess && !isFresh
        if !wasStopped || isWanted {
            phase = .over
            return .deliver
        }
        return phase == .running ? begin() : nil
    }

    private mutating func begin() -> Effect? {
        guard !isUnderWay else { return nil }
        defer { isFresh = false }
        attempt += 1
        isUnderWay = true
        return .begin(attempt: attempt, isFresh: isFresh)
    }

    private mutating func stop() -> Effect? {
        guard isUnderWay, !isStopping else { return nil }
        isStopping = true
        return .stop
    }
}

/// Decides whether a transfer that failed goes on, and waits until it does: as long as it makes progress, however often
/// it breaks.
struct TransferRetry: Sendable {
    private let policy: RetryPolicy
    private let clock: any MonotonicClock
    /// The failures in a row that brought nothing, the last one included.
    private var failures = 0

    init(_ policy: RetryPolicy, clock: any MonotonicClock) {
        self.policy = policy
        self.clock = clock
    }

    /// Waits for the next attempt, by the client's clock.
    ///
    /// - Parameters:
    ///   - error: why the last one failed.
    ///   - hasProgress: whether it brought something that is kept.
    /// - Throws: the error, when the transfer is to end with it: it does not pass, or too many in a row brought
    ///   nothing.
    mutating func wait(after error: RestError, hasProgress: Bool) async throws(RestError) {
        failures = hasProgress ? 0 : failures + 1
        guard failures < policy.maximumAttempts,
            let reason = RetryPolicy.reason(for: error, isIdempotent: true),
            let delay = policy.delay(
                beforeRetry: max(failures, 1), for: reason, draw: .random(in: 0..<1), retryAfter: error.retryAfter)
        else { throw error }
        do {
            try await clock.sleep(until: clock.now + delay, tolerance: nil)
        } catch {
            throw RestError(.cancelled, "cancelled while waiting for the next attempt")
        }
    }
}

/// How far a transfer has come: of one attempt, never less than before.
public struct TransferUpdate: Sendable, Hashable {
    /// The number of the attempt, from 1; a pause or a restart ends one.
    public let attempt: Int
    /// The bytes so far.
    public let progress: TransferProgress

    /// Makes an update.
    public init(attempt: Int, progress: TransferProgress) {
        self.attempt = attempt
        self.progress = progress
    }
}

/// What the work of a transfer knows of its attempt.
struct TransferAttempt: Sendable {
    /// Its number, from 1.
    let number: Int
    /// Whether it begins anew instead of going on where the one before stopped.
    let isFresh: Bool
    /// Is told how far it has come.
    let report: TransferProgress.Handler
}

extension TransferUpdate {
    /// Whether it is of a later attempt than another update, or of the same attempt and further.
    func isNews(after other: TransferUpdate) -> Bool {
        guard attempt == other.attempt else { return attempt > other.attempt }
        return progress.sent >= other.progress.sent && progress.received >= other.progress.received
            && progress != other.progress
    }
}
