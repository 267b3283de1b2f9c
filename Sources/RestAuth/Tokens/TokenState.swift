// SPDX-License-Identifier: Apache-2.0

/// A credential with the generation it belongs to.
///
/// Every renewal makes a new generation.
public struct IssuedCredential: Sendable, Hashable {
    /// The credential.
    public let credential: Credential
    /// Grows by one with every renewal; a late 401 that carries an older generation never renews again.
    public let generation: UInt64
}

/// The token manager's state machine: a value without I/O, clocks or locks.
struct TokenState {
    /// Who waits for whom.
    enum Phase: Equatable {
        /// There is no credential yet and nobody waits. The first question starts a flight.
        case empty
        /// A credential is in use and nobody waits. A question that rejects its generation starts a flight; the first
        /// one shortly before its known end starts a flight too and goes on without waiting.
        case current(Credential)
        /// A flight is under way and every question waits for it. `previous` comes back if the flight fails for now.
        case renewing(previous: Credential?)
        /// A flight is under way ahead of the credential's end. Questions go on with the credential, until one rejects
        /// it: then every question waits, as in `renewing`.
        case renewingAhead(Credential)
        /// The login is over and nobody waits: every question fails at once, without I/O, until a credential is
        /// installed.
        case ended(OAuthError)
        /// The account was unlinked and nobody waits: every question fails at once and for good; a flight that is still
        /// under way ends without effect.
        case closed
    }

    /// What the caller of ``ask(waiter:rejecting:at:)`` has to do.
    enum Answer: Equatable {
        /// Go on with this credential.
        case use(IssuedCredential)
        /// Go on with this credential, and start the flight that replaces it.
        case useAndRenew(IssuedCredential)
        /// Give up with this error.
        case fail(OAuthError)
        /// Wait; the flight that is under way answers.
        case wait
        /// Start the flight that replaces `previous`, then wait for it.
        case renew(previous: Credential?)

        /// Whether the question is answered later, by a flight.
        var waits: Bool {
            switch self {
            case .wait, .renew: true
            case .use, .useAndRenew, .fail: false
            }
        }
    }

    /// At most this many new tokens are asked for within ``window``, so that a server that refuses every one of them
    /// ends the loop.
    ///
    /// A flight that brought none does not count.
    static let renewalsPerWindow = 5
    /// The span over which new tokens are counted.
    static let window = Duration.seconds(30)

    private(set) var phase: Phase
    private(set) var generation: UInt64
    private(set) var waiters: Set<UInt64> = []
    /// When the flights started that brought a token, and the one under way.
    private var renewals: [ContinuousClock.Instant] = []
    /// What is known of the current credential's end.
    private var expiry: TokenExpiry?

    init(credential: Credential?, at now: ContinuousClock.Instant) {
        phase = credential.map(Phase.current) ?? .empty
        generation = credential == nil ? 0 : 1
        expiry = credential.flatMap { TokenExpiry($0, at: now) }
    }

    /// The credential in use, or the one that is being renewed.
    var credential: Credential? {
        switch phase {
        case .current(let credential): credential
        case .renewing(let previous): previous
        case .renewingAhead(let credential): credential
        case .empty, .ended, .closed: nil
        }
    }

    /// The answer to ``ask(waiter:rejecting:at:)`` where nobody has to wait and no flight to start, which is nearly
    /// always.
    func ready(
        rejecting rejected: UInt64?, at now: @autoclosure () -> ContinuousClock.Instant
    ) -> IssuedCredential? {
        guard rejected != generation else { return nil }
        switch phase {
        case .current(let credential):
            if let expiry, now() >= expiry.renewal { return nil }
            return IssuedCredential(credential: credential, generation: generation)
        case .renewingAhead(let credential):
            return IssuedCredential(credential: credential, generation: generation)
        case .empty, .renewing, .ended, .closed: return nil
        }
    }

    /// Asks for a credential, other than the one of the `rejected` generation when one is given.
    mutating func ask(waiter: UInt64, rejecting rejected: UInt64?, at now: ContinuousClock.Instant) -> Answer {
        if let issued = ready(rejecting: rejected, at: now) { return .use(issued) }
        switch phase {
        case .current(let credential):
            let isGood = rejected != generation && expiry.map { now < $0.end } ?? true
            if isGood { return startFlightAhead(of: credential, at: now) }
            return startFlight(replacing: credential, for: waiter, at: now)
        case .empty:
            return startFlight(replacing: nil, for: waiter, at: now)
        case .renewing, .renewingAhead:
            if case .renewingAhead(let credential) = phase { phase = .renewing(previous: credential) }
            waiters.insert(waiter)
            return .wait
        case .ended(let error):
            return .fail(error)
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

    /// Ends the flight that started in `flight`, the generation of its time.
    ///
    /// - Returns: the waiters to answer with the flight's outcome; `nil` when a new login came first and the outcome is
    /// void.
    mutating func finish(
        _ outcome: Result<Credential, OAuthError>, of flight: UInt64, at now: ContinuousClock.Instant
    ) -> Set<UInt64>? {
        let previous: Credential?
        switch phase {
        case .renewing(let credential): previous = credential
        case .renewingAhead(let credential): previous = credential
        case .empty, .current, .ended, .closed: return nil
        }
        guard flight == generation else { return nil }
        switch outcome {
        case .success(let credential):
            return install(credential, at: now)
        case .failure(let error) where error.isFinal:
            phase = .ended(error)
        case .failure:
            phase = previous.map(Phase.current) ?? .empty
            expiry?.postpone(at: now)
            _ = renewals.popLast()
        }
        return releaseWaiters()
    }

    /// Puts a credential in use, from a flight or from a new login; a flight that is under way ends without effect
    /// then.
    ///
    /// - Returns: the waiters to answer with the credential.
    mutating func install(_ credential: Credential, at now: ContinuousClock.Instant) -> Set<UInt64> {
        guard phase != .closed else { return [] }
        generation += 1
        phase = .current(credential)
        expiry = TokenExpiry(credential, at: now)
        return releaseWaiters()
    }

    /// Ends it for good.
    ///
    /// - Returns: the waiters to answer with ``OAuthError/noAccount``.
    mutating func close() -> Set<UInt64> {
        generation += 1
        phase = .closed
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

    private mutating func startFlightAhead(of credential: Credential, at now: ContinuousClock.Instant) -> Answer {
        let issued = IssuedCredential(credential: credential, generation: generation)
        guard admitFlight(at: now) else {
            expiry?.postpone(at: now)
            return .use(issued)
        }
        phase = .renewingAhead(credential)
        return .useAndRenew(issued)
    }

    private mutating func startFlight(
        replacing previous: Credential?, for waiter: UInt64, at now: ContinuousClock.Instant
    ) -> Answer {
        guard admitFlight(at: now) else {
            return .fail(
                OAuthError(
                    .excessiveRefresh,
                    "\(Self.renewalsPerWindow) new tokens within \(Self.window) did not help; stopped"
                ))
        }
        waiters.insert(waiter)
        phase = .renewing(previous: previous)
        return .renew(previous: previous)
    }
}
