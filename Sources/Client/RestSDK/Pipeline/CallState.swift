// SPDX-License-Identifier: Apache-2.0

/// What ends a call from outside.
enum CallEnding: Sendable, Hashable {
    /// The caller does not want it any more.
    case cancelled
    /// Its deadline passed.
    case timedOut
    /// Its client was shut down.
    case shutDown
    /// Its account was logged out.
    case loggedOut
}

/// The life of one call as a value: what happened to it so far, who waits for it, and so what may still happen.
///
/// However cancellation, deadline, renewal, retry and answer race: the caller is told once, and nothing is sent after
/// the call was ended.
struct CallState<Waiter> {
    typealias Ending = CallEnding

    /// Who waits for whom.
    enum Phase: Sendable, Hashable {
        /// Nothing of the call is with the transport: its own steps are at work, and it waits for a place, a token or
        /// its next attempt.
        case preparing
        /// An attempt is with the transport; the call waits for its end.
        case sending
        /// The server refused the session; the call waits for the new token that its one replay needs.
        case renewing
        /// The call was ended from outside; it waits for the step at work to return, and sends nothing any more.
        case ending(Ending)
        /// The caller was told; nobody waits.
        case over
    }

    /// How the steps of a call came to their end.
    enum Finish: Sendable, Hashable {
        case succeeded
        case failed(RestError.Code)
    }

    /// What the caller is told, through one of the four callbacks of ``RestClientDelegate``.
    enum Delivery: Sendable, Hashable {
        case success, failure
        /// The callback of a cancelled or late call; for all else that ends one from outside, that of a failure.
        case ended(Ending)
    }

    /// The answer to ``begin()``.
    enum Permission: Sendable, Hashable {
        /// Send; the attempt has this number, from 0.
        case attempt(Int)
        /// Do not send: the call was ended.
        case refused(Ending)
    }

    private(set) var phase = Phase.preparing
    /// How often the call was sent: first time, retries, replays and redirects alike.
    private(set) var attempts = 0
    private var wasRenewed = false
    /// Whether work is under way that may ignore the end of the call, such as the app's own code: a call that was
    /// ended does not wait for it.
    private var isAtUnboundWork = false
    /// Whoever waits for the call, until it is told.
    private var waiter: Waiter?

    /// The caller waits.
    ///
    /// - Returns: what ended the call before; the caller is told at once then.
    mutating func wait(_ waiter: Waiter) -> Ending? {
        if let ending {
            phase = .over
            return ending
        }
        self.waiter = waiter
        return nil
    }

    /// Begins an attempt, unless the call was ended.
    mutating func begin() -> Permission {
        switch phase {
        case .preparing:
            phase = .sending
            attempts += 1
            return .attempt(attempts - 1)
        case .ending(let ending): return .refused(ending)
        // A step that is still at work when its call is over, or sends twice at once, is refused too.
        case .sending, .renewing, .over: return .refused(.cancelled)
        }
    }

    /// The transport returned from the attempt.
    mutating func attemptEnded() {
        if phase == .sending { phase = .preparing }
    }

    /// Whether the call may wait for a new token and be replayed with it: once, and not after it was ended.
    mutating func renew() -> Bool {
        guard phase == .preparing, !wasRenewed else { return false }
        phase = .renewing
        return true
    }

    /// The wait for a new token is over; one that brought none may be tried again.
    mutating func renewalEnded(withToken: Bool) {
        wasRenewed = wasRenewed || withToken
        if phase == .renewing { phase = .preparing }
    }

    /// What ended the call from outside, while its caller was not told yet.
    var ending: Ending? {
        if case .ending(let ending) = phase { ending } else { nil }
    }

    /// Work begins, or goes on, that may ignore the end of the call.
    ///
    /// - Returns: what ended the call before, and the waiter to resume then.
    mutating func unboundWorkBegins() -> (ending: Ending, waiter: Waiter?)? {
        isAtUnboundWork = true
        switch phase {
        case .ending(let ending): return (ending, takeWaiter())
        case .over: return (.cancelled, nil)
        case .preparing, .sending, .renewing: return nil
        }
    }

    /// The work that may ignore the end of the call is over, or waits for the SDK's own steps.
    mutating func unboundWorkEnds() { isAtUnboundWork = false }

    /// Ends the call from outside; the first who does so decides.
    ///
    /// - Returns: the waiter to resume, when the call waits for nothing but work that may ignore the end. The SDK's
    ///   own steps return at once, and know what became of a write.
    @discardableResult
    mutating func end(_ ending: Ending) -> Waiter? {
        switch phase {
        case .preparing, .sending, .renewing: phase = .ending(ending)
        case .ending, .over: return nil
        }
        return isAtUnboundWork ? takeWaiter() : nil
    }

    /// The terminal transition: the steps came to their end, and the caller is told.
    ///
    /// An end from outside wins over every failure. An answer that was read when the call was ended is delivered all
    /// the same; only after a cancellation nobody wants it.
    ///
    /// - Returns: what to tell the caller; `nil` when the caller was told before.
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

    /// Hands the waiter out; the call is over then.
    private mutating func takeWaiter() -> Waiter? {
        guard let waiter else { return nil }
        (phase, self.waiter) = (.over, nil)
        return waiter
    }
}

extension CallState: Sendable where Waiter: Sendable {}
extension CallState: Equatable where Waiter: Equatable {}
extension CallState: Hashable where Waiter: Hashable {}

/// What is known of a write, over everything that its call sent, as a value.
///
/// A call may send its request many times: retries, and each `next` of an interceptor. The call was applied if one of
/// them was, and may have been if one of them may have been.
struct WriteLedger: Sendable, Hashable {
    /// The outcome of everything that was sent before the last time.
    private(set) var settled = RestError.WriteOutcome.notApplied
    /// The outcome of the last time, as far as it is known.
    ///
    /// Reading the response may correct what its status said.
    private var latest = RestError.WriteOutcome.notApplied

    /// The outcome of everything that was sent.
    var joined: RestError.WriteOutcome { settled.and(latest) }

    /// An attempt begins.
    ///
    /// Until its outcome is known, the write may have been applied.
    mutating func attemptBegins() { latest = .unknown }

    /// Takes what is known now of the last time, in place of what was known before.
    mutating func learned(_ outcome: RestError.WriteOutcome) { latest = outcome }

    /// What is known of the last time is final.
    mutating func settle() { (settled, latest) = (joined, .notApplied) }
}
