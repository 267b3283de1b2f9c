// SPDX-License-Identifier: Apache-2.0

import RestTransport
import Testing

@testable import RestAuth

@Suite("Token state machine")
struct TokenStateTests {
    private let start = ContinuousClock.now
    private let instance = Origin(scheme: .https, host: "example.my.salesforce.com")
    private var old: Credential { Credential(accessToken: "old", instance: instance) }
    private var new: Credential { Credential(accessToken: "new", instance: instance) }
    private let dead = OAuthError(.invalidGrant, "expired access/refresh token")
    private let offline = OAuthError(.unreachable, "no route")

    @Test("a credential at hand is used without a flight")
    func use() {
        var state = TokenState(credential: old)
        #expect(
            state.ask(waiter: 1, rejecting: nil, at: start) == .use(IssuedCredential(credential: old, generation: 1)))
        #expect(state.waiters.isEmpty)
    }

    @Test("with no credential the first question starts the flight and the others wait for it")
    func firstLogin() {
        var state = TokenState(credential: nil)
        #expect(state.ask(waiter: 1, rejecting: nil, at: start) == .renew(previous: nil))
        #expect(state.ask(waiter: 2, rejecting: nil, at: start) == .wait)
        #expect(state.finish(.success(new), of: 0) == [1, 2])
        #expect(state.ready(rejecting: nil) == IssuedCredential(credential: new, generation: 1))
    }

    @Test("a rejected generation is renewed once, a late rejection of it never again")
    func lateRejection() {
        var state = TokenState(credential: old)
        #expect(state.ask(waiter: 1, rejecting: 1, at: start) == .renew(previous: old))
        #expect(state.ask(waiter: 2, rejecting: 1, at: start) == .wait)
        #expect(state.finish(.success(new), of: 1) == [1, 2])
        #expect(state.ask(waiter: 3, rejecting: 1, at: start) == .use(IssuedCredential(credential: new, generation: 2)))
    }

    @Test("questions without a rejection wait while a flight is under way")
    func waitDuringFlight() {
        var state = TokenState(credential: old)
        _ = state.ask(waiter: 1, rejecting: 1, at: start)
        #expect(state.ask(waiter: 2, rejecting: nil, at: start) == .wait)
    }

    @Test("a final failure is remembered until a credential is installed")
    func finalFailure() {
        var state = TokenState(credential: old)
        _ = state.ask(waiter: 1, rejecting: 1, at: start)
        #expect(state.finish(.failure(dead), of: 1) == [1])
        #expect(state.ask(waiter: 2, rejecting: nil, at: start) == .fail(dead))
        #expect(state.install(new) == [])
        #expect(
            state.ask(waiter: 3, rejecting: nil, at: start) == .use(IssuedCredential(credential: new, generation: 2)))
    }

    @Test("a network failure keeps the credential and lets the next rejection try again")
    func transientFailure() {
        var state = TokenState(credential: old)
        _ = state.ask(waiter: 1, rejecting: 1, at: start)
        #expect(state.finish(.failure(offline), of: 1) == [1])
        #expect(state.phase == .current(old))
        #expect(state.ask(waiter: 2, rejecting: 1, at: start) == .renew(previous: old))
    }

    @Test("an abandoned waiter is not answered; the flight goes on for the rest")
    func abandon() {
        var state = TokenState(credential: nil)
        _ = state.ask(waiter: 1, rejecting: nil, at: start)
        _ = state.ask(waiter: 2, rejecting: nil, at: start)
        let first = state.abandon(waiter: 1)
        let second = state.abandon(waiter: 1)
        #expect(first && !second)
        #expect(state.finish(.success(new), of: 0) == [2])
    }

    @Test("the sixth flight within 30 seconds is refused, after them it may start again")
    func refreshWindow() {
        var state = TokenState(credential: old)
        for flight in 1...5 {
            #expect(state.ask(waiter: UInt64(flight), rejecting: state.generation, at: start).waits)
            _ = state.finish(.success(new), of: state.generation)
        }
        guard case .fail(let error) = state.ask(waiter: 6, rejecting: state.generation, at: start + .seconds(29)) else {
            Issue.record("a sixth flight started")
            return
        }
        #expect(error.code == .excessiveRefresh)
        #expect(state.ask(waiter: 7, rejecting: state.generation, at: start + .seconds(30)).waits)
    }

    @Test("flights that brought no token do not count against the loop guard")
    func failedFlights() {
        var state = TokenState(credential: old)
        for flight in 1...9 {
            #expect(state.ask(waiter: UInt64(flight), rejecting: 1, at: start).waits)
            _ = state.finish(.failure(offline), of: state.generation)
        }
    }

    @Test("a flight's end answers nobody twice")
    func secondFinish() {
        var state = TokenState(credential: nil)
        _ = state.ask(waiter: 1, rejecting: nil, at: start)
        #expect(state.finish(.success(new), of: 0) == [1])
        #expect(state.finish(.success(old), of: 0) == nil)
        #expect(state.ready(rejecting: nil)?.credential == new)
    }

    @Test("a new login answers those who wait, and the flight it overtook changes nothing")
    func overtaken() {
        var state = TokenState(credential: old)
        _ = state.ask(waiter: 1, rejecting: 1, at: start)
        #expect(state.install(new) == [1])
        #expect(state.ask(waiter: 2, rejecting: 2, at: start) == .renew(previous: new))
        #expect(state.finish(.failure(dead), of: 1) == nil)
        #expect(state.finish(.success(old), of: 2) == [2])
    }
}
