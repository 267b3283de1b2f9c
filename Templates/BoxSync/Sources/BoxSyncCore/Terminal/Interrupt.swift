// SPDX-License-Identifier: Apache-2.0

import Dispatch

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Control-C: the first one cancels the work, and the second one ends the process.
enum Interrupt {
    /// The pipe by which the signal handler tells of a signal; a handler may do little more than write to it.
    private static let ends: (reading: Int32, writing: Int32) = {
        var ends: [Int32] = [-1, -1]
        _ = pipe(&ends)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }()

    /// Does work that an interrupt cancels.
    static func cancelling<Result: Sendable>(_ work: @escaping @Sendable () async -> Result) async -> Result {
        let task = Task { await work() }
        // The pipe is made here, not in the handler.
        let source = DispatchSource.makeReadSource(fileDescriptor: ends.reading)
        source.setEventHandler {
            source.cancel()
            task.cancel()
        }
        source.activate()
        signal(SIGINT) { number in
            let before = errno
            signal(number, SIG_DFL)
            _ = write(Interrupt.ends.writing, "!", 1)
            errno = before
        }
        defer { source.cancel() }
        return await task.value
    }
}
