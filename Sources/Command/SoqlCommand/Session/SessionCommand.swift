// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import RestSDK
import SOQLCheck
import SOQLSyntax

/// A command of the session, as used by `\?`, completion and the session.
struct SessionCommand: Sendable {
    /// The type of a command's argument, which determines completion.
    enum Argument: Equatable, Sendable {
        case nothing
        case object
        /// An object, or an object and one of its fields after a dot.
        case objectOrField
        case file
        case account
        case variable
        case choice([String])
        case query
        case channel
    }

    /// A call of a command.
    struct Call: Sendable {
        let line: TypedCommand
        /// The statement begun before the command, which the command consumes.
        let statement: Statement?
        let words: [String]

        /// The only word, or `nil` without words.
        var word: String? {
            get throws(UsageError) {
                guard words.count <= 1 else { throw UsageError("\\\(line.name) takes one word, not '\(line.rest)'") }
                return words.first
            }
        }
    }

    /// The name after the backslash.
    let name: String
    let operands: String
    let summary: String
    let argument: Argument
    let run: @MainActor @Sendable (Session, Call) async throws -> Void

    /// Whether the command consumes the statement begun before it.
    var usesStatement: Bool { ["g", "gx", "chart", "watch", "explain", "e"].contains(name) }

    init(
        _ name: String, _ operands: String = "", _ summary: String, _ argument: Argument = .nothing,
        run: @escaping @MainActor @Sendable (Session, Call) async throws -> Void
    ) {
        (self.name, self.operands, self.summary) = (name, operands, summary)
        (self.argument, self.run) = (argument, run)
    }

    /// All commands, in the order of help.
    static let all: [SessionCommand] =
        [go, goExpanded, chart, watch, explain, edit, include, listen] + schema + output + variables + general

    /// The command with a name, or an error that suggests the nearest name.
    static func find(_ name: String) throws(UsageError) -> SessionCommand {
        if let command = all.first(where: { $0.name == name }) { return command }
        throw UsageError("unknown command \\\(name); use \\? to list the commands", near: name, all.map(\.name))
    }

    static var help: String {
        """
        End a statement with ';'. Use :NAME for the value of a variable.

        \(Help.columns(all.map { ("\\\($0.name) \($0.operands)", $0.summary) }, indent: "  "))
        Tab completes, Control-R searches the history, Control-C clears the line or cancels the query,
        and Control-D exits.

        """
    }
}

extension SessionCommand {
    static let variables = [set, unset]

    private static let set = SessionCommand(
        "set", "[NAME[:KIND] VALUE]", "bind a value to :NAME, as a string or another kind, or list the variables"
    ) { session, call in
        guard let target = call.words.first else {
            let lines = session.parameters.values.sorted { $0.key < $1.key }.map { "\($0.key) = \($0.value.text)\n" }
            return try await session.show(lines.joined())
        }
        try session.parameters.set(target, to: call.words.dropFirst().joined(separator: " "))
    }

    private static let unset = SessionCommand("unset", "NAME", "remove the value of :NAME", .variable) {
        session, call in
        guard let name = try call.word else { throw UsageError("\\unset needs a name") }
        guard session.parameters.remove(name) else {
            throw UsageError("unknown variable '\(name)'", near: name, session.parameters.names)
        }
    }

    static let general = [history, list, quit]

    private static let history = SessionCommand("history", "[N]", "show the history, or its last N entries") {
        session, call in
        let word = try call.word
        let entries = session.history.entries
        // bounded: here
        guard let count = word.map({ Int($0) }) ?? entries.count, count >= 0 else {
            throw UsageError("\\history takes a number, not '\(word ?? "")'")
        }
        try await session.show(entries.suffix(count).map { $0 + "\n" }.joined())
    }

    private static let list = SessionCommand("?", "", "list the commands") { session, _ in
        try await session.show(SessionCommand.help)
    }

    private static let quit = SessionCommand("q", "", "exit (same as Control-D)") { session, _ in session.isOver = true
    }
}

extension ParameterValue {
    /// The value in the syntax of a query.
    fileprivate var text: String {
        switch self {
        case .one(let literal): literal.text
        case .list(let literals): "(" + literals.map(\.text).joined(separator: ", ") + ")"
        }
    }
}

extension SessionCommand {
    static let output = [expanded, format, destination, timing]

    private static let expanded = SessionCommand(
        "x", "[on|off|auto]", "print one field per line: always, never, or if rows do not fit", .choice(expansions)
    ) { session, call in
        let word = try call.word ?? (session.arguments.expansion == .on ? "off" : "on")
        guard let expanded = Expansion(rawValue: word) else {
            throw UsageError("\\x takes \(expansions.joined(separator: ", ")), not '\(word)'", near: word, expansions)
        }
        session.arguments[.expanded] = word
        StandardOutput.note("expanded display is \(expanded.rawValue)")
    }

    private static let timing = SessionCommand(
        "timing", "[on|off]", "print the time of each query", .choice(["on", "off"])
    ) { session, call in
        session.isTiming = try call.isOn(else: !session.isTiming)
        StandardOutput.note("timing is \(session.isTiming ? "on" : "off")")
    }

    private static let expansions = Expansion.allCases.map(\.rawValue)
    private static let formats = OutputFormat.allCases.map(\.rawValue)

    private static let format = SessionCommand(
        "format", "[FORMAT]", "set the format of results: \(formats.joined(separator: ", "))", .choice(formats)
    ) { session, call in
        if let word = try call.word {
            guard let format = OutputFormat(rawValue: word) else {
                throw UsageError(
                    "unknown format '\(word)'; use \(formats.joined(separator: ", "))", near: word, formats)
            }
            session.arguments[.format] = format.rawValue
        }
        StandardOutput.note("the format is \(session.arguments[.format] ?? "table")")
    }

    private static let destination = SessionCommand(
        "o", "[FILE]", "write results to a file, which is complete at the next \\o or at exit", .file
    ) { session, call in
        try await session.send(to: try call.word.map(SessionFiles.expanded))
    }
}

extension SessionCommand.Call {
    fileprivate func isOn(else other: Bool) throws(UsageError) -> Bool {
        switch try word {
        case "on": true
        case "off": false
        case nil: other
        case let word?: throw UsageError("\\\(line.name) takes on or off, not '\(word)'")
        }
    }
}

extension SessionCommand {
    static let go = SessionCommand("g", "", "run the statement, or the last one again") { session, call in
        try await session.run(try session.statement(for: call))
    }

    static let goExpanded = SessionCommand("gx", "", "like \\g, with one field per line") { session, call in
        try await session.run(try session.statement(for: call), with: (.expanded, Expansion.on.rawValue))
    }

    static let chart = SessionCommand("chart", "", "like \\g, with the numbers drawn as bars, or as a line over dates")
    {
        session, call in
        try await session.run(try session.statement(for: call), with: (.format, OutputFormat.chart.rawValue))
    }

    static let watch = SessionCommand(
        "watch", "[SECONDS]", "repeat the statement at this interval until Control-C (default: 2)"
    ) { session, call in
        let word = try call.word
        // bounded: here
        guard let seconds = word.map({ Double($0) }) ?? 2, (0.1...86_400).contains(seconds) else {
            throw UsageError("\\watch takes seconds from 0.1 to 86400, not '\(word ?? "")'")
        }
        let statement = try session.statement(for: call)
        while true {
            StandardOutput.note("\(SessionClock.now) (every \(word ?? "2") s)")
            try await session.run(statement)
            try await Task.sleep(for: .seconds(seconds))
        }
    }

    static let explain = SessionCommand(
        "explain", "[QUERY]", Operation.explain.summary + " (default: the last query)", .query
    ) { session, call in
        let statement = try session.statement(for: call, in: call.line.rest)
        let query = try QueryScript.Query(statement, session.parameters)
        try await session.show(try await session.ask(.explain, query: query).listing)
    }

    static let edit = SessionCommand(
        "e", "", "edit the statement, or the last one, in $VISUAL or $EDITOR, and run it if it is complete"
    ) { session, call in
        let text = try await EditorProgram.edit(call.statement?.written ?? session.lastStatement?.written ?? "")
        try await session.take(edited: text)
    }

    static let include = SessionCommand("i", "FILE", "run the statements and commands of a file", .file) {
        session, call in
        guard let path = try call.word else { throw UsageError("\\i needs a file") }
        try await session.include(SessionFiles.expanded(path))
    }
}

extension SessionCommand {
    static let schema = [describe, objects, logins, connect, limits]

    private static let describe = SessionCommand(
        "d", "[OBJECT[.FIELD]]", Operation.describe.summary, .objectOrField
    ) { session, call in
        guard let word = try call.word else { return try await listObjects("*", session) }
        let (name, field) = word.cut(byte: ".").map { (String($0.before), String($0.after) as String?) } ?? (word, nil)
        var arguments = Arguments()
        arguments[.object] = name
        guard case .object(let object) = try await session.ask(.describe, arguments) else { return }
        guard let field else {
            let columns = ["name", "type", "is", "relationship", "references"]
            try await session.show(Listing(object.fields, showing: columns))
            return try await session.show(Listing(object.childRelationships))
        }
        guard let found = object[field] ?? object.parentField(named: field) else {
            throw UsageError("\(object.name) has no field '\(field)'", near: field, object.fields.map(\.name))
        }
        let columns = [
            "name", "label", "type", "is", "relationship", "references", "controller", "clauses", "values",
        ]
        try await session.show(Listing([found], showing: columns), with: (.expanded, Expansion.on.rawValue))
    }

    private static let objects = SessionCommand(
        "dt", "[PATTERN]", "list the objects whose names match, such as *Contact*", .object
    ) { session, call in try await listObjects(try call.word ?? "*", session) }

    @MainActor
    private static func listObjects(_ pattern: String, _ session: Session) async throws {
        var listing = try await session.ask(.describe).listing.fitting(pattern, "object")
        listing.rows.sort { $0["name"]?.string ?? "" < $1["name"]?.string ?? "" }
        // Names of objects are long, and screens are narrow.
        listing.columns = ["name", "label", "custom"]
        try await session.show(listing)
    }

    private static let limits = SessionCommand("limits", "[PATTERN]", Operation.limits.summary) { session, call in
        let pattern = try call.word ?? "*"
        try await session.show(try await session.ask(.limits).listing.fitting(pattern, "limit"))
    }

    private static let logins = SessionCommand("l", "", "list the logins") { session, _ in
        let accounts = try await Accounts.open().manager
        guard !accounts.accounts.isEmpty else { return StandardOutput.note("no logins; run 'soql login'") }
        try await session.show(Listing(accounts.accounts, current: accounts.current?.id))
    }

    private static let connect = SessionCommand("c", "ACCOUNT", "switch to the org of another login", .account) {
        session, call in
        guard let account = try call.word else {
            throw UsageError("\\c needs the name of a login; use \\l to list the logins")
        }
        try await session.connect(to: account)
    }
}

extension Listing {
    /// Returns a copy with the rows whose name matches a pattern.
    fileprivate func fitting(_ pattern: String, _ noun: String) throws(UsageError) -> Listing {
        var fitting = self
        fitting.rows.removeAll { $0["name"]?.string?.fits(pattern) != true }
        guard !fitting.rows.isEmpty else { throw UsageError("no \(noun) matches '\(pattern)'") }
        return fitting
    }
}

extension String {
    /// Whether the string matches a pattern, in any case: `*` matches any characters and `?` matches one.
    func fits(_ pattern: String) -> Bool { unsafe fnmatch(pattern.lowercased(), lowercased(), 0) == 0 }
}

/// The user's local time of day.
enum SessionClock {
    /// The current time, such as `14:05:09`.
    static var now: String {
        var seconds = time(nil)
        var parts = unsafe tm()
        unsafe localtime_r(&seconds, &parts)
        let numbers = unsafe [parts.tm_hour, parts.tm_min, parts.tm_sec]
        return numbers.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }
}
