// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A program at a terminal of its own, which a test looks at and types into.
public final class TerminalSession {
    /// What the test waits for was not shown.
    public struct NotShown: Error {
        /// What was to be shown.
        public let words: String
        /// What the terminal has shown.
        public let text: String
    }

    /// No terminal could be opened.
    public struct NoTerminal: Error {}

    /// Nothing that a test waits for takes longer, in milliseconds.
    private static let patience: Int32 = 20_000

    /// The program.
    public let process: TerminalProcess
    private let terminal: PseudoTerminal
    /// What the terminal has shown so far; a character may arrive in two pieces.
    private var shown: [UInt8] = []

    /// What the terminal has shown so far.
    public var text: String { String(decoding: shown, as: UTF8.self) }

    /// How many bytes the terminal has shown so far.
    public var count: Int { shown.count }

    /// Starts a program with its standard streams at the terminal.
    ///
    /// - Parameters:
    ///   - program: the path of the program.
    ///   - arguments: its arguments.
    ///   - environment: all variables that it gets.
    ///   - columns: the terminal's width; 0 for a terminal that does not know its size.
    ///   - rows: the terminal's height.
    ///   - leads: whether the program leads a session that the terminal controls, as a shell does: it is told of
    ///     another size then.
    /// - Throws: ``NoTerminal``, ``TerminalProcess/NotStarted``.
    public init(
        program: String, _ arguments: [String], environment: [String: String], columns: Int = 0, rows: Int = 0,
        leads: Bool = false
    ) throws {
        guard let terminal = PseudoTerminal() else { throw NoTerminal() }
        terminal.resize(columns: columns, rows: rows)
        self.terminal = terminal
        process = try TerminalProcess(program, arguments, environment: environment, at: terminal.path, leads: leads)
    }

    /// Whether this machine has pseudo-terminals.
    public static var isAvailable: Bool { PseudoTerminal() != nil }

    /// Whether the terminal shows what is typed, and takes Control-C for an interrupt.
    public var isAsUsual: Bool { terminal.isAsUsual }

    /// Gives the terminal another size.
    public func resize(columns: Int, rows: Int) { terminal.resize(columns: columns, rows: rows) }

    /// Types.
    public func type(_ text: String) { terminal.type(Array(text.utf8)) }

    /// Types bytes, be they text or not.
    public func type(bytes: [UInt8]) { terminal.type(bytes) }

    /// Takes what the terminal has shown by now.
    public func takeWhatIsThere() {
        while takeOutput(within: 0) {}
    }

    /// Takes what the terminal shows next.
    ///
    /// - Returns: whether it has shown something within the time.
    @discardableResult
    public func takeOutput(within milliseconds: Int32) -> Bool {
        let piece = terminal.output(within: milliseconds)
        shown += piece
        return !piece.isEmpty
    }

    /// Waits for the end of the program, and takes what it showed up to then.
    public func finish() {
        let limit = ContinuousClock.now + .milliseconds(Int64(Self.patience))
        while process.isRunning, .now < limit { takeOutput(within: 10) }
        // One that does not end by itself ends in another way than the test expects.
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
        takeWhatIsThere()
    }
}

// MARK: - Waiting

extension TerminalSession {
    /// Waits until the terminal has shown the words.
    public func wait(for words: String) throws {
        while !text.contains(words) {
            guard takeOutput(within: Self.patience) else { throw NotShown(words: words, text: text) }
        }
    }

    /// Waits until what the terminal has shown is as it should be.
    public func wait(until isShown: (String) -> Bool) throws {
        while !isShown(text) {
            guard takeOutput(within: Self.patience) else { throw NotShown(words: "what the test expects", text: text) }
        }
    }

    /// Whether the terminal shows the words within so many milliseconds.
    private func shows(_ words: String, within milliseconds: Int64) -> Bool {
        let limit = ContinuousClock.now + .milliseconds(milliseconds)
        while !text.contains(words), .now < limit { takeOutput(within: 20) }
        return text.contains(words)
    }

    /// Sends the interrupt, as the terminal's driver does for Control-C.
    public func interrupt() {
        kill(process.processIdentifier, SIGINT)
    }

    /// Interrupts again and again until the words are shown.
    public func interrupt(until words: String) throws {
        let limit = ContinuousClock.now + .seconds(20)
        repeat {
            interrupt()
            if shows(words, within: 200) { return }
        } while .now < limit
        throw NotShown(words: words, text: text)
    }

    /// Presses keys again and again until the words are shown; a key clears the line in between.
    public func press(_ keys: String, until words: String, clearingWith clear: String) throws {
        let limit = ContinuousClock.now + .seconds(20)
        while true {
            type(keys)
            if shows(words, within: 200) { return }
            guard .now < limit else { throw NotShown(words: words, text: text) }
            type(clear)
        }
    }
}
