// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import RestTransport

/// Gives each call a session, hence a connection, of its own.
///
/// On a connection used before, FoundationNetworking sends a write a second time when the connection dies, and takes
/// bytes that were left behind an answer for the next one; it has no option against either. Connections are therefore
/// never used twice. The session goes away with its only task.
final class SessionSource: Sendable {
    private let configuration: SessionConfiguration

    init(_ configuration: SessionConfiguration, delegate: any URLSessionDelegate) {
        EnvironmentProxy.exceptLoopback()
        self.configuration = configuration
    }

    /// How many calls to one origin may have a task at a time.
    static func limit(_ configuration: SessionConfiguration) -> Int { configuration.maximumConnectionsPerHost }

    /// Makes a task that was not started.
    func task(
        to origin: Origin, delegate: any URLSessionDelegate, _ make: (URLSession) -> URLSessionTask
    ) -> (TaskKey, URLSessionTask) {
        let settings = URLSessionConfiguration.ephemeral.plain(configuration).withoutTimeouts()
        let session = URLSession(configuration: settings, delegate: delegate, delegateQueue: nil)
        let task = make(session)
        session.finishTasksAndInvalidate()
        return (TaskKey(session, task), task)
    }

    /// Closes what is shared; here every session closes itself.
    func close() {}
}
#endif
