// SPDX-License-Identifier: Apache-2.0

import RestSDK

/// The logins of this user on this machine.
struct Accounts {
    let manager: AccountManager

    /// Opens the logins and says on standard error what the store repaired.
    static func open() async throws -> Accounts {
        let store = FileCredentialStore(directory: try Settings.accountsFolder()) { event in
            StandardOutput.note("soql: a damaged login was found: \(event)".singleLine)
        }
        let manager = try await AccountManager.open(
            store: store, configuration: RestClient.Configuration(), grants: { StoredGrant.grant(of: $0) })
        for (id, error) in manager.unreadable.sorted(by: { $0.key < $1.key }) {
            StandardOutput.note("soql: the login '\(id)' cannot be read: \(error)".singleLine)
        }
        return Accounts(manager: manager)
    }

    /// The account with this name or of this user; without a name the current one.
    ///
    /// - Throws: `AccountManager.Error` with `.noAccount`.
    func find(_ name: String?) throws(AccountManager.Error) -> LinkedAccount {
        guard let name else {
            if let current = manager.current { return current }
            throw AccountManager.Error(.noAccount, "no account is chosen; say 'soql login' or 'soql accounts use NAME'")
        }
        let accounts = manager.accounts
        if let account = accounts.first(where: { $0.id == name }) { return account }
        let users = accounts.filter { $0.username == name }
        guard users.count <= 1, let account = users.first else {
            throw AccountManager.Error(
                .noAccount,
                users.isEmpty
                    ? "nobody is logged in as '\(name)'; see 'soql accounts'"
                    : "several accounts belong to '\(name)'; name one of \(users.map(\.id).joined(separator: ", "))")
        }
        return account
    }
}
