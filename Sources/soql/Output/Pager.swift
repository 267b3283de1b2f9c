// SPDX-License-Identifier: Apache-2.0

import Dispatch

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A running pager, such as `less`, which has the terminal until its user leaves it.
///
/// While it runs, Control-C is the pager's: leaving the pager ends the query.
struct Pager: Sendable {
    /// The pager could not be started, so that nothing was shown.
    struct NotStarted: Error, CustomStringConvertible {
        let command: String
        var description: String { "the pager '\(command)' cannot be started; PAGER= does without one" }
    }

    /// Happens when the pager has ended, with the status that `waitpid` tells.
    let ended: Event
    private let command: String
    private let input: Int32

    /// The command that the environment names; `nil` for none (`PAGER=`).
    static var command: String? {
        if Settings.isSet("PAGER") { return Settings.value("PAGER") }
        let folders = (Settings.value("PATH") ?? "").split(separator: ":")
        return ["less", "more"].first { name in folders.contains { unsafe access("\($0)/\(name)", X_OK) == 0 } }
    }

    /// Starts a pager.
    ///
    /// - Parameters:
    ///   - command: a line for the shell.
    ///   - ended: happens when it has ended.
    /// - Throws: ``NotStarted``.
    init(_ command: String, telling ended: Event) throws(NotStarted) {
        (self.command, self.ended) = (command, ended)
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { throw NotStarted(command: command) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        input = ends[1]
        StatusLine.leave(true)
        signal(SIGINT, SIG_IGN)
        let child = Self.start(command, reading: ends[0])
        close(ends[0])
        guard let child else {
            close(input)
            Self.takeBackTerminal()
            throw NotStarted(command: command)
        }
        DispatchQueue(label: "pager").async {
            var status: Int32 = 0
            while unsafe waitpid(child, &status, 0) < 0 && errno == EINTR {}
            Self.takeBackTerminal()
            ended.happen(status)
        }
    }

    /// Gives it more to show.
    ///
    /// - Throws: `StandardOutput.ReaderGone` when its user has left it.
    func write(_ bytes: [UInt8]) throws {
        try StandardOutput.write(bytes, to: input)
    }

    /// Tells it that this was all, and waits until its user leaves it.
    ///
    /// - Throws: ``NotStarted`` when the shell did not find it.
    func finish() async throws {
        close(input)
        var status: Int32?
        // The terminal is the pager's until it ends, also when the work was cancelled.
        while status == nil { status = await Task { await ended.wait() }.value }
        // 126 and 127 are the shell's: it cannot run the command, or there is none.
        if let status, [126, 127].contains(status >> 8 & 0xFF) { throw NotStarted(command: command) }
    }

    private static func takeBackTerminal() {
        SignalPipe.watch(SIGINT)
        StatusLine.leave(false)
    }

    /// Starts the shell with the pipe as its input and the signals as a shell has them.
    private static func start(_ command: String, reading descriptor: Int32) -> pid_t? {
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
        unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, STDIN_FILENO)
        // What this process ignores, and what the threads of a dispatch queue block, the pager must hear.
        var (none, ignored) = (sigset_t(), sigset_t())
        unsafe sigemptyset(&none)
        unsafe sigemptyset(&ignored)
        for number in [SIGINT, SIGPIPE] { unsafe sigaddset(&ignored, number) }
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setsigdefault(&attributes, &ignored)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        let variables = Settings.all.merging(Settings.isSet("LESS") ? [:] : ["LESS": "FRX"]) { $1 }
        // The strings are copied for the call and freed after it; the child has its own copy by then.
        let (line, texts) = (["sh", "-c", command], variables.map { "\($0)=\($1)" })
        let words = unsafe line.map { unsafe strdup($0) } + [nil]
        let settings = unsafe texts.map { unsafe strdup($0) } + [nil]
        defer { unsafe (words + settings).forEach { unsafe free($0) } }
        var child = pid_t()
        return unsafe posix_spawn(&child, "/bin/sh", &actions, &attributes, words, settings) == 0 ? child : nil
    }
}
