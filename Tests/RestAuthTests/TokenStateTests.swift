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

    @Test("with no credential the first question starts the flight and the others wait for it")
    func firstLogin() {
        var state = TokenState(credential: nil, at: start)
        #expect(state.ask(waiter: 1, rejecting: nil, at: start) == .renew(previous: nil))
        #expect(state.ask(waiter: 2, rejecting: nil, at: start) == .wait)
        #expect(state.finish(.success(new), of: 0, at: start)?.waiters == [1, 2])
        #expect(state.ready(rejecting: nil, at: start) == Credential.Issued(credential: new, generation: 1))
    }

    @Test("A42: a rejected generation is renewed once, a late rejection of it never again")
    func lateRejection() {
        var state = TokenState(credential: old, at: start)
        #expect(state.ask(waiter: 1, rejecting: 1, at: start) == .renew(previous: old))
        #expect(state.ask(waiter: 2, rejecting: 1, at: start) == .wait)
        #expect(state.finish(.success(new), of: 1, at: start)?.waiters == [1, 2])
        #expect(
            state.ask(waiter: 3, rejecting: 1, at: start) == .use(Credential.Issued(credential: new, generation: 2)))
    }

    @Test("a final failure is remembered until a credential is installed")
    func finalFailure() {
        var state = TokenState(credential: old, at: start)
        _ = state.ask(waiter: 1, rejecting: 1, at: start)
        #expect(state.finish(.failure(dead), of: 1, at: start)?.waiters == [1])
        #expect(state.ask(waiter: 2, rejecting: nil, at: start) == .fail(dead))
        #expect(state.install(new, at: start) == [])
        #expect(
            state.ask(waiter: 3, rejecting: nil, at: start) == .use(Credential.Issued(credential: new, generation: 2)))
    }

    @Test("a network failure keeps the credential and lets the next rejection try again")
    func transientFailure() {
        var state = TokenState(credential: old, at: start)
        _ = state.ask(waiter: 1, rejecting: 1, at: start)
        #expect(state.finish(.failure(offline), of: 1, at: start)?.waiters == [1])
        #expect(state.phase == .current(old))
        #expect(state.ask(waiter: 2, rejecting: 1, at: start) == .renew(previous: old))
    }

    @Test("an abandoned waiter is not answered; the flight goes on for the rest")
    func abandon() {
        var state = TokenState(credential: nil, at: start)
        _ = state.ask(waiter: 1, rejecting: nil, at: start)
        _ = state.ask(waiter: 2, rejecting: nil, at: start)
        let first = state.abandon(waiter: 1)
        let second = state.abandon(waiter: 1)
        #expect(first && !second)
        #expect(state.finish(.success(new), of: 0, at: start)?.waiters == [2])
    }

    @Test("A43: the sixth flight within 30 seconds is refused, after them it may start again")
    func refreshWindow() {
        var state = TokenState(credential: old, at: start)
        for flight in 1...5 {
            #expect(state.ask(waiter: UInt64(flight), rejecting: state.generation, at: start).waits)
            _ = state.finish(.success(new), of: state.generation, at: start)
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
        var state = TokenState(credential: old, at: start)
        for flight in 1...9 {
            #expect(state.ask(waiter: UInt64(flight), rejecting: 1, at: start).waits)
            _ = state.finish(.failure(offline), of: state.generation, at: start)
        }
    }

    private func expiring(_ seconds: Int) -> Credential {
        Credential(accessToken: "old", instance: instance, lifetime: .seconds(seconds))
    }

    @Test("shortly before a known end one question starts a flight, and nobody waits for it")
    func ahead() {
        let credential = expiring(3_600)
        let issued = Credential.Issued(credential: credential, generation: 1)
        var state = TokenState(credential: credential, at: start)
        #expect(state.ask(waiter: 1, rejecting: nil, at: start + .seconds(3_299)) == .use(issued))
        let late = start + .seconds(3_300)
        #expect(state.ask(waiter: 2, rejecting: nil, at: late) == .useAndRenew(issued))
        #expect(state.ask(waiter: 3, rejecting: nil, at: late) == .use(issued))
        #expect(state.waiters.isEmpty)
        #expect(state.finish(.success(new), of: 1, at: late)?.waiters == [])
        #expect(state.ready(rejecting: nil, at: late)?.credential == new)
    }

    @Test("a failed flight ahead of the end costs no request, and the next one waits a minute")
    func aheadFailed() {
        let credential = expiring(3_600)
        let issued = Credential.Issued(credential: credential, generation: 1)
        var state = TokenState(credential: credential, at: start)
        let late = start + .seconds(3_300)
        _ = state.ask(waiter: 1, rejecting: nil, at: late)
        #expect(state.finish(.failure(offline), of: 1, at: late)?.waiters == [])
        #expect(state.ask(waiter: 2, rejecting: nil, at: late + .seconds(59)) == .use(issued))
        #expect(state.ask(waiter: 3, rejecting: nil, at: late + .seconds(60)) == .useAndRenew(issued))
    }

    @Test("from its known end on, a credential is not used: not during a flight ahead, not after one that failed")
    func aheadBeyondEnd() {
        let credential = expiring(100)
        var slow = TokenState(credential: credential, at: start)
        _ = slow.ask(waiter: 1, rejecting: nil, at: start + .seconds(81))
        #expect(slow.ready(rejecting: nil, at: start + .seconds(99)) != nil)
        #expect(slow.ready(rejecting: nil, at: start + .seconds(100)) == nil)
        #expect(slow.ask(waiter: 2, rejecting: nil, at: start + .seconds(100)) == .wait)
        #expect(slow.finish(.success(new), of: 1, at: start + .seconds(101))?.waiters == [2])
        var failed = TokenState(credential: credential, at: start)
        _ = failed.ask(waiter: 1, rejecting: nil, at: start + .seconds(81))
        _ = failed.finish(.failure(offline), of: 1, at: start + .seconds(81))
        #expect(failed.ready(rejecting: nil, at: start + .seconds(99)) != nil)
        #expect(failed.ready(rejecting: nil, at: start + .seconds(100)) == nil)
        #expect(failed.ask(waiter: 2, rejecting: nil, at: start + .seconds(100)) == .renew(previous: credential))
    }

    @Test("after a refusal the grant is asked again after a minute, then after twice as long each time, up to an hour")
    func refusedGrant() {
        var state = TokenState(credential: old, at: start)
        _ = state.ask(waiter: 1, rejecting: 1, at: start)
        _ = state.finish(.failure(dead), of: 1, at: start)
        var logins: [Int] = []
        for second in 0...20_000 {
            let now = start + .seconds(second)
            guard case .look(_, let asksGrant) = state.ask(waiter: 2, rejecting: nil, at: now) else { continue }
            if asksGrant { logins.append(second) }
            _ = state.finish(.failure(dead), of: 1, at: now)
        }
        #expect(logins == [60, 180, 420, 900, 1_860, 3_780, 7_380, 10_980, 14_580, 18_180])
        #expect(state.ask(waiter: 3, rejecting: nil, isDemand: true, at: start) == .look(dead, asksGrant: true))
        let locked = OAuthError(.invalidClient, "wait")
        #expect(state.finish(.failure(locked), of: 1, at: start)?.isNews == false)
        #expect(state.ask(waiter: 4, rejecting: nil, at: start) == .fail(locked))
    }

    @Test("who was refused during a flight ahead waits for it, and from then on everybody does")
    func aheadRejected() {
        var state = TokenState(credential: expiring(100), at: start)
        let late = start + .seconds(81)
        _ = state.ask(waiter: 1, rejecting: nil, at: late)
        #expect(state.ask(waiter: 2, rejecting: 1, at: late) == .wait)
        #expect(state.ask(waiter: 3, rejecting: nil, at: late) == .wait)
        #expect(state.finish(.success(new), of: 1, at: late)?.waiters == [2, 3])
    }

    @Test("after a known end the credential is not used")
    func ended() {
        let credential = expiring(100)
        var state = TokenState(credential: credential, at: start)
        #expect(state.ask(waiter: 1, rejecting: nil, at: start + .seconds(100)) == .renew(previous: credential))
        #expect(state.finish(.success(credential), of: 1, at: start + .seconds(100))?.waiters == [1])
        #expect(state.ready(rejecting: nil, at: start + .seconds(179)) != nil)
    }

    @Test(
        "A46: when a token was issued by the wall clock says nothing; only its age does",
        arguments: [-315_360_000_000, -86_400_000, 0, 86_400_000, 315_360_000_000])
    func clockJumps(offset: Int64) {
        var credential = expiring(3_600)
        credential.issuedAtMilliseconds = WallClock.system.milliseconds + offset
        var state = TokenState(credential: credential, at: start)
        let issued = Credential.Issued(credential: credential, generation: 1)
        #expect(state.ask(waiter: 1, rejecting: nil, at: start + .seconds(3_000)) == .use(issued))
        #expect(state.ask(waiter: 2, rejecting: nil, at: start + .seconds(3_400)) == .useAndRenew(issued))
        #expect(state.ask(waiter: 3, rejecting: nil, at: start + .seconds(3_400)) == .use(issued))
    }

    @Test("a new login answers those who wait, and the flight it overtook changes nothing")
    func overtaken() {
        var state = TokenState(credential: old, at: start)
        _ = state.ask(waiter: 1, rejecting: 1, at: start)
        #expect(state.install(new, at: start) == [1])
        #expect(state.ask(waiter: 2, rejecting: 2, at: start) == .renew(previous: new))
        #expect(state.finish(.failure(dead), of: 1, at: start) == nil)
        #expect(state.finish(.success(old), of: 2, at: start)?.waiters == [2])
    }

    @Test(
        "a login that ended looks at the store once in five seconds; what it finds is used, and nothing is told twice")
    func looking() {
        var state = TokenState(credential: old, at: start)
        _ = state.ask(waiter: 1, rejecting: 1, at: start)
        #expect(state.finish(.failure(dead), of: 1, at: start) == TokenState.Landing(waiters: [1], isNews: true))
        #expect(state.ask(waiter: 2, rejecting: nil, at: start + .seconds(4)) == .fail(dead))
        let later = start + .seconds(5)
        #expect(state.ask(waiter: 3, rejecting: nil, at: later) == .look(dead, asksGrant: false))
        #expect(state.ask(waiter: 4, rejecting: 1, at: later) == .wait)
        #expect(state.finish(.failure(dead), of: 1, at: later) == TokenState.Landing(waiters: [3, 4], isNews: false))
        #expect(state.ask(waiter: 5, rejecting: nil, at: later + .seconds(4)) == .fail(dead))
        #expect(state.ask(waiter: 6, rejecting: nil, at: later + .seconds(5)) == .look(dead, asksGrant: false))
        #expect(state.finish(.success(new), of: 1, at: later) == TokenState.Landing(waiters: [6], isNews: true))
        #expect(state.ready(rejecting: 1, at: later)?.credential == new)
    }

    @Test("a flight or a look that finds the key in other hands ends it for good")
    func foreign() {
        let gone = TokenManager.Renewal.foreignRecord
        var state = TokenState(credential: old, at: start)
        _ = state.ask(waiter: 1, rejecting: 1, at: start)
        #expect(state.finish(.failure(gone), of: 1, at: start) == TokenState.Landing(waiters: [1], isNews: true))
        #expect(state.phase == .closed && state.instance == nil)
        #expect(state.install(new, at: start) == [])
        var ended = TokenState(credential: old, at: start)
        _ = ended.ask(waiter: 1, rejecting: 1, at: start)
        _ = ended.finish(.failure(dead), of: 1, at: start)
        _ = ended.ask(waiter: 2, rejecting: nil, at: start + .seconds(5))
        #expect(ended.finish(.failure(gone), of: 1, at: start)?.waiters == [2])
        #expect(ended.phase == .closed)
    }

    @Test("what the store held before a flight is no news during it, nor after it")
    func learning() {
        var state = TokenState(credential: old, at: start)
        #expect(state.canLearn(since: 1) && !state.canLearn(since: 0))
        _ = state.ask(waiter: 1, rejecting: 1, at: start)
        #expect(!state.canLearn(since: 1))
        _ = state.finish(.success(new), of: 1, at: start)
        #expect(!state.canLearn(since: 1) && state.canLearn(since: 2))
        _ = state.close()
        #expect(!state.canLearn(since: state.generation))
    }

    @Test("tokens that are renewed at their known end are no loop, however short they live")
    func shortLives() {
        var state = TokenState(credential: expiring(1), at: start)
        for second in 1...50 {
            let now = start + .seconds(second)
            #expect(state.ask(waiter: 1, rejecting: nil, at: now).waits)
            _ = state.finish(.success(expiring(1)), of: state.generation, at: now)
        }
    }

    @Test("a token that served a call and was refused then is no loop; one that served none counts")
    func served() {
        var state = TokenState(credential: old, at: start)
        for _ in 1...50 {
            state.served(state.generation)
            #expect(state.ask(waiter: 1, rejecting: state.generation, at: start).waits)
            _ = state.finish(.success(new), of: state.generation, at: start)
        }
        // The last of them has served none, and is the first one that counts.
        for _ in 1...4 {
            state.served(state.generation - 1)
            #expect(state.ask(waiter: 1, rejecting: state.generation, at: start).waits)
            _ = state.finish(.success(new), of: state.generation, at: start)
        }
        guard case .fail(let error) = state.ask(waiter: 2, rejecting: state.generation, at: start) else {
            Issue.record("no end")
            return
        }
        #expect(error.code == .excessiveRefresh)
    }

    @Test(
        "no lifetime can end the process",
        arguments: [Int64.min, -1, 0, 1, 10_000_000_000, 10_000_000_001, Int64.max])
    func oddLifetimes(seconds: Int64) {
        let credential = Credential(accessToken: "old", instance: instance, lifetime: .seconds(seconds))
        var state = TokenState(credential: credential, at: start)
        let answer = state.ask(waiter: 1, rejecting: nil, at: start)
        #expect(answer.waits == (seconds <= 0))
    }
}
