// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestTransport
import Synchronization
import Testing

@testable import RestAuth

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

    @Test("every login of another store moves, details included, and the old store stays as it is")
    func store() async throws {
        try await fill(1, 2)
        #expect(try await migration().run() == .done(migrated: ["u1", "u2"], failed: []))
        #expect(try await target.load("u2")?.credential == .user(2))
        #expect(try await old.accounts() == ["u1", "u2"])
    }

    @Test("a login that the store saved and reported as failed is taken back as well")
    func lateError() async throws {
        try await fill(1)
        let target = LateErrorStore()
        await #expect(throws: CredentialStoreError.self) { try await migration(to: target).run() }
        #expect(try await target.accounts().isEmpty)
    }

    @Test("what was migrated once does not come back after a logout")
    func once() async throws {
        try await fill(1)
        _ = try await migration().run()
        try await target.remove("u1")
        #expect(try await migration().run() == .alreadyDone)
        #expect(try await target.accounts().isEmpty)
    }

    @Test("a connectivity failure of one account leaves everything as it was; a later run begins anew")
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

    @Test("a permanent failure is listed and does not keep the others")
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

    @Test("an old store that is locked means later, one with a damaged record means without that account")
    func sources() async throws {
        let folder = try StoreFolder()
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

    @Test("a login that the new store has already wins")
    func newerLogin() async throws {
        try await fill(1, 2)
        _ = try await target.save(.user(7), for: "u1", replacing: nil)
        #expect(try await migration().run() == .done(migrated: ["u1", "u2"], failed: []))
        #expect(try await target.load("u1")?.credential == .user(7))
    }

    @Test("a disk that fills up half way leaves nothing behind", arguments: 0..<4)
    func rollBack(saves: Int) async throws {
        try await fill(1, 2, 3)
        let folder = try StoreFolder()
        let written = Mutex(0)
        let files = FileCredentialStore(directory: folder.path) { step in
            guard step == .write else { return nil }
            return written.withLock { count in
                count += 1
                return count > saves ? ENOSPC : nil
            }
        }
        let error = await #expect(throws: CredentialStoreError.self) { try await migration(to: files).run() }
        #expect(error?.code == .notWritable)
        #expect(try await files.accounts().isEmpty)
        #expect(try await files.note("migration.first") == nil)
        let healthy = FileCredentialStore(directory: folder.path)
        #expect(try await migration(to: healthy).run() == .done(migrated: ["u1", "u2", "u3"], failed: []))
    }

    @Test("a run that was cut off is completed by the next")
    func cutOff() async throws {
        try await fill(1, 2)
        _ = try await target.save(.user(1), for: "u1", replacing: nil)
        _ = try await migration().run()
        #expect(try await target.accounts() == ["u1", "u2"])
    }
}
