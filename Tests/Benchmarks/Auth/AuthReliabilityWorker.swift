// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestSDK
import RestTransport
import Synchronization

/// A process that renews the shared login a number of times, or until it kills itself.
struct AuthWorker {
    static let directoryVariable = variable("FOLDER")
    static func variable(_ name: String) -> String { "RESTSDK_AUTH_WORKER_\(name)" }

    private let store: FileCredentialStore
    private let client: OAuthClient
    private let exchanges = Exchanges()

    /// Counts the responses of the token endpoint.
    private final class Exchanges: HTTPTransport {
        private let granted = Mutex(0)
        var count: Int { granted.withLock { $0 } }

        func send(
            _ request: HTTPRequest, to destination: HTTPResponse.Destination, deadline: ContinuousClock.Instant,
            progress: TransferProgress.Handler?
        ) async throws(TransportError) -> HTTPResponse {
            let response = try await PlatformTransport.shared.send(request, deadline: deadline, progress: progress)
            if response.head.status == 200 { granted.withLock { $0 += 1 } }
            return response
        }

        func shutdown() async {}
    }

    init(folder: String) throws {
        let settings = try String(contentsOfFile: folder + "/settings", encoding: .utf8).split(separator: "\n")
        guard settings.count == 3 else { throw CommandFailed(command: "settings", status: 1) }
        store = FileCredentialStore(directory: folder)
        client = OAuthClient(
            login: try HTTPURL(parsing: String(settings[0])).origin, clientID: String(settings[1]),
            clientSecret: Secret(String(settings[2])), transport: exchanges)
    }

    func run() async throws {
        let environment = ProcessInfo.processInfo.environment
        if let delay = environment[Self.variable("KILL")].flatMap({ UInt32($0) }) {
            Thread.detachNewThread {
                usleep(delay)
                kill(getpid(), SIGKILL)
            }
            // A login that ended because another process was killed remains ended until the round is over.
            while true {
                if (try? await renew()) == nil { try await Task.sleep(for: .milliseconds(1)) }
            }
        }
        let wanted = environment[Self.variable("RENEWALS")].flatMap { Int($0) } ?? 0
        while exchanges.count < wanted { try await renew() }
    }

    /// Renews the stored login, like a process that starts and finds its token expired.
    func renew() async throws {
        let stored = try await store.load(AuthBench.account)
        let tokens = TokenManager(
            credential: stored?.credential,
            renewal: TokenManager.Renewal(client: client, store: store, account: AuthBench.account))
        _ = try await tokens.credential(rejecting: 1, deadline: .now + .seconds(30))
    }
}
