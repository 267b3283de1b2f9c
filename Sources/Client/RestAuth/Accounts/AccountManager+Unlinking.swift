// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport
import Synchronization

extension AccountManager {
    /// The maximum wait for a renewal in flight, so that unlinking revokes the renewed login.
    private static let patienceWithRenewal = Duration.seconds(10)

    /// Unlinks an account and revokes its login at the server (RFC 7009).
    ///
    /// Calls of its clients in flight fail with `loggedOut`, later calls with `noAccount`. The record is removed, and
    /// no late renewal restores it. If the account was the current one, none is current until you choose one. If
    /// another process has stored another user's login under the key meanwhile, that login is retained, and only the
    /// clients of this account end.
    ///
    /// - Parameters:
    ///   - id: the account's key.
    ///   - isRevoking: whether to revoke the login at the server.
    ///   - reason: the reason, for the server's statistics.
    ///   - timeout: the maximum time for the revocation.
    /// - Returns: the result. A failed revocation is not an error but
    ///   ``AccountManager/AccountManager.UnlinkReport/Revocation/pending(_:_:)``.
    /// - Throws: ``AccountManager/Error``: `.noAccount`, or `.store` if the record cannot be removed. Nothing was
    ///   changed.
    @discardableResult
    public func unlink(
        _ id: String, isRevoking: Bool = true, reason: OAuthClient.RevocationReason? = .userLogout,
        timeout: Duration = .seconds(15)
    ) async throws(AccountManager.Error) -> AccountManager.UnlinkReport {
        let id = unreadable[id] == nil ? entry(id)?.account.id ?? id : id
        let removed = try await serially { () throws(Credential.StoreError) -> Removed? in
            guard entry(id) != nil || unreadable[id] != nil else { return nil }
            return try await remove(id)
        }
        guard let removed else { throw .noAccount(id) }
        let revocation = isRevoking ? await revoke(removed, because: reason, timeout) : .none
        return AccountManager.UnlinkReport(id: id, revocation: revocation)
    }

    private struct Removed {
        let id: String
        let account: AccountManager.Account?
        let last: Credential?
    }

    /// Unlinks all accounts, continuing after accounts that cannot be removed.
    public func unlinkAll(
        isRevoking: Bool = true, reason: OAuthClient.RevocationReason? = .userLogout, timeout: Duration = .seconds(15)
    ) async -> [Result<AccountManager.UnlinkReport, AccountManager.Error>] {
        let ids = state.withLock { Set($0.entries.keys).union($0.unreadable.keys) }
        var results: [Result<AccountManager.UnlinkReport, AccountManager.Error>] = []
        for id in ids.sorted() {
            do throws(AccountManager.Error) {
                let report = try await unlink(id, isRevoking: isRevoking, reason: reason, timeout: timeout)
                results.append(.success(report))
            } catch {
                results.append(.failure(error))
            }
        }
        return results
    }

    /// Removes the record while no renewal is in flight, and closes the account.
    private func remove(_ id: String) async throws(Credential.StoreError) -> Removed {
        // If another client keeps the lock, unlinking continues: closing and compare-and-swap are sufficient.
        let lock = try? await store.lock(id, until: clock.now + Self.patienceWithRenewal)
        defer { lock?.release() }
        let entry = state.withLock { $0.entries[id] }
        let stored = try? await store.load(id)
        var isForeign = false
        if let entry, let stored { isForeign = entry.tokens.owns(stored.credential) != .same }
        if !isForeign { try await removeRecord(id) }
        let last = entry.map { $0.tokens.lastCredential(stored: isForeign ? nil : stored) } ?? stored?.credential
        entry?.tokens.close()
        if !isForeign, current?.id == id { try? await store.setNote(Self.currentNote, nil) }
        forget(id)
        return Removed(
            id: id, account: entry?.account ?? last.map { AccountManager.Account(id: id, of: $0) }, last: last)
    }

    /// Removes the record, and accepts a missing record as removed even if the store reported an error.
    private func removeRecord(_ id: String) async throws(Credential.StoreError) {
        do throws(Credential.StoreError) {
            try await store.remove(id)
        } catch {
            guard await isGone(id) else { throw error }
        }
    }

    private func isGone(_ id: String) async -> Bool {
        do { return try await store.load(id) == nil } catch { return false }
    }

    private func forget(_ id: String) {
        let switched = state.withLock { state in
            state.changes += 1
            state.entries[id] = nil
            state.unreadable[id] = nil
            return state.current == id ? state.choose(nil) : nil
        }
        feed.report(.unlinked(id))
        if let switched { feed.report(switched) }
    }

    private func revoke(
        _ removed: Removed, because reason: OAuthClient.RevocationReason?, _ timeout: Duration
    ) async -> AccountManager.UnlinkReport.Revocation {
        guard let account = removed.account, let last = removed.last, let login = last.login ?? account.login else {
            return .none
        }
        let revocation = AccountManager.PendingRevocation(
            client: client(of: login, account), login: last, reason: reason)
        do {
            try await revocation.perform(deadline: clock.now + timeout)
            return .revoked
        } catch {
            feed.report(.revocationPending(removed.id, error))
            return .pending(revocation, error)
        }
    }
}

extension AccountManager {
    /// The result of unlinking.
    ///
    /// The account is always removed locally.
    public struct UnlinkReport: Sendable {
        /// The result of the revocation.
        public enum Revocation: Sendable {
            /// The server revoked the login.
            case revoked
            /// The login could not be revoked or was not meant to be.
            case none
            /// The revocation failed and the login is still valid at the server; try again with the value.
            case pending(AccountManager.PendingRevocation, OAuthError)
        }

        /// The key of the account that was unlinked.
        public let id: String
        /// The result of the revocation.
        public let revocation: Revocation
    }
}

extension AccountManager {
    /// A revocation that must be tried again (RFC 7009).
    public struct PendingRevocation: Sendable {
        let client: OAuthClient
        let login: Credential
        let reason: OAuthClient.RevocationReason?

        /// Revokes the login at the server.
        ///
        /// - Throws: ``OAuthError``. The login is still valid at the server, and you can call this again.
        public func perform(deadline: ContinuousClock.Instant) async throws(OAuthError) {
            try await client.revoke(login, because: reason, deadline: deadline)
        }
    }
}

extension AccountManager.PendingRevocation: CustomStringConvertible {
    /// The login server, without secrets.
    public var description: String { "a login at \(client.login) that is not revoked yet" }
}
