// SPDX-License-Identifier: Apache-2.0

import RestBase
public import RestTransport
import Synchronization

/// Returns the current credential of one account, and renews it with one request at a time for all callers.
///
/// The state machine decides. This class performs its effects: the token request, the store, and the waiters. It is a
/// lock around a value, not an actor, because nearly every caller gets a credential at once, without suspending.
public final class TokenManager: Sendable {
    private typealias Response = Result<Credential.Issued, OAuthError>

    private struct Core {
        var state: TokenState
        var waiters: [UInt64: AwaitedValue<Response>] = [:]
        var alarms: [UInt64: Task<Void, any Error>] = [:]
        var lastWaiter: UInt64 = 0
        var listeners: [WeakListener] = []

        mutating func release(_ waiter: UInt64) -> AwaitedValue<Response>? {
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

    /// Creates a manager for one account.
    ///
    /// - Parameters:
    ///   - credential: the first credential, or `nil` to request one for the first call.
    ///   - renewal: the source of new credentials.
    ///   - clock: the clock for deadlines.
    ///   - onEvent: receives events. It is called on any thread and must return soon.
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

    /// Creates a manager that begins with a record of the renewal's store.
    convenience init(
        stored: Credential.Stored, renewal: TokenManager.Renewal, clock: any MonotonicClock,
        onEvent: @escaping @Sendable (TokenManager.Event) -> Void
    ) {
        self.init(credential: stored.credential, renewal: renewal, clock: clock, onEvent: onEvent)
        renewal.knowledge.state { $0.take(stored) }
    }

    /// The current credential, newer than the `rejected` generation, or `nil` if a request is required.
    package func credentialAtHand(rejecting rejected: UInt64? = nil) -> Credential.Issued? {
        core.withLock { $0.state.ready(rejecting: rejected, at: clock.now) }
    }

    /// The instance of the last credential, even if it has expired, or `nil` without a login or after unlinking.
    package var lastInstance: Origin? { core.withLock { $0.state.instance } }

    /// The credential in use, or the one that is being renewed.
    var currentCredential: Credential? { core.withLock { $0.state.credential } }

    /// Records that the server accepted a generation, which distinguishes a short lifetime from a loop of renewals.
    package func served(_ generation: UInt64) {
        guard servedGeneration.load(ordering: .relaxed) < generation else { return }
        servedGeneration.store(generation, ordering: .relaxed)
        core.withLock { $0.state.served(generation) }
    }

    /// Returns the current credential, and waits for a renewal if necessary.
    ///
    /// - Parameters:
    ///   - rejected: the generation that the server rejected with a 401. If a newer one exists, it is returned without
    ///     a request.
    ///   - deadline: the time at which to stop waiting for a renewal.
    /// - Returns: the credential and its generation.
    /// - Throws: ``OAuthError``. `.cancelled` and `.timedOut` end only this wait, not the renewal that other callers
    ///   share.
    public func credential(
        rejecting rejected: UInt64? = nil, deadline: ContinuousClock.Instant
    ) async throws(OAuthError) -> Credential.Issued {
        try await credential(rejecting: rejected, isDemand: false, deadline: deadline)
    }

    private func credential(
        rejecting rejected: UInt64?, isDemand: Bool, deadline: ContinuousClock.Instant
    ) async throws(OAuthError) -> Credential.Issued {
        if let issued = credentialAtHand(rejecting: rejected) { return issued }
        let waiter = AwaitedValue<Response>()
        let number = ask(waiter, rejecting: rejected, isDemand: isDemand)
        watch(number, until: deadline)
        let response = await withTaskCancellationHandler {
            await waiter.value()
        } onCancel: {
            abandon(number, because: Self.cancelled)
        }
        return try response.get()
    }

    /// Whether a rejected credential of this generation has a successor, or can get one.
    package func canReplace(_ generation: UInt64) -> Bool {
        !renewal.isNone || credentialAtHand(rejecting: generation) != nil
    }

    /// Renews the credential now, although no server rejected it.
    ///
    /// If a renewal is in flight, its credential is returned. If other processes share the store, the credential can be
    /// one that they saved meanwhile. If the login has ended, the store and the grant are tried again at once (see
    /// ``Credential/Grant/isAskedAgain``).
    ///
    /// - Parameter deadline: the time at which to stop waiting for the renewal.
    /// - Returns: the new credential and its generation.
    /// - Throws: ``OAuthError``: `.sessionExpired` if the credential cannot be renewed. It stays in use.
    public func refreshNow(deadline: ContinuousClock.Instant) async throws(OAuthError) -> Credential.Issued {
        let (current, generation) = core.withLock { ($0.state.credential, $0.state.generation) }
        if let current, !renewal.canRenew(current) { throw TokenManager.Renewal.expired }
        return try await credential(rejecting: generation, isDemand: true, deadline: deadline)
    }

    /// Ends the wait at its deadline, and is called after the waiter was registered, so that it cannot come too early.
    private func watch(_ waiter: UInt64, until deadline: ContinuousClock.Instant) {
        let isWaiting = core.withLock { $0.waiters[waiter] != nil }
        guard isWaiting else { return }
        let alarm = Task(name: "token deadline") {
            try await clock.sleep(until: deadline, tolerance: nil)
            abandon(waiter, because: OAuthError(.timedOut, "no token was received before the request's deadline"))
        }
        let isOver = core.withLock { core in
            guard core.waiters[waiter] != nil else { return true }
            core.alarms[waiter] = alarm
            return false
        }
        if isOver { alarm.cancel() }
    }

    private static let cancelled = OAuthError(.cancelled, "cancelled while waiting for a token")

    /// Uses the credential of a new login after saving it, and reports an event if it cannot be saved.
    ///
    /// A credential of another user is neither saved nor used, which ``TokenManager/Event/notSaved(_:)`` reports with
    /// `.conflict`.
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

    /// Saves the credential of a new login over that of the same user.
    ///
    /// - Returns: `false` if the key belongs to another user, and nothing was changed.
    func save(_ credential: Credential) async throws(Credential.StoreError) -> Bool {
        try await renewal.adopt(credential)
    }

    func use(_ credential: Credential) {
        let (waiting, generation) = core.withLock { core in
            let waiters = core.state.install(credential, at: clock.now)
            return (waiters.compactMap { core.release($0) }, core.state.generation)
        }
        let issued = Credential.Issued(credential: credential, generation: generation)
        for waiter in waiting { waiter.resolve(.success(issued)) }
    }

    /// Notifies a listener when the account is logged out, as long as the listener exists.
    package func add(_ listener: any LogoutListener) {
        core.withLock { core in
            core.listeners.removeAll { $0.listener == nil }
            core.listeners.append(WeakListener(listener: listener))
        }
    }

    /// Ends the account for good: requests for tokens fail with `noAccount`, nothing is saved, and calls in flight end.
    func close() {
        renewal.close()
        let (waiting, listeners) = core.withLock { core in
            let waiters = core.state.close()
            return (waiters.compactMap { core.release($0) }, core.listeners)
        }
        // Listeners come first, so that a call that waits for a token also reports the logout.
        for listener in listeners { listener.listener?.loggedOut() }
        for waiter in waiting { waiter.resolve(.failure(.noAccount)) }
    }

    /// The generation in use before a record is read, for ``learn(_:since:)``.
    var generation: UInt64 { core.withLock { $0.state.generation } }

    /// Continues with a record that another client saved, if it is news for the generation before it was read.
    func learn(_ stored: Credential.Stored, since generation: UInt64) {
        let now = clock.now
        let learnt: (waiting: [AwaitedValue<Response>], issued: Credential.Issued)? = core.withLock {
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

    /// Asks the state and registers the waiter in the same critical section, so that no renewal can end in between.
    private func ask(_ waiter: AwaitedValue<Response>, rejecting rejected: UInt64?, isDemand: Bool) -> UInt64 {
        let now = clock.now
        let (response, generation, number) = core.withLock { core in
            core.lastWaiter += 1
            let response = core.state.ask(waiter: core.lastWaiter, rejecting: rejected, isDemand: isDemand, at: now)
            if response.waits { core.waiters[core.lastWaiter] = waiter }
            return (response, core.state.generation, core.lastWaiter)
        }
        switch response {
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
        let ended: (waiting: [AwaitedValue<Response>], generation: UInt64, isNews: Bool)? =
            core.withLock { core in
                guard let landing = core.state.finish(outcome, of: flight, at: clock.now) else { return nil }
                return (landing.waiters.compactMap { core.release($0) }, core.state.generation, landing.isNews)
            }
        guard let (waiting, generation, isNews) = ended else { return }
        let response = outcome.map { Credential.Issued(credential: $0, generation: generation) }
        for waiter in waiting { waiter.resolve(response) }
        guard isNews else { return }
        switch outcome {
        case .success: onEvent(.renewed(generation: generation))
        case .failure(let error): onEvent(.sessionExpired(error))
        }
    }
}

/// An object that is notified when the account of its tokens is logged out.
package protocol LogoutListener: AnyObject, Sendable {
    /// Ends all calls of the account.
    func loggedOut()
}

extension TokenManager {
    /// An event of a login, to which only the app reacts, for example with a new login.
    public enum Event: Sendable, Hashable {
        /// A new credential of this generation is in use.
        case renewed(generation: UInt64)
        /// The login has ended, because the server rejected the grant.
        ///
        /// An unattended grant is tried again later, and ``renewed(generation:)`` reports its success (see
        /// ``Credential/Grant/isAskedAgain``).
        case sessionExpired(OAuthError)
        /// A new credential is in use but could not be saved, so after a restart the user may have to log in again.
        case notSaved(Credential.StoreError)
    }
}
