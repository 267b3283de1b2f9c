// SPDX-License-Identifier: Apache-2.0

import RestBase
import SOQLCheck
import SOQLSyntax

/// Splits input lines into statements and commands.
struct SessionInput {
    enum Action: Equatable {
        case statement(Statement)
        /// A command, and the statement begun before it.
        case command(TypedCommand, Statement?)
    }

    private var reader = StatementReader()
    /// The text that was typed after the last complete statement or command.
    private(set) var entry = ""

    /// The kind of text that is open, or `nil` between statements.
    var open: StatementReader.Open? { reader.open }

    /// Whether a statement has begun and not ended.
    var isOpen: Bool { reader.open != nil }

    /// Processes a line, and returns the complete actions and the entry for the history.
    mutating func feed(_ line: String) -> (actions: [Action], entry: String?) {
        entry += entry.isEmpty ? line : "\n" + line
        var actions: [Action] = []
        if let command = command(in: line, &actions) {
            // A statement that was begun before a command continues after it, if the command does not consume it.
            guard isOpen else { return (actions, taken()) }
            let before = entry.removing(suffix: command) ?? entry[...]
            entry = String(before.removing(suffix: "\n") ?? before)
            return (actions, command)
        }
        actions += reader.feed(line + "\n").map(Action.statement)
        return (actions, isOpen ? nil : taken())
    }

    private mutating func taken() -> String {
        defer { entry = "" }
        return entry
    }

    /// Discards the open statement.
    mutating func clear() { self = SessionInput() }

    /// Finishes the open statement at the end of the text.
    mutating func finish() -> Statement? {
        defer { clear() }
        return reader.finish()
    }

    private mutating func finishStatement() -> Statement? {
        defer { reader = StatementReader() }
        return reader.finish()
    }

    /// Extracts the command at the end of the line, because SOQL does not allow backslashes outside of quotes.
    private mutating func command(in line: String, _ actions: inout [Action]) -> String? {
        // A line that begins inside a comment or a quote cannot contain a command.
        guard reader.open == nil || reader.open == .statement else { return nil }
        let bytes = Array(line.utf8)
        let slash = QueryWord.words(of: line).first { $0.kind == .sign(UInt8(ascii: "\\")) }
        guard let place = slash?.range.lowerBound else { return nil }
        let before = String(decoding: bytes[..<place], as: UTF8.self)
        var attempt = reader
        let statements = attempt.feed(before)
        // The braces of a search contain text.
        guard attempt.open == nil || attempt.open == .statement else { return nil }
        actions += statements.map(Action.statement)
        let command = TypedCommand(String(decoding: bytes[(place + 1)...], as: UTF8.self))
        reader = attempt
        let usesStatement = SessionCommand.all.contains { $0.name == command.name && $0.usesStatement }
        actions.append(.command(command, usesStatement ? finishStatement() : nil))
        return String(decoding: bytes[place...], as: UTF8.self)
    }
}

/// A command as typed after the backslash.
struct TypedCommand: Equatable {
    /// `d` of `\d Account`.
    let name: String
    /// The text after the name.
    let rest: String

    init(_ text: String) {
        let scalars = text.unicodeScalars
        let end = scalars.firstIndex(where: \.properties.isWhitespace) ?? text.endIndex
        name = String(text[..<end])
        let rest = text[end...].trimmingBlanks
        self.rest = rest.removing(suffix: ";")?.trimmingBlanks ?? rest
    }

    /// The words of `rest`, where a quoted word may contain spaces, and `\'` in it is a quote.
    var words: [String] {
        var (words, word) = ([String](), String?.none)
        var quote: Unicode.Scalar?
        var isEscaped = false
        for scalar in rest.unicodeScalars {
            if isEscaped {
                word = (word ?? "") + String(scalar)
                isEscaped = false
            } else if let open = quote {
                switch scalar {
                case "\\": isEscaped = true
                case open: quote = nil
                default: word?.unicodeScalars.append(scalar)
                }
            } else if scalar == "'" || scalar == "\"" {
                (quote, word) = (scalar, word ?? "")
            } else if scalar.properties.isWhitespace {
                if let whole = word { words.append(whole) }
                word = nil
            } else {
                word = (word ?? "") + String(scalar)
            }
        }
        return words + [word].compactMap(\.self)
    }
}

extension String {
    /// The text after the backslash, if the line is a command.
    var commandLine: Substring? {
        Substring(unicodeScalars.drop(while: \.properties.isWhitespace)).removing(prefix: "\\")
    }
}
