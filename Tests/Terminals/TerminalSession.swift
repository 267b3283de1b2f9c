// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestBase
import RestTransport

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
    ///   - folder: where it is started; `nil` for the present folder.
    ///   - columns: the terminal's width; 0 for a terminal that does not know its size.
    ///   - rows: the terminal's height.
    ///   - leads: whether the program leads a session that the terminal controls, as a shell does: it is told of
    ///     another size then.
    /// - Throws: ``NoTerminal``, ``TerminalProcess/NotStarted``.
    public init(
        program: String, _ arguments: [String], environment: [String: String], in folder: String? = nil,
        columns: Int = 0, rows: Int = 0, leads: Bool = false
    ) throws {
        guard let terminal = PseudoTerminal() else { throw NoTerminal() }
        terminal.resize(columns: columns, rows: rows)
        self.terminal = terminal
        // The shell becomes the program, in the other folder.
        let changing = folder.map { ["-c", #"cd "$0" && exec "$@""#, $0, program] }
        process = try TerminalProcess(
            changing == nil ? program : "/bin/sh", (changing ?? []) + arguments, environment: environment,
            at: terminal.path, leads: leads)
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

/// A terminal made of software: what a program writes at its one end is read at the other.
@safe
final class PseudoTerminal: Sendable {
    /// The end of whoever looks at it and types.
    let screen: Int32
    /// The file that a program opens as its terminal.
    let path: String
    /// The other end, kept open, so that the settings stay when the last program has left.
    private let terminal: Int32

    /// Opens one; `nil` when the machine has none left.
    init?() {
        let screen = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard screen >= 0 else { return nil }
        guard let path = Self.path(of: screen), case let terminal = unsafe open(path, O_RDWR | O_NOCTTY | O_CLOEXEC),
            terminal >= 0
        else {
            close(screen)
            return nil
        }
        (self.screen, self.path, self.terminal) = (screen, path, terminal)
    }

    deinit {
        close(screen)
        close(terminal)
    }

    /// Where the terminal behind the screen is, ready to be opened.
    private static func path(of screen: Int32) -> String? {
        #if canImport(Darwin)
        // The name is valid until the next call, and copied at once.
        guard grantpt(screen) == 0, unlockpt(screen) == 0 else { return nil }
        return unsafe ptsname(screen).map { unsafe String(cString: $0) }
        #else
        // TIOCSPTLCK and TIOCGPTN of <asm-generic/ioctls.h>: Glibc's own functions for it are hidden from Swift.
        var (lock, number): (Int32, UInt32) = (0, 0)
        guard unsafe ioctl(screen, 0x4004_5431, &lock) == 0, unsafe ioctl(screen, 0x8004_5430, &number) == 0 else {
            return nil
        }
        return "/dev/pts/\(number)"
        #endif
    }

    /// Gives the terminal another size; the programs at it are told.
    func resize(columns: Int, rows: Int) {
        var window = winsize()
        (window.ws_col, window.ws_row) = (UInt16(columns), UInt16(rows))
        _ = unsafe ioctl(screen, UInt(TIOCSWINSZ), &window)
    }

    /// Whether the terminal shows what is typed, and takes Control-C for an interrupt.
    var isAsUsual: Bool {
        var settings = termios()
        guard unsafe tcgetattr(terminal, &settings) == 0 else { return false }
        return settings.c_lflag & tcflag_t(ECHO) != 0 && settings.c_lflag & tcflag_t(ISIG) != 0
    }

    /// Types bytes, be they text or not.
    func type(_ bytes: [UInt8]) {
        _ = unsafe write(screen, bytes, bytes.count)
    }

    /// What has been shown since the last look; it waits so long for the first byte.
    ///
    /// - Returns: nothing when nothing was shown, or when the leader of the terminal's session has ended.
    func output(within milliseconds: Int32) -> [UInt8] {
        var entry = pollfd(fd: screen, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&entry, 1, milliseconds) > 0 else { return [] }
        var piece = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe read(screen, &piece, piece.count)
        return Array(piece.prefix(max(0, count)))
    }
}

/// A program whose standard streams are a terminal.
public final class TerminalProcess {
    /// A program that could not be started.
    public struct NotStarted: Error {
        /// The number of the error.
        public let number: Int32
    }

    /// How a program ended.
    public enum Reason {
        case exit, uncaughtSignal
    }

    private let process: ChildProcess
    private var ending: ChildProcess.Ending?

    /// Starts it, by choice as the leader of a session that the terminal controls.
    ///
    /// The end of a leader resets its terminal, which hides what a program has left of its settings.
    init(
        _ program: String, _ arguments: [String], environment: [String: String], at terminal: String, leads: Bool
    ) throws {
        // The first terminal that the leader of a new session opens becomes the session's own.
        let input = ChildProcess.Stream.file(terminal, flags: leads ? O_RDWR : O_RDWR | O_NOCTTY)
        let same = ChildProcess.Stream.descriptor(STDIN_FILENO)
        do throws(ChildProcess.NotStarted) {
            process = try ChildProcess(
                program, arguments, environment: environment, streams: (input, same, same),
                group: leads ? .session : .own)
        } catch {
            throw NotStarted(number: error.code)
        }
    }

    deinit {
        guard ending == nil else { return }
        process.kill()
        waitUntilExit()
    }

    /// The id of the process.
    public var processIdentifier: Int32 { process.id }

    /// Whether it has not ended.
    public var isRunning: Bool {
        ending = ending ?? process.endingIfOver()
        return ending == nil
    }

    /// Waits for the end.
    public func waitUntilExit() { ending = ending ?? process.wait() }

    /// How it ended.
    public var terminationReason: Reason { ending?.signal == nil ? .exit : .uncaughtSignal }

    /// The exit status, or the signal that ended it.
    public var terminationStatus: Int32 { ending?.status ?? ending?.signal ?? 0 }
}

/// What a cat on the keyboard would type: half of it keys that do something, the rest any bytes.
public struct RandomKeys {
    private static let keys = [
        "\u{1B}[A", "\u{1B}[B", "\u{1B}[C", "\u{1B}[D", "\t", "\r", "\u{7F}", "\u{3}", "\u{12}", "\u{17}", "\u{B}",
        "\u{19}", "\u{1B}[200~a\rb\u{1B}[201~", "\u{1B}[200~", "\u{1B}[3~", "SELECT ", " FROM Account", "'", ";",
        "\\d ", "\\?\r", "é", "日本", "👩‍👩‍👧", "\u{1B}", "\u{1B}x", "\u{1B}b", "\u{1}", "\u{5}", "\u{14}", "\u{1F}", "\u{16}",
    ]

    private var generator: SplitMix64

    /// Makes the keys of a seed.
    public init(seed: UInt64) {
        generator = SplitMix64(seed: seed)
    }

    /// The bytes of the next key; none that leaves a session, stops it or holds its output.
    public mutating func next() -> [UInt8] {
        if Bool.random(using: &generator) {
            return Array(Self.keys[Int.random(in: Self.keys.indices, using: &generator)].utf8)
        }
        let byte = UInt8.random(in: 0...255, using: &generator)
        return [0, 4, 0x13, 0x1A, 0x1C].contains(byte) ? [0x20] : [byte]
    }
}
