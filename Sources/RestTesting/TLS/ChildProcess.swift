// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc) || canImport(Musl)
#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// A child process whose output is read; every method but `kill` blocks and belongs on a thread of its own.
final class ChildProcess: Sendable {
    /// A program that could not be started or failed.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let identifier: pid_t
    private let output: Int32

    /// Starts a program with an empty environment and no input.
    init(_ program: String, _ arguments: [String]) throws {
        var pipes: [Int32] = [-1, -1]
        guard unsafe pipe(&pipes) == 0 else { throw Failure(description: "no pipe: \(errno)") }
        for end in pipes { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, pipes[1], STDOUT_FILENO)
        unsafe posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        // The strings are copied for the call and freed after it; the child has its own copy by then.
        var words = unsafe ([program] + arguments).map { unsafe strdup($0) } + [nil]
        defer { unsafe words.forEach { unsafe free($0) } }
        var environment: [UnsafeMutablePointer<CChar>?] = unsafe [nil]
        var child = pid_t()
        let failure = unsafe posix_spawn(&child, program, &actions, nil, &words, &environment)
        close(pipes[1])
        identifier = child
        output = pipes[0]
        guard failure == 0 else { throw Failure(description: "\(program) does not start: \(failure)") }
    }

    deinit {
        close(output)
    }

    /// Runs a program to its end and gives what it printed.
    static func output(of program: String, _ arguments: [String]) throws -> [UInt8] {
        let child = try ChildProcess(program, arguments)
        var bytes: [UInt8] = []
        while let piece = child.read() { bytes += piece }
        let status = child.wait()
        guard status == 0 else { throw Failure(description: "\(program) \(arguments) ends with status \(status)") }
        return bytes
    }

    /// The next bytes the child prints; `nil` when there are no more.
    func read() -> [UInt8]? {
        var count = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 4_096) { buffer, initialized in
            repeat { count = unsafe Self.read(output, buffer) } while count < 0 && errno == EINTR
            initialized = max(0, count)
        }
        return bytes.isEmpty ? nil : bytes
    }

    /// Ends the child and forgets it.
    func end() {
        // Not SIGTERM: the child inherits the signals that are blocked in the thread that starts it.
        kill(identifier, SIGKILL)
        _ = wait()
    }

    private func wait() -> Int32 {
        var status: Int32 = 0
        while unsafe waitpid(identifier, &status, 0) < 0, errno == EINTR {}
        return status
    }

    private static func read(_ descriptor: Int32, _ buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
        #if canImport(Glibc)
        unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        #else
        unsafe Musl.read(descriptor, buffer.baseAddress, buffer.count)
        #endif
    }
}
#endif
