// SPDX-License-Identifier: Apache-2.0

/// The options of `soql logout`.
struct LogoutOptions {
    /// `nil`: the current account.
    var account: String?
    var isAll = false
    /// Whether the server is told.
    var isRevoking = true

    init(_ words: [String]) throws(UsageError) {
        var reader = WordReader(words)
        while let item = try reader.next() {
            switch item {
            case .option("--all"): isAll = true
            case .option("--no-revoke"): isRevoking = false
            case .option("--account"): account = try reader.value(of: "--account")
            case .option(let option): throw UsageError("there is no option \(option)")
            case .word(let word) where account == nil: account = word
            case .word(let word): throw UsageError("'\(word)' makes no sense here")
            }
        }
        if isAll, account != nil { throw UsageError("name an account or say --all, not both") }
    }
}

/// The options of `soql accounts`.
struct AccountsOptions {
    /// The account to make the current one; `nil` lists them.
    var chosen: String?

    init(_ words: [String]) throws(UsageError) {
        var reader = WordReader(words)
        switch try reader.next() {
        case nil: break
        case .word("use")?:
            guard case .word(let name)? = try reader.next() else { throw UsageError("say 'soql accounts use NAME'") }
            chosen = name
        case .word(let word)?: throw UsageError("'\(word)' makes no sense here; say 'soql accounts use NAME'")
        case .option(let option)?: throw UsageError("there is no option \(option)")
        }
        if try reader.next() != nil { throw UsageError("that is too much for 'soql accounts'") }
    }
}
