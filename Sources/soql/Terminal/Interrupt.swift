// SPDX-License-Identifier: Apache-2.0

import Dispatch

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Control-C: the first one cancels the work, which then ends in order; the second one ends the process.
enum Interrupt {
    /// Runs the work so that an interrupt cancels it.
    static func guarding(_ work: @escaping @Sendable () async -> ExitStatus) async -> ExitStatus {
        signal(SIGPIPE, SIG_IGN)
        let interrupts = InterruptPipe.opened()
        let task = Task { await work() }
        let source = DispatchSource.makeReadSource(fileDescriptor: interrupts)
        source.setEventHandler {
            task.cancel()
            source.cancel()
        }
        source.activate()
        let status = await task.value
        source.cancel()
        return task.isCancelled ? .interrupted : status
    }
}

/// The pipe through which the signal handler, which may do next to nothing, tells of an interrupt.
///
/// An interrupt is never lost between the moments at which handlers are set and at which somebody listens, as it is
/// with a signal that is ignored until a dispatch source has been registered for it: the byte waits in the pipe.
private enum InterruptPipe {
    private static let ends: (reading: Int32, writing: Int32) = {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { return (-1, -1) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }()

    /// Sets the handler and gives the descriptor that can be read once there was an interrupt.
    static func opened() -> Int32 {
        let reading = ends.reading
        signal(SIGINT) { _ in
            let before = errno
            // From now on the system's own action is back: the next interrupt ends the process.
            signal(SIGINT, SIG_DFL)
            var byte: UInt8 = 0
            _ = unsafe write(InterruptPipe.ends.writing, &byte, 1)
            errno = before
        }
        return reading
    }
}
