// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import RestBase
import RestTransport

/// Creates a session, and therefore a connection, for each call.
///
/// On a reused connection, FoundationNetworking sends a write again if the connection is lost, and takes leftover bytes
/// after a response for the next response. No option prevents either. Connections are therefore never reused. The
/// session ends with its only task.
final class SessionSource: Sendable {
    private let configuration: SessionConfiguration

    init(_ configuration: SessionConfiguration, delegate: any URLSessionDelegate) {
        EnvironmentProxy.exceptLoopback()
        self.configuration = configuration
    }

    /// The maximum number of concurrent tasks for one origin.
    static func limit(_ configuration: SessionConfiguration) -> Int { configuration.maximumConnectionsPerHost }

    /// Creates a task without starting it.
    func task(
        to origin: Origin, delegate: any URLSessionDelegate, _ make: (URLSession) -> URLSessionTask
    ) -> (TaskKey, URLSessionTask) {
        let settings = URLSessionConfiguration.ephemeral.plain(configuration).withoutTimeouts()
        let session = URLSession(configuration: settings, delegate: delegate, delegateQueue: nil)
        let task = make(session)
        session.finishTasksAndInvalidate()
        return (TaskKey(session, task), task)
    }

    /// Does nothing, because every session closes itself.
    func close() {}
}

/// The proxies of the environment, which FoundationNetworking uses regardless of its configuration.
enum EnvironmentProxy {
    private static let loopback = ["127.0.0.0/8", "127.0.0.1", "::1"]

    /// Exempts loopback addresses from the proxies, once per process.
    ///
    /// Otherwise FoundationNetworking sends requests for this machine, including tokens, to the proxy. All threads
    /// share the environment, so create the first transport before other threads read the environment.
    static func exceptLoopback() { _ = isDone }

    private static let isDone: Bool = {
        let environment = ProcessInfo.processInfo.environment
        // libcurl prefers the lower-case variable.
        let value = exceptions(added: loopback, to: environment["no_proxy"] ?? environment["NO_PROXY"])
        if let value { unsafe setenv("no_proxy", value, 1) }
        return true
    }()

    /// Returns the list with the missing hosts, or `nil` if no host is missing.
    static func exceptions(added hosts: [String] = loopback, to list: String?) -> String? {
        let known = list?.split(anyOf: ", ").map(String.init) ?? []
        guard !known.contains("*") else { return nil }
        let missing = hosts.filter { !known.contains($0) }
        return missing.isEmpty ? nil : (known + missing).joined(separator: ",")
    }
}

typealias ChallengeResponse = (disposition: URLSession.AuthChallengeDisposition, credential: URLCredential?)

extension SessionRouter {
    /// Rejects the challenge, because any other response to a Basic challenge hangs for ever.
    ///
    /// The task then ends with an error, and the response received so far becomes the result.
    func respond(_ challenge: URLAuthenticationChallenge, of call: SessionCall?) -> ChallengeResponse {
        call?.noteChallenge(challenge.failureResponse)
        return (.cancelAuthenticationChallenge, nil)
    }
}
#endif
