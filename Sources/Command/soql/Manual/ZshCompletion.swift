// SPDX-License-Identifier: Apache-2.0

import RestBase

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
                    \(verbs.joined(separator: "|"))) verb="${verb:+$verb }$word" ;;
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

    private static var verbs: [String] {
        let all = CompletionTable.steps.map(\.words) + Verb.all.map(\.words)
        return Array(Set(all.filter { !$0.isEmpty }.map { $0.joined(separator: " ").shellQuoted })).sorted()
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
        case .text, .textOrFile, .number, .object: ":\(value?.placeholder.replacing(bytes: ":", with: "") ?? ""):"
        }
    }
}
