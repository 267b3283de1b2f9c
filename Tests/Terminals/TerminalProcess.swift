// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A program whose standard streams are a terminal.
@safe
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

    /// The id of the process.
    public let processIdentifier: Int32
    private var status: Int32?

    /// Starts it, by choice as the leader of a session that the terminal controls.
    ///
    /// The end of a leader resets its terminal, which hides what a program has left of its settings.
    init(
        _ program: String, _ arguments: [String], environment: [String: String], at terminal: String, leads: Bool
    ) throws {
        #if canImport(Darwin)
        var (actions, attributes) = unsafe (posix_spawn_file_actions_t?.none, posix_spawnattr_t?.none)
        #else
        var (actions, attributes) = unsafe (posix_spawn_file_actions_t(), posix_spawnattr_t())
        #endif
        unsafe posix_spawn_file_actions_init(&actions)
        unsafe posix_spawnattr_init(&attributes)
        defer {
            unsafe posix_spawn_file_actions_destroy(&actions)
            unsafe posix_spawnattr_destroy(&attributes)
        }
        // The first terminal that the leader of a new session opens becomes the session's own.
        let mode = leads ? O_RDWR : O_RDWR | O_NOCTTY
        unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, terminal, mode, 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDOUT_FILENO)
        unsafe posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDERR_FILENO)
        // A child inherits the signals that are blocked in the thread that starts it; a shell blocks none.
        var none = sigset_t()
        unsafe sigemptyset(&none)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        // Nor does it ignore any, whatever `nohup` ignores of whoever runs the tests.
        var all = sigset_t()
        unsafe sigfillset(&all)
        unsafe posix_spawnattr_setsigdefault(&attributes, &all)
        let signals = Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF)
        let group = leads ? Self.newSession : Int32(POSIX_SPAWN_SETPGROUP)
        unsafe posix_spawnattr_setflags(&attributes, Int16(signals | group))

        let words = unsafe ([program] + arguments).map { unsafe strdup($0) } + [nil]
        let settings = unsafe environment.map { unsafe strdup("\($0)=\($1)") } + [nil]
        // The strings are copied for the call and freed after it; the child has its own copy by then.
        defer { unsafe (words + settings).forEach { unsafe free($0) } }
        var child = pid_t()
        let failure = unsafe posix_spawn(&child, program, &actions, &attributes, words, settings)
        guard failure == 0 else { throw NotStarted(number: failure) }
        processIdentifier = child
    }

    private static var newSession: Int32 {
        #if canImport(Darwin)
        0x0400  // POSIX_SPAWN_SETSID of <spawn.h>, which Swift does not show
        #else
        0x80  // POSIX_SPAWN_SETSID of <spawn.h>, which Glibc shows to GNU sources alone
        #endif
    }

    deinit {
        guard status == nil else { return }
        kill(processIdentifier, SIGKILL)
        waitUntilExit()
    }

    /// Whether it has not ended.
    public var isRunning: Bool {
        collect(WNOHANG)
        return status == nil
    }

    /// Waits for the end.
    public func waitUntilExit() {
        while status == nil { collect(0) }
    }

    private func collect(_ options: Int32) {
        guard status == nil else { return }
        var value: Int32 = 0
        if unsafe waitpid(processIdentifier, &value, options) == processIdentifier { status = value }
    }

    /// How it ended.
    public var terminationReason: Reason { (status ?? 0) & 0x7F == 0 ? .exit : .uncaughtSignal }

    /// The exit status, or the signal that ended it.
    public var terminationStatus: Int32 {
        let status = status ?? 0
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : status & 0x7F
    }
}
