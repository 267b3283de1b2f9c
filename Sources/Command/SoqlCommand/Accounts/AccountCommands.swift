// SPDX-License-Identifier: Apache-2.0

import RestSDK

extension Verb {
    static let logout = Verb(
        "logout", operands: ["[NAME | --all]"], "log out of the current login, another one, or all",
        [.account, .all, .noRevoke]
    ) { arguments in
        try arguments.checkNumberOfWords(atMost: arguments.has(.account) ? 0 : 1)
        let account = arguments[.account] ?? arguments.words.first
        if arguments.has(.all), account != nil { throw UsageError("give an account or --all, not both") }
        return Command { try await Accounts.logOut(of: account, arguments) }
    }

    static let accounts = Verb("accounts", "list the logins, including those of sf", []) { arguments in
        guard let word = arguments.words.first else { return Command { try await Accounts.list() } }
        throw UsageError("unexpected argument '\(word)'; use 'soql accounts use NAME'")
    }

    static let accountsUse = Verb("accounts use", operands: ["NAME"], "change the current login", []) { arguments in
        guard arguments.words.count == 1 else { throw UsageError("no login; use 'soql accounts use NAME'") }
        return Command {
            let accounts = try await Accounts.open()
            Traces.leave()
            let account = try accounts.find(arguments.words[0])
            try await accounts.manager.switch(to: account.id)
            StandardOutput.note("'\(account.id)' is now the current account".singleLine)
        }
    }
}

extension Option {
    static let all = Option("--all", "log out of all logins")
    static let noRevoke = Option("--no-revoke", "do not revoke the token; it stays valid on the server")
}

extension Accounts {
    fileprivate static func list() async throws {
        let accounts = try await open()
        let current = accounts.manager.current?.id
        for account in accounts.manager.accounts {
            let columns =
                [account.id, account.username ?? "-", account.instance.description] + (account.isBound ? ["bound"] : [])
            let line = columns.map(\.singleLine).joined(separator: "\t")
            try StandardOutput.write("\(account.id == current ? "*" : " ") \(line)\n")
        }
        let logins = Settings.value("HOME").map { SalesforceCLI(home: $0).logins } ?? []
        for login in logins {
            let columns = [login.aliases.first ?? login.username, login.username, login.instance.description, "sf"]
            try StandardOutput.write("  \(columns.map(\.singleLine).joined(separator: "\t"))\n")
        }
        if accounts.manager.accounts.isEmpty, logins.isEmpty { StandardOutput.note("no logins; run 'soql login'") }
    }

    /// Ends all logins, or one login (by default the current login), here and on the server.
    fileprivate static func logOut(of account: String?, _ arguments: Arguments) async throws {
        Traces.leave()
        let accounts = try await open()
        let isRevoking = !arguments.has(.noRevoke)
        var reports: [Result<AccountManager.UnlinkReport, AccountManager.Error>] = []
        if arguments.has(.all) {
            reports = await accounts.manager.unlinkAll(isRevoking: isRevoking)
        } else {
            // A login that cannot be read can still be ended by its name.
            let unreadable = account.flatMap { accounts.manager.unreadable[$0] == nil ? nil : $0 }
            let id = try unreadable ?? accounts.find(account).id
            reports = [.success(try await accounts.manager.unlink(id, isRevoking: isRevoking))]
        }
        let failures = reports.compactMap(tell)
        for failure in failures { StandardOutput.note("soql: \(failure)".singleLine) }
        if !failures.isEmpty { throw Reported(status: .failure) }
    }

    /// Reports the result of ending a login, and returns the error message if it failed.
    private static func tell(_ result: Result<AccountManager.UnlinkReport, AccountManager.Error>) -> String? {
        switch result {
        case .failure(let error): return error.message
        case .success(let report):
            guard case .pending(_, let error) = report.revocation else {
                StandardOutput.note("logged out of '\(report.id)'".singleLine)
                return nil
            }
            return "logged out of '\(report.id)', but its token could not be revoked (\(error.message)); "
                + "end the session on the server"
        }
    }
}
