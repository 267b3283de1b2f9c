// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation

/// The signals that ask a process to end.
enum Termination {
    /// Does work that SIGTERM and Control-C cancel.
    ///
    /// - Returns: whether it came to its own end.
    static func cancelling(_ work: @escaping @Sendable () async throws -> Void) async throws -> Bool {
        let task = Task(operation: work)
        let sources = [SIGTERM, SIGINT].map { number in
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { task.cancel() }
            #if canImport(Darwin)
            // Until somebody listens, the signal ends the process; elsewhere the source sees to that itself.
            source.setRegistrationHandler { signal(number, SIG_IGN) }
            #endif
            source.activate()
            return source
        }
        defer { for source in sources { source.cancel() } }
        do {
            try await task.value
        } catch  where task.isCancelled {
            return false
        }
        return !task.isCancelled
    }
}
