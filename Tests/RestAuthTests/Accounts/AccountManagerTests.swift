// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestTesting
import RestTransport
import Synchronization
import Testing

@testable import RestAuth

@Suite("Accounts")
struct AccountManagerTests {
    private let transport = StubTransport()
    private let store = InMemoryCredentialStore()

    private func open(_ store: (any CredentialStore)? = nil) async throws -> AccountManager {
        try await AccountManager.open(store: store ?? self.store, transport: transport)
    }

    @Test("the first account becomes the current one; another one only when it is chosen")
    func adding() async throws {
        let manager = try await open()
        #expect(manager.accounts.isEmpty && manager.current == nil)
        try await manager.add(.user(1))
        try await manager.add(.user(2))
        #expect(manager.accounts.map(\.id) == [Credential.key(1), Credential.key(2)])
        #expect(manager.current?.id == Credential.key(1))
        #expect(manager.current?.userID == "005-1" && manager.current?.organizationID == "00D")
        try await manager.switch(to: Credential.key(2))
        #expect(manager.current?.username == "user2@example.com")
        try await manager.add(.user(3), id: "third", makesCurrent: true)
        #expect(manager.current?.id == "third")
    }

    @Test("a restart finds the accounts and the choice")
    func restart() async throws {
        let first = try await open()
        try await first.add(.user(1))
        try await first.add(.user(2), makesCurrent: true)
        let second = try await open()
        #expect(second.accounts == first.accounts)
        #expect(second.current?.id == Credential.key(2))
        let tokens = try second.tokens(of: Credential.key(1))
        #expect(try await tokens.credential(deadline: .now + .seconds(60)).credential == .user(1))
        #expect(try second.tokens(of: Credential.key(1)) === tokens)
    }

    @Test("an account that is not linked is an error of its own")
    func unknown() async throws {
        let manager = try await open()
        #expect(throws: AccountManager.Error.self) { try manager.tokens(of: "x") }
        for body in [{ try await manager.switch(to: "x") }, { _ = try await manager.unlink("x") }] {
            let error = await #expect(throws: AccountManager.Error.self) { try await body() }
            #expect(error?.code == .noAccount)
        }
    }

    @Test("a login of the same user goes on under the old clients; one of another user is refused")
    func loginAgain() async throws {
        let manager = try await open()
        try await manager.add(.user(1), id: "work")
        let tokens = try manager.tokens(of: "work")
        var again = Credential.user(1)
        again.accessToken = "again"
        try await manager.add(again, id: "work")
        #expect(try manager.tokens(of: "work") === tokens)
        #expect(try await tokens.credential(deadline: .now + .seconds(60)).credential.accessToken == "again")
        let error = await #expect(throws: AccountManager.Error.self) { try await manager.add(.user(2), id: "work") }
        #expect(error?.code == .otherUser)
        #expect(try await store.load("work")?.credential == again)
    }

    @Test("changes are told in order; who does not listen loses old news and delays nobody")
    func events() async throws {
        let manager = try await open()
        let events = manager.events
        let lazy = manager.events
        try await manager.add(.user(1))
        try await manager.add(.user(2))
        try await manager.switch(to: Credential.key(2))
        try await manager.unlink(Credential.key(2), isRevoking: false)
        for _ in 0..<200 { try await manager.add(.user(1)) }
        var told: [AccountManager.Event] = []
        for await event in events.prefix(6) { told.append(event) }
        #expect(told.count == 6)
        var kept = 0
        for await _ in lazy.prefix(AccountEventHub.capacity) { kept += 1 }
        #expect(kept == AccountEventHub.capacity)
    }

    @Test("each event says what it is about")
    func eventContent() async throws {
        let manager = try await open()
        var events = manager.events.makeAsyncIterator()
        let first = try await manager.add(.user(1))
        #expect(await events.next() == .added(first))
        #expect(await events.next() == .switched(from: nil, to: first.id))
        try await manager.add(.user(1))
        #expect(await events.next() == .updated(first))
        try await manager.unlink(first.id, isRevoking: false)
        #expect(await events.next() == .unlinked(first.id))
        #expect(await events.next() == .switched(from: first.id, to: nil))
    }

    @Test("a session that ends is news, not a logout")
    func sessionExpired() async throws {
        let manager = try await open()
        try await manager.add(.user(1))
        var events = manager.events.makeAsyncIterator()
        transport.enqueue(status: 400, #"{"error":"invalid_grant","error_description":"expired"}"#)
        let tokens = try manager.tokens(of: Credential.key(1))
        await #expect(throws: OAuthError.self) {
            try await tokens.credential(rejecting: try await tokens.generation, deadline: .now + .seconds(60))
        }
        guard case .token(let id, .sessionExpired(let error))? = await events.next(), id == Credential.key(1) else {
            Issue.record("no event")
            return
        }
        #expect(error.code == .invalidGrant)
        #expect(manager.current?.id == Credential.key(1))
        #expect(try await store.load(Credential.key(1)) != nil)
    }

    @Test("a renewal keeps the login's details, so that the next process can renew too")
    func details() async throws {
        let manager = try await open()
        try await manager.add(.user(1))
        transport.enqueue(#"{"access_token":"a2","refresh_token":"r2"}"#)
        let tokens = try manager.tokens(of: Credential.key(1))
        _ = try await tokens.credential(rejecting: try await tokens.generation, deadline: .now + .seconds(60))
        let stored = try await store.load(Credential.key(1))?.credential
        #expect(stored?.refreshToken == "r2")
        #expect(stored?.login == Credential.user(1).login)
    }

    @Test("another process's accounts come and go with a reload; its clients end with it")
    func reload() async throws {
        let (mine, other) = (try await open(), try await open())
        try await other.add(.user(1))
        try await mine.reload()
        #expect(mine.current?.id == Credential.key(1))
        let tokens = try mine.tokens(of: Credential.key(1))
        try await other.unlink(Credential.key(1), isRevoking: false)
        try await mine.reload()
        #expect(mine.accounts.isEmpty && mine.current == nil)
        let error = await #expect(throws: OAuthError.self) {
            try await tokens.credential(deadline: .now + .seconds(60))
        }
        #expect(error?.code == .noAccount)
    }

    @Test("one record that cannot be read does not hide the others, and can be unlinked")
    func unreadable() async throws {
        let folder = try StoreFolder()
        let files = FileCredentialStore(directory: folder.path)
        let manager = try await open(files)
        try await manager.add(.user(1))
        try await manager.add(.user(2))
        try folder.write([1, 2, 3], AccountFiles(account: Credential.key(1)).record)
        let next = try await open(files)
        #expect(next.accounts.map(\.id) == [Credential.key(2)])
        #expect(next.unreadable[Credential.key(1)]?.code == .corrupt)
        #expect(next.current == nil)
        try await next.unlink(Credential.key(1))
        #expect(next.unreadable.isEmpty)
        #expect(try await files.accounts() == [Credential.key(2)])
    }

    @Test("a login that cannot be saved is not linked")
    func diskFull() async throws {
        let folder = try StoreFolder()
        let isFull = Mutex(false)
        let files = FileCredentialStore(directory: folder.path) { _ in isFull.withLock { $0 } ? ENOSPC : nil }
        let manager = try await open(files)
        try await manager.add(.user(1))
        isFull.withLock { $0 = true }
        let error = await #expect(throws: AccountManager.Error.self) {
            try await manager.add(.user(2), makesCurrent: true)
        }
        #expect(error?.store?.code == .notWritable)
        #expect(manager.accounts.map(\.id) == [Credential.key(1)])
        isFull.withLock { $0 = false }
        #expect(try await open(files).current?.id == Credential.key(1))
    }

    @Test("changes made at once by two managers leave a state that both agree on")
    func concurrentChanges() async throws {
        let folder = try StoreFolder()
        let files = FileCredentialStore(directory: folder.path)
        let managers = [try await open(files), try await open(files)]
        await withTaskGroup { group in
            for number in 0..<12 {
                group.addTask { _ = try? await managers[number % 2].add(.user(number), makesCurrent: true) }
            }
        }
        for manager in managers { try await manager.reload() }
        #expect(managers[0].accounts.count == 12)
        #expect(managers[0].accounts == managers[1].accounts)
        #expect(managers[0].current != nil && managers[0].current == managers[1].current)
    }
}

extension TokenManager {
    /// The generation in use.
    var generation: UInt64 {
        get async throws { try await credential(deadline: .now + .seconds(60)).generation }
    }
}

extension Credential {
    /// The key that the manager makes for the `number`-th user.
    static func key(_ number: Int) -> String { "00D-005-\(number)@\(usualInstance.host)" }

    /// The login of the `number`-th user.
    static func user(_ number: Int) -> Credential {
        var credential = numbered(number)
        credential.identityURL = "https://login.salesforce.com/id/00D/005-\(number)"
        credential.login = Credential.Login(
            server: usualInstance, clientID: "id", clientSecret: "s3cret", username: "user\(number)@example.com",
            notes: ["grant": "code"])
        return credential
    }
}
