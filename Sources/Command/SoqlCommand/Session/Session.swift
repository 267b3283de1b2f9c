// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestSDK
import RestTransport
import SOQLCheck

/// A session in which the user types statements and commands, with one org at a time.
@MainActor
final class Session {
    /// The arguments of the command line, updated by the settings of the session.
    var arguments: Arguments
    /// The destination of results set by `\o`, or `nil` for the terminal.
    private var destination: OutputDestination?
    /// Whether the duration of each query is shown.
    var isTiming = false
    /// The values of `:name`.
    var parameters = QueryParameters()
    /// Whether the session should end.
    var isOver = false
    private(set) var history: SessionHistory
    private(set) var lastStatement: Statement?
    private var input = SessionInput()
    let org: SessionOrg
    let listeners = SessionListeners()
    private let editor: LineEditor
    /// The files that are being included, outermost first.
    private var included: [String] = []

    nonisolated static var isPossible: Bool { StandardInput.isTerminal && StandardOutput.isTerminal }

    /// Creates a session on the terminal, or returns `nil` if libedit cannot use it.
    init?(_ queries: Queries) {
        guard let editor = LineEditor() else { return nil }
        (arguments, self.editor, parameters) = (queries.arguments, editor, queries.parameters)
        org = SessionOrg(queries.arguments)
        history = SessionHistory(file: SessionFiles.history.map(HistoryFile.init))
        editor.setHistory(history.entries)
        editor.complete = { [unowned self] in completion($0, $1) }
        let choice = queries.arguments.choice(.color) ?? ColorChoice.auto
        let hasColors = choice.isOn(canMove: Screen.canMove(STDOUT_FILENO))
        editor.color = { [unowned self] in color($0, $1, hasColors) }
        editor.takeNotices = { [listeners] in listeners.notices.take() }
        editor.wordEnded = { [unowned self] in _ = completion($0, $1) }
    }

    /// Reads and executes lines until the user quits, or throws an error of the login that is detected immediately.
    func run() async throws {
        try await org.begin()
        StandardOutput.note("soql \(RestClient.version); use \\? to list the commands, Control-D to exit")
        await runRC()
        while !isOver {
            switch editor.readLine(prompt: prompt) {
            case .end: isOver = true
            case .interrupted: input.clear()
            case .text(let line): await take(line)
            }
        }
        _ = await Interrupt.cancelling { try await self.finishOutput() }
        listeners.close()
        await org.close()
    }

    private var prompt: String {
        let sign =
            switch input.open {
            case nil: "=>"
            case .statement: "->"
            case .comment: "*>"
            case .quote: "'>"
            case .braces: "{>"
            }
        return "\(org.name)\(sign) "
    }

    private func take(_ line: String) async {
        let (actions, entry) = input.feed(line)
        if let entry, let hasMoved = history.add(entry) {
            if hasMoved { editor.setHistory(history.entries) } else { editor.remember(entry) }
        }
        for action in actions where !isOver {
            guard await Interrupt.cancelling({ try await self.perform(action) }) else { break }
        }
    }

    /// Executes a line or a part of it.
    private func perform(_ action: SessionInput.Action) async throws {
        switch action {
        case .statement(let statement): try await run(statement)
        case .command(let line, let pending):
            let command = try SessionCommand.find(line.name)
            let call = SessionCommand.Call(line: line, statement: pending, words: line.words)
            try await command.run(self, call)
        }
    }
}

// MARK: - Statements

extension Session {
    /// Runs a statement and shows its records, with an option that replaces the session's.
    func run(_ statement: Statement, with option: (Option, String)? = nil) async throws {
        lastStatement = statement
        if let fault = statement.fault { throw UsageError("\(fault.message); it begins on line \(fault.line)") }
        let begin = ContinuousClock.now
        let client = try await org.client()
        let query = try QueryScript.Query(statement, parameters)
        let arguments = shown(option)
        do {
            try await OutputDestination.open(arguments, unless: destination) { destination in
                var output = RecordOutput(query: query.bound.soql.text, arguments, to: destination)
                try await output.printRows(of: query.bound.soql, from: client)
            }
        } catch let error as RestError {
            throw await QueryFailure(error: error, query: query, isPartial: false)
                .report(asking: client.addressed(by: arguments))
        }
        if isTiming { StandardOutput.note("time: \((ContinuousClock.now - begin).milliseconds) ms") }
    }

    /// The statement for a command: the text after the command, the statement begun before it, or the last statement.
    func statement(for call: SessionCommand.Call, in rest: String = "") throws(UsageError) -> Statement {
        let statement = StatementReader.statements(of: rest).first ?? call.statement ?? lastStatement
        guard let statement else { throw UsageError("no statement; enter one first") }
        lastStatement = statement
        return statement
    }

    /// Runs edited text, where an incomplete statement at the end remains open.
    func take(edited text: String) async throws {
        input.clear()
        for line in text.trimmingBlanks.lines {
            let (actions, entry) = input.feed(String(line))
            if let entry, history.add(entry) != nil { editor.setHistory(history.entries) }
            for action in actions { try await perform(action) }
        }
        if input.isOpen { try await show(input.entry + "\n") }
    }
}

// MARK: - Files

extension Session {
    /// The maximum nesting of included files, which stops recursive includes.
    private static let mostFiles = 16

    /// Runs the statements and commands of a file, up to the first error.
    func include(_ path: String) async throws {
        guard included.count < Self.mostFiles else { throw UsageError("too many nested files at \(path)") }
        try Self.check(output: destination?.path, inputs: [path])
        included.append(path)
        let before = input
        input = SessionInput()
        defer {
            included.removeLast()
            input = before
        }
        let text = try StandardInput.read(file: path)
        for (number, line) in text.lines.enumerated() where !isOver {
            for action in input.feed(String(line)).actions { try await perform(action, at: number + 1, of: path) }
        }
        if let last = input.finish() { try await perform(.statement(last), at: nil, of: path) }
    }

    private func perform(_ action: SessionInput.Action, at line: Int?, of path: String) async throws {
        do { try await perform(action) } catch {
            StandardOutput.note("soql: \(path)\(line.map { ":\($0)" } ?? ""):".singleLine)
            throw error
        }
    }

    /// Runs the user's startup file.
    private func runRC() async {
        guard let path = SessionFiles.rc, FileFacts.exists(path) else { return }
        guard !SessionFiles.isOthers(path) else {
            return StandardOutput.note("soql: ignoring \(path), which other users can write; use chmod go-w".singleLine)
        }
        _ = await Interrupt.cancelling { try await self.include(path) }
    }
}

// MARK: - The org

extension Session {
    /// Switches to the org of another login.
    func connect(to account: String) async throws {
        try await org.connect(to: account)
        listeners.stop()
        StandardOutput.note("switched to the org of '\(org.name)'".singleLine)
    }

    /// Runs an operation on the org of the session, with cached descriptions.
    func ask(
        _ operation: Operation, _ arguments: Arguments = Arguments(), query: QueryScript.Query? = nil
    ) async throws -> Outcome {
        let access = OrgAccess(client: try await org.client(), catalog: try await org.catalog(), query: query)
        return try await operation.run(arguments, access)
    }

    /// Shows text that is not a query result.
    func show(_ text: String) async throws {
        let shown = text.replacingControls(keeping: "\n") ?? text
        try await OutputDestination.open(arguments, unless: destination) { try $0.write(Array(shown.utf8)) }
    }

    /// Shows information about the org in the style of results.
    func show(_ listing: Listing, with option: (Option, String)? = nil) async throws {
        try await listing.print(shown(option), to: destination)
    }

    /// The options for showing results.
    private func shown(_ option: (Option, String)?) -> Arguments {
        var arguments = arguments
        if let option { arguments[option.0] = option.1 }
        return arguments
    }

    /// Redirects further results to a file or to the terminal, and completes the previous file.
    func send(to path: String?) async throws {
        try Self.check(output: path, inputs: included)
        try await finishOutput()
        guard let path else { return }
        var arguments = arguments
        arguments[.outputFile] = path
        destination = try OutputDestination(arguments)
    }

    private static func check(output: String?, inputs: [String]) throws(UsageError) {
        guard let output, FilePlace.collision(of: [output], with: inputs) != nil else { return }
        throw UsageError("\(output) contains the commands that are running; choose another file for the output")
    }

    private func finishOutput() async throws {
        let last = destination
        destination = nil
        try await last?.finish()
    }

    /// The colors and the first error of the typed line, which continues an open statement.
    private func color(_ before: String, _ after: String, _ hasColors: Bool) -> ColoredLine? {
        guard before.commandLine == nil, let schema = org.schema?.schema else { return nil }
        let earlier = input.isOpen ? input.entry + "\n" : ""
        // The whole statement is read after each key.
        guard earlier.utf8.count + before.utf8.count + after.utf8.count <= 10_000 else { return nil }
        let colored = ColoredLine(
            before + after, after: earlier, cursor: before.utf8.count, schema: schema, hasColors: hasColors)
        org.schema?.want(colored.missing)
        return colored
    }

    /// The completions at the cursor, while missing descriptions are requested in the background.
    private func completion(_ before: String, _ after: String) -> Completion {
        var engine = CompletionEngine()
        engine.schema = org.schema?.schema ?? CompletionSchema()
        engine.variables = parameters.names
        engine.accounts = org.accounts
        engine.files = SessionFiles.paths
        let isWithin = input.isOpen && before.commandLine == nil
        let found = engine.completion(before: isWithin ? input.entry + "\n" + before : before, after: after)
        org.schema?.want(found.wanted)
        if found.wantsChannels { org.schema?.wantChannels() }
        return found
    }
}

extension Duration {
    /// The duration in milliseconds with one decimal.
    var milliseconds: String {
        let tenths = components.seconds * 10_000 + components.attoseconds / 100_000_000_000_000
        return "\(tenths / 10).\(tenths % 10)"
    }
}
