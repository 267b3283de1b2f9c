// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import RestBase
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

/// The proxies that FoundationNetworking takes from the environment, whatever its configuration says.
enum EnvironmentProxy {
    private static let loopback = ["127.0.0.0/8", "127.0.0.1", "::1"]

    /// Excepts loopback addresses, once per process.
    ///
    /// Nothing else keeps FoundationNetworking from handing requests for this machine, tokens included, to the proxy.
    /// The environment is shared by all threads: make the first transport before others start to read it.
    static func exceptLoopback() { _ = isDone }

    private static let isDone: Bool = {
        let environment = ProcessInfo.processInfo.environment
        // libcurl prefers the variable in small letters.
        let value = exceptions(added: loopback, to: environment["no_proxy"] ?? environment["NO_PROXY"])
        if let value { unsafe setenv("no_proxy", value, 1) }
        return true
    }()

    /// The list with what it lacks; `nil` when it lacks nothing.
    static func exceptions(added hosts: [String] = loopback, to list: String?) -> String? {
        let known = list?.split(anyOf: ", ").map(String.init) ?? []
        guard !known.contains("*") else { return nil }
        let missing = hosts.filter { !known.contains($0) }
        return missing.isEmpty ? nil : (known + missing).joined(separator: ",")
    }
}

/// What URLSession is to do about a challenge.
typealias ChallengeAnswer = (disposition: URLSession.AuthChallengeDisposition, credential: URLCredential?)

extension SessionRouter {
    /// No credentials are ever given; any other answer to a Basic challenge hangs for ever.
    ///
    /// The task then ends with an error, and the response collected so far becomes the result.
    func answer(_ challenge: URLAuthenticationChallenge, of call: SessionCall?) -> ChallengeAnswer {
        call?.noteChallenge(challenge.failureResponse)
        return (.cancelAuthenticationChallenge, nil)
    }
}
#endif
