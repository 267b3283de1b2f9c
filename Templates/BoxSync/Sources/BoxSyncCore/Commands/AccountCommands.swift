// SPDX-License-Identifier: Apache-2.0

import Dropbox

/// Lists the logins.
struct AccountsCommand {
    let context: Context

    func run() async throws -> ExitStatus {
        let manager = try await Accounts.open(context).manager
        for account in manager.accounts {
            let mark = account.id == manager.current?.id ? "*" : " "
            context.terminal.print("\(mark) \(account.id)  \(account.username ?? "-")  \(account.instance)")
        }
        if manager.accounts.isEmpty { context.terminal.note("No logins. Run 'boxsync login'.") }
        return .done
    }
}

/// Chooses the current login.
struct UseCommand {
    let context: Context

    func run() async throws -> ExitStatus {
        let accounts = try await Accounts.open(context)
        let account = try accounts.find(context.words[0])
        try await accounts.manager.switch(to: account.id)
        context.terminal.note("'\(account.id)' is used from now on.")
        return .done
    }
}

/// Ends logins, here and at Dropbox.
struct LogoutCommand {
    let context: Context

    func run() async throws -> ExitStatus {
        let accounts = try await Accounts.open(context)
        let ids =
            if context.options.isAll {
                accounts.manager.accounts.map(\.id) + accounts.manager.unreadable.keys.sorted()
            } else {
                [try name(in: accounts)]
            }
        var status = ExitStatus.done
        for id in ids {
            let report = try await accounts.manager.unlink(id)
            if case .pending(_, let error) = report.revocation {
                context.terminal.warn(
                    "boxsync: '\(id)' is logged out here, but Dropbox could not be told (\(error.message)); "
                        + "disconnect the app in your account's settings")
                status = .failure
            } else {
                context.terminal.note("'\(id)' is logged out.")
            }
        }
        return status
    }

    /// The account that was named, also one that cannot be read, else the current one.
    private func name(in accounts: Accounts) throws(AccountManager.Error) -> String {
        let name = context.words.first ?? context.options.account
        if let name, accounts.manager.unreadable[name] != nil { return name }
        return try accounts.find(name).id
    }
}
