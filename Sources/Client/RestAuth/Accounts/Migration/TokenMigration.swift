// SPDX-License-Identifier: Apache-2.0

/// Moves logins to a store, all or nothing: either every account that can migrate does, or nothing changes.
///
/// The source is never changed. What was migrated once is not migrated again, so an account that is unlinked later
/// stays so. Run it before ``AccountManager/open(store:transport:instancePolicy:clock:grants:)``, or reload the manager
/// after it.
public struct TokenMigration: Sendable {
    /// What a run came to.
    public enum Outcome: Sendable, Hashable {
        /// There is nothing to migrate, and nothing was noted: a later run looks again.
        case nothingFound
        /// It was done in an earlier run.
        case alreadyDone
        /// Every account that can be migrated is in the new store, or was there already; `failed` can never be.
        case done(migrated: [String], failed: [TokenMigration.Failure])
        /// Some accounts cannot be migrated now; nothing was changed, and a later run begins anew.
        case retryLater([TokenMigration.Failure])
    }

    private let name: String
    private let source: any TokenMigration.Source
    private let target: any CredentialStore

    /// Makes a migration.
    ///
    /// - Parameters:
    ///   - name: tells this migration from others into the same store.
    ///   - source: where the logins are.
    ///   - target: where they go; a login that is there already wins.
    public init(name: String, from source: any TokenMigration.Source, to target: any CredentialStore) {
        self.name = name
        self.source = source
        self.target = target
    }

    /// Migrates what has not been migrated yet.
    ///
    /// A process that dies while it saves leaves some accounts in the new store; the next run completes it.
    ///
    /// - Throws: ``CredentialStoreError`` when the new store cannot be read or written; what was saved by this run is
    ///   removed again.
    public func run() async throws(CredentialStoreError) -> Outcome {
        guard try await target.note(noteName) == nil else { return .alreadyDone }
        let collected = await collect()
        let temporary = collected.failed.filter(\.isTemporary)
        guard temporary.isEmpty else { return .retryLater(temporary) }
        guard !(collected.credentials.isEmpty && collected.failed.isEmpty) else { return .nothingFound }
        try await save(collected.credentials)
        return .done(migrated: collected.credentials.map(\.account), failed: collected.failed)
    }

    private typealias Login = (account: String, credential: Credential)

    private var noteName: String { "migration.\(name)" }

    /// Converts everything in memory.
    private func collect() async -> (credentials: [Login], failed: [TokenMigration.Failure]) {
        var credentials: [Login] = []
        var failed: [TokenMigration.Failure] = []
        do throws(TokenMigration.Failure) {
            for account in try await source.accounts() {
                do throws(TokenMigration.Failure) {
                    credentials.append((account, try await source.credential(of: account).marked()))
                } catch {
                    failed.append(error)
                }
            }
        } catch {
            // Without its list a source says nothing, so nothing of it is done.
            failed.append(TokenMigration.Failure(account: nil, isTemporary: true, error.message))
        }
        return (credentials, failed)
    }

    /// Saves all of them and notes that it is done, or takes back what was saved; alone among all who link and unlink,
    /// so that what is taken back is not somebody else's login.
    private func save(_ logins: [Login]) async throws(CredentialStoreError) {
        let gate = try await target.lock(AccountManager.gate, until: .now + AccountManager.patience)
        defer { gate.release() }
        var saved: [Login] = []
        do throws(CredentialStoreError) {
            for login in logins where try await target.load(login.account) == nil {
                // Before it is saved: a store that asks another program may save and report an error.
                saved.append(login)
                do throws(CredentialStoreError) {
                    _ = try await target.save(login.credential, for: login.account, replacing: nil)
                } catch  where error.code == .conflict {
                    continue  // A login that was made meanwhile wins.
                }
            }
            try await target.setNote(noteName, "done")
        } catch {
            for login in saved { await takeBack(login) }
            throw error
        }
    }

    /// Removes what this run saved, unless somebody has gone on with it.
    private func takeBack(_ login: Login) async {
        guard let stored = try? await target.load(login.account), stored.credential == login.credential else { return }
        try? await target.remove(login.account)
    }
}
