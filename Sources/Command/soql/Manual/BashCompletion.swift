// SPDX-License-Identifier: Apache-2.0

import RestBase

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
                    \(verbs.joined(separator: "|"))) verb="${verb:+$verb }$word" ;;
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

    /// The words of verbs and of the beginnings of verbs.
    private static var verbs: [String] {
        let beginnings = CompletionTable.steps.map(\.words).filter { !$0.isEmpty }
        let all = beginnings + Verb.all.map(\.words).filter { !$0.isEmpty }
        return Array(Set(all.map { $0.joined(separator: " ").shellQuoted })).sorted()
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
        case .text, .textOrFile, .number, .object: ":"
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
