// SPDX-License-Identifier: Apache-2.0

import RestSDK
public import RestTransport

/// The state machine of a transfer: which attempt runs, and what follows its end.
///
/// One attempt runs at a time, so two attempts never write the same file. If an attempt succeeds although it was
/// stopped, its result counts, except after a restart.
struct TransferState: Sendable, Hashable {
    /// The state that the app has requested.
    enum Phase: Sendable, Hashable {
        /// The transfer has not begun.
        case cold
        /// The transfer runs, or an attempt is about to begin.
        case running
        /// The transfer waits until it is resumed.
        case paused
        /// The transfer has its result.
        case over
    }

    /// The action that follows a change.
    enum Effect: Sendable, Hashable {
        /// Begin an attempt with this number. A fresh attempt discards the data of earlier attempts.
        case begin(attempt: Int, isFresh: Bool)
        /// Stop the current attempt.
        case stop
        /// Deliver the result of the attempt that ended.
        case deliver
        /// Deliver the cancellation, and stop the current attempt if there is one.
        case deliverCancelled(stopsAttempt: Bool)
    }

    private(set) var phase = Phase.cold
    /// The number of the last attempt, from 1.
    private(set) var attempt = 0
    private var isUnderWay = false
    private var isStopping = false
    private var isFresh = true

    /// The last attempt, if the transfer is over and its data can be released; otherwise `nil`.
    var spentAttempt: Int? { phase == .over && !isUnderWay ? attempt : nil }

    /// Begins a transfer that was neither begun nor paused.
    mutating func start() -> Effect? { phase == .cold ? resume() : nil }

    /// Begins the transfer, or continues it after a pause.
    mutating func resume() -> Effect? {
        guard phase == .cold || phase == .paused else { return nil }
        phase = .running
        return begin()
    }

    /// Pauses the transfer, also before it has begun.
    mutating func pause() -> Effect? {
        guard phase == .cold || phase == .running else { return nil }
        phase = .paused
        return stop()
    }

    /// Restarts the transfer, also after its end.
    mutating func restart() -> Effect? {
        (phase, isFresh) = (.running, true)
        return isUnderWay ? stop() : begin()
    }

    mutating func cancel() -> Effect? {
        guard phase != .over else { return nil }
        phase = .over
        return .deliverCancelled(stopsAttempt: stop() != nil)
    }

    /// Notes the end of the current attempt.
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

/// Decides whether a transfer is retried after an error, and waits before the retry.
///
/// A transfer that makes progress can fail any number of times.
struct TransferRetry: Sendable {
    private let policy: RetryPolicy
    private let clock: any MonotonicClock
    /// The number of errors in a row without progress.
    private var failures = 0

    init(_ policy: RetryPolicy, clock: any MonotonicClock) {
        self.policy = policy
        self.clock = clock
    }

    /// Waits for the next attempt by the client's clock.
    ///
    /// - Parameters:
    ///   - error: the error of the last attempt.
    ///   - hasProgress: whether the last attempt received bytes that are kept.
    /// - Throws: the error, if it is not temporary, or if too many attempts in a row made no progress.
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

/// The progress of one attempt of a transfer.
///
/// The bytes never decrease within an attempt.
public struct TransferUpdate: Sendable, Hashable {
    /// The number of the attempt, from 1, which grows with each pause or restart.
    public let attempt: Int
    /// The bytes transferred so far.
    public let progress: TransferProgress

    /// Creates an update.
    public init(attempt: Int, progress: TransferProgress) {
        self.attempt = attempt
        self.progress = progress
    }
}

struct TransferAttempt: Sendable {
    /// The number of the attempt, from 1.
    let number: Int
    /// Whether the attempt restarts instead of continuing the previous attempt.
    let isFresh: Bool
    let report: TransferProgress.Handler
}

extension TransferUpdate {
    /// Whether the update belongs to a later attempt, or to the same attempt with more bytes.
    func isNews(after other: TransferUpdate) -> Bool {
        guard attempt == other.attempt else { return attempt > other.attempt }
        return progress.sent >= other.progress.sent && progress.received >= other.progress.received
            && progress != other.progress
    }
}
