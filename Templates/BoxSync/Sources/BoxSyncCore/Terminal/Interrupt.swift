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
    /// Does work that an interrupt cancels.
    static func cancelling<Result: Sendable>(_ work: @escaping @Sendable () async -> Result) async -> Result {
        let task = Task { await work() }
        let source = DispatchSource.makeSignalSource(signal: SIGINT)
        source.setEventHandler {
            signal(SIGINT, SIG_DFL)
            task.cancel()
        }
        source.setRegistrationHandler { signal(SIGINT, SIG_IGN) }
        source.activate()
        defer { source.cancel() }
        return await task.value
    }
}
