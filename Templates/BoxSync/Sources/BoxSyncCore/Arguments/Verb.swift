// SPDX-License-Identifier: Apache-2.0

/// What the command can do.
enum Verb: String, CaseIterable {
    case login, accounts, use, logout, ls, get, put, up, down, demo, box

    /// How many words stand behind the verb.
    var words: ClosedRange<Int> {
        switch self {
        case .login, .accounts, .demo, .box: 0...0
        case .use: 1...1
        case .logout, .ls: 0...1
        case .get, .put: 1...2
        case .up, .down: 2...2
        }
    }

    /// The options that it takes.
    var options: Set<String> {
        let box: Set = ["--account", "--host", "--quiet"]
        switch self {
        case .login: return ["--account", "--host", "--key", "--no-browser", "--callback-url"]
        case .logout: return ["--account", "--all"]
        case .accounts, .use, .box: return []
        case .demo: return ["--quiet"]
        case .ls: return box
        case .get, .put: return box.union(["--overwrite"])
        case .up, .down: return box.union(["--overwrite", "--dry-run", "--exclude"])
        }
    }
}
