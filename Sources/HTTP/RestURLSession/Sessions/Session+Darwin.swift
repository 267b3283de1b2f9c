// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import CryptoKit
public import Foundation
import Network
public import RestTransport
import Security
import Synchronization

extension SessionConfiguration {
    /// Whom to trust and how to prove who we are; the system's trust holds in any case.
    public struct TLS: Sendable {
        /// The oldest protocol accepted.
        public enum Version: Sendable {
            /// TLS 1.2 (RFC 5246).
            case tls12
            /// TLS 1.3 (RFC 8446).
            case tls13
        }

        /// The oldest protocol accepted.
        public var minimumVersion = Version.tls12
        /// The client's certificate and key for servers that ask for one:
        /// `URLCredential(identity:certificates:persistence:)`.
        public var clientCredential: URLCredential?
        /// SHA-256 digests in base64 of the public keys to accept; empty accepts every key of a trusted certificate.
        ///
        /// Give at least two, so that the server's key can change.
        public var pinnedKeyDigests: [String] = []

        /// The system's trust, TLS 1.2 or later.
        public init() {}
    }

    /// How to reach other hosts.
    public enum Proxy: Sendable, Hashable {
        /// As the system's settings say.
        case system
        /// Directly.
        case none
        /// Through this proxy, except for hosts that end with one of the given names.
        case server(HTTPURL, except: [String] = [], login: ProxyLogin? = nil)
    }
}

extension URLSessionConfiguration {
    /// The same configuration with what only Apple's URLSession can do.
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
            // All of loopback is excepted by a session of its own, but a background session stands alone.
            proxy.excludedDomains = exceptions + ["127.0.0.1", "::1"]
            if let login { proxy.applyCredential(username: login.user, password: login.password) }
            proxyConfigurations = [proxy]
        }
        return self
    }
}

/// What URLSession is to do about a challenge.
typealias ChallengeAnswer = (disposition: URLSession.AuthChallengeDisposition, credential: URLCredential?)

extension SessionConfiguration.TLS {
    /// Judges the server's certificate when keys are pinned and shows the client's one; other credentials are never
    /// given, so that the 401 itself is the answer.
    ///
    /// - Parameters:
    ///   - challenge: what is asked for.
    ///   - onDistrust: told why the server is not trusted, before the task ends for it.
    /// - Returns: what URLSession is to do.
    func answer(_ challenge: URLAuthenticationChallenge, onDistrust: (String) -> Void) -> ChallengeAnswer {
        switch challenge.protectionSpace.authenticationMethod {
        case NSURLAuthenticationMethodServerTrust:
            return answerServerTrust(challenge, onDistrust: onDistrust)
        case NSURLAuthenticationMethodClientCertificate:
            guard let clientCredential else { return (.performDefaultHandling, nil) }
            return (.useCredential, clientCredential)
        default:
            return (.rejectProtectionSpace, nil)
        }
    }

    private func answerServerTrust(
        _ challenge: URLAuthenticationChallenge, onDistrust: (String) -> Void
    ) -> ChallengeAnswer {
        let pins = PublicKeyPins(pinnedKeyDigests)
        guard !pins.isEmpty else { return (.performDefaultHandling, nil) }
        guard let trust = challenge.protectionSpace.serverTrust else {
            onDistrust("the server's certificate cannot be judged")
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
    /// What URLSession is to do about a challenge.
    func answer(_ challenge: URLAuthenticationChallenge, of call: SessionCall?) -> ChallengeAnswer {
        configuration.tls.answer(challenge) { reason in call?.state.withLock { $0.distrust = reason } }
    }

    /// What the task cost, and whether its request was begun; called before its end.
    func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics) {
        let hasBegun = metrics.transactionMetrics.contains { $0.requestStartDate != nil }
        let times = TransactionTimes(metrics)
        call(session, task)?.state.withLock { state in
            state.hasBegun = hasBegun
            state.stopwatch?.transaction = times
        }
    }

    /// There is no network yet: the time for the first byte does not run until there is a sign of one.
    func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {
        call(session, task)?.state.withLock { $0.activity.hasLeft = false }
    }
}

extension TransactionTimes {
    /// Copies what URLSession measured; `nil` when it measured nothing.
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
    /// Why a server is not to be trusted: first the system judges its certificate, then its key must be a pinned one.
    func failure(of trust: SecTrust) -> String? {
        guard SecTrustEvaluateWithError(trust, nil) else { return "the server's certificate is not trusted" }
        guard let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate], let leaf = chain.first else {
            return "the server sent no certificate"
        }
        let certificate = [UInt8](SecCertificateCopyData(leaf) as Data)
        let isPinned = accept(certificate) { [UInt8](SHA256.hash(data: $0)) }
        return isPinned ? nil : "the server's key is none of the pinned ones"
    }
}

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
