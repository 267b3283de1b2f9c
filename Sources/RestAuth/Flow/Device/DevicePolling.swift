// SPDX-License-Identifier: Apache-2.0

/// How often a device asks whether its user has agreed (RFC 8628 §3.5): a value without I/O.
struct DevicePolling {
    /// What the device does next.
    enum Step: Equatable {
        /// Ask at this moment.
        case ask(at: ContinuousClock.Instant)
        /// Stop with this error.
        case stop(OAuthError)
    }

    /// How long to wait between two questions; grows for good when the server asks for it.
    private(set) var interval: Duration
    private let expiry: ContinuousClock.Instant
    /// How many questions in a row got no answer; each doubles the wait until one does.
    private var unanswered = 0

    init(_ login: DeviceLogin) {
        interval = login.interval
        expiry = login.expiry
    }

    /// The first question.
    func first(at now: ContinuousClock.Instant) -> Step { ask(after: interval, at: now) }

    /// The step after a question that gave no tokens.
    mutating func step(after error: OAuthError, at now: ContinuousClock.Instant) -> Step {
        switch error.code {
        case .authorizationPending:
            unanswered = 0
            return ask(after: max(interval, error.retryAfter ?? .zero), at: now)
        case .slowDown:
            unanswered = 0
            interval += .seconds(5)
            return ask(after: max(interval, error.retryAfter ?? .zero), at: now)
        case .unreachable, .timedOut, .serverUnavailable:
            unanswered += 1
            let wait = interval * (1 << min(unanswered, 10))
            return ask(after: max(wait, error.retryAfter ?? .zero), at: now)
        default: return .stop(error)
        }
    }

    /// The last question is asked when the code expires, so that an answer in the last interval is not missed.
    private func ask(after wait: Duration, at now: ContinuousClock.Instant) -> Step {
        guard now < expiry else {
            return .stop(
                OAuthError(.deviceCodeExpired, "nobody agreed to the login before its code expired; begin a new one"))
        }
        return .ask(at: min(now + wait, expiry))
    }
}
