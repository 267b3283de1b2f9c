// SPDX-License-Identifier: Apache-2.0

extension Verb {
    static let logout = Verb(
        "logout", operands: ["[NAME | --all]"], "ends the current login, another one, or all",
        [.account, .all, .noRevoke]
    ) { LogoutCommand(options: try LogoutOptions($0)) }

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

/// The options of `soql logout`.
struct LogoutOptions {
    /// `nil`: the current account.
    let account: String?
    let isAll: Bool
    /// Whether the server is asked to revoke the login.
    let isRevoking: Bool

    init(_ arguments: Arguments) throws(UsageError) {
        try arguments.checkNumberOfWords(atMost: arguments.has(.account) ? 0 : 1)
        account = arguments[.account] ?? arguments.words.first
        isAll = arguments.has(.all)
        isRevoking = !arguments.has(.noRevoke)
        if isAll, account != nil { throw UsageError("give an account or --all, not both") }
    }
}
