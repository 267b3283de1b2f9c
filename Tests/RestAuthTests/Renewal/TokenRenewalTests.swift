// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestTesting
import RestTransport
import Synchronization
import Testing

@testable import RestAuth

@Suite("Renewals with a store")
struct TokenRenewalTests {
    private let transport = StubTransport()
    private let folder: TemporaryStore
    private let store: FileCredentialStore
    private let events = Events()

    private final class Events: Sendable {
        private let list = Mutex<[TokenManager.Event]>([])
        var all: [TokenManager.Event] { list.withLock { $0 } }
        func add(_ event: TokenManager.Event) { list.withLock { $0.append(event) } }
    }

    init() throws {
        folder = try TemporaryStore()
        store = FileCredentialStore(directory: folder.path)
    }

    private func renewal(
        _ store: (any CredentialStore)? = nil, grant: (any OAuthGrant)? = nil,
        transport: (any HTTPTransport)? = nil
    ) -> TokenManager.Renewal {
        let client = OAuthClient(
            login: Credential.usualInstance, clientID: "id", clientSecret: nil, transport: transport ?? self.transport)
        return TokenManager.Renewal(client: client, grant: grant, store: store ?? self.store, account: "alice")
    }

    private func renew(_ renewal: TokenManager.Renewal, _ previous: Credential?) async throws(OAuthError) -> Credential
    {
        try await renewal.credential(replacing: previous, at: .now, onEvent: { [events] in events.add($0) }).get()
    }

    private func respond(_ number: Int, rotated: Bool = true) {
        let refresh = rotated ? #","refresh_token":"r\#(number)""# : ""
        transport.enqueue(#"{"access_token":"a\#(number)"\#(refresh)}"#)
    }

    private func refuse() {
        transport.enqueue(status: 400, #"{"error":"invalid_grant","error_description":"expired"}"#)
    }

    private func spentTokens() -> [Int?] {
        transport.requests.map { request in
            guard case .bytes(let bytes) = request.body else { return nil }
            let text = String(decoding: bytes, as: UTF8.self)
            return text.split(separator: "&").first { $0.hasPrefix("refresh_token=r") }.flatMap {
                Int($0.dropFirst(15))
            }
        }
    }

    private func fail(_ mayHaveReachedServer: Bool) {
        transport.enqueue(
            .failure(TransportError(.connectionLost, "reset", mayHaveReachedServer: mayHaveReachedServer)))
    }

    @Test("A34: a rejected token causes one request, the record is kept, and later errors are the same")
    func refused() async throws {
        _ = try await store.save(.numbered(1), for: "alice", replacing: nil)
        for _ in 1...2 {
            refuse()
            await expect(OAuthError.self, .invalidGrant) { try await renew(renewal(), .numbered(1)) }
        }
        #expect(try await store.load("alice")?.credential == .numbered(1))
        #expect(try await store.load("alice")?.renewal == .settled)
        #expect(transport.requests.count == 2)
    }

    @Test("A36: a rotated token is on the disk before it is returned")
    func rotated() async throws {
        _ = try await store.save(.numbered(1), for: "alice", replacing: nil)
        respond(2)
        let renewed = try await renew(renewal(), .numbered(1))
        let stored = try await FileCredentialStore(directory: folder.path).load("alice")
        #expect(stored?.credential == renewed)
        #expect(renewed.refreshToken == "r2" && stored?.renewal == .settled)
        #expect(events.all.isEmpty)
    }

    @Test("A36: during the request, the store records that the token is being used")
    func noted() async throws {
        _ = try await store.save(.numbered(1), for: "alice", replacing: nil)
        let witness = Witness(store: store, transport: transport)
        respond(2)
        _ = try await renew(renewal(transport: witness), .numbered(1))
        let seen = witness.seen.withLock { $0 }
        #expect(seen?.renewal == .started && seen?.credential == .numbered(1))
    }

    /// Reads the store during the token request.
    private final class Witness: HTTPTransport {
        let seen = Mutex<Credential.Stored?>(nil)
        private let store: FileCredentialStore
        private let transport: StubTransport

        init(store: FileCredentialStore, transport: StubTransport) {
            self.store = store
            self.transport = transport
        }

        func send(
            _ request: HTTPRequest, to destination: HTTPResponse.Destination, deadline: ContinuousClock.Instant,
            progress: TransferProgress.Handler?
        ) async throws(TransportError) -> HTTPResponse {
            let stored = try? await store.load("alice")
            seen.withLock { $0 = stored }
            return try await transport.send(request, deadline: deadline, progress: progress)
        }

        func shutdown() async {}
    }

    @Test("A37: a response without a refresh token keeps the old one")
    func notRotated() async throws {
        _ = try await store.save(.numbered(1), for: "alice", replacing: nil)
        respond(2, rotated: false)
        _ = try await renew(renewal(), .numbered(1))
        let stored = try await store.load("alice")?.credential
        #expect(stored?.accessToken == "a2" && stored?.refreshToken == "r1")
    }

    @Test("A38: after a lost response the old token is tried once, which succeeds at a server with a grace period")
    func lostResponseGrace() async throws {
        _ = try await store.save(.numbered(1), for: "alice", replacing: nil)
        fail(true)
        await expect(OAuthError.self, .unreachable) { try await renew(renewal(), .numbered(1)) }
        #expect(try await store.load("alice")?.renewal == .started)
        respond(2)
        #expect(try await renew(renewal(), .numbered(1)).refreshToken == "r2")
        #expect(spentTokens() == [1, 1])
        #expect(try await store.load("alice")?.renewal == .repeated)
        respond(3)
        _ = try await renew(renewal(), try await store.load("alice")?.credential)
        #expect(try await store.load("alice")?.renewal == .settled)
    }

    @Test("A38: if the server rejects the second attempt, the error is specific and the record is kept")
    func lostResponseStrict() async throws {
        _ = try await store.save(.numbered(1), for: "alice", replacing: nil, renewal: .started)
        refuse()
        let error = await expect(OAuthError.self, .rotationOutcomeUnknown) { try await renew(renewal(), .numbered(1)) }
        #expect(error?.isFinal == true)
        #expect(transport.requests.count == 1)
        #expect(try await store.load("alice")?.credential == .numbered(1))
    }

    @Test(
        "A38: if a strict server rejects a token that may have been used, the outcome is unknown")
    func lateEcho() async throws {
        _ = try await store.save(.numbered(2), for: "alice", replacing: nil, renewal: .repeated)
        fail(false)
        await #expect(throws: OAuthError.self) { try await renew(renewal(), .numbered(2)) }
        #expect(try await store.load("alice")?.renewal == .repeated)
        refuse()
        await expect(OAuthError.self, .rotationOutcomeUnknown) { try await renew(renewal(), .numbered(2)) }
    }

    @Test("a request that was not sent says nothing about the token, and a later rejection is an ordinary error")
    func neverSent() async throws {
        _ = try await store.save(.numbered(1), for: "alice", replacing: nil)
        fail(false)
        await #expect(throws: OAuthError.self) { try await renew(renewal(), .numbered(1)) }
        refuse()
        await expect(OAuthError.self, .invalidGrant) { try await renew(renewal(), .numbered(1)) }
    }

    @Test("a renewal marked as started stays so if its second attempt is lost, or while another renewal is in flight")
    func stillOpen() async throws {
        _ = try await store.save(.numbered(1), for: "alice", replacing: nil, renewal: .started)
        fail(false)
        fail(true)
        transport.enqueue(status: 503, "busy")
        transport.enqueue(
            status: 400,
            #"{"error":"invalid_grant","error_description":"token request is already being processed"}"#)
        for _ in 1...4 {
            let error = await #expect(throws: OAuthError.self) { try await renew(renewal(), .numbered(1)) }
            #expect(error?.isFinal == false)
            #expect(try await store.load("alice")?.renewal == .started)
        }
    }

    @Test("A39: with a full disk a token is renewed in memory, with an event, and saved when there is space")
    func diskFull() async throws {
        let isFull = Mutex(false)
        let store = FileCredentialStore(directory: folder.path, failing: { _ in isFull.withLock { $0 } ? ENOSPC : nil })
        _ = try await store.save(.numbered(1), for: "alice", replacing: nil)
        let renewal = renewal(store)
        isFull.withLock { $0 = true }
        for number in 2...3 {
            respond(number)
            #expect(try await renew(renewal, .numbered(number - 1)).accessToken == Secret("a\(number)"))
        }
        #expect(events.all.count == 2)
        guard case .notSaved(let error) = events.all.first else { return #expect(Bool(false), "no event") }
        #expect(error.code == .notWritable)
        #expect(try await store.load("alice")?.credential == .numbered(1))
        isFull.withLock { $0 = false }
        respond(4)
        _ = try await renew(renewal, .numbered(3))
        #expect(spentTokens() == [1, 2, 3])
        #expect(try await store.load("alice")?.credential.refreshToken == "r4")
        #expect(events.all.count == 2)
    }

    @Test("A39: if the store cannot lock, a renewal works without a lock")
    func noPlace() async throws {
        let lockless = Lockless()
        respond(2)
        #expect(try await renew(renewal(lockless), .numbered(1)).refreshToken == "r2")
        #expect(events.all == [.notSaved(Lockless.error)])
    }

    /// A store on a medium that accepts no writes.
    private struct Lockless: CredentialStore {
        static let error = Credential.StoreError(.notWritable, "read-only")

        func load(_ account: String) async throws(Credential.StoreError) -> Credential.Stored? { nil }

        func save(
            _ credential: Credential, for account: String, replacing version: UInt64?, renewal: Credential.RenewalState
        ) async throws(Credential.StoreError) -> UInt64 { throw Self.error }
        func remove(_ account: String) async throws(Credential.StoreError) { throw Self.error }
        func lock(
            _ account: String, until deadline: ContinuousClock.Instant
        ) async throws(Credential.StoreError) -> Credential.Lock { throw Self.error }
        func accounts() async throws(Credential.StoreError) -> [String] { [] }
        func note(_ name: String) async throws(Credential.StoreError) -> String? { nil }
        func setNote(_ name: String, _ value: String?) async throws(Credential.StoreError) { throw Self.error }
    }

    @Test("a store that cannot be read or locked fails the request, and nothing is sent to the server")
    func unreadable() async throws {
        _ = try await store.save(.numbered(1), for: "alice", replacing: nil)
        try folder.setMode(0o755, "")
        let error = await expect(OAuthError.self, .storeUnavailable) { try await renew(renewal(), .numbered(1)) }
        #expect(error?.isFinal == false)
        #expect(transport.requests.isEmpty)
        try folder.setMode(0o700, "")
    }

    @Test("a damaged record does not affect a process with a newer credential")
    func damaged() async throws {
        _ = try await store.save(.numbered(1), for: "alice", replacing: nil)
        let renewal = renewal()
        respond(2)
        let second = try await renew(renewal, .numbered(1))
        try folder.write([], AccountFiles(account: "alice").record)
        respond(3)
        #expect(try await renew(renewal, second).refreshToken == "r3")
        #expect(spentTokens() == [1, 2])
        #expect(try await store.load("alice")?.credential.refreshToken == "r3")
    }

    @Test("A48: an account that was removed during a renewal is not restored")
    func removed() async throws {
        _ = try await store.save(.numbered(1), for: "alice", replacing: nil)
        let renewal = renewal()
        respond(2)
        let second = try await renew(renewal, .numbered(1))
        try await store.remove("alice")
        await expect(OAuthError.self, .sessionExpired) { try await renew(renewal, second) }
        #expect(transport.requests.count == 1)
        #expect(try await store.load("alice") == nil)
    }

    @Test("a new login is saved over any record, also a damaged one, before it is used")
    func newLogin() async throws {
        _ = try await store.save(.numbered(1), for: "alice", replacing: nil)
        let manager = TokenManager(credential: .numbered(1), renewal: renewal())
        await manager.install(.numbered(5))
        #expect(try await store.load("alice")?.credential == .numbered(5))
        #expect(try await manager.credential(deadline: .now + .seconds(60)).credential == .numbered(5))
        let files = AccountFiles(account: "alice")
        try folder.write([], files.record)
        try folder.remove(files.previous)
        await manager.install(.numbered(6))
        #expect(try await store.load("alice")?.credential == .numbered(6))
    }

    @Test("a renewal that is overtaken by a new login has no effect, even if the store accepts no writes")
    func overtaken() async throws {
        let isFull = Mutex(false)
        let store = FileCredentialStore(directory: folder.path, failing: { _ in isFull.withLock { $0 } ? ENOSPC : nil })
        _ = try await store.save(.numbered(1), for: "alice", replacing: nil)
        let gate = GatedTransport(transport)
        let manager = TokenManager(
            credential: .numbered(1), renewal: renewal(store, transport: gate),
            onEvent: { [events] in events.add($0) })
        isFull.withLock { $0 = true }
        respond(2)
        let call = Task { try await manager.credential(rejecting: 1, deadline: .now + .seconds(60)) }
        await gate.reached()
        await manager.install(.numbered(5))
        #expect(try await call.value.credential == .numbered(5))
        gate.open()
        // The renewal holds the lock until it has finished.
        try await store.lock("alice", until: .now + .seconds(60)).release()
        #expect(events.all.count == 1)
        respond(6)
        _ = try await manager.credential(rejecting: 2, deadline: .now + .seconds(60))
        #expect(spentTokens() == [1, 5])
    }

    @Test("another user's credential is not installed, and an event reports it")
    func foreignInstall() async throws {
        _ = try await store.save(.user(1), for: "alice", replacing: nil)
        let manager = TokenManager(credential: .user(1), renewal: renewal(), onEvent: { [events] in events.add($0) })
        await manager.install(.user(2))
        #expect(events.all == [.notSaved(TokenManager.Renewal.otherUser)])
        #expect(try await manager.credential(deadline: .now + .seconds(60)).credential == .user(1))
        #expect(try await store.load("alice")?.credential == .user(1))
    }

    @Test("the first renewal names the user of a login that the app stored without one, and others continue with it")
    func namedLater() async throws {
        let login = Credential(accessToken: "a1", refreshToken: "r1", instance: Credential.usualInstance)
        _ = try await store.save(login, for: "alice", replacing: nil)
        let managers = (0..<3).map { _ in TokenManager(credential: login, renewal: renewal()) }
        for number in 2...3 {
            transport.enqueue(
                #"{"access_token":"a\#(number)","refresh_token":"r\#(number)","id":"https://x.example.com/id/00D/005"}"#
            )
        }
        let deadline = ContinuousClock.now + .seconds(60)
        for manager in managers.prefix(2) {
            let renewed = try await manager.credential(rejecting: 1, deadline: deadline).credential
            #expect(renewed.accessToken == "a2" && renewed.identityURL?.hasSuffix("005") == true)
        }
        #expect(try await managers[0].credential(rejecting: 2, deadline: deadline).credential.accessToken == "a3")
        #expect(try await managers[2].credential(rejecting: 1, deadline: deadline).credential.accessToken == "a3")
        #expect(spentTokens() == [1, 2])
    }

    @Test("if the server does not name the user, others' renewals are accepted, and others' new logins end the login")
    func bareServer() async throws {
        let login = Credential(accessToken: "a1", refreshToken: "r1", instance: Credential.usualInstance)
        let mine = TokenManager(credential: nil, renewal: renewal())
        await mine.install(login)
        let stored = try #require(try await store.load("alice"))
        let other = TokenManager(credential: stored.credential, renewal: renewal())
        respond(2)
        #expect(try await other.credential(rejecting: 1, deadline: .now + .seconds(60)).credential.refreshToken == "r2")
        #expect(try await mine.credential(rejecting: 1, deadline: .now + .seconds(60)).credential.refreshToken == "r2")
        await other.install(Credential(accessToken: "b1", refreshToken: "r7", instance: Credential.usualInstance))
        await expect(OAuthError.self, .noAccount) {
            try await mine.credential(rejecting: 2, deadline: .now + .seconds(60))
        }
        #expect(transport.requests.count == 1)
    }

    @Test("A44: of two clients of one account, one requests a token and the other uses the saved one")
    func twoClients() async throws {
        _ = try await store.save(.numbered(1), for: "alice", replacing: nil)
        respond(2)
        async let first = renew(renewal(), .numbered(1))
        async let second = renew(renewal(FileCredentialStore(directory: folder.path)), .numbered(1))
        let tokens = try await [first, second].map(\.refreshToken)
        #expect(tokens == ["r2", "r2"])
        #expect(transport.requests.count == 1)
    }
}
