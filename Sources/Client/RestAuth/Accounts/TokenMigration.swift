// SPDX-License-Identifier: Apache-2.0
/// Migrates logins to another store: either every login that can be migrated, or none.
///
/// The source is never changed. A migration runs once, so an account that is unlinked later does not return. Run it
/// before ``AccountManager/open(store:transport:instancePolicy:clock:grants:)``, or reload the manager after it.
public struct TokenMigration: Sendable {
    /// The result of a run.
    public enum Outcome: Sendable, Hashable {
        /// There is nothing to migrate, and a later run checks again.
        case nothingFound
        /// An earlier run completed the migration.
        case alreadyDone
        /// Every account that can be migrated is in the new store, or was already there; `failed` can never be
        /// migrated.
        case done(migrated: [String], failed: [TokenMigration.Failure])
        /// Some accounts cannot be migrated now, so nothing was changed and a later run starts over.
        case retryLater([TokenMigration.Failure])
    }

    private let name: String
    private let source: any TokenMigration.Source
    private let target: any CredentialStore

    /// Creates a migration.
    ///
    /// - Parameters:
    ///   - name: a name that distinguishes this migration from others to the same store.
    ///   - source: the source of the logins.
    ///   - target: the new store. A login that already exists there is not replaced.
    public init(name: String, from source: any TokenMigration.Source, to target: any CredentialStore) {
        self.name = name
        self.source = source
        self.target = target
    }

    /// Migrates the logins, unless an earlier run completed the migration.
    ///
    /// If the process is killed while it saves, some accounts are in the new store. The next run completes the
    /// migration.
    ///
    /// - Throws: ``Credential/StoreError`` if the new store cannot be read or written. Logins that this run saved are
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
            // Without the list of accounts, nothing can be migrated.
            failed.append(TokenMigration.Failure(account: nil, isTemporary: true, error.message))
        }
        return (credentials, failed)
    }

    /// Saves all logins and the note that the migration is complete, or removes the logins that were saved.
    ///
    /// The lock excludes clients that link and unlink, so no login of another client is removed.
    private func save(_ logins: [Login]) async throws(Credential.StoreError) {
        let gate = try await target.lock(AccountManager.gate, until: .now + AccountManager.patience)
        defer { gate.release() }
        var saved: [Login] = []
        do throws(Credential.StoreError) {
            for login in logins where try await target.load(login.account) == nil {
                // Before saving, because a store that runs another program may save and report an error.
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

    /// Removes a login that this run saved, unless another client has changed it.
    private func takeBack(_ login: Login) async {
        guard let stored = try? await target.load(login.account), stored.credential == login.credential else { return }
        try? await target.remove(login.account)
    }
}

extension TokenMigration {
    /// A source of logins to migrate: another store, another SDK's files, or an older record format.
    public protocol Source: Sendable {
        /// The ids of all accounts to migrate, which become their keys in the new store.
        ///
        /// - Throws: ``TokenMigration/Failure``, which ends the migration without changes.
        func accounts() async throws(TokenMigration.Failure) -> [String]

        /// Returns the login of an account as a credential.
        ///
        /// This may send requests to a server, but must leave the old login usable. If another account cannot be
        /// migrated now, the result is discarded and requested again by the next run.
        ///
        /// - Throws: ``TokenMigration/Failure``, which says whether a later attempt can succeed.
        func credential(of account: String) async throws(TokenMigration.Failure) -> Credential
    }
}

extension TokenMigration {
    /// The error of an account that could not be migrated.
    public struct Failure: Swift.Error, Sendable, Hashable, CustomStringConvertible {
        /// The account, or `nil` if the whole source failed.
        public let account: String?
        /// Whether a later attempt can succeed, because otherwise the user must log in again.
        public let isTemporary: Bool
        /// The problem, without secrets.
        public let message: String

        /// Creates an error.
        public init(account: String?, isTemporary: Bool, _ message: String) {
            self.account = account
            self.isTemporary = isTemporary
            self.message = message
        }

        /// Creates the error of a token request, which is permanent only if the server's error response is final.
        public init(account: String, _ error: OAuthError) {
            self.init(account: account, isTemporary: !error.isFinal, error.description)
        }

        /// Creates the error of a store, which is permanent only if the record is damaged.
        public init(account: String?, _ error: Credential.StoreError) {
            self.init(account: account, isTemporary: error.code != .corrupt, error.description)
        }

        /// The account and the message.
        public var description: String {
            "\(account.map { "'\($0)'" } ?? "the source"): \(message)" + (isTemporary ? " (try again later)" : "")
        }
    }
}

extension TokenMigration {
    /// The logins of another store, such as files to migrate to the Keychain.
    ///
    /// No client may use the old store meanwhile, because a login that is renewed there is lost for the new store.
    public struct StoreSource: TokenMigration.Source {
        private let store: any CredentialStore

        /// Migrates all accounts of a store.
        public init(_ store: any CredentialStore) { self.store = store }

        /// The keys of all stored accounts.
        public func accounts() async throws(TokenMigration.Failure) -> [String] {
            do {
                return try await store.accounts()
            } catch {
                throw TokenMigration.Failure(account: nil, error)
            }
        }

        /// Returns the stored credential of the account.
        public func credential(of account: String) async throws(TokenMigration.Failure) -> Credential {
            do throws(Credential.StoreError) {
                if let stored = try await store.load(account) { return stored.credential }
            } catch {
                throw TokenMigration.Failure(account: account, error)
            }
            throw TokenMigration.Failure(account: account, isTemporary: false, "another process removed the login")
        }
    }
}

extension TokenMigration {
    /// Logins in a foreign format, or of an earlier version of your program.
    public struct RecordSource<Record: Sendable>: TokenMigration.Source {
        private let records: [String: Record]
        private let convert: @Sendable (String, Record) async throws(TokenMigration.Failure) -> Credential

        /// Migrates records that were already read.
        ///
        /// - Parameters:
        ///   - records: the records by the account's key.
        ///   - convert: converts a record to a credential, as in ``TokenMigration/Source/credential(of:)``.
        public init(
            _ records: [String: Record],
            convert: @escaping @Sendable (String, Record) async throws(TokenMigration.Failure) -> Credential
        ) {
            self.records = records
            self.convert = convert
        }

        /// The keys of all records.
        public func accounts() async throws(TokenMigration.Failure) -> [String] { records.keys.sorted() }

        /// Returns the credential to which the account's record converts.
        public func credential(of account: String) async throws(TokenMigration.Failure) -> Credential {
            guard let record = records[account] else {
                throw TokenMigration.Failure(account: account, isTemporary: false, "the record does not exist")
            }
            return try await convert(account, record)
        }
    }
}
