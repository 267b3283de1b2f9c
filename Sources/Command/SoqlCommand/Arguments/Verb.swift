// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestSDK
import SOQLCheck

/// A verb of `soql`, as used by the command line, help, shell completion and the manual.
struct Verb: Sendable {
    /// The words of the verb, such as `["org", "start"]`, or an empty list for a query.
    let words: [String]
    /// The forms of the operands, one line of help each, such as `OBJECT ID`.
    let operands: [String]
    /// The summary, in the imperative, in lower case and without a full stop.
    let summary: String
    /// Additional paragraphs of help.
    let notes: [String]
    /// The operation that the verb calls, if any.
    let operation: Operation?
    /// Creates the options, lazily because one command line needs only the options of one verb.
    private let makeOptions: @Sendable () -> [Option]
    /// Creates the command, after reading user input while an interrupt still terminates the process.
    let make: @Sendable (Arguments) throws -> Command

    init(
        _ words: String, operands: [String] = [""], _ summary: String, notes: [String] = [],
        _ options: @autoclosure @escaping @Sendable () -> [Option], of operation: Operation? = nil,
        make: @escaping @Sendable (Arguments) throws -> Command
    ) {
        self.words = words.split(byte: " ").map(String.init)
        (self.operands, self.summary, self.notes, self.operation) = (operands, summary, notes, operation)
        (makeOptions, self.make) = (options, make)
    }

    var name: String { words.joined(separator: " ") }
    var options: [Option] { makeOptions() }
    var allOptions: [Option] { options + [Option("--help", short: "-h", "print this text")] }

    func option(_ name: String) -> Option? { options.first { $0.name == name || $0.short == name } }

    /// The verb of a command line and the other words, which include options before the verb.
    ///
    /// A line without a verb is a query, unless it begins with the name of a family of verbs (`soql org`), which is an
    /// error.
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
                throw UsageError("'soql \(first)' needs a command; use \(names)")
            }
        }
        return (.query, options + line)
    }

    /// The number of leading words that are options and their values.
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
    /// Whether the command handles interrupts itself, as a session does, instead of being cancelled by the first.
    let takesInterrupts: Bool
    /// Runs the command, whose error ``Diagnostics`` reports with the exit status.
    let run: @Sendable () async throws -> Void

    init(takesInterrupts: Bool = false, _ run: @escaping @Sendable () async throws -> Void) {
        (self.takesInterrupts, self.run) = (takesInterrupts, run)
    }

    /// Prints text that needs no org and no cleanup, so an interrupt may terminate the process.
    static func printing(_ text: String) -> Command {
        Command(takesInterrupts: true) { try StandardOutput.write(text) }
    }
}

extension Verb {
    /// All verbs, in the order of help.
    static let all: [Verb] = [
        query, search, get, create, update, upsert, delete, describe, limits, explain, export, load, listen, publish,
        sync, syncStatus, syncConflicts, syncResolve, api, check, schemaPull, schemaGraph, models, new, mcp, login,
        logout, accounts, accountsUse, orgStart, orgEnv, orgConsole, orgList, orgStop, completion, man,
        help,
    ]

    static let help = Verb("help", operands: ["[COMMAND]"], "describe a command", []) { arguments in
        guard !arguments.words.isEmpty else { return Command.printing(Help.overview) }
        let words = arguments.words == ["query"] ? query.words : arguments.words
        guard let verb = all.first(where: { $0.words == words }) else {
            let word = arguments.words.joined(separator: " ")
            throw UsageError("unknown command '\(word)'", near: word, all.map(\.name))
        }
        return .printing(Help.text(of: verb))
    }
}

/// The interpretation of a command line.
enum Invocation {
    /// The command of a line without the program's name.
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

/// An invalid command line.
struct UsageError: Error {
    let message: String

    /// Creates the error, with a suggestion of the name in `known` that is nearest to `word`.
    init(_ message: String, near word: String = "", _ known: [String] = []) {
        self.message = message + (word.nearest(in: known).map { "; did you mean '\($0)'?" } ?? "")
    }
}
