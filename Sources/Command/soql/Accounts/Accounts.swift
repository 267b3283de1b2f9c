// SPDX-License-Identifier: Apache-2.0

import RestSDK

/// The logins of this user on this machine.
struct Accounts {
    let manager: AccountManager

    /// Opens the logins and reports on standard error what the store repaired.
    ///
    /// - Parameter configuration: gives what sends the requests that renew them.
    /// - Returns: the logins.
    /// - Throws: `AccountManager.Error` when the store cannot be read, ``UsageError`` when it cannot be found.
    static func open(_ configuration: RestClient.Configuration = RestClient.Configuration()) async throws -> Accounts {
        let store = FileCredentialStore(directory: try Settings.accountsFolder()) { event in
            StandardOutput.note("soql: a damaged login was found: \(event)".singleLine)
        }
        let manager = try await AccountManager.open(
            store: store, configuration: configuration, grants: { StoredGrant.grant(of: $0) })
        for (id, error) in manager.unreadable.sorted(by: { $0.key < $1.key }) {
            StandardOutput.note("soql: the login '\(id)' cannot be read: \(error)".singleLine)
        }
        return Accounts(manager: manager)
    }

    /// Whether there is no login, not even one that cannot be read.
    var isEmpty: Bool { manager.accounts.isEmpty && manager.unreadable.isEmpty }

    /// Whether there is a login with this name or of this user, readable or not.
    func knows(_ name: String) -> Bool {
        manager.unreadable[name] != nil || manager.accounts.contains { $0.id == name || $0.username == name }
    }

    /// The account with this name or of this user, or the current one without a name.
    ///
    /// - Throws: `AccountManager.Error` with `.noAccount`.
    func find(_ name: String?) throws(AccountManager.Error) -> LinkedAccount {
        guard let name else {
            if let current = manager.current { return current }
            throw AccountManager.Error(.noAccount, "no account is chosen; run 'soql login' or 'soql accounts use NAME'")
        }
        let accounts = manager.accounts
        if let account = accounts.first(where: { $0.id == name }) { return account }
        if let error = manager.unreadable[name] {
            throw AccountManager.Error(.noAccount, "the login '\(name)' cannot be read: \(error)")
        }
        let users = accounts.filter { $0.username == name }
        guard users.count <= 1, let account = users.first else {
            throw AccountManager.Error(
                .noAccount,
                users.isEmpty
                    ? "there is no login '\(name)'; see 'soql accounts'"
                    : "'\(name)' has several accounts; choose one of \(users.map(\.id).joined(separator: ", "))")
        }
        return account
    }
}
