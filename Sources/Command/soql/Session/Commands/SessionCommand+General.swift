// SPDX-License-Identifier: Apache-2.0

import SOQLSyntax

extension SessionCommand {
    /// Values of `:name`.
    static let variables = [set, unset]

    private static let set = SessionCommand(
        "set", "[NAME[:KIND] VALUE]", "gives :NAME a value, which is bound: a text, or of another kind; lists all"
    ) { session, call in
        guard let target = call.words.first else {
            let lines = session.parameters.values.sorted { $0.key < $1.key }.map { "\($0.key) = \($0.value.text)\n" }
            return try await session.show(lines.joined())
        }
        try session.parameters.set(target, to: call.words.dropFirst().joined(separator: " "))
    }

    private static let unset = SessionCommand("unset", "NAME", "takes the value of :NAME away", .variable) {
        session, call in
        guard let name = try call.word(of: "unset") else { throw UsageError("\\unset needs a name") }
        guard session.parameters.remove(name) else {
            throw UsageError("there is no variable '\(name)'", near: name, session.parameters.names)
        }
    }

    /// The session itself.
    static let general = [history, list, quit]

    private static let history = SessionCommand("history", "[N]", "shows what was typed, or the last N of it") {
        session, call in
        let word = try call.word(of: "history")
        let entries = session.history.entries
        // bounded: here
        guard let count = word.map({ Int($0) }) ?? entries.count, count >= 0 else {
            throw UsageError("\\history takes a number, not '\(word ?? "")'")
        }
        try await session.show(entries.suffix(count).map { $0 + "\n" }.joined())
    }

    private static let list = SessionCommand("?", "", "lists the commands") { session, _ in
        try await session.show(SessionCommand.help)
    }

    private static let quit = SessionCommand("q", "", "leaves, as Control-D does") { session, _ in session.isOver = true
    }
}

extension ParameterValue {
    /// The value as it would stand in a query.
    fileprivate var text: String {
        switch self {
        case .one(let literal): literal.text
        case .list(let literals): "(" + literals.map(\.text).joined(separator: ", ") + ")"
        }
    }
}
