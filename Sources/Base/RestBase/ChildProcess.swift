// SPDX-License-Identifier: Apache-2.0

#if os(macOS) || canImport(Glibc) || canImport(Musl)

/// Another program, started without a shell.
///
/// The program gets the default action for every signal, even for signals that this process ignores or blocks.
package struct ChildProcess: Sendable {
    /// A standard stream of the program.
    package enum Stream: Sendable {
        /// The stream of this process.
        case inherited
        /// A descriptor of this process.
        ///
        /// A descriptor below 3 refers to the program's descriptors, after the streams before this one were set.
        case descriptor(Int32)
        /// A file, opened with flags of `open` and created with mode 600.
        case file(String, flags: Int32)

        /// Reads no bytes and discards what is written.
        package static let null = Stream.file("/dev/null", flags: O_RDWR)
    }

    package enum Group: Sendable {
        /// The group of this process, which receives the terminal's signals together.
        case inherited
        /// A new group in the same session.
        case own
        /// A new session, which takes the first terminal that it opens.
        case session
    }

    package struct NotStarted: Error {
        /// The system's error number.
        package let code: Int32
    }

    package struct Ending: Sendable, Hashable {
        /// The exit status, or `nil` if a signal ended the program or this process ignores the end of its children.
        package let status: Int32?
        /// The signal that ended the program.
        package let signal: Int32?
    }

    /// The id of the process.
    ///
    /// The system can reuse it as soon as the end was collected.
    package let id: Int32

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - program: its path, or its name in a directory of `PATH`.
    ///   - arguments: the arguments, without the program's name.
    ///   - environment: the complete environment of the program.
    ///   - streams: its input, output and errors.
    ///   - group: its process group, to which a terminal sends its signals.
    /// - Throws: `NotStarted` if the system does not start it.
    package init(
        _ program: String, _ arguments: [String], environment: [String: String],
        streams: (input: Stream, output: Stream, errors: Stream) = (.inherited, .inherited, .inherited),
        group: Group = .inherited
    ) throws(NotStarted) {
        #if canImport(Darwin)
        var (actions, attributes) = unsafe (posix_spawn_file_actions_t?.none, posix_spawnattr_t?.none)
        let newSession: Int32 = 0x0400  // POSIX_SPAWN_SETSID of <spawn.h>, which Swift does not show
        #else
        var (actions, attributes) = unsafe (posix_spawn_file_actions_t(), posix_spawnattr_t())
        let newSession: Int32 = 0x80  // POSIX_SPAWN_SETSID of <spawn.h>, which Glibc shows to GNU sources alone
        #endif
        unsafe posix_spawn_file_actions_init(&actions)
        unsafe posix_spawnattr_init(&attributes)
        defer {
            unsafe posix_spawn_file_actions_destroy(&actions)
            unsafe posix_spawnattr_destroy(&attributes)
        }
        for (number, stream) in zip(STDIN_FILENO..., [streams.input, streams.output, streams.errors]) {
            switch stream {
            case .inherited: break
            case .descriptor(let other): unsafe posix_spawn_file_actions_adddup2(&actions, other, number)
            case .file(let path, let flags):
                unsafe posix_spawn_file_actions_addopen(&actions, number, path, flags, 0o600)
            }
        }
        var (none, all) = (sigset_t(), sigset_t())
        unsafe sigemptyset(&none)
        unsafe sigfillset(&all)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setsigdefault(&attributes, &all)
        let flags =
            switch group {
            case .inherited: Int32(0)
            case .own: Int32(POSIX_SPAWN_SETPGROUP)
            case .session: newSession
            }
        unsafe posix_spawnattr_setflags(
            &attributes, Int16(flags | Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF)))
        // The strings are copied for the call and freed after it. The program has its own copy by then.
        let words = unsafe ([program] + arguments).map { unsafe strdup($0) } + [nil]
        let variables = unsafe environment.map { unsafe strdup("\($0)=\($1)") } + [nil]
        defer { unsafe (words + variables).forEach { unsafe free($0) } }
        var child = pid_t()
        let code = unsafe posix_spawnp(&child, program, &actions, &attributes, words, variables)
        guard code == 0 else { throw NotStarted(code: code) }
        id = child
    }

    /// Blocks the thread until the program ends; call it only once.
    @discardableResult
    package func wait() -> Ending {
        while true {
            if let ending = collect(0) { return ending }
        }
    }

    /// The end of the program, or `nil` while it runs.
    ///
    /// After the end, its id may belong to another process.
    package func endingIfOver() -> Ending? { collect(WNOHANG) }

    /// Sends a signal to the program, before its end is collected.
    package func kill(_ signal: Int32 = SIGKILL) {
        #if canImport(Glibc)
        _ = Glibc.kill(id, signal)
        #elseif canImport(Musl)
        _ = Musl.kill(id, signal)
        #else
        _ = Darwin.kill(id, signal)
        #endif
    }

    private func collect(_ options: Int32) -> Ending? {
        var status: Int32 = 0
        let response = unsafe waitpid(id, &status, options)
        if response == 0 || (response < 0 && errno == EINTR) { return nil }
        guard response == id else { return Ending(status: nil, signal: nil) }
        let signal = status & 0x7F
        return Ending(status: signal == 0 ? status >> 8 & 0xFF : nil, signal: signal == 0 ? nil : signal)
    }
}
#endif
