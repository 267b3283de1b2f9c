// SPDX-License-Identifier: Apache-2.0

import RestTesting
import RestTransport
import Synchronization
import Testing

@testable import RestAuth

/// Two managers of one store represent two processes that use one key.
@Suite("One user for each key")
struct SharedKeyTests {
    private let transport = StubTransport()
    private let store = InMemoryCredentialStore()
    private let clock = ManualClock(alarmsBeyond: .seconds(20))
    private let work = "work"
    private let alice = Credential.user(1)
    private let bob = Credential.user(2)

    private func open(_ grants: @escaping AccountManager.GrantSource = { _ in nil }) async throws -> AccountManager {
        try await AccountManager.open(store: store, transport: transport, clock: clock, grants: grants)
    }

    private var soon: ContinuousClock.Instant { clock.now + .seconds(60) }

    /// Returns a manager with alice under the key, and another manager that has loaded her account.
    private func two() async throws -> (mine: AccountManager, other: AccountManager) {
        let mine = try await open()
        try await mine.add(alice, id: work)
        return (mine, try await open())
    }

    private func rejection(_ tokens: TokenManager, _ rejected: UInt64? = nil) async -> OAuthError.Code? {
        return await #expect(throws: OAuthError.self) {
            try await tokens.credential(rejecting: rejected, deadline: soon)
        }?.code
    }

    private func forms() -> [String] {
        transport.requests.map { request in
            guard case .bytes(let bytes) = request.body else { return "" }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    @Test("a renewal that finds another user's record ends the use of the key, and never returns that user's token")
    func foreignRecord() async throws {
        let (mine, other) = try await two()
        let tokens = try mine.tokens(of: work)
        try await other.unlink(work, isRevoking: false)
        try await other.add(bob, id: work)
        #expect(await rejection(tokens, 1) == .noAccount)
        #expect(await rejection(tokens) == .noAccount)
        #expect(transport.requests.isEmpty)
        #expect(try await store.load(work)?.credential == bob)
        // Her record is back, but only a new client can use it.
        try await other.unlink(work, isRevoking: false)
        try await other.add(alice, id: work)
        #expect(await rejection(tokens) == .noAccount)
        try await mine.reload()
        #expect(try await mine.tokens(of: work).credential(deadline: soon).credential == alice)
    }

    @Test("a reload that finds another user's record ends the old clients, and new clients have the other user")
    func foreignReload() async throws {
        let (mine, other) = try await two()
        let tokens = try mine.tokens(of: work)
        var events = mine.events.makeAsyncIterator()
        try await other.unlink(work, isRevoking: false)
        let account = try await other.add(bob, id: work)
        try await mine.reload()
        #expect(await rejection(tokens) == .noAccount)
        #expect(try await mine.tokens(of: work).credential(deadline: soon).credential == bob)
        #expect(await events.next() == .unlinked(work))
        #expect(await events.next() == .added(account))
        #expect(mine.current?.userID == "005-2")
    }

    @Test("a new login is compared with the store, not with the accounts that this process knows")
    func adding() async throws {
        let early = try await open()
        let (mine, other) = try await two()
        await expect(AccountManager.Error.self, .otherUser) { try await early.add(bob, id: work) }
        #expect(try await store.load(work)?.credential == alice)
        #expect(try await store.note("current") == work)
        #expect(early.accounts.isEmpty)
        let nobody = Credential(accessToken: "x", instance: Credential.usualInstance)
        await expect(AccountManager.Error.self, .otherUser) { try await mine.add(nobody, id: work) }
        let tokens = try mine.tokens(of: work)
        try await other.unlink(work, isRevoking: false)
        try await mine.add(bob, id: work)
        #expect(await rejection(tokens) == .noAccount)
        #expect(try await mine.tokens(of: work).credential(deadline: soon).credential == bob)
    }

    @Test("unlinking an account keeps another user's record under the key")
    func unlinking() async throws {
        let (mine, other) = try await two()
        try await other.unlink(work, isRevoking: false)
        try await other.add(bob, id: work)
        transport.enqueue(status: 200)
        try await mine.unlink(work)
        #expect(forms().count == 1 && forms()[0].contains("token=r1"))
        #expect(try await store.load(work)?.credential == bob)
        #expect(try await store.note("current") == work)
        #expect(mine.accounts.isEmpty)
        try await mine.reload()
        #expect(mine.current?.userID == "005-2")
    }

    @Test("an account that another process unlinked is not restored, by its refresh token or by its grant")
    func unlinkedElsewhere() async throws {
        for grant in [nil, ClientCredentialsGrant()] {
            let mine = try await open { _ in grant }
            try await mine.add(alice, id: work)
            let tokens = try await open { _ in grant }.tokens(of: work)
            try await mine.unlink(work, isRevoking: false)
            #expect(await rejection(tokens, 1) == .sessionExpired)
            #expect(transport.requests.isEmpty)
            #expect(try await store.accounts().isEmpty)
        }
    }

    /// Returns a manager whose session has ended, and another manager that logs in again.
    private func ended() async throws -> (mine: AccountManager, other: AccountManager) {
        let (mine, other) = try await two()
        transport.enqueue(status: 400, #"{"error":"invalid_grant","error_description":"expired"}"#)
        #expect(await rejection(try mine.tokens(of: work), 1) == .invalidGrant)
        return (mine, other)
    }

    private var again: Credential {
        var again = alice
        (again.accessToken, again.refreshToken) = ("again", "r-again")
        return again
    }

    @Test("after a reload, existing clients of an ended session use a login that another process made")
    func revivedByReload() async throws {
        let (mine, other) = try await ended()
        try await other.add(again, id: work)
        #expect(await rejection(try mine.tokens(of: work)) == .invalidGrant)
        try await mine.reload()
        #expect(try await mine.tokens(of: work).credential(deadline: soon).credential == again)
        #expect(transport.requests.count == 1)
    }

    @Test("a login that another process made with another client id is renewed with that id")
    func otherClient() async throws {
        let (mine, other) = try await ended()
        var login = again
        login.login?.clientID = "other"
        try await other.add(login, id: work)
        try await mine.reload()
        let tokens = try mine.tokens(of: work)
        #expect(try await tokens.credential(deadline: soon).credential == login)
        transport.enqueue(#"{"access_token":"next"}"#)
        #expect(try await tokens.refreshNow(deadline: soon).credential.accessToken == "next")
        #expect(forms()[1].contains("refresh_token=r-again") && forms()[1].contains("client_id=other"))
    }

    @Test("an ended session checks the store again every five seconds")
    func revivedByItself() async throws {
        let (mine, other) = try await ended()
        let tokens = try mine.tokens(of: work)
        clock.advance(by: .seconds(6))
        #expect(await rejection(tokens) == .invalidGrant)
        try await other.add(again, id: work)
        clock.advance(by: .seconds(4))
        #expect(await rejection(tokens) == .invalidGrant)
        clock.advance(by: .seconds(1))
        #expect(try await tokens.credential(deadline: soon).credential == again)
        #expect(transport.requests.count == 1)
    }

    @Test("an ended session whose key now belongs to another user does not continue as that user")
    func endedAndForeign() async throws {
        let (mine, other) = try await ended()
        try await other.unlink(work, isRevoking: false)
        try await other.add(bob, id: work)
        clock.advance(by: .seconds(6))
        #expect(await rejection(try mine.tokens(of: work)) == .noAccount)
    }

    @Test("a token response for another user is not used or saved, and ends the account in this process")
    func foreignResponse() async throws {
        let (mine, _) = try await two()
        transport.enqueue(
            #"{"access_token":"b","refresh_token":"rb","id":"https://login.salesforce.com/id/00D/005-2"}"#)
        let tokens = try mine.tokens(of: work)
        #expect(await rejection(tokens, 1) == .noAccount)
        #expect(await rejection(tokens) == .noAccount)
        #expect(try await store.load(work)?.credential == alice)
    }

    @Test("two managers without a store share no tokens")
    func bareTokens() async throws {
        let first = TokenManager(
            credential: Credential(accessToken: "1", instance: Credential.usualInstance), renewal: .none)
        let second = TokenManager(
            credential: Credential(accessToken: "2", instance: Credential.usualInstance), renewal: .none)
        await first.install(Credential(accessToken: "3", instance: Credential.usualInstance))
        #expect(await rejection(second, 1) == .sessionExpired)
        first.close()
        await second.install(Credential(accessToken: "4", instance: Credential.usualInstance))
        #expect(try await second.credential(deadline: soon).credential.accessToken == "4")
    }

    @Test("a login without details is also stored")
    func withoutDetails() async throws {
        let mine = try await open()
        try await mine.add(Credential(accessToken: "a", instance: Credential.usualInstance), id: work)
        #expect(try await open().tokens(of: work).credential(deadline: soon).credential.accessToken == "a")
    }

    @Test("the app's source of grants can call the manager that calls it")
    func grantsOutsideTheLock() async throws {
        let manager = Mutex<AccountManager?>(nil)
        let seen = Mutex<[Int]>([])
        let mine = try await open { _ in
            let accounts = manager.withLock { $0 }?.accounts.count ?? -1
            seen.withLock { $0.append(accounts) }
            return nil
        }
        manager.withLock { $0 = mine }
        try await open().add(alice, id: work)
        try await mine.reload()
        #expect(seen.withLock { $0 } == [0])
        #expect(mine.accounts.count == 1)
    }
}

@Suite("Renewing unused logins")
struct IdleRenewalTests {
    private let transport = StubTransport()
    private let now: Int64 = 1_700_000_000_000
    private var wall: WallClock { WallClock { [now] in now } }

    /// Returns a manager with one account for each age in days, where `nil` is an unknown age.
    private func manager(_ ages: [Int64?]) async throws -> AccountManager {
        let manager = try await AccountManager.open(store: InMemoryCredentialStore(), transport: transport)
        for (number, age) in ages.enumerated() {
            var credential = Credential.user(number + 1)
            credential.issuedAtMilliseconds = age.map { now - $0 * 86_400_000 }
            try await manager.add(credential)
        }
        return manager
    }

    @Test("logins that are old or of unknown age are renewed with one request each, and recent logins are not")
    func due() async throws {
        let manager = try await manager([1, 40, nil])
        for number in [2, 3] {
            transport.enqueue(#"{"access_token":"new\#(number)","issued_at":"\#(now)"}"#)
        }
        let results = await manager.renewIdle(olderThan: .seconds(30 * 86_400), timeout: .seconds(60), by: wall)
        #expect(Set(results.keys) == [Credential.key(2), Credential.key(3)])
        #expect(try results[Credential.key(2)]?.get().accessToken == "new2")
        #expect(transport.requests.count == 2)
        let again = await manager.renewIdle(olderThan: .seconds(30 * 86_400), timeout: .seconds(60), by: wall)
        #expect(again.isEmpty && transport.requests.count == 2)
    }

    @Test("a login without a refresh token is not renewed, and a failed renewal does not affect the others")
    func failures() async throws {
        let manager = try await manager([40, 40])
        var bare = Credential.user(3)
        bare.refreshToken = nil
        try await manager.add(bare)
        transport.enqueue(status: 503, "busy")
        transport.enqueue(#"{"access_token":"new"}"#)
        let results = await manager.renewIdle(olderThan: .zero, timeout: .seconds(60), by: wall)
        #expect(results.count == 2)
        expect(OAuthError.self, .serverUnavailable) { try results[Credential.key(1)]?.get() }
        #expect(try results[Credential.key(2)]?.get().accessToken == "new")
        #expect(manager.accounts.count == 3)
    }

    @Test("a changed clock, or a server with a wrong time, causes no error")
    func hostileTimes() async throws {
        let manager = try await manager([-400_000, 20_000])
        transport.enqueue(#"{"access_token":"new"}"#)
        let results = await manager.renewIdle(olderThan: .seconds(86_400), timeout: .seconds(60), by: wall)
        #expect(Array(results.keys) == [Credential.key(2)])
    }
}
