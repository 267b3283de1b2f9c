// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestSDK

extension Verb {
    static let completion = Verb(
        "completion", operands: Shell.allCases.map(\.rawValue), "print a completion script for a shell",
        notes: [
            """
            bash: add 'source <(soql completion bash)' to ~/.bashrc. zsh: save the script as _soql in a directory of \
            fpath. fish: save it as ~/.config/fish/completions/soql.fish. 'make install' installs all three for all \
            users.
            """
        ],
        []
    ) { arguments in
        // The scripts use this word to request completions.
        if arguments.words.first == "words" {
            return Command(takesInterrupts: true) {
                let offers = Offers(Array(arguments.words.dropFirst()))
                try StandardOutput.write(await offers.lines.map { "\($0)\n" }.joined())
            }
        }
        let shells = Shell.allCases.map(\.rawValue)
        guard arguments.words.count == 1, let shell = Shell(rawValue: arguments.words[0]) else {
            throw UsageError(
                "give a shell: \(shells.joined(separator: ", "))", near: arguments.words.first ?? "", shells)
        }
        return .printing(shell.script)
    }

    static let man = Verb(
        "man", "print the manual page",
        notes: ["Run 'soql man | man -l -' to read it, or install it as soql.1."], []
    ) { arguments in
        try arguments.checkNumberOfWords(atMost: 0)
        return .printing(ManualPage.text)
    }
}

/// The completions of the last word of a command line.
struct Offers {
    private let typed: String
    /// The words before the word that is being typed.
    private let before: [String]
    /// The words of the verb that have been typed.
    private let words: [String]
    private var verb: Verb? { Verb.all.first { $0.words == words } }

    /// - Parameter line: The words after `soql`, of which the last is being typed.
    init(_ line: [String]) {
        var (before, typed) = (Array(line.dropLast()), line.last ?? "")
        // `--name=value` is one word, or three words in bash.
        if typed == "=" {
            typed = ""
        } else if before.suffix(1) == ["="] {
            before.removeLast()
        } else if typed.hasBytes(prefix: "--"), let (name, value) = typed.cut(byte: "=") {
            before.append(String(name))
            typed = String(value)
        }
        var words: [String] = []
        for word in before {
            guard Verb.all.contains(where: { $0.words.starts(with: words + [word]) }) else { break }
            words.append(word)
        }
        (self.before, self.typed, self.words) = (before, typed, words)
    }

    /// One line per completion, with a tab and a description if there is one.
    ///
    /// An option with a value ends with `=`. `:files` or `:folders` asks the shell to complete files or directories.
    var lines: [String] {
        get async {
            let lines = await all
            return lines.filter { $0.hasBytes(prefix: typed) || $0.hasBytes(prefix: ":") }
        }
    }

    private var all: [String] {
        get async {
            if let option = before.last.flatMap({ verb?.option($0) }), let value = option.value {
                return await values(value)
            }
            if typed.hasBytes(prefix: "-") { return (verb?.allOptions ?? []).flatMap(Self.lines) }
            let next = before.count == words.count ? nextWords : []
            return next.isEmpty ? await operands : next
        }
    }

    private static func lines(of option: Option) -> [String] {
        [option.short, option.name + (option.value == nil ? "" : "=")].compactMap { $0.map { "\($0)\t\(option.help)" } }
    }

    private func values(_ value: Option.Value) async -> [String] {
        switch value {
        case .choice(_, let choices): choices
        case .input, .output: [":files"]
        case .folder: [":folders"]
        case .account: await accounts
        case .channels: await channels
        case .text, .textOrFile, .number, .version, .object, .names, .words, .fields: []
        }
    }

    /// The words that continue toward a verb, each with the verb's summary.
    private var nextWords: [String] {
        var seen: Set<String> = []
        return Verb.all.filter { $0.words.count > words.count && $0.words.starts(with: words) }.compactMap { verb in
            let word = verb.words[words.count]
            guard seen.insert(word).inserted else { return nil }
            return Verb.all.first { $0.words == words + [word] }.map { "\(word)\t\($0.summary)" } ?? word
        }
    }

    private var operands: [String] {
        get async {
            guard let verb else { return [] }
            if verb.name == "completion" { return Shell.allCases.map(\.rawValue) }
            if verb.operation?.operands.first?.name == Option.channels.name { return await channels }
            if verb.name == "help" { return Set(Verb.all.compactMap(\.words.first)).sorted() }
            if verb.operands.contains(where: { $0.hasBytes(prefix: "FILE") }) { return [":files"] }
            guard verb.operands.contains(where: { $0.hasBytes("NAME") }) else { return [] }
            return verb.words.first == "org" ? (try? OrgPlace.running().map(\.name.singleLine)) ?? [] : await accounts
        }
    }

    /// The channels of the org that the line selects, or only a channel of every org if there is no quick response.
    private var channels: [String] {
        get async {
            guard let verb else { return [] }
            // The operand of the verb may not be typed yet. In bash, `=` is a word.
            let line = before.dropFirst(words.count).filter { !["="].contains($0) } + [EventChannels.allChanges]
            let found = await withTaskGroup(of: [String]?.self) { group in
                group.addTask {
                    try? await Connection.read(Arguments(line, for: verb)) { client in
                        await EventChannels.all(try await client.send(.objects), of: client)
                    }
                }
                group.addTask {
                    try? await Task.sleep(for: .seconds(3))
                    return nil
                }
                defer { group.cancelAll() }
                return await group.next() ?? nil
            }
            return found ?? [EventChannels.allChanges]
        }
    }

    private var accounts: [String] {
        get async {
            let own = try? await Accounts.open().manager.accounts.map(\.id)
            let others = Settings.value("HOME").map { SalesforceCLI(home: $0).logins } ?? []
            return ((own ?? []) + others.map { $0.aliases.first ?? $0.username }).map(\.singleLine)
        }
    }
}

/// The shells with a completion script.
enum Shell: String, CaseIterable {
    case bash, zsh, fish

    /// The script, which calls `soql` for completions.
    var script: String {
        switch self {
        case .bash:
            #"""
            # bash completion for soql; made by 'soql completion bash'
            _soql() {
                local word cur=${COMP_WORDS[COMP_CWORD]}
                [ "$cur" = "=" ] && cur=
                COMPREPLY=()
                while IFS=$'\t' read -r word _; do
                    case $word in
                        :files) COMPREPLY=($(compgen -f -- "$cur")); compopt -o filenames 2>/dev/null ;;
                        :folders) COMPREPLY=($(compgen -d -- "$cur")); compopt -o filenames 2>/dev/null ;;
                        *) COMPREPLY+=("${word%=}") ;;
                    esac
                done < <(soql completion words -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
            }
            complete -o bashdefault -F _soql soql

            """#
        case .zsh:
            #"""
            #compdef soql
            # zsh completion for soql; made by 'soql completion zsh'
            _soql() {
                local line word
                local -a offers assigned answer
                answer=("${(@f)$(soql completion words -- "${(@Q)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null)}")
                [[ $PREFIX == --*=* ]] && compset -P '*='
                for line in $answer; do
                    word=${line%%$'\t'*}
                    line="${word%=}:${${line#"$word"}#$'\t'}"
                    case $word in
                        :files) _files ;;
                        :folders) _files -/ ;;
                        *=) assigned+=("$line") ;;
                        *) offers+=("${line%:}") ;;
                    esac
                done
                (($#offers)) && _describe word offers
                (($#assigned)) && _describe option assigned -qS=
            }
            if [ "$funcstack[1]" = _soql ]; then _soql "$@"; else compdef _soql soql; fi

            """#
        case .fish:
            #"""
            # fish completion for soql; made by 'soql completion fish'
            function __soql_offers
                set -l words (commandline -opc)[2..-1]
                set -l typed (commandline -ct)
                set -l name (string match -r -- '^--[^=]*=' "$typed")
                for line in (soql completion words -- $words "$typed" 2>/dev/null)
                    switch $line
                        case :files
                            for file in (__fish_complete_path (string replace -r '^--[^=]*=' '' -- "$typed"))
                                echo "$name$file"
                            end
                        case :folders
                            for folder in (__fish_complete_directories (string replace -r '^--[^=]*=' '' -- "$typed"))
                                echo "$name$folder"
                            end
                        case '*'
                            echo "$name"(string replace -r '=(\t|$)' '$1' -- $line)
                    end
                end
            end
            complete -c soql -f -a '(__soql_offers)'

            """#
        }
    }
}
