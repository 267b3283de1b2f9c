// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestBase
import RestJSON
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

    @Test("the first account becomes the current account, and another account only when it is chosen")
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

    @Test("after a restart the accounts and the current account are the same")
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

    @Test("a specific error reports an account that is not linked")
    func unknown() async throws {
        let manager = try await open()
        #expect(throws: AccountManager.Error.self) { try manager.tokens(of: "x") }
        for body in [{ try await manager.switch(to: "x") }, { _ = try await manager.unlink("x") }] {
            await expect(AccountManager.Error.self, .noAccount) { try await body() }
        }
    }

    @Test("existing clients use a new login of the same user, and a login of another user is rejected")
    func loginAgain() async throws {
        let manager = try await open()
        try await manager.add(.user(1), id: "work")
        let tokens = try manager.tokens(of: "work")
        var again = Credential.user(1)
        again.accessToken = "again"
        try await manager.add(again, id: "work")
        #expect(try manager.tokens(of: "work") === tokens)
        #expect(try await tokens.credential(deadline: .now + .seconds(60)).credential.accessToken == "again")
        await expect(AccountManager.Error.self, .otherUser) { try await manager.add(.user(2), id: "work") }
        #expect(try await store.load("work")?.credential == again)
    }

    @Test("events arrive in order, and a slow listener loses old events and delays nothing")
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
        for await _ in lazy.prefix(AccountManager.eventCapacity) { kept += 1 }
        #expect(kept == AccountManager.eventCapacity)
    }

    @Test("each event names its account")
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

    @Test("an expired session is an event, and does not log the user out")
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

    @Test("a renewal keeps the login's details, so that the next process can also renew")
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

    @Test("a reload adds and removes the accounts of another process, and a removed account's clients end")
    func reload() async throws {
        let (mine, other) = (try await open(), try await open())
        try await other.add(.user(1))
        try await mine.reload()
        #expect(mine.current?.id == Credential.key(1))
        let tokens = try mine.tokens(of: Credential.key(1))
        try await other.unlink(Credential.key(1), isRevoking: false)
        try await mine.reload()
        #expect(mine.accounts.isEmpty && mine.current == nil)
        await expect(OAuthError.self, .noAccount) { try await tokens.credential(deadline: .now + .seconds(60)) }
    }

    @Test("an unreadable record does not hide the others, and can be unlinked")
    func unreadable() async throws {
        let folder = try TemporaryStore()
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
        let folder = try TemporaryStore()
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

    @Test("concurrent changes by two managers result in a state on which both agree")
    func concurrentChanges() async throws {
        let folder = try TemporaryStore()
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
    var generation: UInt64 {
        get async throws { try await credential(deadline: .now + .seconds(60)).generation }
    }
}

extension Credential {
    static func key(_ number: Int) -> String { "00D-005-\(number)@\(usualInstance.host)" }

    static func user(_ number: Int) -> Credential {
        var credential = numbered(number)
        credential.identityURL = "https://login.salesforce.com/id/00D/005-\(number)"
        credential.login = Credential.Login(
            server: usualInstance, clientID: "id", clientSecret: "s3cret", username: "user\(number)@example.com",
            notes: ["grant": "code"])
        return credential
    }
}

/// An account is a user of a server, whatever the server calls the user.
@Suite("The user of an account")
struct AccountKeyTests {
    private let transport = StubTransport()
    private let store = InMemoryCredentialStore()
    private var soon: ContinuousClock.Instant { .now + .seconds(60) }

    private func open() async throws -> AccountManager {
        try await AccountManager.open(store: store, transport: transport)
    }

    /// Returns a server other than Salesforce, with a token endpoint and an optional introspection endpoint.
    private func server(_ host: String, introspects: Bool = false) -> AuthorizationServer {
        let origin = Origin(scheme: .https, host: host)
        var server = AuthorizationServer(
            issuer: origin.description, origin: origin, authorizationEndpoint: HTTPURL(origin: origin, path: "/a"),
            tokenEndpoint: HTTPURL(origin: origin, path: "/t"))
        if introspects { server.introspectionEndpoint = HTTPURL(origin: origin, path: "/i") }
        return server
    }

    /// Logs in at a server whose token response has these additional members.
    private func login(
        _ token: String, _ members: String = "", at host: String = "id.example.com", introspects: Bool = false
    ) async throws -> Credential {
        transport.enqueue(#"{"access_token":"\#(token)","refresh_token":"r-\#(token)"\#(members)}"#)
        let server = server(host, introspects: introspects)
        let client = OAuthClient(server: server, clientID: "app", clientSecret: nil, transport: transport)
        var credential = try await client.token(
            for: PasswordGrant(username: "u", password: "p"), deadline: .now + .seconds(60))
        credential.login = Credential.Login(server: server.origin, endpoints: server, clientID: "app")
        return credential
    }

    private func idToken(_ claims: JSONValue) -> String {
        let header: JSONValue = ["alg": "RS256"]
        let parts = [header, claims].map { Base64.encodeForURL($0.bytes()) }
        return #","id_token":"\#(parts.joined(separator: ".")).c2ln""#
    }

    @Test("the users of a server have different accounts, and each user has one account, whatever the member's name is")
    func fieldNames() async throws {
        let manager = try await open()
        let responses = [
            #","user_id":"u1""#, #","account_id":"dbid:2""#, #","uid":3"#, #","sub":"u4""#,
            idToken(["iss": "https://id.example.com", "aud": ["app"], "sub": "u5"]),
        ]
        for (number, response) in responses.enumerated() {
            try await manager.add(try await login("a\(number)", response))
        }
        let keys = ["3", "dbid:2", "u1", "u4", "u5"].map { "\($0)@id.example.com" }
        #expect(manager.accounts.map(\.id) == keys)
        #expect(manager.accounts.map(\.userID) == ["3", "dbid:2", "u1", "u4", "u5"])
        let tokens = try manager.tokens(of: keys[2])
        let again = try await manager.add(try await login("again", #","sub":"u1","uid":17"#))
        #expect(again.id == keys[2] && manager.accounts.count == 5)
        #expect(try await tokens.credential(deadline: soon).credential.accessToken == "again")
    }

    @Test("an id token of another server or client, and invalid ids, identify no user")
    func unusableNames() async throws {
        let members = [
            idToken(["iss": "https://evil.example.com", "aud": "app", "sub": "u1"]),
            idToken(["iss": "https://id.example.com", "aud": "other", "sub": "u1"]),
            #","id_token":"not.a.token""#, #","id_token":"x""#, #","sub":"""#, #","sub":"\u001b[2Ju1""#,
            #","sub":"\#(String(repeating: "u", count: 256))""#, #","sub":{"id":"u1"}"#, #","id":"token-7""#,
        ]
        for member in members {
            let credential = try await login("a", member)
            #expect(credential.userID == nil, "\(member)")
        }
        #expect(try await login("a", #","sub":"\#(String(repeating: "u", count: 255))""#).userID?.count == 255)
    }

    @Test("a user's id at two servers results in two accounts, even with the same org and user")
    func servers() async throws {
        let manager = try await open()
        for host in ["one.example.com", "two.example.com"] {
            try await manager.add(try await login("a-\(host)", #","sub":"u1""#, at: host))
            try await manager.add(try await login("b-\(host)", #","id":"https://\#(host)/id/00D/005""#, at: host))
        }
        #expect(
            manager.accounts.map(\.id) == [
                "00D-005@one.example.com", "00D-005@two.example.com", "u1@one.example.com", "u1@two.example.com",
            ])
        for account in manager.accounts {
            let credential = try await manager.tokens(of: account.id).credential(deadline: soon).credential
            #expect(credential.accessToken.reveal().hasSuffix(account.server.host))
        }
    }

    @Test("if only a renewal names the user, the account remains, and is found by the user from then on")
    func namedByRenewal() async throws {
        let manager = try await open()
        let account = try await manager.add(try await login("a"))
        let other = try await manager.add(try await login("b"))
        #expect(account.id != other.id && account.userID == nil)
        var events = manager.events.makeAsyncIterator()
        transport.enqueue(#"{"access_token":"a2","sub":"u1"}"#)
        _ = try await manager.tokens(of: account.id).refreshNow(deadline: soon)
        #expect(await events.next() == .token(account.id, .renewed(generation: 2)))
        guard case .updated(let named)? = await events.next() else { Issue.record("no event"); return }
        #expect(named.id == account.id && named.userID == "u1")
        #expect(try await open().accounts.first { $0.id == account.id }?.userID == "u1")
        #expect(try await manager.add(try await login("a3", #","sub":"u1""#)).id == account.id)
        #expect(try await manager.add(try await login("c", #","sub":"u2""#)).id == "u2@id.example.com")
        #expect(manager.accounts.count == 3)
        // An id with another name in a renewal does not mean another user. A different id with the same name does.
        transport.enqueue(#"{"access_token":"a4","user_id":"17"}"#)
        #expect(try await manager.tokens(of: account.id).refreshNow(deadline: soon).credential.userID == "u1")
        transport.enqueue(#"{"access_token":"x","sub":"u2"}"#)
        let (tokens, deadline) = (try manager.tokens(of: account.id), soon)
        await expect(OAuthError.self, .noAccount) { try await tokens.refreshNow(deadline: deadline) }
    }

    @Test("a login without a user is introspected once, and is a separate account if the server names no user")
    func asked() async throws {
        let manager = try await open()
        let first = try await login("a", introspects: true)
        transport.enqueue(#"{"active":true,"sub":"u7"}"#)
        #expect(try await manager.add(first).id == "u7@id.example.com")
        let second = try await login("b", introspects: true)
        transport.enqueue(status: 403, #"{"error":"unauthorized_client"}"#)
        let unnamed = try await manager.add(second)
        #expect(unnamed.userID == nil && manager.accounts.count == 2)
        var third = try await login("c", introspects: true)
        third.login?.username = "carol"
        #expect(try await manager.add(third).id == "carol@id.example.com")
        #expect(transport.requests.map(\.url.path) == ["/t", "/i", "/t", "/i", "/t"])
        #expect(try await open().accounts == manager.accounts)
    }

    @Test("a client that acts on its own behalf is the user, unless the server names another user")
    func client() async throws {
        transport.enqueue(#"{"access_token":"a"}"#)
        let server = server("id.example.com")
        let client = OAuthClient(server: server, clientID: "robot", clientSecret: "s", transport: transport)
        let credential = try await client.token(for: ClientCredentialsGrant(), deadline: soon)
        #expect(credential.userID == "robot")
        #expect(AccountManager.Account(of: credential).id == "robot@id.example.com")
    }

    @Test("a key is short enough for a file name, however long the user's id is")
    func longNames() async throws {
        let folder = try TemporaryStore()
        let manager = try await AccountManager.open(
            store: FileCredentialStore(directory: folder.path), transport: transport)
        let ids = ["A", "B"].map { String(repeating: $0, count: 255) }
        for id in ids { try await manager.add(try await login(id, #","sub":"\#(id)""#)) }
        #expect(manager.accounts.count == 2)
        #expect(try await manager.add(try await login("again", #","sub":"\#(ids[0])""#)).userID == ids[0])
        #expect(manager.accounts.count == 2)
    }
}
