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
    /// - Throws: ``Credential/StoreError`` when the new store cannot be read or written; what was saved by this run is
    ///   removed again.
    public func run() async throws(Credential.StoreError) -> Outcome {
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
    private func save(_ logins: [Login]) async throws(Credential.StoreError) {
        let gate = try await target.lock(AccountManager.gate, until: .now + AccountManager.patience)
        defer { gate.release() }
        var saved: [Login] = []
        do throws(Credential.StoreError) {
            for login in logins where try await target.load(login.account) == nil {
                // Before it is saved: a store that asks another program may save and report an error.
                saved.append(login)
                do throws(Credential.StoreError) {
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

extension TokenMigration {
    /// Where logins are that shall move to a store: another store, another SDK's files, an older record format.
    public protocol Source: Sendable {
        /// The ids of all accounts there are to migrate; each becomes the account's key in the new store.
        ///
        /// - Throws: ``TokenMigration/Failure``, which ends the migration with nothing changed.
        func accounts() async throws(TokenMigration.Failure) -> [String]

        /// The login of an account as a credential.
        ///
        /// It may ask a server, but must leave the old login usable: when another account cannot be migrated now, the
        /// result is thrown away and asked for again at the next attempt.
        ///
        /// - Throws: ``TokenMigration/Failure``, which says whether trying later can help.
        func credential(of account: String) async throws(TokenMigration.Failure) -> Credential
    }
}

extension TokenMigration {
    /// Why an account could not be migrated.
    public struct Failure: Swift.Error, Sendable, Hashable, CustomStringConvertible {
        /// The account; `nil` when the source as a whole failed.
        public let account: String?
        /// Whether trying again later can help; a permanent failure means a new login.
        public let isTemporary: Bool
        /// What happened, free of secrets.
        public let message: String

        /// Makes a failure.
        public init(account: String?, isTemporary: Bool, _ message: String) {
            self.account = account
            self.isTemporary = isTemporary
            self.message = message
        }

        /// The failure of a server that was asked for a new token; only a final refusal is permanent.
        public init(account: String, _ error: OAuthError) {
            self.init(account: account, isTemporary: !error.isFinal, error.description)
        }

        /// The failure of a store; only a damaged record is permanent, as what cannot be read now may be read later.
        public init(account: String?, _ error: Credential.StoreError) {
            self.init(account: account, isTemporary: error.code != .corrupt, error.description)
        }

        /// The value as text, for people and logs.
        public var description: String {
            "\(account.map { "'\($0)'" } ?? "the source"): \(message)" + (isTemporary ? " (try again later)" : "")
        }
    }
}

extension TokenMigration {
    /// The logins of another store, such as files that shall move to the key chain.
    ///
    /// Nothing may use the old store any more: a login that is renewed there during the migration is lost to the new
    /// one.
    public struct StoreSource: TokenMigration.Source {
        private let store: any CredentialStore

        /// Takes every account of a store.
        public init(_ store: any CredentialStore) {
            self.store = store
        }

        /// The keys of all stored accounts.
        public func accounts() async throws(TokenMigration.Failure) -> [String] {
            do {
                return try await store.accounts()
            } catch {
                throw TokenMigration.Failure(account: nil, error)
            }
        }

        /// The account's credential as it stands in the store.
        public func credential(of account: String) async throws(TokenMigration.Failure) -> Credential {
            do throws(Credential.StoreError) {
                if let stored = try await store.load(account) { return stored.credential }
            } catch {
                throw TokenMigration.Failure(account: account, error)
            }
            throw TokenMigration.Failure(account: account, isTemporary: false, "the login was removed meanwhile")
        }
    }
}

extension TokenMigration {
    /// Logins in a format of somebody else's, or of an earlier version of your program.
    public struct RecordSource<Record: Sendable>: TokenMigration.Source {
        private let records: [String: Record]
        private let convert: @Sendable (String, Record) async throws(TokenMigration.Failure) -> Credential

        /// Takes records that were read already.
        ///
        /// - Parameters:
        ///   - records: the records by the account's key.
        ///   - convert: makes a record's credential; see ``TokenMigration/Source/credential(of:)``.
        public init(
            _ records: [String: Record],
            convert: @escaping @Sendable (String, Record) async throws(TokenMigration.Failure) -> Credential
        ) {
            self.records = records
            self.convert = convert
        }

        /// The keys of all records.
        public func accounts() async throws(TokenMigration.Failure) -> [String] { records.keys.sorted() }

        /// The credential that the account's record converts to.
        public func credential(of account: String) async throws(TokenMigration.Failure) -> Credential {
            guard let record = records[account] else {
                throw TokenMigration.Failure(account: account, isTemporary: false, "there is no such record")
            }
            return try await convert(account, record)
        }
    }
}
