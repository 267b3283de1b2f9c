// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport

extension Credential {
    /// A credential with the generation it belongs to.
    ///
    /// Every renewal makes a new generation.
    public struct Issued: Sendable, Hashable {
        /// The credential.
        public let credential: Credential
        /// Grows by one with every renewal; a late 401 that carries an older generation never renews again.
        public let generation: UInt64
    }
}

/// The token manager's state machine: a value without I/O, clocks or locks.
struct TokenState {
    /// Who waits for whom.
    enum Phase: Equatable {
        /// There is no credential yet and nobody waits. The first question starts a flight.
        case empty
        /// A credential is in use and no caller waits. A question that rejects its generation starts a flight. The
        /// first one shortly before its known end starts a flight too, and gets the credential without waiting. From
        /// its known end on, every question waits for a flight.
        case current(Credential)
        /// A flight is under way and every question waits for it. `previous` comes back if the flight fails for now.
        case renewing(previous: Credential?)
        /// A flight is under way ahead of the credential's end. Questions get the credential, until one rejects it or
        /// its end has come. Then every question waits, as in `renewing`.
        case renewingAhead(Credential)
        /// The login is over and no caller waits: every question fails at once, until a credential is installed. Every
        /// five seconds the first one looks whether another client has saved a new login. More seldom, it asks an
        /// unattended grant too.
        case ended(Ending)
        /// The login is over, the store or the grant is being asked, and every question waits for it.
        case looking(Ending)
        /// The account was unlinked and nobody waits: every question fails at once and for good; a flight that is still
        /// under way ends without effect.
        case closed
    }

    /// How a login ended, and when to look for a way back.
    struct Ending: Equatable {
        /// Why the login ended, or why the last attempt to log in again was refused.
        private(set) var error: OAuthError
        /// From here on the store is looked at again.
        private(set) var nextLook: ContinuousClock.Instant
        /// From here on an unattended grant is asked again.
        private(set) var nextLogin: ContinuousClock.Instant
        /// How long the grant is left alone after it was asked.
        private var pause: Duration

        /// How long a login that ended stays so before the store is looked at again.
        static let pauseBetweenLooks = Duration.seconds(5)
        /// The pauses before a refused grant is asked again: the first, and the longest, with doubled ones in between.
        static let pausesBetweenLogins = Duration.seconds(60)...Duration.seconds(3_600)

        init(_ error: OAuthError, at now: ContinuousClock.Instant) {
            (self.error, pause) = (error, Self.pausesBetweenLogins.lowerBound)
            (nextLook, nextLogin) = (now + Self.pauseBetweenLooks, now + pause)
        }

        /// The grant is asked now, because it is due or because the app wants it.
        mutating func beginLogin(at now: ContinuousClock.Instant) {
            if now >= nextLogin { pause = min(pause * 2, Self.pausesBetweenLogins.upperBound) }
            nextLogin = now + pause
        }

        /// There is no way back yet; a refusal says why.
        mutating func lookFailed(_ error: OAuthError, at now: ContinuousClock.Instant) {
            if error.isFinal { self.error = error }
            nextLook = now + Self.pauseBetweenLooks
        }
    }

    /// What the caller of ``ask(waiter:rejecting:isDemand:at:)`` has to do.
    enum Answer: Equatable {
        /// Go on with this credential.
        case use(Credential.Issued)
        /// Go on with this credential, and start the flight that replaces it.
        case useAndRenew(Credential.Issued)
        /// Give up with this error.
        case fail(OAuthError)
        /// Wait; the flight that is under way answers.
        case wait
        /// Start the flight that replaces `previous`, then wait for it.
        case renew(previous: Credential?)
        /// Start a flight that fails with this error unless the store has a new login; then wait for it. The flight
        /// also asks an unattended grant, if `asksGrant` says so.
        case look(OAuthError, asksGrant: Bool)

        /// Whether the question is answered later, by a flight.
        var waits: Bool {
            switch self {
            case .wait, .renew, .look: true
            case .use, .useAndRenew, .fail: false
            }
        }
    }

    /// What a flight's end means to others.
    struct Landing: Equatable {
        /// Who is to be answered with the flight's outcome.
        let waiters: Set<UInt64>
        /// Whether something happened to the login that was not known before.
        let isNews: Bool
    }

    /// At most this many tokens that were refused are replaced within ``window``, so that a server that refuses every
    /// one of them ends the loop.
    ///
    /// A flight that brought no token does not count, nor does one that replaced a token at its known end; and a token
    /// that served a call, however short it lived, shows that there is no loop.
    static let renewalsPerWindow = 5
    /// The span over which new tokens are counted.
    static let window = Duration.seconds(30)

    private(set) var phase: Phase
    private(set) var generation: UInt64
    private(set) var waiters: Set<UInt64> = []
    /// The instance of the last credential, also after the login ended.
    private(set) var instance: Origin?
    /// When the flights started that brought a token for one that was refused, and the one under way.
    private var renewals: [ContinuousClock.Instant] = []
    private var isFlightCounted = false
    /// What is known of the current credential's end.
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

    /// The answer to ``ask(waiter:rejecting:isDemand:at:)`` if no caller has to wait and no flight has to start.
    ///
    /// It is nearly always so. A credential whose known end has come is never the answer.
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

    /// Asks for a credential, other than the one of the `rejected` generation when one is given.
    ///
    /// `isDemand` says that the app wants a new credential now, so that a login that ended is looked after at once.
    mutating func ask(
        waiter: UInt64, rejecting rejected: UInt64?, isDemand: Bool = false, at now: ContinuousClock.Instant
    ) -> Answer {
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

    /// Lets a waiter go that was cancelled or timed out; the flight goes on for the others.
    ///
    /// - Returns: whether it was still waiting.
    mutating func abandon(waiter: UInt64) -> Bool {
        waiters.remove(waiter) != nil
    }

    /// Notes that the server took the credential of a generation for a call.
    mutating func served(_ generation: UInt64) {
        if generation == self.generation { renewals = [] }
    }

    /// Ends the flight that started in `flight`, the generation of its time.
    ///
    /// - Returns: `nil` when a new login came first and the outcome is void.
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

    /// Whether a flight is under way.
    private var isFlying: Bool {
        switch phase {
        case .renewing, .renewingAhead, .looking: true
        case .empty, .current, .ended, .closed: false
        }
    }

    /// Ends the login, or goes back to where the flight began.
    ///
    /// - Returns: whether the login ended by it.
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

    /// Whether what the store held at the time of this generation can be news: no flight knows better, or will soon.
    func canLearn(since generation: UInt64) -> Bool {
        generation == self.generation && !isFlying && phase != .closed
    }

    /// Puts a credential in use, from a flight or from a new login; a flight that is under way ends without effect
    /// then.
    ///
    /// - Returns: the waiters to answer with the credential.
    mutating func install(_ credential: Credential, at now: ContinuousClock.Instant) -> Set<UInt64> {
        guard phase != .closed else { return [] }
        generation += 1
        phase = .current(credential)
        instance = credential.instance
        expiry = TokenExpiry(credential, at: now)
        return releaseWaiters()
    }

    /// Ends it for good.
    ///
    /// - Returns: the waiters to answer with ``OAuthError/noAccount``.
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

    /// Counts a flight, unless there were too many of late.
    private mutating func admitFlight(at now: ContinuousClock.Instant) -> Bool {
        renewals.removeAll { $0 <= now - Self.window }
        guard renewals.count < Self.renewalsPerWindow else { return false }
        renewals.append(now)
        return true
    }

    private mutating func startFlightAhead(of credential: Credential) -> Answer {
        isFlightCounted = false
        phase = .renewingAhead(credential)
        return .useAndRenew(Credential.Issued(credential: credential, generation: generation))
    }

    private mutating func startFlight(
        replacing previous: Credential?, for waiter: UInt64, isCounted: Bool, at now: ContinuousClock.Instant
    ) -> Answer {
        guard !isCounted || admitFlight(at: now) else {
            return .fail(
                OAuthError(
                    .excessiveRefresh,
                    "\(Self.renewalsPerWindow) new tokens within \(Self.window) did not help; stopped"
                ))
        }
        isFlightCounted = isCounted
        waiters.insert(waiter)
        phase = .renewing(previous: previous)
        return .renew(previous: previous)
    }
}

/// When a credential with a known lifetime ends, and when to renew it before that; by a clock that nobody can set.
struct TokenExpiry: Equatable {
    /// From here on the credential is renewed while it is still good.
    private(set) var renewal: ContinuousClock.Instant
    /// From here on it is no longer used.
    let end: ContinuousClock.Instant

    /// A credential is renewed this long before its end, or in the last fifth of a short life.
    static let margin = Duration.seconds(300)
    /// The pause between a renewal that failed and the next one ahead of the end.
    static let pause = Duration.seconds(60)
    /// A longer life than this is as good as one without an end.
    private static let greatest = Duration.seconds(NumberRange.seconds.bounds.upperBound)

    /// `nil` for a credential whose lifetime nobody named.
    ///
    /// `now` is when this process got to know the credential, which may be after it was issued: a server that ends it
    /// earlier says so with a 401.
    init?(_ credential: Credential, at now: ContinuousClock.Instant) {
        guard let named = credential.lifetime, named <= Self.greatest else { return nil }
        let lifetime = max(named, .zero)
        end = now + lifetime
        renewal = end - min(Self.margin, lifetime / 5)
    }

    /// Puts the next renewal off, so that a server in trouble is not asked with every request; never beyond the end.
    mutating func postpone(at now: ContinuousClock.Instant) {
        renewal = min(now + Self.pause, end)
    }
}
