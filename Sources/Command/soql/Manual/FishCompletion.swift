// SPDX-License-Identifier: Apache-2.0

import RestBase

/// The completion of `soql` in fish.
enum FishCompletion {
    static var script: String {
        var lines = [
            "# fish completion for soql; made by 'soql completion fish'",
            "function __soql_accounts",
            "    soql accounts 2>/dev/null | string sub -s 3 | string split -f1 \\t",
            "end",
            "# The verb on the command line: its words in front, without options.",
            "function __soql_at",
            "    set -l words (commandline -opc)[2..-1]",
            "    set -l verb",
            "    for word in $words",
            "        if contains -- \"$verb $word\" \(verbs)",
            "            set verb \"$verb $word\"",
            "        else",
            "            break",
            "        end",
            "    end",
            "    test \"$verb\" = \"$argv[1]\"",
            "end",
            "# Whether the word being typed is the next one of a verb.",
            "function __soql_next",
            "    set -l words (commandline -opc)[2..-1]",
            "    test \" $words\" = \"$argv[1]\" -o \"$words$argv[1]\" = ''",
            "end",
            "complete -c soql -f",
        ]
        for step in CompletionTable.steps {
            for (word, summary) in step.next {
                let place = "__soql_next \(key(step.words).quoted)".quoted
                lines.append("complete -c soql -n \(place) -a \(word) -d \(summary.quoted)")
            }
        }
        for verb in Verb.all { lines += Self.lines(of: verb) }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The words of a verb as the script has them: a blank in front of each.
    private static func key(_ words: [String]) -> String { words.map { " \($0)" }.joined() }

    private static var verbs: String {
        let beginnings = CompletionTable.steps.map(\.words) + Verb.all.map(\.words)
        return Array(Set(beginnings.filter { !$0.isEmpty }.map { key($0).quoted })).sorted().joined(separator: " ")
    }

    private static func lines(of verb: Verb) -> [String] {
        let place = "complete -c soql -n \("__soql_at \(key(verb.words).quoted)".quoted)"
        var lines = CompletionTable.options(of: verb).map { option in
            let short = option.short.map { " -s \($0.dropFirst())" } ?? ""
            return "\(place)\(short) -l \(option.name.dropFirst(2))\(value(option.value)) -d \(option.help.quoted)"
        }
        let words = CompletionTable.words(of: verb)
        if !words.isEmpty { lines.append("\(place) -a \(words.joined(separator: " ").quoted)") }
        if CompletionTable.takesFiles(verb) { lines.append("\(place) -F") }
        if CompletionTable.takesAccounts(verb) { lines.append("\(place) -a '(__soql_accounts)'") }
        return lines
    }

    private static func value(_ value: Option.Value?) -> String {
        switch value {
        case nil: ""
        case .choice(_, let choices): " -x -a \(choices.joined(separator: " ").quoted)"
        case .input, .output: " -r -F"
        case .folder: " -x -a '(__fish_complete_directories)'"
        case .account: " -x -a '(__soql_accounts)'"
        case .text, .textOrFile, .number, .object: " -x"
        }
    }
}

extension String {
    /// The text in single quotes for fish.
    fileprivate var quoted: String {
        "'" + replacing(bytes: "\\", with: "\\\\").replacing(bytes: "'", with: "\\'") + "'"
    }
}
