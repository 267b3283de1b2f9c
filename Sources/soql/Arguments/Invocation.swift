// SPDX-License-Identifier: Apache-2.0

/// What the command line asks for.
enum Invocation {
    case help
    case version
    case query(QueryOptions)
    case org(OrgOptions)
    case login(LoginOptions)
    case logout(LogoutOptions)
    case accounts(AccountsOptions)

    /// Reads the words after the command's name.
    ///
    /// - Throws: ``UsageError``.
    init(_ words: [String]) throws(UsageError) {
        if words.contains("--help") || words.contains("-h") {
            self = .help
        } else if words.contains("--version") {
            self = .version
        } else {
            let rest = Array(words.dropFirst())
            switch words.first {
            case "org": self = .org(try OrgOptions(rest))
            case "login": self = .login(try LoginOptions(rest))
            case "logout": self = .logout(try LogoutOptions(rest))
            case "accounts": self = .accounts(try AccountsOptions(rest))
            default: self = .query(try QueryOptions(words))
            }
        }
    }
}

/// A command line that cannot be understood.
struct UsageError: Error {
    let message: String

    init(_ message: String) {
        self.message = message
    }
}
