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

    @Test("without a credential the first call starts a renewal, and the others wait for it")
    func firstLogin() {
        var state = TokenState(credential: nil, at: start)
        #expect(state.ask(waiter: 1, rejecting: nil, at: start) == .renew(previous: nil))
        #expect(state.ask(waiter: 2, rejecting: nil, at: start) == .wait)
        #expect(state.finish(.success(new), of: 0, at: start)?.waiters == [1, 2])
        #expect(state.ready(rejecting: nil, at: start) == Credential.Issued(credential: new, generation: 1))
    }

    @Test("A42: a rejected generation is renewed once, and not again after a late rejection")
    func lateRejection() {
        var state = TokenState(credential: old, at: start)
        #expect(state.ask(waiter: 1, rejecting: 1, at: start) == .renew(previous: old))
        #expect(state.ask(waiter: 2, rejecting: 1, at: start) == .wait)
        #expect(state.finish(.success(new), of: 1, at: start)?.waiters == [1, 2])
        #expect(
            state.ask(waiter: 3, rejecting: 1, at: start) == .use(Credential.Issued(credential: new, generation: 2)))
    }

    @Test("a final error is remembered until a credential is installed")
    func finalFailure() {
        var state = TokenState(credential: old, at: start)
        _ = state.ask(waiter: 1, rejecting: 1, at: start)
        #expect(state.finish(.failure(dead), of: 1, at: start)?.waiters == [1])
        #expect(state.ask(waiter: 2, rejecting: nil, at: start) == .fail(dead))
        #expect(state.install(new, at: start) == [])
        #expect(
            state.ask(waiter: 3, rejecting: nil, at: start) == .use(Credential.Issued(credential: new, generation: 2)))
    }

    @Test("a network error keeps the credential, and the next rejection starts another attempt")
    func transientFailure() {
        var state = TokenState(credential: old, at: start)
        _ = state.ask(waiter: 1, rejecting: 1, at: start)
        #expect(state.finish(.failure(offline), of: 1, at: start)?.waiters == [1])
        #expect(state.phase == .current(old))
        #expect(state.ask(waiter: 2, rejecting: 1, at: start) == .renew(previous: old))
    }

    @Test("a cancelled waiter gets no result, and the renewal continues for the others")
    func abandon() {
        var state = TokenState(credential: nil, at: start)
        _ = state.ask(waiter: 1, rejecting: nil, at: start)
        _ = state.ask(waiter: 2, rejecting: nil, at: start)
        let first = state.abandon(waiter: 1)
        let second = state.abandon(waiter: 1)
        #expect(first && !second)
        #expect(state.finish(.success(new), of: 0, at: start)?.waiters == [2])
    }

    @Test("A43: the sixth renewal within 30 seconds is rejected, and a later one is allowed")
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

    @Test("failed renewals do not count against the limit")
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

    @Test("shortly before a known expiry one call starts a renewal, and no call waits for it")
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

    @Test("a failed early renewal fails no request, and the next one starts after a minute")
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

    @Test("an expired credential is not used, neither during an early renewal nor after a failed one")
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

    @Test("a rejected grant is requested again after one minute, then after double the time, up to an hour")
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

    @Test("a call that is rejected during an early renewal waits for it, and from then on every call waits")
    func aheadRejected() {
        var state = TokenState(credential: expiring(100), at: start)
        let late = start + .seconds(81)
        _ = state.ask(waiter: 1, rejecting: nil, at: late)
        #expect(state.ask(waiter: 2, rejecting: 1, at: late) == .wait)
        #expect(state.ask(waiter: 3, rejecting: nil, at: late) == .wait)
        #expect(state.finish(.success(new), of: 1, at: late)?.waiters == [2, 3])
    }

    @Test("a credential is not used after its known expiry")
    func ended() {
        let credential = expiring(100)
        var state = TokenState(credential: credential, at: start)
        #expect(state.ask(waiter: 1, rejecting: nil, at: start + .seconds(100)) == .renew(previous: credential))
        #expect(state.finish(.success(credential), of: 1, at: start + .seconds(100))?.waiters == [1])
        #expect(state.ready(rejecting: nil, at: start + .seconds(179)) != nil)
    }

    @Test(
        "A46: only the age of a token matters, not the wall-clock time of its issue",
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

    @Test("a new login completes the waiting calls, and the overtaken renewal has no effect")
    func overtaken() {
        var state = TokenState(credential: old, at: start)
        _ = state.ask(waiter: 1, rejecting: 1, at: start)
        #expect(state.install(new, at: start) == [1])
        #expect(state.ask(waiter: 2, rejecting: 2, at: start) == .renew(previous: new))
        #expect(state.finish(.failure(dead), of: 1, at: start) == nil)
        #expect(state.finish(.success(old), of: 2, at: start)?.waiters == [2])
    }

    @Test(
        "an ended login checks the store every five seconds, uses a new credential, and sends no event twice")
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

    @Test("a renewal or a check that finds another user's record ends the login permanently")
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

    @Test("a credential that was stored before a renewal is not accepted during or after it")
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

    @Test("renewals at a known expiry do not count against the limit, however short the lifetime is")
    func shortLives() {
        var state = TokenState(credential: expiring(1), at: start)
        for second in 1...50 {
            let now = start + .seconds(second)
            #expect(state.ask(waiter: 1, rejecting: nil, at: now).waits)
            _ = state.finish(.success(expiring(1)), of: state.generation, at: now)
        }
    }

    @Test("a token counts against the limit only if it was rejected before it served a call")
    func served() {
        var state = TokenState(credential: old, at: start)
        for _ in 1...50 {
            state.served(state.generation)
            #expect(state.ask(waiter: 1, rejecting: state.generation, at: start).waits)
            _ = state.finish(.success(new), of: state.generation, at: start)
        }
        // The last token has not served a call, and is the first that counts.
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
        let response = state.ask(waiter: 1, rejecting: nil, at: start)
        #expect(response.waits == (seconds <= 0))
    }
}
