// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import CryptoKit
public import Foundation
import Network
public import RestTransport
import Security
import Synchronization

extension SessionConfiguration {
    /// The TLS settings, in addition to the system's trust.
    public struct TLS: Sendable {
        /// A TLS version.
        public enum Version: Sendable {
            /// TLS 1.2 (RFC 5246).
            case tls12
            /// TLS 1.3 (RFC 8446).
            case tls13
        }

        /// The minimum TLS version.
        public var minimumVersion = Version.tls12
        /// The client's certificate and key for servers that request them, from
        /// `URLCredential(identity:certificates:persistence:)`.
        public var clientCredential: URLCredential?
        /// The base64 SHA-256 digests of the accepted public keys, or empty to accept the key of every trusted
        /// certificate.
        ///
        /// Set at least two, so that the server's key can change.
        public var pinnedKeyDigests: [String] = []

        /// Creates settings with the system's trust and TLS 1.2 or later.
        public init() {}
    }

    /// The proxy settings.
    public enum Proxy: Sendable, Hashable {
        /// The proxies in the system's settings.
        case system
        /// No proxy.
        case none
        /// This proxy, except for hosts that end with one of the given names.
        case server(HTTPURL, except: [String] = [], login: ProxyLogin? = nil)
    }
}

extension URLSessionConfiguration {
    /// Applies the settings that only Apple's URLSession supports, and returns the configuration itself.
    func applying(_ settings: SessionConfiguration) -> URLSessionConfiguration {
        tlsMinimumSupportedProtocolVersion = settings.tls.minimumVersion == .tls13 ? .TLSv13 : .TLSv12
        waitsForConnectivity = settings.waitsForConnectivity
        switch settings.proxy {
        case .system: break
        case .none: connectionProxyDictionary = [:]
        case .server(let url, let exceptions, let login):
            guard let port = NWEndpoint.Port(rawValue: UInt16(clamping: url.origin.port)) else { break }
            let endpoint = NWEndpoint.hostPort(host: NWEndpoint.Host(url.origin.host), port: port)
            var proxy = ProxyConfiguration(
                httpCONNECTProxy: endpoint, tlsOptions: url.origin.scheme == .https ? NWProtocolTLS.Options() : nil)
            // `SessionSource` exempts all loopback addresses, but a background session has no such source.
            proxy.excludedDomains = exceptions + ["127.0.0.1", "::1"]
            if let login { proxy.applyCredential(username: login.user, password: login.password) }
            proxyConfigurations = [proxy]
        }
        return self
    }
}

typealias ChallengeResponse = (disposition: URLSession.AuthChallengeDisposition, credential: URLCredential?)

extension SessionConfiguration.TLS {
    /// Verifies pinned keys and presents the client's certificate.
    ///
    /// Other credentials are never sent, so that the response has status 401. `onDistrust` is called with the reason
    /// before the task is cancelled because the server is not trusted.
    func respond(_ challenge: URLAuthenticationChallenge, onDistrust: (String) -> Void) -> ChallengeResponse {
        switch challenge.protectionSpace.authenticationMethod {
        case NSURLAuthenticationMethodServerTrust:
            return respondToServerTrust(challenge, onDistrust: onDistrust)
        case NSURLAuthenticationMethodClientCertificate:
            guard let clientCredential else { return (.performDefaultHandling, nil) }
            return (.useCredential, clientCredential)
        default:
            return (.rejectProtectionSpace, nil)
        }
    }

    private func respondToServerTrust(
        _ challenge: URLAuthenticationChallenge, onDistrust: (String) -> Void
    ) -> ChallengeResponse {
        let pins = PublicKeyPins(pinnedKeyDigests)
        guard !pins.isEmpty else { return (.performDefaultHandling, nil) }
        guard let trust = challenge.protectionSpace.serverTrust else {
            onDistrust("the server's certificate cannot be evaluated")
            return (.cancelAuthenticationChallenge, nil)
        }
        if let failure = pins.failure(of: trust) {
            onDistrust(failure)
            return (.cancelAuthenticationChallenge, nil)
        }
        return (.useCredential, URLCredential(trust: trust))
    }
}

extension SessionRouter {
    func respond(_ challenge: URLAuthenticationChallenge, of call: SessionCall?) -> ChallengeResponse {
        configuration.tls.respond(challenge) { reason in call?.state.withLock { $0.distrust = reason } }
    }

    /// Records the times of a task, and whether its request was started, before the task ends.
    func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics) {
        let hasBegun = metrics.transactionMetrics.contains { $0.requestStartDate != nil }
        let times = TransactionTimes(metrics)
        call(session, task)?.state.withLock { state in
            state.hasBegun = hasBegun
            state.stopwatch?.transaction = times
        }
    }

    /// Stops the clock for the first byte until there is a sign of a network.
    func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {
        call(session, task)?.state.withLock { $0.activity.hasLeft = false }
    }
}

extension TransactionTimes {
    /// Copies the times that URLSession measured, or returns `nil` without times.
    init?(_ metrics: URLSessionTaskMetrics) {
        guard let last = metrics.transactionMetrics.last else { return nil }
        self.init()
        fetchStart = last.fetchStartDate
        domainLookupEnd = last.domainLookupEndDate
        connectEnd = last.connectEndDate
        secureConnectionStart = last.secureConnectionStartDate
        secureConnectionEnd = last.secureConnectionEndDate
        responseStart = last.responseStartDate
        responseEnd = last.responseEndDate
        sentBytes = last.countOfRequestBodyBytesSent
        receivedBytes = last.countOfResponseBodyBytesReceived
        isConnectionReused = last.isReusedConnection
        protocolName = last.networkProtocolName
    }
}

extension PublicKeyPins {
    /// Returns the reason why a server is not trusted by the system, or has no pinned key.
    func failure(of trust: SecTrust) -> String? {
        guard SecTrustEvaluateWithError(trust, nil) else { return "the server's certificate is not trusted" }
        guard let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate], let leaf = chain.first else {
            return "the server sent no certificate"
        }
        let certificate = [UInt8](SecCertificateCopyData(leaf) as Data)
        let isPinned = accept(certificate) { [UInt8](SHA256.hash(data: $0)) }
        return isPinned ? nil : "the server's public key is not one of the pinned keys"
    }
}

/// A session for other hosts and a session for this machine, each with its own connection pool.
///
/// A proxy's exceptions are host names, so only a session without a proxy can exempt all of 127.0.0.0/8.
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

    /// No limit, because the sessions themselves limit their connections to each origin.
    static func limit(_ configuration: SessionConfiguration) -> Int { .max }

    /// Creates a task without starting it.
    func task(
        to origin: Origin, delegate: any URLSessionDelegate, _ make: (URLSession) -> URLSessionTask
    ) -> (TaskKey, URLSessionTask) {
        let session = origin.isLoopback ? loopback : elsewhere
        let task = make(session)
        return (TaskKey(session, task), task)
    }

    /// Closes the connections and releases the delegate.
    func close() {
        elsewhere.invalidateAndCancel()
        loopback.invalidateAndCancel()
    }
}
#endif
