// SPDX-License-Identifier: Apache-2.0

import Dispatch
import RestBase
import RestSDK

extension Interrupt {
    /// Does one thing of a session, so that an interrupt cancels it and the session goes on.
    ///
    /// - Returns: whether it was done; a failure is reported.
    @MainActor
    static func cancelling(_ work: @escaping @MainActor () async throws -> Void) async -> Bool {
        SignalPipe.keepWatching(SIGINT)
        SignalPipe.watchUnlessIgnored(SIGTSTP)
        let task = Task { try await work() }
        let source = source(cancelling: task)
        defer { source.cancel() }
        do {
            try await task.value
            return true
        } catch {
            _ = Diagnostics.report(task.isCancelled ? RestError(.cancelled, "interrupted") : error)
            return false
        }
    }

    /// What cancels a task at an interrupt; it does so on a queue of its own.
    private static func source(cancelling task: Task<Void, any Error>) -> any DispatchSourceRead {
        let source = DispatchSource.makeReadSource(fileDescriptor: SignalPipe.descriptor)
        source.setEventHandler {
            while let number = SignalPipe.take() {
                switch number {
                case SIGINT: task.cancel()
                case SIGTSTP: stop()
                case SIGTERM, SIGHUP:
                    StatusLine.leave(true)
                    SignalPipe.raiseByDefault(number)
                default: break
                }
            }
        }
        source.activate()
        return source
    }
}
