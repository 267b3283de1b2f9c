// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestTesting
import RestTransport
import Synchronization
import Testing

@testable import RestAuth

@Suite("Unlinking")
struct UnlinkTests {
    private let transport = StubTransport()
    private let folder: TemporaryStore
    private let store: FileCredentialStore
    private let id = Credential.key(1)

    init() throws {
        folder = try TemporaryStore()
        store = FileCredentialStore(directory: folder.path)
    }

    private func manager() async throws -> AccountManager {
        let manager = try await AccountManager.open(store: store, transport: transport)
        try await manager.add(.user(1))
        return manager
    }

    private func form(_ request: HTTPRequest) -> String {
        guard case .bytes(let bytes) = request.body else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("A48: after a logout requests fail without I/O, no file has a token, and the server has revoked it")
    func logout() async throws {
        let manager = try await manager()
        let tokens = try manager.tokens(of: id)
        transport.enqueue(status: 200)
        #expect(try await manager.unlink(id).isRevoked)
        #expect(form(transport.requests[0]).contains("token=r1"))
        #expect(form(transport.requests[0]).contains("revoke_reason=user_logout"))
        #expect(transport.requests[0].url.path.hasSuffix("/revoke"))
        await expect(OAuthError.self, .noAccount) { try await tokens.credential(deadline: .now + .seconds(60)) }
        #expect(throws: AccountManager.Error.self) { try manager.tokens(of: id) }
        #expect(manager.accounts.isEmpty && manager.current == nil)
        #expect(try folder.names(ofRecords: ()).allSatisfy { $0 == "notes.json" })
        #expect(transport.requests.count == 1)
    }

    @Test("an account whose record was removed is unlinked and revoked, although the store reports an error")
    func lateError() async throws {
        let store = LateErrorStore()
        _ = try await store.store.save(.user(1), for: id, replacing: nil)
        let manager = try await AccountManager.open(store: store, transport: transport)
        transport.enqueue(status: 200)
        #expect(try await manager.unlink(id).isRevoked)
        #expect(manager.accounts.isEmpty && transport.requests.count == 1)
    }

    @Test(
        "a revocation can have another reason, or none", arguments: [.timeout, nil] as [OAuthClient.RevocationReason?])
    func reason(_ reason: OAuthClient.RevocationReason?) async throws {
        let manager = try await manager()
        transport.enqueue(status: 200)
        try await manager.unlink(id, reason: reason)
        #expect(form(transport.requests[0]).contains("revoke_reason=timeout") == (reason != nil))
        #expect(form(transport.requests[0]).contains("revoke_reason") == (reason != nil))
    }

    @Test("A48: unlinking waits for a renewal in flight and revokes the new token, and no login reappears")
    func renewalUnderWay() async throws {
        let manager = try await manager()
        let tokens = try manager.tokens(of: id)
        let gate = GatedTransport(transport)
        let gated = try await AccountManager.open(store: store, transport: gate)
        let waiting = try gated.tokens(of: id)
        transport.enqueue(#"{"access_token":"a2","refresh_token":"r2"}"#)
        transport.enqueue(status: 200)
        let call = Task { try await waiting.credential(rejecting: 1, deadline: .now + .seconds(60)) }
        await gate.reached()
        let unlinking = Task { try await manager.unlink(id) }
        gate.open()
        #expect(try await call.value.credential.refreshToken == "r2")
        _ = try await unlinking.value
        #expect(form(transport.requests[1]).contains("token=r2"))
        #expect(try await store.accounts().isEmpty)
        await #expect(throws: OAuthError.self) { try await tokens.credential(deadline: .now + .seconds(60)) }
        // At its next renewal, the other process finds that the account was removed.
        let error = await #expect(throws: OAuthError.self) {
            try await waiting.credential(rejecting: 2, deadline: .now + .seconds(60))
        }
        #expect(error?.isFinal == true)
        #expect(try await store.accounts().isEmpty)
    }

    @Test("A48: a renewal that finishes after the logout saves nothing, and its token is revoked")
    func lateRenewal() async throws {
        let gate = GatedTransport(transport)
        let store = LocklessStore()
        let manager = try await AccountManager.open(store: store, transport: gate)
        try await manager.add(.user(1))
        let tokens = try manager.tokens(of: id)
        transport.enqueue(.ok(#"{"access_token":"a2","refresh_token":"r2"}"#)) { $0.url.path.hasSuffix("/token") }
        for _ in 1...2 { transport.enqueue(.ok("")) { $0.url.path.hasSuffix("/revoke") } }
        let call = Task { try await tokens.credential(rejecting: 1, deadline: .now + .seconds(60)) }
        await gate.reached()
        _ = try await manager.unlink(id, isRevoking: false)
        await expect(OAuthError.self, .noAccount) { try await call.value }
        gate.open()
        while transport.requests.count < 2 { await Task.yield() }
        #expect(form(transport.requests[1]).contains("token=r2"))
        #expect(try await store.accounts().isEmpty)
    }

    @Test("A48: a new login with an old client's tokens cannot restore an unlinked account")
    func noResurrection() async throws {
        let manager = try await manager()
        let tokens = try manager.tokens(of: id)
        _ = try await manager.unlink(id, isRevoking: false)
        await tokens.install(.user(1))
        #expect(try await store.load(id) == nil)
        await #expect(throws: OAuthError.self) { try await tokens.credential(deadline: .now + .seconds(60)) }
        try await manager.add(.user(1))
        #expect(try await manager.tokens(of: id).credential(deadline: .now + .seconds(60)).credential == .user(1))
        await #expect(throws: OAuthError.self) { try await tokens.credential(deadline: .now + .seconds(60)) }
    }

    @Test("A49: if the server cannot revoke now, the login is removed here, and the error allows another attempt")
    func revocationPending() async throws {
        let manager = try await manager()
        var events = manager.events.makeAsyncIterator()
        transport.enqueue(status: 503, "busy")
        let report = try await manager.unlink(id)
        guard case .pending(let revocation, let error) = report.revocation else { Issue.record("no report"); return }
        #expect(error.isFinal == false)
        #expect(try await store.load(id) == nil && manager.accounts.isEmpty)
        #expect(await events.next() == .unlinked(id))
        #expect(await events.next() == .switched(from: id, to: nil))
        #expect(await events.next() == .revocationPending(id, error))
        #expect(!"\(revocation)".contains("r1"))
        transport.enqueue(status: 200)
        try await revocation.perform(deadline: .now + .seconds(60))
        #expect(transport.requests.map(form).allSatisfy { $0.contains("token=r1") })
    }

    @Test("a token that the server no longer knows counts as revoked")
    func unknownToken() async throws {
        let manager = try await manager()
        transport.enqueue(status: 400, #"{"error":"invalid_token","error_description":"unknown"}"#)
        #expect(try await manager.unlink(id).isRevoked)
    }

    @Test("if a record cannot be removed, the account remains linked and usable")
    func readOnly() async throws {
        let manager = try await manager()
        try folder.setMode(0o755, "")
        let error = await #expect(throws: AccountManager.Error.self) { try await manager.unlink(id) }
        #expect(error?.store?.code == .insecurePermissions)
        try folder.setMode(0o700, "")
        #expect(manager.current?.id == id)
        #expect(try await manager.tokens(of: id).credential(deadline: .now + .seconds(60)).credential == .user(1))
        #expect(transport.requests.isEmpty)
    }

    @Test("unlinking all accounts returns a report for each account")
    func all() async throws {
        let manager = try await manager()
        try await manager.add(.user(2))
        transport.enqueue(status: 200)
        transport.enqueue(status: 503, "busy")
        let reports = try await manager.unlinkAll().map { try $0.get() }
        #expect(reports.map(\.id) == [id, Credential.key(2)])
        #expect(reports[0].isRevoked)
        guard case .pending = reports[1].revocation else { Issue.record("\(reports)"); return }
        #expect(manager.accounts.isEmpty)
        #expect(try await store.accounts().isEmpty)
    }
}

extension AccountManager.UnlinkReport {
    var isRevoked: Bool { if case .revoked = revocation { true } else { false } }
}

extension StubTransport.Response {
    static func ok(_ body: String) -> Self {
        .response(HTTPResponse(head: HTTPResponse.Head(status: 200, fields: [:]), body: Array(body.utf8)))
    }
}

@Suite("Token migration")
struct TokenMigrationTests {
    private let old = InMemoryCredentialStore()
    private let target = InMemoryCredentialStore()

    private func fill(_ numbers: Int...) async throws {
        for number in numbers { _ = try await old.save(.user(number), for: "u\(number)", replacing: nil) }
    }

    private func migration(_ source: (any TokenMigration.Source)? = nil, to store: (any CredentialStore)? = nil)
        -> TokenMigration
    {
        TokenMigration(name: "first", from: source ?? TokenMigration.StoreSource(old), to: store ?? target)
    }

    @Test("every login of another store is migrated with its details, and the old store is not changed")
    func store() async throws {
        try await fill(1, 2)
        #expect(try await migration().run() == .done(migrated: ["u1", "u2"], failed: []))
        #expect(try await target.load("u2")?.credential == .user(2))
        #expect(try await old.accounts() == ["u1", "u2"])
    }

    @Test("a login that the store saved but reported as failed is also rolled back")
    func lateError() async throws {
        try await fill(1)
        let target = LateErrorStore()
        await #expect(throws: Credential.StoreError.self) { try await migration(to: target).run() }
        #expect(try await target.accounts().isEmpty)
    }

    @Test("a migrated login does not reappear after a logout")
    func once() async throws {
        try await fill(1)
        _ = try await migration().run()
        try await target.remove("u1")
        #expect(try await migration().run() == .alreadyDone)
        #expect(try await target.accounts().isEmpty)
    }

    @Test("if one account has a connection error nothing is migrated, and a later run starts again")
    func retryLater() async throws {
        let isOffline = Mutex(true)
        let source = TokenMigration.RecordSource(["a": 1, "b": 2]) { account, number throws(TokenMigration.Failure) in
            if number == 2, isOffline.withLock({ $0 }) {
                throw TokenMigration.Failure(account: account, OAuthError(.unreachable, "offline"))
            }
            return .user(number)
        }
        guard case .retryLater(let failures) = try await migration(source).run() else {
            Issue.record("not retryLater")
            return
        }
        #expect(failures.map(\.account) == ["b"])
        #expect(try await target.accounts().isEmpty)
        isOffline.withLock { $0 = false }
        #expect(try await migration(source).run() == .done(migrated: ["a", "b"], failed: []))
    }

    @Test("a permanent error is listed, and the other accounts are migrated")
    func permanent() async throws {
        let source = TokenMigration.RecordSource(["a": "00Dtoken", "b": ""]) {
            account, token throws(TokenMigration.Failure) in
            guard !token.isEmpty else {
                throw TokenMigration.Failure(account: account, isTemporary: false, "the old record holds no token")
            }
            return Credential(accessToken: Secret(token), instance: Credential.usualInstance)
        }
        guard case .done(let migrated, let failed) = try await migration(source).run() else {
            Issue.record("not done")
            return
        }
        #expect(migrated == ["a"] && failed.map(\.account) == ["b"])
        #expect(try await target.accounts() == ["a"])
        #expect(try await migration(source).run() == .alreadyDone)
    }

    @Test("a locked old store postpones the migration, and a damaged record excludes only its account")
    func sources() async throws {
        let folder = try TemporaryStore()
        let files = FileCredentialStore(directory: folder.path)
        _ = try await files.save(.user(1), for: "u1", replacing: nil)
        _ = try await files.save(.user(2), for: "u2", replacing: nil)
        try folder.setMode(0o755, "")
        guard case .retryLater = try await migration(TokenMigration.StoreSource(files)).run() else {
            Issue.record("not retryLater")
            return
        }
        try folder.setMode(0o700, "")
        try folder.write([0], AccountFiles(account: "u2").record)
        guard case .done(["u1"], let failed) = try await migration(TokenMigration.StoreSource(files)).run() else {
            Issue.record("not done")
            return
        }
        #expect(failed.map(\.account) == ["u2"] && failed.allSatisfy { !$0.isTemporary })
    }

    @Test("a login that is already in the new store is kept")
    func newerLogin() async throws {
        try await fill(1, 2)
        _ = try await target.save(.user(7), for: "u1", replacing: nil)
        #expect(try await migration().run() == .done(migrated: ["u1", "u2"], failed: []))
        #expect(try await target.load("u1")?.credential == .user(7))
    }

    @Test("a disk that becomes full during the migration leaves no login behind", arguments: 0..<4)
    func rollBack(saves: Int) async throws {
        try await fill(1, 2, 3)
        let folder = try TemporaryStore()
        let written = Mutex(0)
        let files = FileCredentialStore(
            directory: folder.path,
            failing: { isDirectory in
                guard !isDirectory else { return nil }
                return written.withLock { count in
                    count += 1
                    return count > saves ? ENOSPC : nil
                }
            })
        await expect(Credential.StoreError.self, .notWritable) { try await migration(to: files).run() }
        #expect(try await files.accounts().isEmpty)
        #expect(try await files.note("migration.first") == nil)
        let healthy = FileCredentialStore(directory: folder.path)
        #expect(try await migration(to: healthy).run() == .done(migrated: ["u1", "u2", "u3"], failed: []))
    }

    @Test("the next run completes an interrupted migration")
    func cutOff() async throws {
        try await fill(1, 2)
        _ = try await target.save(.user(1), for: "u1", replacing: nil)
        _ = try await migration().run()
        #expect(try await target.accounts() == ["u1", "u2"])
    }
}
