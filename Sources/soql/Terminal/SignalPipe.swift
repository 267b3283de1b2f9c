// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The pipe by which the signal handler reports signals; a handler may do little more than write to it.
///
/// A signal that arrives before anything listens is not lost, because its byte waits in the pipe. A dispatch source
/// would lose it while it is being registered.
enum SignalPipe {
    /// How a signal is handled; `nil` is the system's default action.
    typealias Action = @convention(c) (Int32) -> Void

    private static let ends: (reading: Int32, writing: Int32) = {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { return (-1, -1) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }()

    /// Readable once a signal has arrived.
    static var descriptor: Int32 { ends.reading }

    /// Listens for a signal: the first one goes to the pipe, the next one has the system's default action.
    ///
    /// - Returns: how it was handled before.
    @discardableResult
    static func watch(_ number: Int32) -> Action? {
        // The pipe is made here, not in the handler.
        guard ends.writing >= 0 else { return nil }
        return signal(number) { number in
            let before = errno
            signal(number, SIG_DFL)
            var byte = UInt8(truncatingIfNeeded: number)
            _ = unsafe write(SignalPipe.ends.writing, &byte, 1)
            errno = before
        }
    }

    /// The first signal that has not been taken yet.
    static func take() -> Int32? {
        var entry = pollfd(fd: ends.reading, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&entry, 1, 0) > 0 else { return nil }
        var byte: UInt8 = 0
        return unsafe read(ends.reading, &byte, 1) == 1 ? Int32(byte) : nil
    }
}
