// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc) || canImport(Musl)
import RestBase

/// A child process whose output is read; its methods block and belong on a thread of their own.
package final class ChildProcess: Sendable {
    /// A program that could not be started or failed.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String

        package init(description: String) { self.description = description }
    }

    /// After so many milliseconds without output, the output counts as ended.
    private static let patience: Int32 = 30_000

    private let identifier: pid_t
    /// What the child prints comes here; what is sent here is its input.
    private let stream: Int32

    /// Starts a program with an empty environment.
    package init(_ program: String, _ arguments: [String]) throws {
        // Sockets, not pipes: writing to a child that has ended must not end this process.
        var ends: [Int32] = [-1, -1]
        guard unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw Failure(description: "no pair of sockets: \(errno)")
        }
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO)
        unsafe posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
        unsafe posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        // The strings are copied for the call and freed after it; the child has its own copy by then.
        var words = unsafe ([program] + arguments).map { unsafe strdup($0) } + [nil]
        defer { unsafe words.forEach { unsafe free($0) } }
        var environment: [UnsafeMutablePointer<CChar>?] = unsafe [nil]
        var child = pid_t()
        let failure = unsafe posix_spawn(&child, program, &actions, nil, &words, &environment)
        close(ends[1])
        identifier = child
        stream = ends[0]
        guard failure == 0 else { throw Failure(description: "\(program) does not start: \(failure)") }
    }

    deinit {
        close(stream)
    }

    /// Runs a program to its end and gives what it printed.
    package static func output(of program: String, _ arguments: [String]) throws -> [UInt8] {
        let child = try ChildProcess(program, arguments)
        var bytes: [UInt8] = []
        while let piece = child.read() { bytes += piece }
        let status = child.wait()
        guard status == 0 else { throw Failure(description: "\(program) \(arguments) ends with status \(status)") }
        return bytes
    }

    /// The next bytes the child prints; `nil` when there are no more.
    package func read() -> [UInt8]? {
        var entry = pollfd(fd: stream, events: Int16(POLLIN), revents: 0)
        while unsafe poll(&entry, 1, Self.patience) < 0, errno == EINTR {}
        guard entry.revents != 0 else { return nil }
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 4_096) { buffer, initialized in
            unsafe initialized = max(0, recv(stream, buffer.baseAddress, buffer.count, 0))
        }
        return bytes.isEmpty ? nil : bytes
    }

    /// Gives the child something to read; lost when it has ended.
    package func write(_ text: String) {
        let bytes = Array(text.utf8)
        _ = unsafe send(stream, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// Whether the child has ended, at the latest when that many milliseconds have passed; what it printed is lost.
    package func hasEnded(withinMilliseconds limit: Int32) -> Bool {
        var entry = pollfd(fd: stream, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&entry, 1, limit) > 0 else { return false }
        return read() == nil
    }

    /// Ends the child and forgets it.
    package func end() {
        // Not SIGTERM: the child inherits the signals that are blocked in the thread that starts it.
        kill(identifier, SIGKILL)
        _ = wait()
    }

    private func wait() -> Int32 {
        var status: Int32 = 0
        while unsafe waitpid(identifier, &status, 0) < 0, errno == EINTR {}
        return status
    }
}
#endif
