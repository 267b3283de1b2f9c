// SPDX-License-Identifier: Apache-2.0

import RestBase

/// A program that gets the terminal for a while, such as a pager or an editor, started by a line for the shell.
struct ShellProgram {
    private let child: pid_t

    /// Starts it with the signals as a shell has them; `nil` when that does not work.
    ///
    /// - Parameters:
    ///   - line: for the shell; `$1` and so on are the arguments.
    ///   - arguments: are taken as they are.
    ///   - descriptor: its standard input; `nil` for the one of this process.
    ///   - variables: its environment.
    init?(
        _ line: String, _ arguments: [String] = [], reading descriptor: Int32? = nil,
        environment variables: [String: String] = Settings.all
    ) {
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
        if let descriptor { unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, STDIN_FILENO) }
        // What this process ignores, and what the threads of a dispatch queue block, the program must hear.
        var (none, ignored) = (sigset_t(), sigset_t())
        unsafe sigemptyset(&none)
        unsafe sigemptyset(&ignored)
        for number in [SIGINT, SIGPIPE] { unsafe sigaddset(&ignored, number) }
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setsigdefault(&attributes, &ignored)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        // The strings are copied for the call and freed after it; the child has its own copy by then.
        let (line, texts) = (["sh", "-c", line, "sh"] + arguments, variables.map { "\($0)=\($1)" })
        let words = unsafe line.map { unsafe strdup($0) } + [nil]
        let settings = unsafe texts.map { unsafe strdup($0) } + [nil]
        defer { unsafe (words + settings).forEach { unsafe free($0) } }
        var child = pid_t()
        guard unsafe posix_spawn(&child, "/bin/sh", &actions, &attributes, words, settings) == 0 else { return nil }
        self.child = child
    }

    /// Waits until it ends.
    ///
    /// - Returns: the status that `waitpid` tells.
    func wait() -> Int32 {
        var status: Int32 = 0
        while unsafe waitpid(child, &status, 0) < 0 && errno == EINTR {}
        return status
    }
}
