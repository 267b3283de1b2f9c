// SPDX-License-Identifier: Apache-2.0

/// What the command line asks for.
struct Invocation {
    /// What was said beside the verb and its words.
    struct Options {
        var account: String?
        var host: String?
        var appKey: String?
        var callbackURL: String?
        var opensBrowser = true
        var isAll = false
        var isQuiet = false
        var isDryRun = false
        var overwrites = false
        var excludes: [String] = []
    }

    /// What to do; `nil` prints how the command is used.
    var verb: Verb?
    var words: [String] = []
    var options = Options()

    /// Reads the words after the command's name.
    ///
    /// - Throws: ``UsageError``.
    init(_ words: [String]) throws(UsageError) {
        guard let first = words.first, !words.prefix(while: { $0 != "--" }).contains("--help") else { return }
        guard let verb = Verb(rawValue: first) else { throw UsageError("'\(first)' is no command") }
        self.verb = verb
        var reader = WordReader(Array(words.dropFirst()))
        while let item = try reader.next() {
            switch item {
            case .word(let word): self.words.append(word)
            case .option(let option) where verb.options.contains(option): try read(option, from: &reader)
            case .option(let option): throw UsageError("'boxsync \(verb)' has no option \(option)")
            }
        }
        guard verb.words.contains(self.words.count) else {
            throw UsageError("'boxsync \(verb)' does not take \(self.words.count) words")
        }
        if options.isAll, !self.words.isEmpty || options.account != nil {
            throw UsageError("give an account or --all, not both")
        }
    }

    private mutating func read(_ option: String, from reader: inout WordReader) throws(UsageError) {
        switch option {
        case "--account": options.account = try reader.value(of: option)
        case "--host": options.host = try reader.value(of: option)
        case "--key": options.appKey = try reader.value(of: option)
        case "--callback-url": options.callbackURL = try reader.value(of: option)
        case "--exclude": options.excludes.append(try reader.value(of: option))
        case "--no-browser": options.opensBrowser = false
        case "--all": options.isAll = true
        case "--quiet": options.isQuiet = true
        case "--dry-run": options.isDryRun = true
        case "--overwrite": options.overwrites = true
        default: throw UsageError("unknown option \(option)")
        }
    }
}
