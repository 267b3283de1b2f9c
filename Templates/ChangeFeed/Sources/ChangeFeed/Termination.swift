// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation

/// Handles the signals that ask a process to exit.
enum Termination {
    /// Runs work that SIGTERM and Control-C cancel.
    ///
    /// - Returns: whether the work finished without cancellation.
    static func cancelling(_ work: @escaping @Sendable () async throws -> Void) async throws -> Bool {
        let task = Task(operation: work)
        let sources = [SIGTERM, SIGINT].map { number in
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { task.cancel() }
            #if canImport(Darwin)
            // Without this handler, the signal would end the process. On Linux, the source ignores the signal itself.
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
