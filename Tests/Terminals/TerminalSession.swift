// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestBase
import RestTransport

/// A program in its own terminal, which a test reads and types into.
public final class TerminalSession {
    /// The expected output did not appear.
    public struct NotShown: Error {
        /// The expected output.
        public let words: String
        /// The terminal's output.
        public let text: String
    }

    /// No terminal could be opened.
    public struct NoTerminal: Error {}

    /// The maximum wait for output, in milliseconds.
    private static let patience: Int32 = 20_000

    /// The running program.
    public let process: TerminalProcess
    private let terminal: PseudoTerminal
    /// The terminal's output so far, as bytes because a character may arrive in two chunks.
    private var shown: [UInt8] = []

    /// The terminal's output so far.
    public var text: String { String(decoding: shown, as: UTF8.self) }

    /// The size of the output so far, in bytes.
    public var count: Int { shown.count }

    /// Starts a program with the terminal as its standard streams.
    ///
    /// - Parameters:
    ///   - program: the path of the program.
    ///   - arguments: the arguments.
    ///   - environment: the complete environment.
    ///   - folder: the working directory, or `nil` for the current one.
    ///   - columns: the terminal's width, or 0 if the terminal does not know its size.
    ///   - rows: the terminal's height.
    ///   - leads: whether the program leads a session with this controlling terminal, as a shell does, and is notified
    ///     of size changes.
    /// - Throws: ``NoTerminal``, ``TerminalProcess/NotStarted``.
    public init(
        program: String, _ arguments: [String], environment: [String: String], in folder: String? = nil,
        columns: Int = 0, rows: Int = 0, leads: Bool = false
    ) throws {
        guard let terminal = PseudoTerminal() else { throw NoTerminal() }
        terminal.resize(columns: columns, rows: rows)
        self.terminal = terminal
        let changing = folder.map { ["-c", #"cd "$0" && exec "$@""#, $0, program] }
        process = try TerminalProcess(
            changing == nil ? program : "/bin/sh", (changing ?? []) + arguments, environment: environment,
            at: terminal.path, leads: leads)
    }

    /// Whether this machine has pseudo-terminals.
    public static var isAvailable: Bool { PseudoTerminal() != nil }

    /// Whether the terminal echoes input and converts Control-C to an interrupt.
    public var isAsUsual: Bool { terminal.isAsUsual }

    /// Changes the terminal's size.
    public func resize(columns: Int, rows: Int) { terminal.resize(columns: columns, rows: rows) }

    /// Types a string.
    public func type(_ text: String) { terminal.type(Array(text.utf8)) }

    /// Types bytes, which can be invalid UTF-8.
    public func type(bytes: [UInt8]) { terminal.type(bytes) }

    /// Reads the output that is available now.
    public func takeWhatIsThere() {
        while takeOutput(within: 0) {}
    }

    /// Reads the next output.
    ///
    /// - Returns: whether there was output within the time.
    @discardableResult
    public func takeOutput(within milliseconds: Int32) -> Bool {
        let chunk = terminal.output(within: milliseconds)
        shown += chunk
        return !chunk.isEmpty
    }

    /// Waits until the program exits, and reads its remaining output.
    public func finish() {
        let limit = ContinuousClock.now + .milliseconds(Int64(Self.patience))
        while process.isRunning, .now < limit { takeOutput(within: 10) }
        // If the program must be killed, its status shows the error to the test.
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
        takeWhatIsThere()
    }
}

// MARK: - Waiting

extension TerminalSession {
    /// Waits until the output contains the words.
    public func wait(for words: String) throws {
        while !text.contains(words) {
            guard takeOutput(within: Self.patience) else { throw NotShown(words: words, text: text) }
        }
    }

    /// Waits until the output fulfils a condition.
    public func wait(until isShown: (String) -> Bool) throws {
        while !isShown(text) {
            guard takeOutput(within: Self.patience) else { throw NotShown(words: "what the test expects", text: text) }
        }
    }

    private func shows(_ words: String, within milliseconds: Int64) -> Bool {
        let limit = ContinuousClock.now + .milliseconds(milliseconds)
        while !text.contains(words), .now < limit { takeOutput(within: 20) }
        return text.contains(words)
    }

    /// Sends SIGINT, as the terminal's driver does for Control-C.
    public func interrupt() {
        kill(process.processIdentifier, SIGINT)
    }

    /// Sends SIGINT repeatedly until the output contains the words.
    public func interrupt(until words: String) throws {
        let limit = ContinuousClock.now + .seconds(20)
        repeat {
            interrupt()
            if shows(words, within: 200) { return }
        } while .now < limit
        throw NotShown(words: words, text: text)
    }

    /// Types keys repeatedly until the output contains the words, and clears the line in between.
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

@safe
final class PseudoTerminal: Sendable {
    /// The descriptor for reading the output and typing.
    let screen: Int32
    let path: String
    /// The other end, which stays open so that the settings remain when the last program exits.
    private let terminal: Int32

    /// Opens a pseudo-terminal, or returns `nil` if none is available.
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

    /// Unlocks the terminal of a descriptor, and returns its path.
    private static func path(of screen: Int32) -> String? {
        #if canImport(Darwin)
        // The name is valid only until the next call.
        guard grantpt(screen) == 0, unlockpt(screen) == 0 else { return nil }
        return unsafe ptsname(screen).map { unsafe String(cString: $0) }
        #else
        // TIOCSPTLCK and TIOCGPTN of <asm-generic/ioctls.h>, because Swift cannot see the functions of Glibc.
        var (lock, number): (Int32, UInt32) = (0, 0)
        guard unsafe ioctl(screen, 0x4004_5431, &lock) == 0, unsafe ioctl(screen, 0x8004_5430, &number) == 0 else {
            return nil
        }
        return "/dev/pts/\(number)"
        #endif
    }

    /// Changes the size, and notifies the programs.
    func resize(columns: Int, rows: Int) {
        var window = winsize()
        (window.ws_col, window.ws_row) = (UInt16(columns), UInt16(rows))
        _ = unsafe ioctl(screen, UInt(TIOCSWINSZ), &window)
    }

    var isAsUsual: Bool {
        var settings = termios()
        guard unsafe tcgetattr(terminal, &settings) == 0 else { return false }
        return settings.c_lflag & tcflag_t(ECHO) != 0 && settings.c_lflag & tcflag_t(ISIG) != 0
    }

    func type(_ bytes: [UInt8]) {
        _ = unsafe write(screen, bytes, bytes.count)
    }

    /// Reads the output, and waits for the first byte if necessary.
    ///
    /// - Returns: nothing if there was no output, or if the leader of the terminal's session has exited.
    func output(within milliseconds: Int32) -> [UInt8] {
        var entry = pollfd(fd: screen, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&entry, 1, milliseconds) > 0 else { return [] }
        var chunk = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe read(screen, &chunk, chunk.count)
        return Array(chunk.prefix(max(0, count)))
    }
}

/// A process whose standard streams are a terminal.
public final class TerminalProcess {
    /// The program could not be started.
    public struct NotStarted: Error {
        /// The `errno` value.
        public let number: Int32
    }

    /// The way in which a program ended.
    public enum Reason {
        case exit, uncaughtSignal
    }

    private let process: ChildProcess
    private var ending: ChildProcess.Ending?

    /// Starts the program, optionally as the leader of a session with this controlling terminal.
    ///
    /// The exit of a leader resets the terminal, which hides changed settings.
    init(
        _ program: String, _ arguments: [String], environment: [String: String], at terminal: String, leads: Bool
    ) throws {
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

    /// Whether the program has not exited.
    public var isRunning: Bool {
        ending = ending ?? process.endingIfOver()
        return ending == nil
    }

    /// Waits until the program exits.
    public func waitUntilExit() { ending = ending ?? process.wait() }

    /// The way in which the program ended.
    public var terminationReason: Reason { ending?.signal == nil ? .exit : .uncaughtSignal }

    /// The exit status or signal.
    public var terminationStatus: Int32 { ending?.status ?? ending?.signal ?? 0 }
}

/// Random keys, half of which are special keys, the others random bytes.
public struct RandomKeys {
    private static let keys = [
        "\u{1B}[A", "\u{1B}[B", "\u{1B}[C", "\u{1B}[D", "\t", "\r", "\u{7F}", "\u{3}", "\u{12}", "\u{17}", "\u{B}",
        "\u{19}", "\u{1B}[200~a\rb\u{1B}[201~", "\u{1B}[200~", "\u{1B}[3~", "SELECT ", " FROM Account", "'", ";",
        "\\d ", "\\?\r", "é", "日本", "👩‍👩‍👧", "\u{1B}", "\u{1B}x", "\u{1B}b", "\u{1}", "\u{5}", "\u{14}", "\u{1F}", "\u{16}",
    ]

    private var generator: SplitMix64

    /// Creates the keys for a seed.
    public init(seed: UInt64) {
        generator = SplitMix64(seed: seed)
    }

    /// Returns the bytes of the next key, except keys that leave or stop a session or hold its output.
    public mutating func next() -> [UInt8] {
        if Bool.random(using: &generator) {
            return Array(Self.keys[Int.random(in: Self.keys.indices, using: &generator)].utf8)
        }
        let byte = UInt8.random(in: 0...255, using: &generator)
        return [0, 4, 0x13, 0x1A, 0x1C].contains(byte) ? [0x20] : [byte]
    }
}
