// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestSDK
import SOQLCheck

/// Something that `soql` does, as the command line, the help, the completion scripts and the manual know it.
struct Verb: Sendable {
    /// Its words: `["org", "start"]`; none for a query, which needs no verb.
    let words: [String]
    /// The forms of what follows the words, each a line of help: `OBJECT ID`.
    let operands: [String]
    /// What it does, in lower case and without a full stop.
    let summary: String
    /// More to know, as paragraphs of help.
    let notes: [String]
    /// Made when they are asked for, as one command line needs those of one verb.
    private let makeOptions: @Sendable () -> [Option]
    /// Makes the command; it reads here what it needs from the user while an interrupt still ends the process.
    let make: @Sendable (Arguments) throws -> any Command

    init(
        _ words: String, operands: [String] = [""], _ summary: String, notes: [String] = [],
        _ options: @autoclosure @escaping @Sendable () -> [Option],
        make: @escaping @Sendable (Arguments) throws -> any Command
    ) {
        self.words = words.split(byte: " ").map(String.init)
        (self.operands, self.summary, self.notes) = (operands, summary, notes)
        (makeOptions, self.make) = (options, make)
    }

    var name: String { words.joined(separator: " ") }
    var options: [Option] { makeOptions() }
    /// The options, and the one for help that every verb has.
    var allOptions: [Option] { options + [Option("--help", short: "-h", "print this text")] }

    /// The option with a name, or its short form.
    func option(_ name: String) -> Option? {
        options.first { $0.name == name || $0.short == name }
    }

    /// The verb of a command line, and the words around it; a line without a verb is a query.
    ///
    /// Options may stand in front of the verb.
    ///
    /// - Throws: ``UsageError`` for a family's name without a verb of the family (`soql org`).
    static func find(in line: [String]) throws(UsageError) -> (verb: Verb, rest: [String]) {
        let options = Array(line.prefix(leadingOptions(of: line)))
        let line = Array(line.dropFirst(options.count))
        let found = all.filter { !$0.words.isEmpty && line.starts(with: $0.words) }.max {
            $0.words.count < $1.words.count
        }
        if let found { return (found, options + Array(line.dropFirst(found.words.count))) }
        if let first = line.first {
            let family = all.filter { $0.words.count > 1 && $0.words.first == first }
            guard family.isEmpty else {
                let names = family.map { "'soql \($0.name)'" }.joined(separator: ", ")
                throw UsageError("'soql \(first)' needs a verb: use \(names)")
            }
        }
        return (.query, options + line)
    }

    /// How many words of a line are options in front of everything else, with their values.
    private static func leadingOptions(of line: [String]) -> Int {
        var count = 0
        while count < line.count, line[count].hasBytes(prefix: "-"), line[count] != "--" {
            let name = line[count]
            let option = all.lazy.compactMap { $0.option(name) }.first
            // With "=" the value is in the same word.
            count += option?.value == nil ? 1 : 2
        }
        return min(count, line.count)
    }
}

/// A verb with its arguments, ready to run.
protocol Command: Sendable {
    /// Does the work; what it throws is reported by ``Diagnostics``, which chooses the exit status.
    func run() async throws
    /// Whether the command takes interrupts itself, as a session does; else the first one cancels it.
    var takesInterrupts: Bool { get }
}

extension Command {
    var takesInterrupts: Bool { false }
}

extension Verb {
    /// The one table of everything that `soql` does, in the order of help.
    static let all: [Verb] = [
        query, search, get, create, update, upsert, delete, describe, limits, explain, export, load, api, check,
        schemaPull, models, new, mcp, login, logout, accounts, accountsUse, orgStart, orgEnv, orgList, orgStop,
        completion, man, help,
    ]

    static let help = Verb("help", operands: ["[VERB]"], "tells what a verb does", []) { arguments in
        guard !arguments.words.isEmpty else { return PrintCommand(text: Help.overview) }
        guard
            let verb = all.first(where: {
                $0.words == arguments.words || ($0.words.isEmpty && arguments.words == ["query"])
            })
        else {
            let word = arguments.words.joined(separator: " ")
            throw UsageError("there is no verb '\(word)'", near: word, all.map(\.name))
        }
        return PrintCommand(text: Help.text(of: verb))
    }
}

extension PrintCommand {
    static var version: PrintCommand { PrintCommand(text: "soql \(RestClient.version)\n") }
}

/// What the command line asks for.
enum Invocation {
    /// The command of a line, without the program's name.
    ///
    /// - Throws: ``UsageError``, and what a command cannot read.
    static func command(for line: [String]) throws -> any Command {
        let options = line.prefix { $0 != "--" }
        if line.first == "--version" { return PrintCommand.version }
        let (verb, rest) = try Verb.find(in: line)
        if options.contains("--help") || options.contains("-h") {
            return PrintCommand(text: verb.words.isEmpty ? Help.overview : Help.text(of: verb))
        }
        return try verb.make(try Arguments(rest, for: verb))
    }
}

/// Prints a text that needs no org, such as help.
struct PrintCommand: Command {
    let text: String

    /// There is nothing to clean up: an interrupt ends the process, and no thread waits for one.
    var takesInterrupts: Bool { true }

    func run() async throws { try StandardOutput.write(text) }
}

/// A command line that cannot be understood.
struct UsageError: Error {
    let message: String

    /// A message; the name among the known ones that is nearest to what was written is offered.
    init(_ message: String, near word: String = "", _ known: [String] = []) {
        self.message = message + (word.nearest(in: known).map { "; did you mean '\($0)'?" } ?? "")
    }
}

/// An option as the command line, the help, the completion scripts and the manual know it.
struct Option: Sendable {
    /// What the value of an option is; completion offers what fits.
    enum Value: Sendable {
        case text(String)
        /// A text, in which `@FILE`, at its start or after its first `=`, names a file to read.
        case textOrFile(String)
        case number(ClosedRange<Int>)
        case choice(String, [String])
        /// A file to read.
        case input
        /// A file to write.
        case output
        /// A directory to write.
        case folder
        /// The name of a login.
        case account

        /// The word that stands for the value in help.
        var placeholder: String {
            switch self {
            case .text(let word), .textOrFile(let word), .choice(let word, _): word
            case .number: "N"
            case .input, .output: "FILE"
            case .folder: "DIR"
            case .account: "NAME"
            }
        }
    }

    /// With its dashes: `--limit`.
    let name: String
    /// The short form with its dash: `-f`.
    let short: String?
    /// `nil` for a switch.
    let value: Value?
    /// What it does, in lower case and without a full stop.
    let help: String

    init(_ name: String, short: String? = nil, _ value: Value, _ help: String) {
        (self.name, self.short, self.value, self.help) = (name, short, value, help)
    }

    /// A switch.
    init(_ name: String, short: String? = nil, _ help: String) {
        (self.name, self.short, self.value, self.help) = (name, short, nil, help)
    }

    /// How help shows it: `-f, --file FILE`.
    var form: String {
        let names = [short, name].compactMap(\.self).joined(separator: ", ")
        return value.map { "\(names) \($0.placeholder)" } ?? names
    }

    /// Refuses what cannot be the option's value.
    func check(_ text: String) throws(UsageError) {
        switch value {
        case .number(let range):
            // bounded: by the range
            guard let number = Int(text), range.contains(number) else {
                let end = range.upperBound == .max ? "on" : "to \(range.upperBound)"
                throw UsageError("\(name) takes a number from \(range.lowerBound) \(end), not '\(text)'")
            }
        case .choice(_, let choices):
            guard choices.contains(text) else {
                throw UsageError("\(name) takes \(choices.joined(separator: ", ")), not '\(text)'", near: text, choices)
            }
        default: break
        }
    }
}
