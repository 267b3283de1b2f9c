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
    /// What the verb is a front end of, if it is one.
    var operation: Operation?
    /// Made when they are asked for, as one command line needs those of one verb.
    private let makeOptions: @Sendable () -> [Option]
    /// Makes the command; it reads here what it needs from the user while an interrupt still ends the process.
    let make: @Sendable (Arguments) throws -> Command

    init(
        _ words: String, operands: [String] = [""], _ summary: String, notes: [String] = [],
        _ options: @autoclosure @escaping @Sendable () -> [Option],
        make: @escaping @Sendable (Arguments) throws -> Command
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
struct Command: Sendable {
    /// Whether the command takes interrupts itself, as a session does; else the first one cancels it.
    let takesInterrupts: Bool
    /// Does the work; what it throws is reported by ``Diagnostics``, which chooses the exit status.
    let run: @Sendable () async throws -> Void

    init(takesInterrupts: Bool = false, _ run: @escaping @Sendable () async throws -> Void) {
        (self.takesInterrupts, self.run) = (takesInterrupts, run)
    }

    /// Prints a text that needs no org, such as help.
    ///
    /// There is nothing to clean up: an interrupt ends the process, and no thread waits for one.
    static func printing(_ text: String) -> Command {
        Command(takesInterrupts: true) { try StandardOutput.write(text) }
    }
}

extension Verb {
    /// The one table of everything that `soql` does, in the order of help.
    static let all: [Verb] = [
        query, search, get, create, update, upsert, delete, describe, limits, explain, export, load, api, check,
        schemaPull, models, new, mcp, login, logout, accounts, accountsUse, orgStart, orgEnv, orgList, orgStop,
        completion, man, help,
    ]

    static let help = Verb("help", operands: ["[VERB]"], "tells what a verb does", []) { arguments in
        guard !arguments.words.isEmpty else { return Command.printing(Help.overview) }
        guard
            let verb = all.first(where: {
                $0.words == arguments.words || ($0.words.isEmpty && arguments.words == ["query"])
            })
        else {
            let word = arguments.words.joined(separator: " ")
            throw UsageError("there is no verb '\(word)'", near: word, all.map(\.name))
        }
        return .printing(Help.text(of: verb))
    }
}

/// What the command line asks for.
enum Invocation {
    /// The command of a line, without the program's name.
    ///
    /// - Throws: ``UsageError``, and what a command cannot read.
    static func command(for line: [String]) throws -> Command {
        let options = line.prefix { $0 != "--" }
        if line.first == "--version" { return .printing("soql \(RestClient.version)\n") }
        let (verb, rest) = try Verb.find(in: line)
        if options.contains("--help") || options.contains("-h") {
            return .printing(verb.words.isEmpty ? Help.overview : Help.text(of: verb))
        }
        return try verb.make(try Arguments(rest, for: verb))
    }
}

/// A command line that cannot be understood.
struct UsageError: Error {
    let message: String

    /// A message; the name among the known ones that is nearest to what was written is offered.
    init(_ message: String, near word: String = "", _ known: [String] = []) {
        self.message = message + (word.nearest(in: known).map { "; did you mean '\($0)'?" } ?? "")
    }
}
