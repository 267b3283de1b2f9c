// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Foundation

/// One session for all calls, with its own pool of connections.
final class SessionSource: Sendable {
    private let session: URLSession

    init(_ configuration: SessionConfiguration, delegate: any URLSessionDelegate) {
        session = URLSession(
            configuration: .ephemeral.plain(configuration).applying(configuration), delegate: delegate,
            delegateQueue: nil)
    }

    /// How many calls to one origin may have a task at a time; the session itself limits its connections.
    static func limit(_ configuration: SessionConfiguration) -> Int { .max }

    /// Makes a task that was not started.
    func task(delegate: any URLSessionDelegate, _ make: (URLSession) -> URLSessionTask) -> (TaskKey, URLSessionTask) {
        let task = make(session)
        return (TaskKey(session, task), task)
    }

    /// Closes the connections and lets go of the delegate.
    func close() {
        session.invalidateAndCancel()
    }
}

/// What tells a task of the session from all others.
struct TaskKey: Hashable {
    private let task: Int

    init(_ session: URLSession, _ task: URLSessionTask) {
        self.task = task.taskIdentifier
    }
}
#endif
