// SPDX-License-Identifier: Apache-2.0

import RestAuth
public import RestSDK
import RestSQLite
import SOQLStore
import Synchronization

extension SyncStore {
    /// The fate of a copy when the account of its client is logged out, by the app or by the server.
    public enum LogoutAction: Sendable, Hashable {
        /// The copy remains open.
        case keep
        /// The copy is closed and its file is deleted, unless it has changes that the org does not have.
        case delete
        /// The copy is closed and its file is deleted, also if changes are lost.
        case deleteWithEdits
    }

    /// Lets the copy follow the logins of a client, so that ``Options/atLogout`` applies before the first sync.
    ///
    /// Every pull and sync does this too.
    public func follow(_ client: RestClient) {
        client.work { LogoutWatch() }.add(self)
    }

    fileprivate func didLogOut() {
        switch options.atLogout {
        case .keep: break
        case .delete: try? delete()
        case .deleteWithEdits: try? delete(discardingEdits: true)
        }
    }
}

/// The copies that a client has synced.
private final class LogoutWatch: ClientWork {
    private struct WeakStore { weak let store: SyncStore? }

    private let stores = Mutex<[WeakStore]>([])

    func add(_ store: SyncStore) {
        stores.withLock { stores in
            stores.removeAll { $0.store == nil || $0.store === store }
            stores.append(WeakStore(store: store))
        }
    }

    func end(_ error: RestError) {
        guard error.code == .loggedOut else { return }
        for weak in stores.withLock({ $0 }) { weak.store?.didLogOut() }
    }
}

/// The org and the user of a token, as the server reported them.
struct ReportedAccount {
    weak let client: RestClient?
    let generation: UInt64
    let account: String
}

extension SyncRun {
    /// Checks that the copy belongs to the client's org and user, or assigns it to them at the first sync.
    mutating func identify() async throws(SyncError) {
        store.follow(client)
        let account = try await account()
        let sql = "SELECT \"Value\" FROM \"sync.Value\" WHERE \"Name\" = 'account'"
        let known = try store.read { (connection) throws(OrgError) in try connection.fetch(sql) { $0.text(0) }.first }
        guard let known else {
            try store.write { (connection) throws(OrgError) in
                try connection.change("INSERT INTO \"sync.Value\" VALUES ('account', ?1)", [.text(account)])
            }
            return store.userID.withLock { $0 = SyncStore.userID(account) }
        }
        guard known == account else {
            throw SyncError(.foreign, "\(store.path) belongs to another org or user; use a file for each account")
        }
    }

    /// The org and the user of the client's token, which the server reports if the login does not.
    private mutating func account() async throws(SyncError) -> String {
        do throws(RestError) {
            let deadline = client.clock.now + .seconds(60)
            let issued = try await client.credential(rejecting: nil, deadline: deadline)
            let credential = issued.credential
            if let account = Self.account(credential.organizationID, credential.platformUserID) { return account }
            if let known = store.reported.withLock({ $0 }), known.client === client,
                known.generation == issued.generation
            {
                return known.account
            }
            // The instance answers too, and not every client has a login server.
            let response = try await send(
                RestRequest(name: "userInfo", resource: .serverPath("/services/oauth2/userinfo")))
            guard
                let account = Self.account(
                    response.payload["organization_id"]?.string, response.payload["user_id"]?.string)
            else { throw RestError(.notFound, "") }
            store.reported.withLock {
                $0 = ReportedAccount(client: client, generation: issued.generation, account: account)
            }
            return account
        } catch {
            guard [.notFound, .forbidden, .api].contains(error.code) else { throw SyncError(error) }
            throw SyncError(
                .foreign, "the server does not report whose login this is; log in with the scope 'id'",
                underlying: error)
        }
    }

    private static func account(_ organization: String?, _ user: String?) -> String? {
        guard let organization, let user else { return nil }
        return (RecordID.normalized(organization) ?? organization) + "/" + (RecordID.normalized(user) ?? user)
    }
}
