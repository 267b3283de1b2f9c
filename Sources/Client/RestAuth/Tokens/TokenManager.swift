// SPDX-License-Identifier: Apache-2.0

import RestBase
public import RestTransport
import Synchronization

/// Hands out the current credential of one account and renews it, once at a time, for everybody who asks.
///
/// The rules are those of the state machine; this class runs its effects: the flight to the token endpoint, the store,
/// and the waiters. It is a lock around a value, not an actor, because the answer to nearly every question is at hand
/// and must not cost a hop.
public final class TokenManager: Sendable {
    private typealias Answer = Result<Credential.Issued, OAuthError>

    private struct Core {
        var state: TokenState
        var waiters: [UInt64: AwaitedValue<Answer>] = [:]
        var alarms: [UInt64: Task<Void, any Error>] = [:]
        var lastWaiter: UInt64 = 0
        var listeners: [WeakListener] = []

        /// Takes out who waits under this number, and stops the alarm.
        mutating func release(_ waiter: UInt64) -> AwaitedValue<Answer>? {
            alarms.removeValue(forKey: waiter)?.cancel()
            return waiters.removeValue(forKey: waiter)
        }
    }

    private struct WeakListener {
        weak let listener: (any LogoutListener)?
    }

    private let core: Mutex<Core>
    /// The last generation that is known to have served a call.
    private let servedGeneration = Atomic<UInt64>(0)
    let renewal: TokenManager.Renewal
    private let clock: any MonotonicClock
    private let onEvent: @Sendable (TokenManager.Event) -> Void

    /// Makes a manager for one account.
    ///
    /// - Parameters:
    ///   - credential: the credential to begin with; `nil` asks the renewal for one at the first request.
    ///   - renewal: how a new credential is had.
    ///   - clock: measures deadlines.
    ///   - onEvent: is told what happened; called from any thread, must return soon.
    public init(
        credential: Credential?, renewal: TokenManager.Renewal, clock: any MonotonicClock = ContinuousClock(),
        onEvent: @escaping @Sendable (TokenManager.Event) -> Void = { _ in }
    ) {
        core = Mutex(Core(state: TokenState(credential: credential, at: clock.now)))
        self.renewal = renewal
        self.clock = clock
        self.onEvent = onEvent
        if let credential { renewal.knowledge.state { $0.begin(with: credential) } }
    }

    /// Makes a manager that begins with a record of the renewal's store.
    convenience init(
        stored: Credential.Stored, renewal: TokenManager.Renewal, clock: any MonotonicClock,
        onEvent: @escaping @Sendable (TokenManager.Event) -> Void
    ) {
        self.init(credential: stored.credential, renewal: renewal, clock: clock, onEvent: onEvent)
        renewal.knowledge.state { $0.take(stored) }
    }

    /// The credential to use now, if one is at hand without asking anybody.
    ///
    /// - Parameter rejected: the generation that the server refused; only a newer one is given.
    /// - Returns: the credential, or `nil` when somebody has to be asked.
    package func credentialAtHand(rejecting rejected: UInt64? = nil) -> Credential.Issued? {
        core.withLock { $0.state.ready(rejecting: rejected, at: clock.now) }
    }

    /// The instance of the last credential, also of one that has ended; `nil` before the first login and after the end
    /// of the account.
    package var lastInstance: Origin? { core.withLock { $0.state.instance } }

    /// The credential in use, or the one that is being renewed.
    var currentCredential: Credential? { core.withLock { $0.state.credential } }

    /// Notes that the server took the credential of this generation for a call, which tells a short life from a loop.
    package func served(_ generation: UInt64) {
        guard servedGeneration.load(ordering: .relaxed) < generation else { return }
        servedGeneration.store(generation, ordering: .relaxed)
        core.withLock { $0.state.served(generation) }
    }

    /// The credential to use now.
    ///
    /// - Parameters:
    ///   - rejected: the generation that the server refused with a 401; a newer one is given without asking the server
    /// again.
    ///   - deadline: when to stop waiting for a flight.
    /// - Returns: the credential and its generation.
    /// - Throws: ``OAuthError``; `.cancelled` and `.timedOut` end this wait only, never the flight that others share.
    public func credential(
        rejecting rejected: UInt64? = nil, deadline: ContinuousClock.Instant
    ) async throws(OAuthError) -> Credential.Issued {
        try await credential(rejecting: rejected, isDemand: false, deadline: deadline)
    }

    private func credential(
        rejecting rejected: UInt64?, isDemand: Bool, deadline: ContinuousClock.Instant
    ) async throws(OAuthError) -> Credential.Issued {
        if let issued = credentialAtHand(rejecting: rejected) { return issued }
        let waiter = AwaitedValue<Answer>()
        let number = ask(waiter, rejecting: rejected, isDemand: isDemand)
        watch(number, until: deadline)
        let answer = await withTaskCancellationHandler {
            await waiter.value()
        } onCancel: {
            abandon(number, because: Self.cancelled)
        }
        return try answer.get()
    }

    /// Whether a rejected credential of this generation has a successor, or can get one.
    package func canReplace(_ generation: UInt64) -> Bool {
        !renewal.isNone || credentialAtHand(rejecting: generation) != nil
    }

    /// Renews the credential now, although no server refused it.
    ///
    /// When a flight is under way, its credential is the answer. With a store that other processes share, it may be one
    /// that they got meanwhile. A login that ended asks the store and the grant again at once (see
    /// ``Credential/Grant/isAskedAgain``).
    ///
    /// - Parameter deadline: when to stop waiting for the flight.
    /// - Returns: the new credential and its generation.
    /// - Throws: ``OAuthError``; `.sessionExpired` without touching the credential in use, when there is no way to
    ///   renew it.
    public func refreshNow(deadline: ContinuousClock.Instant) async throws(OAuthError) -> Credential.Issued {
        let (current, generation) = core.withLock { ($0.state.credential, $0.state.generation) }
        if let current, !renewal.canRenew(current) { throw TokenManager.Renewal.expired }
        return try await credential(rejecting: generation, isDemand: true, deadline: deadline)
    }

    /// Ends the wait at its deadline.
    ///
    /// Started after the waiter was registered, so that the alarm cannot come too early.
    private func watch(_ waiter: UInt64, until deadline: ContinuousClock.Instant) {
        let isWaiting = core.withLock { $0.waiters[waiter] != nil }
        guard isWaiting else { return }
        let alarm = Task(name: "token deadline") {
            try await clock.sleep(until: deadline, tolerance: nil)
            abandon(waiter, because: OAuthError(.timedOut, "no token came before the request's deadline"))
        }
        let isOver = core.withLock { core in
            guard core.waiters[waiter] != nil else { return true }
            core.alarms[waiter] = alarm
            return false
        }
        if isOver { alarm.cancel() }
    }

    private static let cancelled = OAuthError(.cancelled, "cancelled while waiting for a token")

    /// Puts the credential of a new login in use, after it was saved; if it cannot be saved, an event says so.
    ///
    /// A credential of another user than the account's is neither saved nor used, which
    /// ``TokenManager/Event/notSaved(_:)`` tells with `.conflict`.
    public func install(_ credential: Credential) async {
        let credential = credential.marked()
        guard owns(credential) != .other else { return onEvent(.notSaved(TokenManager.Renewal.otherUser)) }
        do {
            guard try await save(credential) else { return onEvent(.notSaved(TokenManager.Renewal.otherUser)) }
        } catch {
            await renewal.keep(credential)
            onEvent(.notSaved(error))
        }
        use(credential)
    }

    /// Saves the credential of a new login over what is stored of the same user.
    ///
    /// - Returns: `false` when the key is another user's; nothing is changed then.
    /// - Throws: ``Credential/StoreError``; nothing is changed then.
    func save(_ credential: Credential) async throws(Credential.StoreError) -> Bool {
        try await renewal.adopt(credential)
    }

    /// Puts a credential in use that was saved.
    func use(_ credential: Credential) {
        let (waiting, generation) = core.withLock { core in
            let waiters = core.state.install(credential, at: clock.now)
            return (waiters.compactMap { core.release($0) }, core.state.generation)
        }
        let issued = Credential.Issued(credential: credential, generation: generation)
        for waiter in waiting { waiter.resolve(.success(issued)) }
    }

    /// Tells a listener when the account is logged out, as long as somebody keeps it.
    package func add(_ listener: any LogoutListener) {
        core.withLock { core in
            core.listeners.removeAll { $0.listener == nil }
            core.listeners.append(WeakListener(listener: listener))
        }
    }

    /// Ends the account's use for good: every question from now on fails with ``OAuthError/noAccount``, nothing is
    /// saved any more, and the calls that are under way end.
    func close() {
        renewal.close()
        let (waiting, listeners) = core.withLock { core in
            let waiters = core.state.close()
            return (waiters.compactMap { core.release($0) }, core.listeners)
        }
        // First, so that a call that waits for a token hears of the log-out as well.
        for listener in listeners { listener.listener?.loggedOut() }
        for waiter in waiting { waiter.resolve(.failure(.noAccount)) }
    }

    /// The generation in use, for what is read of the store now; see ``learn(_:since:)``.
    var generation: UInt64 { core.withLock { $0.state.generation } }

    /// Goes on with what another client saved, unless it is no news.
    ///
    /// `generation` is the one before the record was read.
    func learn(_ stored: Credential.Stored, since generation: UInt64) {
        let now = clock.now
        let learnt: (waiting: [AwaitedValue<Answer>], issued: Credential.Issued)? = core.withLock {
            core in
            guard core.state.canLearn(since: generation),
                case .newest(let credential?) = renewal.knowledge.state({ $0.findSuccessor(in: stored, of: $0.login) })
            else { return nil }
            let waiters = core.state.install(credential, at: now)
            let issued = Credential.Issued(credential: credential, generation: core.state.generation)
            return (waiters.compactMap { core.release($0) }, issued)
        }
        guard let (waiting, issued) = learnt else { return }
        for waiter in waiting { waiter.resolve(.success(issued)) }
        onEvent(.renewed(generation: issued.generation))
    }

    /// Asks the state and keeps the waiter in the same critical section, so that no flight can end in between.
    ///
    /// - Returns: the number of the waiter.
    private func ask(_ waiter: AwaitedValue<Answer>, rejecting rejected: UInt64?, isDemand: Bool) -> UInt64 {
        let now = clock.now
        let (answer, generation, number) = core.withLock { core in
            core.lastWaiter += 1
            let answer = core.state.ask(waiter: core.lastWaiter, rejecting: rejected, isDemand: isDemand, at: now)
            if answer.waits { core.waiters[core.lastWaiter] = waiter }
            return (answer, core.state.generation, core.lastWaiter)
        }
        switch answer {
        case .use(let issued): waiter.resolve(.success(issued))
        case .useAndRenew(let issued):
            startFlight(replacing: issued.credential, generation)
            waiter.resolve(.success(issued))
        case .fail(let error): waiter.resolve(.failure(error))
        case .wait: break
        case .renew(let previous): startFlight(replacing: previous, generation)
        case .look(let error, let asksGrant): startLook(after: error, asksGrant: asksGrant, generation)
        }
        return number
    }

    private func abandon(_ waiter: UInt64, because error: OAuthError) {
        let abandoned = core.withLock { core in
            core.state.abandon(waiter: waiter) ? core.release(waiter) : nil
        }
        abandoned?.resolve(.failure(error))
    }

    private func startFlight(replacing previous: Credential?, _ generation: UInt64) {
        Task(name: "token renewal") {
            finish(await renewal.credential(replacing: previous, at: clock.now, onEvent: onEvent), of: generation)
        }
    }

    private func startLook(after error: OAuthError, asksGrant: Bool, _ generation: UInt64) {
        Task(name: "token look") {
            let outcome =
                asksGrant && renewal.canLogInAgain
                ? await renewal.login(at: clock.now, onEvent: onEvent) : await renewal.successor(after: error)
            finish(outcome, of: generation)
        }
    }

    private func finish(_ outcome: Result<Credential, OAuthError>, of flight: UInt64) {
        let ended: (waiting: [AwaitedValue<Answer>], generation: UInt64, isNews: Bool)? =
            core.withLock { core in
                guard let landing = core.state.finish(outcome, of: flight, at: clock.now) else { return nil }
                return (landing.waiters.compactMap { core.release($0) }, core.state.generation, landing.isNews)
            }
        guard let (waiting, generation, isNews) = ended else { return }
        let answer = outcome.map { Credential.Issued(credential: $0, generation: generation) }
        for waiter in waiting { waiter.resolve(answer) }
        guard isNews else { return }
        switch outcome {
        case .success: onEvent(.renewed(generation: generation))
        case .failure(let error): onEvent(.sessionExpired(error))
        }
    }
}

/// Hears when the account is logged out whose tokens it uses.
package protocol LogoutListener: AnyObject, Sendable {
    /// The account is over: what is under way in its name must end.
    func loggedOut()
}

extension TokenManager {
    /// What happened to a login.
    ///
    /// The SDK reports; whether to log in again is the app's decision.
    public enum Event: Sendable, Hashable {
        /// A new credential of this generation is in use.
        case renewed(generation: UInt64)
        /// The login is over: the server refused the grant. An unattended grant is asked again later, with
        /// ``renewed(generation:)`` as its success (see ``Credential/Grant/isAskedAgain``).
        case sessionExpired(OAuthError)
        /// A new credential is in use but could not be saved: after a restart the user may have to log in again.
        case notSaved(Credential.StoreError)
    }
}
