// SPDX-License-Identifier: Apache-2.0

import RestBase
import Synchronization

/// The form and the lifetime of a server's tokens.
package struct TokenRules: Sendable {
    package let clock: ServerClock
    package let lifetime: Duration
    package var rotation = RefreshRotation.off
    /// The time without a use after which a refresh token expires, or `nil` if it never does.
    package var refreshIdleLimit: Duration?
    /// The maximum number of stored tokens of each kind.
    package var capacity = 10_000
    package let makeAccessToken: @Sendable () -> String
    package let makeRefreshToken: @Sendable () -> String

    package init(
        clock: ServerClock, lifetime: Duration, makeAccessToken: @escaping @Sendable () -> String,
        makeRefreshToken: @escaping @Sendable () -> String
    ) {
        (self.clock, self.lifetime) = (clock, lifetime)
        (self.makeAccessToken, self.makeRefreshToken) = (makeAccessToken, makeRefreshToken)
    }
}

/// The effect of using a refresh token (RFC 9700 §4.14.2).
public enum RefreshRotation: Sendable, Hashable {
    /// Every use returns a new token. A second use of an old token revokes all tokens of the login.
    case strict
    /// Every use returns a new token. A second use of the last token, after a lost response, returns the same
    /// successor.
    case grace
    /// The token stays valid and there is no new one, as on a platform without rotation.
    case off
}

/// Issues, renews, checks and revokes tokens, and the codes that are exchanged for tokens.
package final class TokenIssuer: Sendable {
    /// A login, whose tokens are a family and are revoked together.
    package struct Login: Sendable {
        fileprivate let family: UInt64
        package let clientID: String
        package fileprivate(set) var scopes: [String]
        /// Seconds since 1970.
        package let issuedAt: Int64
        /// The server's name for the user, or an empty string if there is only one user.
        package let subject: String
        /// The thumbprint of the key that the tokens are bound to (RFC 9449), or `nil` for bearer tokens.
        package let key: String?
    }

    package struct Grant: Sendable {
        package let accessToken: String
        package let refreshToken: String?
        package let login: Login
    }

    private struct Refresh {
        let login: Login
        /// The token that replaced this one.
        var successor: String?
        let lastUse: UInt64
        let lastTime: ContinuousClock.Instant

        /// The token with the lowest rank is dropped first.
        var rank: (Int, UInt64) { (successor == nil ? 1 : 0, lastUse) }
    }

    private struct State {
        var accesses: [String: (login: Login, expiry: ContinuousClock.Instant)] = [:]
        var refreshes: [String: Refresh] = [:]
        var codes: [String: Code] = [:]
        /// The last number of a login or of a use of a refresh token.
        var last: UInt64 = 0

        mutating func revoke(_ family: UInt64) {
            accesses = accesses.filter { $0.value.login.family != family }
            refreshes = refreshes.filter { $0.value.login.family != family }
        }
    }

    package let rules: TokenRules
    private let state = Mutex(State())

    package init(_ rules: TokenRules) {
        self.rules = rules
    }

    private var now: ContinuousClock.Instant { rules.clock.now }

    package var count: Int { state.withLock { $0.accesses.count + $0.refreshes.count } }

    /// Logs a user in, with a refresh token if the login is lasting.
    ///
    /// Given tokens stay the same after a restart.
    package func login(
        _ clientID: String, subject: String, scopes: [String], isLasting: Bool, access: String? = nil,
        refresh: String? = nil, boundTo key: String? = nil
    ) -> Grant {
        state.withLock { login(clientID, subject, scopes, isLasting, access: access, refresh: refresh, key, &$0) }
    }

    private func login(
        _ clientID: String, _ subject: String, _ scopes: [String], _ isLasting: Bool, access: String? = nil,
        refresh: String? = nil, _ key: String?, _ state: inout State
    ) -> Grant {
        state.last += 1
        let login = Login(
            family: state.last, clientID: clientID, scopes: scopes, issuedAt: rules.clock.seconds, subject: subject,
            key: key)
        let refresh = isLasting ? refresh ?? rules.makeRefreshToken() : nil
        if let refresh { keep(refresh, login, &state) }
        return Grant(accessToken: makeAccess(login, given: access, &state), refreshToken: refresh, login: login)
    }

    /// Issues a new access token.
    ///
    /// Beyond the capacity, a tenth of the others is dropped, beginning with those that expire first.
    private func makeAccess(_ login: Login, given: String? = nil, _ state: inout State) -> String {
        if state.accesses.count >= rules.capacity {
            let order = state.accesses.sorted { $0.value.expiry < $1.value.expiry }
            for (token, _) in order.prefix(1 + rules.capacity / 10) { state.accesses[token] = nil }
        }
        let made = given ?? rules.makeAccessToken()
        // The scheme DPoP has a narrower syntax than Bearer has on Salesforce (RFC 9449 §7.1).
        let token = login.key == nil ? made : made.split(byte: "!").joined(separator: ".")
        state.accesses[token] = (login, now + rules.lifetime)
        return token
    }

    /// Stores a refresh token.
    ///
    /// Beyond the capacity, a tenth of the others is dropped: first spent tokens, then the least recently used.
    private func keep(_ token: String, _ login: Login, _ state: inout State) {
        if state.refreshes.count >= rules.capacity {
            let order = state.refreshes.sorted { $0.value.rank < $1.value.rank }
            for (token, _) in order.prefix(1 + rules.capacity / 10) { state.refreshes[token] = nil }
        }
        state.last += 1
        state.refreshes[token] = Refresh(login: login, lastUse: state.last, lastTime: now)
    }

    /// Exchanges a client's refresh token for all or some of its scopes, or returns `nil` if it is not valid for them
    /// and for the key.
    package func refresh(
        _ token: String, of clientID: String, scopes: [String] = [], boundTo key: String? = nil
    ) -> Grant? {
        state.withLock { state -> Grant? in
            guard let known = state.refreshes[token], known.login.clientID == clientID, known.login.key == key,
                Set(scopes).isSubset(of: known.login.scopes)
            else { return nil }
            if let limit = rules.refreshIdleLimit, known.lastTime + limit <= now {
                state.refreshes[token] = nil
                return nil
            }
            var login = known.login
            var refresh: String?
            if let successor = known.successor {
                guard rules.rotation == .grace, let next = state.refreshes[successor], next.successor == nil else {
                    state.revoke(login.family)  // RFC 9700 §4.14.2: somebody has a stolen copy
                    return nil
                }
                refresh = successor
            } else if rules.rotation == .off {
                keep(token, login, &state)
            } else {
                let successor = rules.makeRefreshToken()
                state.refreshes[token]?.successor = successor
                keep(successor, login, &state)
                refresh = successor
            }
            if !scopes.isEmpty { login.scopes = scopes }
            return Grant(accessToken: makeAccess(login, &state), refreshToken: refresh, login: login)
        }
    }

    package func access(_ token: String) -> (login: Login, expiry: ContinuousClock.Instant)? {
        state.withLock { $0.accesses[token] }.flatMap { $0.expiry > now ? $0 : nil }
    }

    package func hasExpired(_ token: String) -> Bool {
        state.withLock { $0.accesses[token] }.map { $0.expiry <= now } ?? false
    }

    package func refresh(_ token: String) -> Login? {
        state.withLock { $0.refreshes[token] }.flatMap { $0.successor == nil ? $0.login : nil }
    }

    /// Revokes an access token, or a refresh token with its login, and returns `false` for an unknown token.
    package func revoke(_ token: String) -> Bool {
        state.withLock { state in
            if state.accesses.removeValue(forKey: token) != nil { return true }
            guard let login = state.refreshes[token]?.login else { return false }
            state.revoke(login.family)
            return true
        }
    }

    package func revoke(_ login: Login) { state.withLock { $0.revoke(login.family) } }

    package func expireAccessTokens() {
        let now = now
        state.withLock { $0.accesses = $0.accesses.mapValues { ($0.login, min($0.expiry, now)) } }
    }

    package func revokeRefreshTokens() { state.withLock { $0.refreshes.removeAll() } }
}

/// The authorization codes (RFC 6749 §4.1.2, RFC 7636).
///
/// A code is valid once, for its client, redirect URI and challenge. Any attempt of its client consumes it, even a
/// failed one. An attempt of another client does not.
extension TokenIssuer {
    package struct CodeRequest: Sendable {
        package let clientID: String
        /// The redirect URI, or `nil` if the user copies the code.
        package let redirectURI: String?
        /// The S256 challenge, if the request had one.
        package let challenge: String?
        package let scopes: [String]
        /// Whether the login has a refresh token.
        package let isLasting: Bool
        /// The server's name for the user who agreed.
        package let subject: String
        /// The thumbprint of the key that the code is bound to (`dpop_jkt`), if the request had one.
        package var key: String?

        package init(
            clientID: String, redirectURI: String?, challenge: String?, scopes: [String], isLasting: Bool,
            subject: String
        ) {
            (self.clientID, self.redirectURI, self.challenge) = (clientID, redirectURI, challenge)
            (self.scopes, self.isLasting, self.subject) = (scopes, isLasting, subject)
        }
    }

    fileprivate struct Code {
        let request: CodeRequest
        let expiry: ContinuousClock.Instant
        var isSpent = false
        /// The family of the resulting login.
        var family: UInt64?
    }

    /// Stores a code for a request that a user agreed to.
    package func add(_ code: String, _ request: CodeRequest, lifetime: Duration) {
        let now = now
        state.withLock { state in
            if state.codes.count >= rules.capacity { state.codes = state.codes.filter { $0.value.expiry > now } }
            state.codes[code] = Code(request: request, expiry: now + lifetime)
        }
    }

    /// Exchanges a code for tokens, which a second use revokes (RFC 6749 §4.1.2).
    ///
    /// A verifier may be longer or shorter than RFC 7636 §4.1 allows, like those of many clients.
    private func redeem(
        _ code: String, of clientID: String, redirectURI: String?, verifier: String?, _ key: String?
    ) throws(OAuthRejection) -> Grant {
        try state.withLock { (state) throws(OAuthRejection) -> Grant in
            guard let known = state.codes[code], known.request.clientID == clientID else {
                throw .invalidGrant("invalid authorization code")
            }
            guard !known.isSpent else {
                if let family = known.family { state.revoke(family) }
                throw .invalidGrant("expired authorization code")
            }
            state.codes[code]?.isSpent = true
            guard known.expiry > now else { throw .invalidGrant("expired authorization code") }
            let request = known.request
            guard redirectURI == request.redirectURI else {
                throw .invalidGrant("redirect_uri must match configuration")
            }
            guard request.key == nil || request.key == key else {
                throw .invalidProof("the code is bound to another key")
            }
            if let challenge = request.challenge {
                guard let verifier, ProofKey.challenge(of: verifier) == challenge else {
                    throw .invalidGrant("invalid code verifier")
                }
            } else if verifier != nil {
                throw .invalidGrant("code_verifier without a code_challenge")  // RFC 9700 §2.1.1
            }
            let grant = login(clientID, request.subject, request.scopes, request.isLasting, key, &state)
            state.codes[code]?.family = grant.login.family
            return grant
        }
    }

    /// Returns the tokens for a code or for a refresh token (RFC 6749 §4.1.3, §6), bound to a key if there is one.
    package func exchange(
        _ form: OAuthForm, boundTo key: String? = nil,
        of client: @autoclosure () throws(OAuthRejection) -> RegisteredClient
    ) throws(OAuthRejection) -> Grant {
        switch form["grant_type"] {
        case "authorization_code":
            let id = try client().id
            return try redeem(
                try form.required("code"), of: id, redirectURI: form["redirect_uri"], verifier: form["code_verifier"],
                key)
        case "refresh_token":
            let id = try client().id
            let token = try form.required("refresh_token")
            guard let grant = refresh(token, of: id, scopes: form.words("scope"), boundTo: key) else {
                throw .invalidGrant("expired access/refresh token")
            }
            return grant
        default: throw OAuthRejection("unsupported_grant_type", "grant type not supported")
        }
    }

    package func forgetCodes() { state.withLock { $0.codes.removeAll() } }
}
