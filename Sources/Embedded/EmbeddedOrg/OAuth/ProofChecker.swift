// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestBase
import RestTransport
import Synchronization

/// The binding of an org's tokens to keys of its clients (DPoP, RFC 9449).
public struct ProofSettings: Sendable, Hashable {
    /// The kind of tokens that the token endpoint issues.
    public enum Mode: Sendable, Hashable {
        /// Only bearer tokens. Proofs are ignored.
        case off
        /// A bound token for a request with a proof, and otherwise a bearer token.
        case offered
        /// Only bound tokens, so a request without a proof is rejected.
        case required
    }

    /// The kind of tokens.
    public var mode: Mode
    /// The lifetime of a nonce that each proof must contain, or `nil` for proofs without nonces.
    ///
    /// A new nonce is issued after half of this time. `Faults.expireNonces()` ends all of them.
    public var nonceLifetime: Duration?

    /// Creates the settings.
    public init(_ mode: Mode, nonceLifetime: Duration? = nil) {
        self.mode = mode
        self.nonceLifetime = nonceLifetime
    }
}

/// Checks the proofs of requests, each of which is valid once.
final class ProofChecker: Sendable {
    let settings: ProofSettings
    private let scheme: String
    private let clock: ServerClock
    private let spent = Mutex(SpentAssertions(capacity: 200_000))
    private let nonces = Mutex(ServerNonces())

    init(_ settings: ProofSettings, instanceURL: String, clock: ServerClock) {
        (self.settings, self.clock) = (settings, clock)
        scheme = String(instanceURL.prefix(before: ":"))
    }

    func expireNonces() { nonces.withLock { $0 = ServerNonces() } }

    /// The nonce for the next proof, if that of the request is not the newest.
    func nonce(after request: ServerRequest) -> String? {
        guard settings.mode != .off, let lifetime = settings.nonceLifetime, request.fields["DPoP"] != nil else {
            return nil
        }
        let newest = nonces.withLock { $0.newest(lifetime, at: clock.now) }
        return (try? DPoPProof(request))?.nonce == newest ? nil : newest
    }

    /// Returns the thumbprint of the key for new tokens, or `nil` for bearer tokens.
    func key(of request: ServerRequest) throws(OAuthRejection) -> String? {
        guard settings.mode != .off, request.fields["DPoP"] != nil || settings.mode == .required else { return nil }
        return try check(request, accessToken: nil, isSpent: true)
    }

    /// Checks a proof and returns the thumbprint of its key.
    ///
    /// A check before the body of a request is read does not spend the proof, because another one follows.
    func check(
        _ request: ServerRequest, accessToken: String?, isSpent: Bool
    ) throws(OAuthRejection) -> String {
        let (proof, now) = (try DPoPProof(request), clock.seconds)
        try proof.check(request, scheme: scheme, accessToken: accessToken, now: now)
        if settings.nonceLifetime != nil, !nonces.withLock({ $0.accept(proof.nonce, at: clock.now) }) {
            throw OAuthRejection("use_dpop_nonce", "the proof needs the nonce of the server")
        }
        guard isSpent else { return proof.thumbprint }
        do throws(OAuthRejection) {
            try spent.withLock { (spent) throws(OAuthRejection) in
                try spent.spend(
                    proof.identifier, of: proof.thumbprint, until: proof.issuedAt + DPoPProof.window, now: now)
            }
        } catch {
            throw error.error == "invalid_grant" ? .invalidProof("the proof was used before") : error
        }
        return proof.thumbprint
    }
}

extension TokenService {
    /// The login of a request, or `nil` if it has no valid token.
    ///
    /// A bound token needs the scheme DPoP and a proof by its key, and another token the scheme Bearer.
    ///
    /// - Throws: the error of the proof.
    func login(of request: ServerRequest, isSpent: Bool = true) throws(OAuthRejection) -> TokenIssuer.Login? {
        if let token = request.bearerToken { return bearerLogin(of: token) }
        guard let token = request.boundToken, let login = login(of: token), let key = login.key else { return nil }
        guard try proofs.check(request, accessToken: token, isSpent: isSpent) == key else {
            throw .init("invalid_token", "the token is bound to another key")
        }
        return login
    }

    /// The login of a token that is not bound.
    func bearerLogin(of token: String) -> TokenIssuer.Login? { login(of: token).flatMap { $0.key == nil ? $0 : nil } }
}

extension OAuthRejection {
    /// The value of `WWW-Authenticate` in the response of a resource (RFC 9449 §7.1).
    var challenge: String { #"DPoP error="\#(error)", error_description="\#(description)", algs="ES256""# }
}
