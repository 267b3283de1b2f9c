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

    /// All verbs and the beginnings of verbs.
    static var verbs: [String] {
        let all = (steps.map(\.words) + Verb.all.map(\.words)).filter { !$0.isEmpty }
        return Set(all.map { $0.joined(separator: " ") }).sorted()
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

/// The completion of `soql` in bash.
enum BashCompletion {
    static var script: String {
        """
        # bash completion for soql; made by 'soql completion bash'
        _soql_accounts() { soql accounts 2>/dev/null | cut -c3- | cut -f1; }

        _soql() {
            local cur=${COMP_WORDS[COMP_CWORD]} prev= verb= option= i word
            COMPREPLY=()
            # Bash takes --name=value apart.
            if [ "$cur" = "=" ]; then cur=; prev=${COMP_WORDS[COMP_CWORD-1]}
            elif [ "$COMP_CWORD" -ge 2 ] && [ "${COMP_WORDS[COMP_CWORD-1]}" = "=" ]; then prev=${COMP_WORDS[COMP_CWORD-2]}
            else prev=${COMP_WORDS[COMP_CWORD-1]}; fi
            for ((i = 1; i < COMP_CWORD; i++)); do
                word=${COMP_WORDS[i]}
                case "${verb:+$verb }$word" in
                    \(CompletionTable.verbs.map(\.shellQuoted).joined(separator: "|"))) verb="${verb:+$verb }$word" ;;
                    *) break ;;
                esac
            done
            case "$verb:$prev" in
        \(values)
            esac
            case "$cur" in -*)
                case "$verb" in
        \(options)
                esac
                return ;;
            esac
            case "$verb" in
        \(operands)
            esac
        }
        complete -o bashdefault -F _soql soql

        """
    }

    /// What the value of an option can be.
    private static var values: String {
        var lines: [String] = []
        for verb in Verb.all {
            for option in verb.options {
                guard let value = option.value else { continue }
                let pattern = CompletionTable.names(of: option).map { "\(verb.name):\($0)".shellQuoted }
                lines.append("        \(pattern.joined(separator: "|"))) \(reply(value)); return ;;")
            }
        }
        return lines.joined(separator: "\n")
    }

    private static func reply(_ value: Option.Value) -> String {
        switch value {
        case .choice(_, let choices): words(choices.joined(separator: " ").shellQuoted)
        case .input, .output: "COMPREPLY=($(compgen -f -- \"$cur\")); compopt -o filenames 2>/dev/null"
        case .folder: "COMPREPLY=($(compgen -d -- \"$cur\")); compopt -o filenames 2>/dev/null"
        case .account: words("\"$(_soql_accounts)\"")
        case .text, .textOrFile, .number: ":"
        }
    }

    private static func words(_ list: String) -> String { "COMPREPLY=($(compgen -W \(list) -- \"$cur\"))" }

    private static var options: String {
        Verb.all.map { verb in
            let names = CompletionTable.options(of: verb).flatMap { CompletionTable.names(of: $0) }
            return "            \(verb.name.shellQuoted)) \(words(names.joined(separator: " ").shellQuoted)) ;;"
        }.joined(separator: "\n")
    }

    private static var operands: String {
        var lines: [String] = []
        for step in CompletionTable.steps {
            let list = step.next.map(\.word).joined(separator: " ")
            lines.append(
                "        \(step.words.joined(separator: " ").shellQuoted)) \(words(list.shellQuoted)) ;;")
        }
        let begun = Set(CompletionTable.steps.map(\.words))
        for verb in Verb.all where !begun.contains(verb.words) {
            let list = CompletionTable.words(of: verb)
            var reply = ":"
            if !list.isEmpty { reply = words(list.joined(separator: " ").shellQuoted) }
            if CompletionTable.takesFiles(verb) { reply = self.reply(.input) }
            if CompletionTable.takesAccounts(verb) { reply = self.reply(.account) }
            lines.append("        \(verb.name.shellQuoted)) \(reply) ;;")
        }
        return lines.joined(separator: "\n")
    }
}

/// The completion of `soql` in zsh.
enum ZshCompletion {
    static var script: String {
        """
        #compdef soql
        # zsh completion for soql; made by 'soql completion zsh'
        _soql_accounts() {
            local -a names
            names=(${(f)"$(soql accounts 2>/dev/null | cut -c3- | cut -f1)"})
            compadd -a names
        }

        _soql() {
            local verb= word i
            for ((i = 2; i < CURRENT; i++)); do
                word=$words[i]
                case "${verb:+$verb }$word" in
                    \(CompletionTable.verbs.map(\.shellQuoted).joined(separator: "|"))) verb="${verb:+$verb }$word" ;;
                    *) break ;;
                esac
            done
            # What stands behind the verb is the command line of its own.
            local -a next
            next=()
            case "$verb" in
        \(steps)
            esac
            if ((i == CURRENT && $#next)) && [[ $PREFIX != -* ]]; then
                _describe verb next
                [[ -n $verb ]] && return
            fi
            words=(soql "${(@)words[i,-1]}")
            ((CURRENT -= i - 2))
            case "$verb" in
        \(arguments)
            esac
        }
        if [ "$funcstack[1]" = _soql ]; then _soql "$@"; else compdef _soql soql; fi

        """
    }

    private static var steps: String {
        CompletionTable.steps.map { step in
            let next = step.next.map { "\($0.word):\($0.summary.replacing(bytes: ":", with: "\\:"))".shellQuoted }
            return "        \(step.words.joined(separator: " ").shellQuoted)) next=(\(next.joined(separator: " "))) ;;"
        }.joined(separator: "\n")
    }

    private static var arguments: String {
        Verb.all.map { verb in
            var words = CompletionTable.options(of: verb).flatMap { specifications(of: $0) }
            if CompletionTable.takesFiles(verb) { words.append("*:file:_files".shellQuoted) }
            if CompletionTable.takesAccounts(verb) { words.append("*:login:_soql_accounts".shellQuoted) }
            let list = CompletionTable.words(of: verb)
            if !list.isEmpty { words.append("*:word:(\(list.joined(separator: " ")))".shellQuoted) }
            return "        \(verb.name.shellQuoted)) _arguments -s \(words.joined(separator: " ")) ;;"
        }.joined(separator: "\n")
    }

    private static func specifications(of option: Option) -> [String] {
        var help = option.help
        for letter in ["\\", "[", "]", ":"] { help = help.replacing(bytes: letter, with: "\\" + letter) }
        return CompletionTable.names(of: option).map { name in
            let equals = name.hasBytes(prefix: "--") && option.value != nil ? "=" : ""
            return "*\(name)\(equals)[\(help)]\(value(option.value))".shellQuoted
        }
    }

    private static func value(_ value: Option.Value?) -> String {
        switch value {
        case nil: ""
        case .choice(let word, let choices): ":\(word):(\(choices.joined(separator: " ")))"
        case .input, .output: ":file:_files"
        case .folder: ":folder:_files -/"
        case .account: ":login:_soql_accounts"
        case .text, .textOrFile, .number: ":\(value?.placeholder.replacing(bytes: ":", with: "") ?? ""):"
        }
    }
}

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
            "        if contains -- \"$verb $word\" \(CompletionTable.verbs.map { " \($0)".quoted }.joined(separator: " "))",
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
        case .text, .textOrFile, .number: " -x"
        }
    }
}

extension String {
    /// The text in single quotes for fish.
    fileprivate var quoted: String {
        "'" + replacing(bytes: "\\", with: "\\\\").replacing(bytes: "'", with: "\\'") + "'"
    }
}
