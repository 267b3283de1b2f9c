// SPDX-License-Identifier: Apache-2.0

import RestTesting
import RestTransport
import Testing

@testable import RestAuth

/// The token manager's state machine under random questions, times and answers, beside a model that knows only its
/// promises.
@Suite("Token state machine, at random")
struct TokenStateModelTests {
    private struct Model {
        private enum Flight { case renewal, look }

        private static let instance = Origin(scheme: .https, host: "example.my.salesforce.com")
        private static let dead = OAuthError(.invalidGrant, "refused")
        private static let offline = OAuthError(.unreachable, "no route")

        private var random: SeededGenerator
        private var now: ContinuousClock.Instant
        private var state: TokenState
        /// When the credential of the generation ends, as its lifetime says.
        private var end: ContinuousClock.Instant?
        private var flight: (kind: Flight, generation: UInt64)?
        private var waiters: Set<UInt64> = []
        private var lastWaiter: UInt64 = 0
        /// When the grant was asked last, since it was refused.
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

        /// Whatever is handed out is good now.
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
            let answer = state.ask(waiter: lastWaiter, rejecting: rejected, isDemand: isDemand, at: now)
            if answer.waits { waiters.insert(lastWaiter) }
            if let refused, !wasFlying, isDemand || now - refused >= .seconds(3_600) {
                #expect(answer == .look(state.error ?? Self.offline, asksGrant: true), "nobody asks the grant again")
            }
            switch answer {
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

    @Test("no token is used at its end or later, and a refused grant is asked again", arguments: 0..<8 as Range<UInt64>)
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
    /// Why the login ended.
    fileprivate var error: OAuthError? {
        switch phase {
        case .ended(let ending), .looking(let ending): ending.error
        case .empty, .current, .renewing, .renewingAhead, .closed: nil
        }
    }
}
