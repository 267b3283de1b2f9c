// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestTesting
import RestTransport
import Synchronization
import Testing

@testable import RestAuth

@Suite("Token state machine with random events")
struct TokenStateModelTests {
    private struct Model {
        private enum Flight { case renewal, look }

        private static let instance = Origin(scheme: .https, host: "example.my.salesforce.com")
        private static let dead = OAuthError(.invalidGrant, "refused")
        private static let offline = OAuthError(.unreachable, "no route")

        private var random: SeededGenerator
        private var now: ContinuousClock.Instant
        private var state: TokenState
        /// The time at which the current credential expires, according to its lifetime.
        private var end: ContinuousClock.Instant?
        private var flight: (kind: Flight, generation: UInt64)?
        private var waiters: Set<UInt64> = []
        private var lastWaiter: UInt64 = 0
        /// The time of the last request with the grant since it was rejected.
        private var refused: ContinuousClock.Instant?
        private(set) var looks = 0

        init(seed: UInt64) {
            random = SeededGenerator(seed: seed)
            now = .now
            let (credential, end) = Self.credential(&random, at: now)
            let isFirst = Bool.random(using: &random)
            state = TokenState(credential: isFirst ? nil : credential, at: now)
            self.end = isFirst ? nil : end
        }

        private static func credential(
            _ random: inout SeededGenerator, at now: ContinuousClock.Instant
        ) -> (Credential, ContinuousClock.Instant?) {
            let seconds = [nil, 1, 2, 10, 60, 299, 600, 7_200].randomElement(using: &random) ?? nil
            let lifetime = seconds.map { Duration.seconds($0) }
            let token = Secret("\(random.next())")
            return (Credential(accessToken: token, instance: instance, lifetime: lifetime), lifetime.map { now + $0 })
        }

        mutating func step() {
            switch random.unit() {
            case ..<0.35: ask()
            case ..<0.6: pass()
            case ..<0.9: land()
            case ..<0.95:
                guard let waiter = waiters.randomElement(using: &random) else { return }
                let isWaiting = state.abandon(waiter: waiter)
                #expect(isWaiting)
                waiters.remove(waiter)
            default: if random.unit() < 0.1 { install() }
            }
            check(state.ready(rejecting: nil, at: now))
        }

        private mutating func pass() {
            let steps: [Duration] = [
                .milliseconds(1), .milliseconds(999), .seconds(1), .seconds(5), .seconds(59), .seconds(60),
                .seconds(301), .seconds(3_600),
            ]
            now += steps.randomElement(using: &random) ?? .zero
        }

        private func check(_ issued: Credential.Issued?, rejecting rejected: UInt64? = nil) {
            guard let issued else { return }
            #expect(issued.generation == state.generation && rejected != issued.generation)
            if let end { #expect(now < end, "a token was handed out at its end or later") }
        }

        private mutating func ask() {
            lastWaiter += 1
            let rejected = [nil, nil, state.generation, state.generation &- 1].randomElement(using: &random) ?? nil
            let isDemand = random.unit() < 0.1
            let wasFlying = flight != nil
            let response = state.ask(waiter: lastWaiter, rejecting: rejected, isDemand: isDemand, at: now)
            if response.waits { waiters.insert(lastWaiter) }
            if let refused, !wasFlying, isDemand || now - refused >= .seconds(3_600) {
                #expect(response == .look(state.error ?? Self.offline, asksGrant: true), "nobody asks the grant again")
            }
            switch response {
            case .use(let issued): check(issued, rejecting: rejected)
            case .useAndRenew(let issued):
                check(issued, rejecting: rejected)
                begin(.renewal, wasFlying)
            case .renew: begin(.renewal, wasFlying)
            case .wait: #expect(wasFlying)
            case .fail: #expect(!wasFlying)
            case .look(_, let asksGrant):
                looks += 1
                begin(.look, wasFlying)
                guard asksGrant else { return }
                if let refused, !isDemand { #expect(now - refused >= .seconds(60), "the grant is asked too often") }
                refused = now
            }
        }

        private mutating func begin(_ kind: Flight, _ wasFlying: Bool) {
            #expect(!wasFlying, "two flights at a time")
            flight = (kind, state.generation)
        }

        private mutating func land() {
            guard let (kind, generation) = flight else { return }
            flight = nil
            let draw = random.unit()
            let (credential, end) = Self.credential(&random, at: now)
            let outcome: Result<Credential, OAuthError> =
                draw < 0.4 ? .success(credential) : .failure(draw < 0.7 ? Self.offline : Self.dead)
            guard let landing = state.finish(outcome, of: generation, at: now) else {
                Issue.record("a flight ended without effect")
                return
            }
            #expect(landing.waiters == waiters, "a waiter is answered by the flight's end, once")
            waiters = []
            switch outcome {
            case .success: (self.end, refused) = (end, nil)
            case .failure(let error):
                if kind == .renewal, error.isFinal { (self.end, refused) = (nil, now) }
            }
        }

        private mutating func install() {
            let (credential, end) = Self.credential(&random, at: now)
            let answered = state.install(credential, at: now)
            #expect(answered == waiters)
            if let flight {
                let landing = state.finish(.failure(Self.dead), of: flight.generation, at: now)
                #expect(landing == nil, "a flight that a new login has overtaken changes something")
            }
            (waiters, self.end, refused, flight) = ([], end, nil, nil)
        }
    }

    @Test(
        "no token is used at or after its expiry, and a rejected grant is requested again",
        arguments: 0..<8 as Range<UInt64>)
    func promises(batch: UInt64) {
        var looks = 0
        for seed in batch * 50..<(batch + 1) * 50 {
            var model = Model(seed: seed)
            for _ in 0..<400 { model.step() }
            looks += model.looks
        }
        #expect(looks > 100)
    }
}

extension TokenState {
    fileprivate var error: OAuthError? {
        switch phase {
        case .ended(let ending), .looking(let ending): ending.error
        case .empty, .current, .renewing, .renewingAhead, .closed: nil
        }
    }
}

/// A process may exit between two renewals, unless an event reported that the last token was not saved.
@Suite("Rotated tokens with failing stores")
struct RotationModelTests {
    /// One login, its server and the process that uses it.
    private final class Login: Sendable {
        let server: RotatingServer
        private let isUnsaved = Mutex(false)

        init(seed: UInt64) { server = RotatingServer(seed: seed) }

        /// Whether the newest token is only in memory, according to the events.
        var wasTold: Bool { isUnsaved.withLock { $0 } }

        func renewal(_ store: any CredentialStore) -> TokenManager.Renewal {
            let client = OAuthClient(
                login: Credential.usualInstance, clientID: "id", clientSecret: nil, transport: server)
            return TokenManager.Renewal(client: client, store: store, account: "alice")
        }

        /// Renews once, and ignores transient errors.
        func renew(_ renewal: TokenManager.Renewal, _ previous: Credential?) async -> Credential? {
            let told = Mutex(false)
            let result = await renewal.credential(replacing: previous, at: .now) { event in
                if case .notSaved = event { told.withLock { $0 = true } }
            }
            switch result {
            case .success(let credential):
                isUnsaved.withLock { $0 = told.withLock { $0 } }
                return credential
            case .failure(let error):
                #expect([.storeUnavailable, .unreachable].contains(error.code), "\(error)")
                return previous
            }
        }
    }

    /// Runs a number of renewals, where `restart` returns the store of a new process.
    private func run(
        seed: UInt64, _ store: any CredentialStore, restart: () -> any CredentialStore
    ) async throws {
        var random = SeededGenerator(seed: seed)
        let login = Login(seed: random.next())
        var store = store
        var renewal = login.renewal(store)
        var credential: Credential? = .numbered(1)
        while true {
            // The first save may also be reported as failed.
            if (try? await store.load("alice")) ?? nil != nil { break }
            _ = try? await store.save(.numbered(1), for: "alice", replacing: nil)
        }
        for step in 0..<30 {
            credential = await login.renew(renewal, credential)
            guard !login.server.isRevoked else {
                Issue.record("seed \(seed): a spent token was sent at step \(step)")
                return
            }
            #expect(login.wasTold || credential?.refreshToken == Secret("r\(login.server.live)"))
            if random.unit() < 0.3, !login.wasTold {
                store = restart()
                renewal = login.renewal(store)
                if let loaded = try? await store.load("alice") { credential = loaded.credential }
            }
        }
        #expect(login.server.live > 5)
    }

    @Test("a failed operation of a file store never restores a used token", arguments: 0..<4 as Range<UInt64>)
    func files(batch: UInt64) async throws {
        for seed in batch * 15..<(batch + 1) * 15 {
            let folder = try TemporaryStore(isVolatile: true)
            let random = Mutex(SeededGenerator(seed: seed))
            let place = folder.path
            // A failed sync of the directory means that the change was made.
            let makeStore = {
                FileCredentialStore(directory: place, failing: { _ in random.withLock { $0.unit() } < 0.2 ? EIO : nil })
            }
            try await run(seed: seed, makeStore(), restart: makeStore)
        }
    }

    @Test("a store that does not know whether it saved never restores a used token", arguments: 0..<4 as Range<UInt64>)
    func unsure(batch: UInt64) async throws {
        for seed in batch * 50..<(batch + 1) * 50 {
            let store = UnsureStore(seed: seed)
            try await run(seed: seed, store) { store }
        }
    }
}

@Suite("A rejected unattended grant")
struct UnattendedGrantTests {
    private let transport = StubTransport()
    private let clock = ManualClock(alarmsBeyond: .zero)
    private let store = InMemoryCredentialStore()
    private let login = Credential.usualInstance

    private func manager(_ grant: (any Credential.Grant)?, _ credential: Credential? = nil) -> TokenManager {
        let client = OAuthClient(login: login, clientID: "id", clientSecret: "s", transport: transport)
        let renewal = TokenManager.Renewal(client: client, grant: grant, store: store)
        return TokenManager(credential: credential, renewal: renewal, clock: clock)
    }

    private func refuse() { transport.enqueue(status: 400, #"{"error":"invalid_grant"}"#) }

    private func ask(_ tokens: TokenManager, rejecting rejected: UInt64? = nil) async -> OAuthError.Code? {
        do throws(OAuthError) {
            _ = try await tokens.credential(rejecting: rejected, deadline: clock.now + .seconds(60))
            return nil
        } catch { return error.code }
    }

    @Test("the grant is requested again after one minute, then two, and succeeds normally")
    func later() async throws {
        let tokens = manager(ClientCredentialsGrant())
        refuse()
        refuse()
        transport.enqueue(#"{"access_token":"a1"}"#)
        for (pause, requests) in [(0, 1), (59, 1), (1, 2), (5, 2), (114, 2)] {
            clock.advance(by: .seconds(pause))
            #expect(await ask(tokens) == .invalidGrant)
            #expect(transport.requests.count == requests)
        }
        clock.advance(by: .seconds(1))
        #expect(await ask(tokens) == nil)
        #expect(transport.unusedResponses == 0 && transport.requests.count == 3)
        #expect(try await store.load("default")?.credential.accessToken == "a1")
    }

    @Test("the app can request it immediately")
    func demanded() async throws {
        let tokens = manager(ClientCredentialsGrant())
        refuse()
        refuse()
        transport.enqueue(#"{"access_token":"a1"}"#)
        #expect(await ask(tokens) == .invalidGrant)
        let deadline = clock.now + .seconds(60)
        await expect(OAuthError.self, .invalidGrant) { try await tokens.refreshNow(deadline: deadline) }
        #expect(transport.requests.count == 2)
        #expect(try await tokens.refreshNow(deadline: deadline).credential.accessToken == "a1")
    }

    @Test("a rejected refresh token is not sent again, and the grant logs in instead")
    func refreshToken() async throws {
        let tokens = manager(
            ClientCredentialsGrant(), Credential(accessToken: "a1", refreshToken: "r1", instance: login))
        refuse()
        transport.enqueue(#"{"access_token":"a2"}"#)
        #expect(await ask(tokens, rejecting: 1) == .invalidGrant)
        clock.advance(by: .seconds(60))
        #expect(await ask(tokens, rejecting: 1) == nil)
        #expect(transport.requests.map { $0.form["grant_type"] } == ["refresh_token", "client_credentials"])
        #expect(try await store.load("default")?.credential.refreshToken == nil)
    }

    @Test(
        "a rejected password is not sent again, because servers lock users, and a user's own login is not repeated"
    )
    func final() async throws {
        let login = Credential(accessToken: "a1", refreshToken: "r1", instance: login)
        for (number, tokens) in [manager(PasswordGrant(username: "u", password: "p")), manager(nil, login)].enumerated()
        {
            refuse()
            #expect(await ask(tokens, rejecting: 1) == .invalidGrant)
            for _ in 0..<30 {
                clock.advance(by: .seconds(3_600))
                #expect(await ask(tokens) == .invalidGrant)
            }
            let deadline = clock.now + .seconds(60)
            await #expect(throws: OAuthError.self) { try await tokens.refreshNow(deadline: deadline) }
            #expect(transport.requests.count == number + 1)
        }
    }

    @Test("a login that another client ended stays ended")
    func removed() async throws {
        let tokens = manager(ClientCredentialsGrant())
        transport.enqueue(#"{"access_token":"a1"}"#)
        #expect(await ask(tokens) == nil)
        try await store.remove("default")
        for _ in 0..<5 {
            #expect(await ask(tokens, rejecting: 1) == .sessionExpired)
            clock.advance(by: .seconds(3_600))
        }
        #expect(transport.requests.count == 1)
    }
}
