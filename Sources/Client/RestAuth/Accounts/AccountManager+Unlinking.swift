// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport
import Synchronization

extension AccountManager {
    /// How long unlinking waits for a renewal that is under way, so that it ends the login that comes out of it.
    private static let patienceWithRenewal = Duration.seconds(10)

    /// Ends an account here and tells the server (RFC 7009).
    ///
    /// Calls of its clients that are under way end with `loggedOut`, later ones fail with `noAccount`. The record is
    /// removed, and no renewal that ends late brings it back. Should the current account be unlinked, none is current
    /// until one is chosen. When another process has put another user's login under the key meanwhile, that login
    /// stays, and only the use of the account's own ends here.
    ///
    /// - Parameters:
    ///   - id: the account.
    ///   - isRevoking: whether the server is told.
    ///   - reason: why, for the server's own statistics; `nil` says nothing.
    ///   - timeout: how long the server may take.
    /// - Returns: what became of it; a server that could not be told is no error but
    ///   ``AccountManager/AccountManager.UnlinkReport/Revocation/pending(_:_:)``.
    /// - Throws: ``AccountManager/Error``: `.noAccount`, or `.store` when the record cannot be removed. Nothing is
    ///   changed then.
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

    /// What is left of an account: its last credential, with the newest refresh token.
    private struct Removed {
        let id: String
        let account: AccountManager.Account?
        let last: Credential?
    }

    /// Ends every account; one that cannot be removed does not keep the others.
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

    /// Removes the record while no renewal is under way, and closes the account.
    private func remove(_ id: String) async throws(Credential.StoreError) -> Removed {
        // Ending a login must be possible also while somebody keeps the lock: closing and compare-and-swap hold then.
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

    /// Removes the record; one that is gone counts as removed, whatever the store reports.
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
    /// What became of an account that was unlinked.
    ///
    /// Here it is gone in every case: its record is removed and its clients fail.
    public struct UnlinkReport: Sendable {
        /// What the server knows of it.
        public enum Revocation: Sendable {
            /// The server ended the login.
            case revoked
            /// There was nothing to revoke, or it was not wanted.
            case none
            /// The server could not be told and the login lives on there; try again with the value.
            case pending(AccountManager.PendingRevocation, OAuthError)
        }

        /// The id of the account that was unlinked.
        public let id: String
        /// What the server knows of it.
        public let revocation: Revocation
    }
}

extension AccountManager {
    /// The end of a login that the server has yet to be told (RFC 7009).
    public struct PendingRevocation: Sendable {
        let client: OAuthClient
        let login: Credential
        let reason: OAuthClient.RevocationReason?

        /// Tells the server.
        ///
        /// - Throws: ``OAuthError``; the login lives on at the server then, and this can be called again.
        public func perform(deadline: ContinuousClock.Instant) async throws(OAuthError) {
            try await client.revoke(login, because: reason, deadline: deadline)
        }
    }
}

extension AccountManager.PendingRevocation: CustomStringConvertible {
    /// The value as text, for people and logs.
    public var description: String { "a login at \(client.login) that is not revoked yet" }
}
