// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The pipe through which the signal handler, which may do next to nothing, tells of signals.
///
/// A signal is never lost between the moments at which handlers are set and at which somebody listens, as it is with
/// one that is ignored until a dispatch source has been registered for it: the byte waits in the pipe.
enum SignalPipe {
    /// What is done about a signal; `nil` is the system's own action.
    typealias Action = @convention(c) (Int32) -> Void

    private static let ends: (reading: Int32, writing: Int32) = {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { return (-1, -1) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }()

    /// Can be read once a signal came that is listened for.
    static var descriptor: Int32 { ends.reading }

    /// Listens for a signal: the first one is told through the pipe, the next one has the system's own action.
    ///
    /// - Returns: what was done about it before.
    @discardableResult
    static func watch(_ number: Int32) -> Action? {
        // The pipe is made here, and not in the handler.
        guard ends.writing >= 0 else { return nil }
        return signal(number) { number in
            let before = errno
            signal(number, SIG_DFL)
            var byte = UInt8(truncatingIfNeeded: number)
            _ = unsafe write(SignalPipe.ends.writing, &byte, 1)
            errno = before
        }
    }

    /// The first signal that was told and not taken yet.
    static func take() -> Int32? {
        var entry = pollfd(fd: ends.reading, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&entry, 1, 0) > 0 else { return nil }
        var byte: UInt8 = 0
        return unsafe read(ends.reading, &byte, 1) == 1 ? Int32(byte) : nil
    }
}
