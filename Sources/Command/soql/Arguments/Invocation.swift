// SPDX-License-Identifier: Apache-2.0

import RestBase
import SOQLCheck

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
