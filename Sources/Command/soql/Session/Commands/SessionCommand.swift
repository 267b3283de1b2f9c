// SPDX-License-Identifier: Apache-2.0

import SOQLCheck

/// A command of the session, as `\?`, completion and the session know it.
struct SessionCommand: Sendable {
    /// What a command takes, so that completion offers what fits.
    enum Argument: Equatable, Sendable {
        case nothing
        case object
        /// An object, or one of its fields behind a dot.
        case objectOrField
        case file
        case account
        case variable
        case choice([String])
        case query
    }

    /// What a command is given.
    struct Call: Sendable {
        let line: TypedCommand
        /// The statement that was begun before the command, which it uses up.
        let statement: Statement?
        let words: [String]

        /// The only word; `nil` without one.
        ///
        /// - Throws: ``UsageError`` for more words.
        func word(of command: String) throws(UsageError) -> String? {
            guard words.count <= 1 else { throw UsageError("\\\(command) takes one word, not '\(line.rest)'") }
            return words.first
        }
    }

    /// What stands behind the backslash.
    let name: String
    /// How help shows what follows it.
    let operands: String
    /// What it does.
    let summary: String
    let argument: Argument
    let run: @MainActor @Sendable (Session, Call) async throws -> Void

    /// Whether the command uses up the statement that was begun before it.
    var usesStatement: Bool { ["g", "gx", "watch", "explain", "e"].contains(name) }

    init(
        _ name: String, _ operands: String = "", _ summary: String, _ argument: Argument = .nothing,
        run: @escaping @MainActor @Sendable (Session, Call) async throws -> Void
    ) {
        (self.name, self.operands, self.summary) = (name, operands, summary)
        (self.argument, self.run) = (argument, run)
    }

    /// The one table of commands, in the order of help.
    static let all: [SessionCommand] =
        [go, goExpanded, watch, explain, edit, include] + schema + output + variables + general

    /// The command of a name.
    ///
    /// - Throws: ``UsageError`` with the nearest name.
    static func find(_ name: String) throws(UsageError) -> SessionCommand {
        if let command = all.first(where: { $0.name == name }) { return command }
        throw UsageError("there is no command \\\(name); \\? lists them", near: name, all.map(\.name))
    }

    /// The text of `\?`.
    static var help: String {
        let lines = all.map { ("\\\($0.name) \($0.operands)", $0.summary) }
        let width = lines.map(\.0.count).max() ?? 0
        let commands = lines.map { form, summary in
            "  " + form + String(repeating: " ", count: width - form.count + 2) + summary + "\n"
        }
        return """
            A statement ends with ';'. :NAME in it is the value of a variable.

            \(commands.joined())
            Tab completes, Control-R searches the history, Control-C clears the line or cancels the query,
            and Control-D leaves.

            """
    }
}
