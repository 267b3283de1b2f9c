// SPDX-License-Identifier: Apache-2.0

import RestSDK

/// Lists the logins, or chooses the current one.
struct AccountsCommand: Command {
    /// The account to make the current one; `nil` lists them.
    let chosen: String?

    func run() async throws {
        let accounts = try await Accounts.open()
        if let name = chosen {
            Traces.leave()
            let account = try accounts.find(name)
            try await accounts.manager.switch(to: account.id)
            return StandardOutput.note("'\(account.id)' is the current account.".singleLine)
        }
        let current = accounts.manager.current?.id
        for account in accounts.manager.accounts {
            let columns = [account.id, account.username ?? "-", account.instance.description]
            let line = columns.map(\.singleLine).joined(separator: "\t")
            try StandardOutput.write("\(account.id == current ? "*" : " ") \(line)\n")
        }
        let logins = Settings.value("HOME").map { SalesforceCLI(home: $0).logins } ?? []
        for login in logins {
            let columns = [login.aliases.first ?? login.username, login.username, login.instance.description, "sf"]
            try StandardOutput.write("  \(columns.map(\.singleLine).joined(separator: "\t"))\n")
        }
        if accounts.manager.accounts.isEmpty, logins.isEmpty { StandardOutput.note("No logins. Run 'soql login'.") }
    }
}
