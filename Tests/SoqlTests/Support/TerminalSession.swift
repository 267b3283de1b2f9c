// SPDX-License-Identifier: Apache-2.0

import Foundation

@testable import soql

/// The built `soql` at a terminal of its own, which the test looks at and types into.
final class TerminalSession {
    /// What the test waits for was not shown.
    struct NotShown: Error {
        let words: String
        let text: String
    }

    /// Nothing that a test waits for takes longer, in milliseconds.
    private static let patience: Int32 = 20_000

    let process = Process()
    fileprivate let screen: Int32
    private let terminal: FileHandle
    /// What the terminal has shown so far; a character may arrive in two pieces.
    private var shown: [UInt8] = []

    /// What the terminal has shown so far.
    var text: String { String(decoding: shown, as: UTF8.self) }

    /// Whether this machine has pseudo-terminals.
    static var isAvailable: Bool {
        guard let (screen, terminal) = opened() else { return false }
        close(screen)
        try? terminal.close()
        return true
    }

    /// Starts the command with its standard streams at the terminal, if need be from where interrupts are ignored.
    init(
        _ arguments: [String], environment: [String: String], ignoresInterrupts: Bool = false,
        size: Screen = Screen(columns: 0, rows: 0)
    ) throws {
        guard let (screen, terminal) = Self.opened() else { throw CocoaError(.fileReadUnknown) }
        (self.screen, self.terminal) = (screen, terminal)
        resize(to: size)
        process.executableURL = ignoresInterrupts ? URL(fileURLWithPath: "/bin/sh") : Command.executable
        let ignoring = ["-c", #"trap "" INT; exec "$0" "$@""#, Command.executable.path]
        process.arguments = (ignoresInterrupts ? ignoring : []) + arguments
        process.environment = Command.environment(adding: environment)
        process.standardInput = terminal
        process.standardOutput = terminal
        process.standardError = terminal
        // A child inherits the signals that are blocked in the thread that starts it; a shell blocks none.
        var (none, blocked) = (sigset_t(), sigset_t())
        unsafe sigemptyset(&none)
        unsafe pthread_sigmask(SIG_SETMASK, &none, &blocked)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &blocked, nil) }
        try process.run()
    }

    deinit {
        close(screen)
        try? terminal.close()
    }

    private static func opened() -> (screen: Int32, terminal: FileHandle)? {
        let screen = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard screen >= 0 else { return nil }
        guard let path = path(of: screen), case let terminal = unsafe open(path, O_RDWR | O_NOCTTY), terminal >= 0
        else {
            close(screen)
            return nil
        }
        return (screen, FileHandle(fileDescriptor: terminal, closeOnDealloc: false))
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

    /// Whether the terminal shows what is typed, and takes Control-C for an interrupt.
    var isAsUsual: Bool {
        var settings = termios()
        guard unsafe tcgetattr(terminal.fileDescriptor, &settings) == 0 else { return false }
        return settings.c_lflag & tcflag_t(ECHO) != 0 && settings.c_lflag & tcflag_t(ISIG) != 0
    }

    /// Waits until the terminal has shown the words.
    func wait(for words: String) throws {
        while !text.contains(words) {
            guard takeOutput(within: Self.patience) else { throw NotShown(words: words, text: text) }
        }
    }

    /// Gives the terminal another size.
    func resize(to size: Screen) {
        var window = winsize()
        (window.ws_col, window.ws_row) = (UInt16(size.columns), UInt16(size.rows))
        _ = unsafe ioctl(screen, UInt(TIOCSWINSZ), &window)
    }

    /// Waits until what the terminal has shown is as it should be.
    func wait(until isShown: (String) -> Bool) throws {
        while !isShown(text) {
            guard takeOutput(within: Self.patience) else { throw NotShown(words: "what the test expects", text: text) }
        }
    }

    /// Whether the terminal shows the words within so many milliseconds.
    fileprivate func shows(_ words: String, within milliseconds: Int64) -> Bool {
        let limit = ContinuousClock.now + .milliseconds(milliseconds)
        while !text.contains(words), .now < limit { _ = takeOutput(within: 20) }
        return text.contains(words)
    }

    /// Types.
    func type(_ text: String) {
        let bytes = Array(text.utf8)
        _ = unsafe write(screen, bytes, bytes.count)
    }

    /// Waits for the end of the command, and takes what it showed up to then.
    func finish() {
        let limit = ContinuousClock.now + .milliseconds(Int64(Self.patience))
        while process.isRunning, .now < limit { _ = takeOutput(within: 10) }
        // One that does not end by itself ends in another way than the test expects.
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
        while takeOutput(within: 0) {}
    }

    /// Takes what the terminal has shown by now.
    func takeWhatIsThere() {
        while takeOutput(within: 0) {}
    }

    fileprivate func takeOutput(within milliseconds: Int32) -> Bool {
        var entry = pollfd(fd: screen, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&entry, 1, milliseconds) > 0 else { return false }
        var piece = [UInt8](repeating: 0, count: 4_096)
        let count = unsafe read(screen, &piece, piece.count)
        shown += piece.prefix(max(0, count))
        return count > 0
    }
}

extension TerminalSession {
    /// Types bytes, be they text or not.
    func type(bytes: [UInt8]) {
        _ = unsafe write(screen, bytes, bytes.count)
    }

    /// Sends the interrupt, as the terminal's driver does for Control-C.
    func interrupt() {
        kill(process.processIdentifier, SIGINT)
    }

    /// Interrupts again and again until the words are shown.
    func interrupt(until words: String) throws {
        let limit = ContinuousClock.now + .seconds(20)
        repeat {
            interrupt()
            if shows(words, within: 200) { return }
        } while .now < limit
        throw NotShown(words: words, text: text)
    }

    /// Presses keys again and again until the words are shown; a key clears the line in between.
    func press(_ keys: String, until words: String, clearingWith clear: String) throws {
        let limit = ContinuousClock.now + .seconds(20)
        while true {
            type(keys)
            if shows(words, within: 200) { return }
            guard .now < limit else { throw NotShown(words: words, text: text) }
            type(clear)
        }
    }
}
