// SPDX-License-Identifier: Apache-2.0

import RestTesting
import RestTransport
import Testing

@testable import RestAuth

/// Records that an earlier version wrote, whose keys did not say whose user it is.
@Suite("Accounts under their former keys")
struct FormerKeyTests {
    private let transport = StubTransport()
    private let folder: StoreFolder
    private let store: FileCredentialStore
    private let former = "00D-005-1"
    private var soon: ContinuousClock.Instant { .now + .seconds(60) }

    init() throws {
        folder = try StoreFolder()
        store = FileCredentialStore(directory: folder.path)
    }

    private func open() async throws -> AccountManager {
        try await AccountManager.open(store: store, transport: transport)
    }

    /// The record as it was written then, byte by byte.
    private func writeRecord(_ login: String, identityURL: String, under key: String) throws {
        let content =
            #"{"version":1,"account":"\#(key)","generation":7,"accessToken":"a1","refreshToken":"r1","#
            + #""instance":"https://example.my.salesforce.com","identityURL":\#(identityURL),"scopes":["api"],"#
            + #""login":{"server":"https://login.salesforce.com","clientID":"id"\#(login)},"renewal":"started","x":1}"#
        let bytes = try #require(RecordEnvelope.seal(Array(content.utf8)))
        try folder.write(bytes, AccountFiles(account: key).record)
    }

    @Test("an old record is moved to the key of today, with the choice, and is found under both")
    func moved() async throws {
        let key = "00D-005-1@login.salesforce.com"
        try writeRecord("", identityURL: #""https://login.salesforce.com/id/00D/005-1""#, under: former)
        try await store.setNote("current", former)
        let manager = try await open()
        #expect(manager.accounts.map(\.id) == [key] && manager.current?.id == key)
        #expect(try await store.accounts() == [key])
        #expect(try await store.load(key)?.renewal == .started)
        let tokens = try manager.tokens(of: former)
        #expect(try manager.tokens(of: key) === tokens)
        #expect(try await tokens.credential(deadline: soon).credential.refreshToken == "r1")
        transport.enqueue(#"{"access_token":"a2","refresh_token":"r2"}"#)
        _ = try await tokens.refreshNow(deadline: soon)
        #expect(try await store.load(key)?.credential.refreshToken == "r2")
        #expect(try await open().accounts == manager.accounts)
        try await manager.switch(to: former)
        #expect(try await manager.unlink(former, isRevoking: false).id == key)
        #expect(try await store.accounts().isEmpty)
    }

    @Test("a record under its server, whose user the host named, is moved; one of nobody stays where it is")
    func unnamed() async throws {
        let instance = "https://example.my.salesforce.com"
        try writeRecord("", identityURL: "null", under: instance)
        #expect(try await open().accounts.map(\.id) == [instance])
        try folder.remove(AccountFiles(account: instance).record)
        try writeRecord(#","username":"alice""#, identityURL: "null", under: instance)
        let manager = try await open()
        #expect(manager.accounts.map(\.id) == ["alice@login.salesforce.com"])
        #expect(try manager.tokens(of: instance) === manager.tokens(of: "alice@login.salesforce.com"))
    }

    @Test("a move that was cut off is completed; a login that was made meanwhile is not overwritten")
    func cutOff() async throws {
        let (alice, bob) = (Credential.user(1), Credential.user(2))
        _ = try await store.save(alice, for: former, replacing: nil)
        _ = try await store.save(alice, for: Credential.key(1), replacing: nil)
        var newer = bob
        newer.accessToken = "newer"
        _ = try await store.save(bob, for: "00D-005-2", replacing: nil)
        _ = try await store.save(newer, for: Credential.key(2), replacing: nil)
        let manager = try await open()
        #expect(manager.accounts.map(\.id) == [Credential.key(1), "00D-005-2", Credential.key(2)])
        #expect(try await store.load("00D-005-2")?.credential == bob)
        #expect(try await store.load(Credential.key(2))?.credential == newer)
    }

    @Test("a record whose lock somebody keeps, and one under a key that the host chose, stay where they are")
    func notMoved() async throws {
        _ = try await store.save(.user(1), for: former, replacing: nil)
        _ = try await store.save(.user(2), for: "work", replacing: nil)
        let clock = ManualClock()
        let patient = FileCredentialStore(directory: folder.path, clock: clock)
        let lock = try await store.lock(former, until: soon)
        let manager = try await AccountManager.open(store: patient, transport: transport, clock: clock)
        lock.release()
        #expect(manager.accounts.map(\.id) == [former, "work"])
        // Clients of this process keep the key that they have.
        try await manager.reload()
        #expect(try await manager.tokens(of: former).credential(deadline: clock.now + .seconds(60)).generation == 1)
        #expect(try await open().accounts.map(\.id) == [Credential.key(1), "work"])
    }
}
