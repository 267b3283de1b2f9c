// SPDX-License-Identifier: Apache-2.0

import RestSDK
public import RestTransport

/// The state of a transfer: the running attempt, and the next step after it ends.
///
/// Only one attempt runs at a time, so that two attempts never write the same file. If an attempt succeeds although it
/// should stop, its result counts, unless the transfer was restarted.
struct TransferState: Sendable, Hashable {
    enum Phase: Sendable, Hashable {
        case cold
        case running
        case paused
        case over
    }

    enum Effect: Sendable, Hashable {
        /// Begin an attempt, which ignores earlier work if it is fresh.
        case begin(attempt: Int, isFresh: Bool)
        case stop
        case deliver
        /// Deliver the cancellation, and stop the attempt in progress, if any.
        case deliverCancelled(stopsAttempt: Bool)
    }

    private(set) var phase = Phase.cold
    /// The number of the last attempt, from 1.
    private(set) var attempt = 0
    private var isUnderWay = false
    private var isStopping = false
    private var isFresh = true

    /// The last attempt, if its work is no longer needed: the transfer has finished, and no attempt is in progress.
    var spentAttempt: Int? { phase == .over && !isUnderWay ? attempt : nil }

    /// Begins a transfer that was not requested before.
    mutating func start() -> Effect? { phase == .cold ? resume() : nil }

    /// Begins, or continues where the last attempt stopped.
    mutating func resume() -> Effect? {
        guard phase == .cold || phase == .paused else { return nil }
        phase = .running
        return begin()
    }

    /// Pauses the transfer, even before it begins.
    mutating func pause() -> Effect? {
        guard phase == .cold || phase == .running else { return nil }
        phase = .paused
        return stop()
    }

    /// Restarts from the beginning, even after the transfer has finished.
    mutating func restart() -> Effect? {
        (phase, isFresh) = (.running, true)
        return isUnderWay ? stop() : begin()
    }

    mutating func cancel() -> Effect? {
        guard phase != .over else { return nil }
        phase = .over
        return .deliverCancelled(stopsAttempt: stop() != nil)
    }

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

/// Decides whether a failed transfer continues.
///
/// Progress resets the failure count, so that a transfer can be interrupted any number of times.
struct TransferRetry: Sendable {
    private let policy: RetryPolicy
    private let clock: any MonotonicClock
    /// The number of consecutive attempts without progress, including the last.
    private var failures = 0

    init(_ policy: RetryPolicy, clock: any MonotonicClock) {
        self.policy = policy
        self.clock = clock
    }

    /// Waits for the next attempt by the client's clock.
    ///
    /// - Throws: `error`, if it is permanent or too many consecutive attempts made no progress.
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

/// The progress of a transfer, which never decreases within an attempt.
public struct TransferUpdate: Sendable, Hashable {
    /// The number of the attempt, from 1; a pause or a restart ends an attempt.
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
    let number: Int
    /// Whether it starts over instead of continuing the last attempt.
    let isFresh: Bool
    let report: TransferProgress.Handler
}

extension TransferUpdate {
    /// Whether this update is of a later attempt, or of the same attempt with more progress.
    func isNews(after other: TransferUpdate) -> Bool {
        guard attempt == other.attempt else { return attempt > other.attempt }
        return progress.sent >= other.progress.sent && progress.received >= other.progress.received
            && progress != other.progress
    }
}
