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
    /// Runs the work so that an interrupt cancels it.
    static func guarding(_ work: @escaping @Sendable () async -> ExitStatus) async -> ExitStatus {
        signal(SIGPIPE, SIG_IGN)
        SignalPipe.watch(SIGINT)
        let task = Task { await work() }
        let source = DispatchSource.makeReadSource(fileDescriptor: SignalPipe.descriptor)
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
