// SPDX-License-Identifier: Apache-2.0

import RestBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Starts this program a second time, in a session of its own that no terminal ends.
enum OrgProcess {
    /// Set for the second process, which leaves the session of the terminal then.
    private static let mark = "SOQL_ORG_DETACHED"

    /// Whether this is the second process.
    static var isDetached: Bool { Settings.value(mark) != nil }

    /// Leaves the session of the terminal.
    static func leaveTerminal() { _ = setsid() }

    /// Starts it.
    ///
    /// - Parameters:
    ///   - line: its command line, without the program's name.
    ///   - log: the file of its standard error.
    /// - Returns: the reading end of its standard output.
    /// - Throws: ``CommandFailure``.
    static func start(_ line: [String], log: String) throws(CommandFailure) -> Int32 {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { throw CommandFailure("no pipe can be made: \(systemMessage(errno))") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        keepDescriptors()
        let failure = spawn(line, output: ends[1], log: log)
        close(ends[1])
        guard failure == 0 else {
            close(ends[0])
            throw CommandFailure("the org cannot be started: \(systemMessage(failure))")
        }
        return ends[0]
    }

    /// Keeps what this process has open, or was given by whoever started it, from the other one: a program that waits
    /// for the end of a pipe of ours would wait for the end of the org.
    private static func keepDescriptors() {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: "/dev/fd")) ?? [] {
            guard let descriptor = Int32(name), descriptor > STDERR_FILENO else { continue }  // bounded: the system's
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        }
    }

    private static func spawn(_ line: [String], output: Int32, log: String) -> Int32 {
        #if canImport(Darwin)
        var (actions, attributes): (posix_spawn_file_actions_t?, posix_spawnattr_t?)
        #else
        var (actions, attributes) = unsafe (posix_spawn_file_actions_t(), posix_spawnattr_t())
        #endif
        unsafe posix_spawn_file_actions_init(&actions)
        unsafe posix_spawnattr_init(&attributes)
        defer {
            unsafe posix_spawn_file_actions_destroy(&actions)
            unsafe posix_spawnattr_destroy(&attributes)
        }
        unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDWR, 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        unsafe posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, log, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        // Signals that this process ignores or its threads block are to reach the other one.
        var (none, ignored) = (sigset_t(), sigset_t())
        unsafe sigemptyset(&none)
        unsafe sigemptyset(&ignored)
        for number in [SIGINT, SIGTERM, SIGPIPE, SIGHUP] { unsafe sigaddset(&ignored, number) }
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setsigdefault(&attributes, &ignored)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        let variables = ProcessInfo.processInfo.environment.merging([mark: "1"]) { $1 }.map { "\($0)=\($1)" }
        // The strings are copied for the call and freed after it; the child has its own copy by then.
        let words = unsafe (["soql"] + line).map { unsafe strdup($0) } + [nil]
        let settings = unsafe variables.map { unsafe strdup($0) } + [nil]
        defer { unsafe (words + settings).forEach { unsafe free($0) } }
        var child = pid_t()
        return unsafe posix_spawn(&child, ProgramFile.executable, &actions, &attributes, words, settings)
    }
}
