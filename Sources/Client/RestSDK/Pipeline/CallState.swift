// SPDX-License-Identifier: Apache-2.0

/// The reason why a call ended before its work.
enum CallEnding: Sendable, Hashable {
    /// The caller cancelled the call.
    case cancelled
    case timedOut
    case shutDown
    case loggedOut
}

/// The state of one call as a value, which decides what may still happen to the call.
///
/// Cancellation, deadline, renewal, retry and response can race in any way: the caller gets one result, and nothing is
/// sent after the call was ended.
struct CallState<Waiter> {
    typealias Ending = CallEnding

    /// The step that the call waits for.
    enum Phase: Sendable, Hashable {
        /// No attempt is in flight: the call's own steps are running, or it waits for its turn, a token or its next
        /// attempt.
        case preparing
        /// An attempt is in flight.
        case sending
        /// The server rejected the session, and the call waits for a new token for its only replay.
        case renewing
        /// The call was ended, sends nothing, and waits for the running step to return.
        case ending(Ending)
        /// The caller has its result.
        case over
    }

    /// The result of the steps of a call.
    enum Finish: Sendable, Hashable {
        case succeeded
        case failed(RestError.Code)
    }

    /// The result for the caller, which ``RestClientDelegate`` receives in one of four callbacks.
    enum Delivery: Sendable, Hashable {
        case success, failure
        /// A cancellation or a timeout, or an error for any other reason.
        case ended(Ending)
    }

    /// The result of ``begin()``.
    enum Permission: Sendable, Hashable {
        /// The attempt may be sent, with this number from 0.
        case attempt(Int)
        /// The attempt must not be sent, because the call was ended.
        case refused(Ending)
    }

    private(set) var phase = Phase.preparing
    /// The number of attempts, including retries, replays and redirects.
    private(set) var attempts = 0
    private var wasRenewed = false
    /// Whether code is running that may ignore the end of the call, such as the app's, and must not be waited for.
    private var isAtUnboundWork = false
    private var waiter: Waiter?

    /// Adds the waiter for the result, or returns the reason why the call was already ended.
    mutating func wait(_ waiter: Waiter) -> Ending? {
        if let ending {
            phase = .over
            return ending
        }
        self.waiter = waiter
        return nil
    }

    mutating func begin() -> Permission {
        switch phase {
        case .preparing:
            phase = .sending
            attempts += 1
            return .attempt(attempts - 1)
        case .ending(let ending): return .refused(ending)
        // A step that is running after the end of its call, or that sends twice at the same time, is rejected too.
        case .sending, .renewing, .over: return .refused(.cancelled)
        }
    }

    mutating func attemptEnded() {
        if phase == .sending { phase = .preparing }
    }

    /// Whether the call may wait for a new token and be replayed, which it may once unless it was ended.
    mutating func renew() -> Bool {
        guard phase == .preparing, !wasRenewed else { return false }
        phase = .renewing
        return true
    }

    /// Ends the wait for a new token, which may be repeated if there was no token.
    mutating func renewalEnded(withToken: Bool) {
        wasRenewed = wasRenewed || withToken
        if phase == .renewing { phase = .preparing }
    }

    /// The reason why the call was ended, before the caller has its result.
    var ending: Ending? { if case .ending(let ending) = phase { ending } else { nil } }

    /// Begins or continues code that may ignore the end, and returns the waiter to resume if the call was already
    /// ended.
    mutating func unboundWorkBegins() -> (ending: Ending, waiter: Waiter?)? {
        isAtUnboundWork = true
        switch phase {
        case .ending(let ending): return (ending, takeWaiter())
        case .over: return (.cancelled, nil)
        case .preparing, .sending, .renewing: return nil
        }
    }

    /// Ends code that may ignore the end of the call, or pauses it during the SDK's own steps.
    mutating func unboundWorkEnds() { isAtUnboundWork = false }

    /// Ends the call for a reason, unless it was ended for another reason before.
    ///
    /// - Returns: the waiter to resume if only code is running that may ignore the end. The SDK's own steps return
    ///   immediately, and determine the outcome of a write.
    @discardableResult
    mutating func end(_ ending: Ending) -> Waiter? {
        switch phase {
        case .preparing, .sending, .renewing: phase = .ending(ending)
        case .ending, .over: return nil
        }
        return isAtUnboundWork ? takeWaiter() : nil
    }

    /// Ends the call with the result of its steps.
    ///
    /// The reason why a call was ended replaces every error of the steps. A response that was already read is still
    /// delivered, except after a cancellation.
    ///
    /// - Returns: the result for the caller, or `nil` if the caller already has its result.
    mutating func finish(_ finish: Finish) -> Delivery? {
        defer { (phase, waiter) = (.over, nil) }
        switch (phase, finish) {
        case (.over, _): return nil
        case (.ending(.cancelled), _): return .ended(.cancelled)
        case (_, .succeeded): return .success
        case (.ending(let ending), .failed): return .ended(ending)
        case (_, .failed(.timedOut)): return .ended(.timedOut)
        case (_, .failed(.cancelled)): return .ended(.cancelled)
        case (_, .failed): return .failure
        }
    }

    /// Removes the waiter, which ends the call.
    private mutating func takeWaiter() -> Waiter? {
        guard let waiter else { return nil }
        (phase, self.waiter) = (.over, nil)
        return waiter
    }
}

extension CallState: Sendable where Waiter: Sendable {}
extension CallState: Equatable where Waiter: Equatable {}
extension CallState: Hashable where Waiter: Hashable {}

/// The outcome of a write over all attempts of its call, as a value.
///
/// A call can send its request several times, by retries and by `next` of interceptors. The write was applied if one
/// attempt was applied, and may have been applied if one attempt may have been.
struct WriteLedger: Sendable, Hashable {
    /// The outcome of all attempts before the last.
    private(set) var settled = RestError.WriteOutcome.notApplied
    /// The outcome of the last attempt, as far as it is known, which reading the response may correct.
    private var latest = RestError.WriteOutcome.notApplied

    var joined: RestError.WriteOutcome { settled.and(latest) }

    /// Records the start of an attempt, which may have been applied until its outcome is known.
    mutating func attemptBegins() { latest = .unknown }

    mutating func learned(_ outcome: RestError.WriteOutcome) { latest = outcome }

    /// Makes the outcome of the last attempt final.
    mutating func settle() { (settled, latest) = (joined, .notApplied) }
}
