// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Foundation
import RestTransport

/// One session for all calls to other machines and one for those to this machine, each with its own pool of
/// connections.
///
/// Proxies except hosts by their names only; a session of its own is what keeps all of 127.0.0.0/8 from them.
final class SessionSource: Sendable {
    private let elsewhere: URLSession
    private let loopback: URLSession

    init(_ configuration: SessionConfiguration, delegate: any URLSessionDelegate) {
        func session(_ configuration: SessionConfiguration) -> URLSession {
            let settings = URLSessionConfiguration.ephemeral.plain(configuration).withoutTimeouts()
            return URLSession(
                configuration: settings.applying(configuration), delegate: delegate, delegateQueue: nil)
        }
        elsewhere = session(configuration)
        var direct = configuration
        direct.proxy = .none
        loopback = session(direct)
    }

    /// How many calls to one origin may have a task at a time; the sessions themselves limit their connections.
    static func limit(_ configuration: SessionConfiguration) -> Int { .max }

    /// Makes a task that was not started.
    func task(
        to origin: Origin, delegate: any URLSessionDelegate, _ make: (URLSession) -> URLSessionTask
    ) -> (TaskKey, URLSessionTask) {
        let session = origin.isLoopback ? loopback : elsewhere
        let task = make(session)
        return (TaskKey(session, task), task)
    }

    /// Closes the connections and lets go of the delegate.
    func close() {
        elsewhere.invalidateAndCancel()
        loopback.invalidateAndCancel()
    }
}
#endif
