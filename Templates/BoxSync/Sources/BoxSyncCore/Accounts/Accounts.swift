// SPDX-License-Identifier: Apache-2.0

import Dropbox

/// The logins of this user on this machine.
struct Accounts {
    let manager: AccountManager

    /// Opens the logins and tells of those that cannot be read.
    static func open(_ context: Context) async throws -> Accounts {
        let store = FileCredentialStore(directory: try context.settings.accountsFolder) { event in
            context.terminal.warn("boxsync: a damaged login was found: \(event)")
        }
        let manager = try await AccountManager.open(store: store)
        for (id, error) in manager.unreadable.sorted(by: { $0.key < $1.key }) {
            context.terminal.warn("boxsync: the login '\(id)' cannot be read: \(error)")
        }
        return Accounts(manager: manager)
    }

    /// The account with this name or e-mail address; without a name the current one.
    ///
    /// - Throws: `AccountManager.Error` with `.noAccount`.
    func find(_ name: String?) throws(AccountManager.Error) -> LinkedAccount {
        guard let name else {
            if let current = manager.current { return current }
            throw AccountManager.Error(
                .noAccount, "you are not logged in; run 'boxsync login' or 'boxsync use ACCOUNT'")
        }
        let found = manager.accounts.first { $0.id == name } ?? manager.accounts.first { $0.username == name }
        guard let found else {
            throw AccountManager.Error(.noAccount, "there is no login '\(name)'; see 'boxsync accounts'")
        }
        return found
    }
}
