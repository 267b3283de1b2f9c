// SPDX-License-Identifier: Apache-2.0

/// The options of `soql logout`.
struct LogoutOptions {
    /// `nil`: the current account.
    var account: String?
    var isAll = false
    /// Whether the server is asked to revoke the login.
    var isRevoking = true

    init(_ words: [String]) throws(UsageError) {
        var reader = WordReader(words)
        while let item = try reader.next() {
            switch item {
            case .option("--all"): isAll = true
            case .option("--no-revoke"): isRevoking = false
            case .option("--account"): account = try reader.value(of: "--account")
            case .option(let option): throw UsageError("unknown option \(option)")
            case .word(let word) where account == nil: account = word
            case .word(let word): throw UsageError("unexpected argument '\(word)'")
            }
        }
        if isAll, account != nil { throw UsageError("give an account or --all, not both") }
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
            guard case .word(let name)? = try reader.next() else { throw UsageError("use 'soql accounts use NAME'") }
            chosen = name
        case .word(let word)?: throw UsageError("unexpected argument '\(word)'; use 'soql accounts use NAME'")
        case .option(let option)?: throw UsageError("unknown option \(option)")
        }
        if try reader.next() != nil { throw UsageError("'soql accounts' takes no more arguments") }
    }
}
