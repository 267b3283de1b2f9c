// SPDX-License-Identifier: Apache-2.0

import RestBase

extension Verb {
    static let completion = Verb(
        "completion", operands: Shell.allCases.map(\.rawValue), "prints what makes a shell complete 'soql'",
        notes: [
            """
            bash: put 'source <(soql completion bash)' into ~/.bashrc. zsh: write it as _soql into a folder of fpath. \
            fish: write it to ~/.config/fish/completions/soql.fish. 'make install' does all of this for everybody.
            """
        ],
        []
    ) { arguments in
        let shells = Shell.allCases.map(\.rawValue)
        guard arguments.words.count == 1, let shell = Shell(rawValue: arguments.words[0]) else {
            throw UsageError(
                "name a shell: \(shells.joined(separator: ", "))", near: arguments.words.first ?? "", shells)
        }
        return PrintCommand(text: shell.script)
    }

    static let man = Verb(
        "man", "prints the manual page",
        notes: ["Read it by 'soql man | man -l -', or install it as soql.1."], []
    ) { arguments in
        try arguments.checkNumberOfWords(atMost: 0)
        return PrintCommand(text: ManualPage.text)
    }
}

/// The shells that completion scripts are made for.
enum Shell: String, CaseIterable {
    case bash, zsh, fish

    /// The script, made of the table of verbs.
    var script: String {
        switch self {
        case .bash: BashCompletion.script
        case .zsh: ZshCompletion.script
        case .fish: FishCompletion.script
        }
    }
}

/// What the completion scripts know of the table of verbs.
enum CompletionTable {
    /// The option that every verb has.
    static let help = Option("--help", short: "-h", "print the help text")

    /// A word of the command line, and what can stand behind it.
    struct Step {
        /// The words in front: `["org"]`; none for the first word.
        let words: [String]
        /// The verbs that go on from here by one word, each with what it does.
        let next: [(word: String, summary: String)]
    }

    /// The places where a verb's word can stand.
    static var steps: [Step] {
        var steps: [Step] = []
        for verb in Verb.all where !verb.words.isEmpty {
            for count in verb.words.indices {
                let words = Array(verb.words.prefix(count))
                guard !steps.contains(where: { $0.words == words }) else { continue }
                steps.append(Step(words: words, next: next(behind: words)))
            }
        }
        return steps
    }

    private static func next(behind words: [String]) -> [(word: String, summary: String)] {
        var found: [(word: String, summary: String)] = []
        for verb in Verb.all where verb.words.count > words.count && verb.words.starts(with: words) {
            let word = verb.words[words.count]
            guard !found.contains(where: { $0.word == word }) else { continue }
            let exact = Verb.all.first { $0.words == words + [word] }
            found.append((word, exact?.summary ?? "\(word) …"))
        }
        return found
    }

    /// The options of a verb, that for help too.
    static func options(of verb: Verb) -> [Option] { verb.options + [help] }

    /// The names of an option.
    static func names(of option: Option) -> [String] { [option.short, option.name].compactMap(\.self) }

    /// The words that can stand as the operands of a verb, where they are few.
    static func words(of verb: Verb) -> [String] {
        switch verb.name {
        case "completion": Shell.allCases.map(\.rawValue)
        case "help": Array(Set(Verb.all.compactMap(\.words.first))).sorted()
        default: []
        }
    }

    /// Whether the operands of a verb are files.
    static func takesFiles(_ verb: Verb) -> Bool { verb.operands.contains { $0.hasBytes(prefix: "FILE") } }

    /// Whether the operands of a verb are logins.
    static func takesAccounts(_ verb: Verb) -> Bool { verb.operands.contains { $0.hasBytes("NAME") } }
}
