// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport

extension Credential {
    /// A credential with its generation, which every renewal increments.
    public struct Issued: Sendable, Hashable {
        /// The credential.
        public let credential: Credential
        /// A number that grows by one with every renewal, so that a late 401 with an older number causes no renewal.
        public let generation: UInt64
    }
}

/// The token manager's state machine: a value without I/O, clocks or locks.
struct TokenState {
    /// The state of the login, with "flight" for a renewal in flight and "question" for a request for a credential.
    enum Phase: Equatable {
        /// There is no credential and no waiter, and the first question starts a flight.
        case empty
        /// A credential is in use and no caller waits.
        ///
        /// A question that rejects its generation starts a flight. Shortly before its known end, the first question
        /// starts a flight and gets the credential without waiting. After its known end, every question waits for a
        /// flight.
        case current(Credential)
        /// Every question waits for the flight, and `previous` is used again if it fails temporarily.
        case renewing(previous: Credential?)
        /// A flight is active before the credential's end.
        ///
        /// Questions get the credential, until one rejects it or its end has come. Then all wait, as in `renewing`.
        case renewingAhead(Credential)
        /// The login has ended and no caller waits: every question fails at once, until a credential is installed.
        ///
        /// Every five seconds, the first question checks whether another client has saved a new login. At longer
        /// intervals, it also tries an unattended grant.
        case ended(Ending)
        /// The login has ended, and every question waits for the store or the grant.
        case looking(Ending)
        /// The account was unlinked: every question fails for good, and a flight has no effect.
        case closed
    }

    /// The end of a login, and the times for the next attempts.
    struct Ending: Equatable {
        /// The reason why the login ended, or why the last attempt to log in again was rejected.
        private(set) var error: OAuthError
        /// The time after which the store is read again.
        private(set) var nextLook: ContinuousClock.Instant
        /// The time after which an unattended grant is tried again.
        private(set) var nextLogin: ContinuousClock.Instant
        /// The pause after an attempt with the grant.
        private var pause: Duration

        /// The pause before the store is read again.
        static let pauseBetweenLooks = Duration.seconds(5)
        /// The first and the longest pause before a rejected grant is tried again, with doubled pauses in between.
        static let pausesBetweenLogins = Duration.seconds(60)...Duration.seconds(3_600)

        init(_ error: OAuthError, at now: ContinuousClock.Instant) {
            (self.error, pause) = (error, Self.pausesBetweenLogins.lowerBound)
            (nextLook, nextLogin) = (now + Self.pauseBetweenLooks, now + pause)
        }

        /// Sets the time of the next attempt when the grant is tried, because it is due or because the app requests it.
        mutating func beginLogin(at now: ContinuousClock.Instant) {
            if now >= nextLogin { pause = min(pause * 2, Self.pausesBetweenLogins.upperBound) }
            nextLogin = now + pause
        }

        /// Records that the attempt failed, with the reason if it is final.
        mutating func lookFailed(_ error: OAuthError, at now: ContinuousClock.Instant) {
            if error.isFinal { self.error = error }
            nextLook = now + Self.pauseBetweenLooks
        }
    }

    /// The action for the caller of ``ask(waiter:rejecting:isDemand:at:)``.
    enum Response: Equatable {
        case use(Credential.Issued)
        /// Use this credential, and start the flight that replaces it.
        case useAndRenew(Credential.Issued)
        case fail(OAuthError)
        case wait
        /// Start the flight that replaces `previous`, then wait for it.
        case renew(previous: Credential?)
        /// Start a flight that fails with this error unless the store has a new login, then wait for it.
        ///
        /// If `asksGrant` is true, the flight also tries an unattended grant.
        case look(OAuthError, asksGrant: Bool)

        /// Whether a flight provides the result later.
        var waits: Bool {
            switch self {
            case .wait, .renew, .look: true
            case .use, .useAndRenew, .fail: false
            }
        }
    }

    /// The effect of a flight's end on others.
    struct Landing: Equatable {
        /// The waiters to resume with the flight's outcome.
        let waiters: Set<UInt64>
        /// Whether the outcome changed the login.
        let isNews: Bool
    }

    /// The maximum number of renewals of rejected tokens within ``window``, to stop a loop of renewals.
    ///
    /// A flight without a new token does not count, nor does one that replaced a token at its known end. A token that
    /// served a call, even briefly, proves that there is no loop.
    static let renewalsPerWindow = 5
    static let window = Duration.seconds(30)

    private(set) var phase: Phase
    private(set) var generation: UInt64
    private(set) var waiters: Set<UInt64> = []
    /// The instance of the last credential, also after the login ended.
    private(set) var instance: Origin?
    /// The start times of flights that replaced a rejected token, including the active one.
    private var renewals: [ContinuousClock.Instant] = []
    private var isFlightCounted = false
    /// The known end of the current credential.
    private var expiry: TokenExpiry?

    init(credential: Credential?, at now: ContinuousClock.Instant) {
        phase = credential.map(Phase.current) ?? .empty
        generation = credential == nil ? 0 : 1
        expiry = credential.flatMap { TokenExpiry($0, at: now) }
        instance = credential?.instance
    }

    /// The credential in use, or the one that is being renewed.
    var credential: Credential? {
        switch phase {
        case .current(let credential): credential
        case .renewing(let previous): previous
        case .renewingAhead(let credential): credential
        case .empty, .ended, .looking, .closed: nil
        }
    }

    /// The credential if no caller has to wait and no flight has to start, which is the usual case.
    ///
    /// A credential after its known end is never returned.
    func ready(
        rejecting rejected: UInt64?, at now: @autoclosure () -> ContinuousClock.Instant
    ) -> Credential.Issued? {
        guard rejected != generation else { return nil }
        switch phase {
        case .current(let credential):
            if let expiry, now() >= expiry.renewal { return nil }
            return Credential.Issued(credential: credential, generation: generation)
        case .renewingAhead(let credential):
            if let expiry, now() >= expiry.end { return nil }
            return Credential.Issued(credential: credential, generation: generation)
        case .empty, .renewing, .ended, .looking, .closed: return nil
        }
    }

    /// Asks for a credential, which must not be of the `rejected` generation.
    ///
    /// `isDemand` means that the app requests a new credential, so that a login that has ended is tried again at once.
    mutating func ask(
        waiter: UInt64, rejecting rejected: UInt64?, isDemand: Bool = false, at now: ContinuousClock.Instant
    ) -> Response {
        if let issued = ready(rejecting: rejected, at: now) { return .use(issued) }
        switch phase {
        case .current(let credential):
            let isRefused = rejected == generation
            if !isRefused, expiry.map({ now < $0.end }) ?? true { return startFlightAhead(of: credential) }
            return startFlight(replacing: credential, for: waiter, isCounted: isRefused, at: now)
        case .empty:
            return startFlight(replacing: nil, for: waiter, isCounted: true, at: now)
        case .renewing, .renewingAhead, .looking:
            if case .renewingAhead(let credential) = phase { phase = .renewing(previous: credential) }
            waiters.insert(waiter)
            return .wait
        case .ended(var ending):
            guard isDemand || now >= min(ending.nextLook, ending.nextLogin) else { return .fail(ending.error) }
            let asksGrant = isDemand || now >= ending.nextLogin
            if asksGrant { ending.beginLogin(at: now) }
            phase = .looking(ending)
            waiters.insert(waiter)
            return .look(ending.error, asksGrant: asksGrant)
        case .closed:
            return .fail(.noAccount)
        }
    }

    /// Removes a waiter without ending the flight, and returns whether it was still waiting.
    mutating func abandon(waiter: UInt64) -> Bool { waiters.remove(waiter) != nil }

    mutating func served(_ generation: UInt64) {
        if generation == self.generation { renewals = [] }
    }

    /// Ends the flight that started with the generation `flight`, without effect (`nil`) after a new login.
    mutating func finish(
        _ outcome: Result<Credential, OAuthError>, of flight: UInt64, at now: ContinuousClock.Instant
    ) -> Landing? {
        guard isFlying, flight == generation else { return nil }
        switch outcome {
        case .success(let credential):
            return Landing(waiters: install(credential, at: now), isNews: true)
        case .failure(let error) where error.code == .noAccount:
            return Landing(waiters: close(), isNews: true)
        case .failure(let error):
            let isNews = fail(error, at: now)
            return Landing(waiters: releaseWaiters(), isNews: isNews)
        }
    }

    private var isFlying: Bool {
        switch phase {
        case .renewing, .renewingAhead, .looking: true
        case .empty, .current, .ended, .closed: false
        }
    }

    /// Ends the login, or returns to the phase before the flight, and returns whether the login ended.
    private mutating func fail(_ error: OAuthError, at now: ContinuousClock.Instant) -> Bool {
        if case .looking(var ending) = phase {
            ending.lookFailed(error, at: now)
            phase = .ended(ending)
            return false
        }
        if isFlightCounted { _ = renewals.popLast() }
        if error.isFinal {
            phase = .ended(Ending(error, at: now))
            return true
        }
        phase = credential.map(Phase.current) ?? .empty
        expiry?.postpone(at: now)
        return false
    }

    /// Whether a record that was read at this generation can be news.
    func canLearn(since generation: UInt64) -> Bool {
        generation == self.generation && !isFlying && phase != .closed
    }

    /// Uses a credential and ends an active flight, and returns the waiters to resume with the credential.
    mutating func install(_ credential: Credential, at now: ContinuousClock.Instant) -> Set<UInt64> {
        guard phase != .closed else { return [] }
        generation += 1
        phase = .current(credential)
        instance = credential.instance
        expiry = TokenExpiry(credential, at: now)
        return releaseWaiters()
    }

    /// Ends the account for good, and returns the waiters to resume with ``OAuthError/noAccount``.
    mutating func close() -> Set<UInt64> {
        generation += 1
        phase = .closed
        instance = nil
        return releaseWaiters()
    }

    private mutating func releaseWaiters() -> Set<UInt64> {
        defer { waiters = [] }
        return waiters
    }

    /// Counts a flight, or returns `false` if there were too many within the window.
    private mutating func admitFlight(at now: ContinuousClock.Instant) -> Bool {
        renewals.removeAll { $0 <= now - Self.window }
        guard renewals.count < Self.renewalsPerWindow else { return false }
        renewals.append(now)
        return true
    }

    private mutating func startFlightAhead(of credential: Credential) -> Response {
        isFlightCounted = false
        phase = .renewingAhead(credential)
        return .useAndRenew(Credential.Issued(credential: credential, generation: generation))
    }

    private mutating func startFlight(
        replacing previous: Credential?, for waiter: UInt64, isCounted: Bool, at now: ContinuousClock.Instant
    ) -> Response {
        guard !isCounted || admitFlight(at: now) else {
            return .fail(
                OAuthError(
                    .excessiveRefresh,
                    "the server rejected \(Self.renewalsPerWindow) new tokens within \(Self.window); try again later"
                ))
        }
        isFlightCounted = isCounted
        waiters.insert(waiter)
        phase = .renewing(previous: previous)
        return .renew(previous: previous)
    }
}

/// The end of a credential with a known lifetime, and the time to renew it before, by a monotonic clock.
struct TokenExpiry: Equatable {
    /// The time after which the credential is renewed while it is still valid.
    private(set) var renewal: ContinuousClock.Instant
    /// The time after which the credential is no longer used.
    let end: ContinuousClock.Instant

    /// The time between renewal and end, unless a fifth of the lifetime is shorter.
    static let margin = Duration.seconds(300)
    /// The pause between a failed renewal and the next attempt before the end.
    static let pause = Duration.seconds(60)
    /// The maximum lifetime, above which a lifetime counts as unlimited.
    private static let greatest = Duration.seconds(NumberRange.seconds.bounds.upperBound)

    /// Returns `nil` if the lifetime is unknown.
    ///
    /// `now` is the time at which this process received the credential, possibly after its issue. If the credential
    /// expires earlier, the server responds with 401.
    init?(_ credential: Credential, at now: ContinuousClock.Instant) {
        guard let named = credential.lifetime, named <= Self.greatest else { return nil }
        let lifetime = max(named, .zero)
        end = now + lifetime
        renewal = end - min(Self.margin, lifetime / 5)
    }

    /// Delays the next renewal, at most to the end, so that an unavailable server does not get one request per call.
    mutating func postpone(at now: ContinuousClock.Instant) {
        renewal = min(now + Self.pause, end)
    }
}
