// SPDX-License-Identifier: Apache-2.0

import RestSDK

extension Verb {
    static let logout = Verb(
        "logout", operands: ["[NAME | --all]"], "ends the current login, another one, or all",
        [.account, .all, .noRevoke]
    ) { try LogoutCommand($0) }

    static let accounts = Verb("accounts", "lists the logins, and those of sf", []) { arguments in
        guard let word = arguments.words.first else { return AccountsCommand(chosen: nil) }
        throw UsageError("unexpected argument '\(word)'; use 'soql accounts use NAME'")
    }

    static let accountsUse = Verb("accounts use", operands: ["NAME"], "chooses the current login", []) { arguments in
        guard arguments.words.count == 1 else { throw UsageError("use 'soql accounts use NAME'") }
        return AccountsCommand(chosen: arguments.words[0])
    }
}

extension Option {
    static let all = Option("--all", "end all logins")
    static let noRevoke = Option("--no-revoke", "do not tell the server; the login stays valid there")
}

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

/// Ends one login or all, here and at the server.
struct LogoutCommand: Command {
    /// `nil`: the current account.
    private let account: String?
    private let arguments: Arguments

    init(_ arguments: Arguments) throws(UsageError) {
        try arguments.checkNumberOfWords(atMost: arguments.has(.account) ? 0 : 1)
        account = arguments[.account] ?? arguments.words.first
        self.arguments = arguments
        if arguments.has(.all), account != nil { throw UsageError("give an account or --all, not both") }
    }

    func run() async throws {
        Traces.leave()
        let accounts = try await Accounts.open()
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
        let failures = reports.compactMap { Self.tell($0) }
        for failure in failures { StandardOutput.note("soql: \(failure)".singleLine) }
        if !failures.isEmpty { throw Reported(status: .failure) }
    }

    /// Reports what happened to a login.
    ///
    /// - Returns: what went wrong.
    private static func tell(_ result: Result<AccountManager.UnlinkReport, AccountManager.Error>) -> String? {
        switch result {
        case .failure(let error): return error.message
        case .success(let report):
            guard case .pending(_, let error) = report.revocation else {
                StandardOutput.note("Logged out of '\(report.id)'.".singleLine)
                return nil
            }
            return "'\(report.id)' is logged out here, but the server could not be told "
                + "(\(error.message)); end its session there"
        }
    }
}
