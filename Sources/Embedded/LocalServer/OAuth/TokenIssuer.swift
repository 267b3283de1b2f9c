// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// How a server makes tokens, and how long they are valid.
package struct TokenRules: Sendable {
    package let clock: ServerClock
    package let lifetime: Duration
    /// Counts from the last use; `nil` for no limit.
    package var refreshLifetime: Duration?
    package var rotation = RefreshRotation.off
    /// The maximum number of tokens of each kind that are kept.
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

/// What happens to a refresh token after its use (RFC 9700 4.14.2).
public enum RefreshRotation: Sendable, Hashable {
    /// Every use gives a new one; a second use of an old one revokes every token of the same login.
    case strict
    /// Every use gives a new one; a second use of the last one, after a lost answer, gives the same successor.
    case grace
    /// The token stays valid and there is no new one, as on a platform without rotation.
    case off
}

/// Gives, renews, checks and revokes tokens, and the codes that become tokens.
package final class TokenIssuer: Sendable {
    /// One login: all tokens that come from it are a family, and die with it.
    package struct Login: Sendable {
        fileprivate let family: UInt64
        package let clientID: String
        package fileprivate(set) var scopes: [String]
        /// Seconds since 1970.
        package let issuedAt: Int64
        /// Who logged in, in the server's own words; empty where it has one user only.
        package let subject: String
    }

    /// The tokens that a login gives.
    package struct Grant: Sendable {
        package let accessToken: String
        package let refreshToken: String?
        package let login: Login
    }

    private struct Refresh {
        let login: Login
        let expiry: ContinuousClock.Instant?
        /// The token that this one was exchanged for.
        var successor: String?
        let lastUse: UInt64

        /// The token with the lowest rank is forgotten first.
        var rank: (Int, UInt64) { (successor == nil ? 1 : 0, lastUse) }
    }

    private struct State {
        var accesses: [String: (login: Login, expiry: ContinuousClock.Instant)] = [:]
        var refreshes: [String: Refresh] = [:]
        var codes: [String: Code] = [:]
        /// Numbers the logins, and the uses of refresh tokens.
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

    /// The number of tokens that are kept.
    package var count: Int { state.withLock { $0.accesses.count + $0.refreshes.count } }

    /// Logs a user in; with a refresh token if the login is lasting.
    ///
    /// The tokens may be given, so that they are the same after a restart.
    package func login(
        _ clientID: String, subject: String, scopes: [String], isLasting: Bool, access: String? = nil,
        refresh: String? = nil
    ) -> Grant {
        state.withLock { login(clientID, subject, scopes, isLasting, access: access, refresh: refresh, &$0) }
    }

    private func login(
        _ clientID: String, _ subject: String, _ scopes: [String], _ isLasting: Bool, access: String? = nil,
        refresh: String? = nil, _ state: inout State
    ) -> Grant {
        state.last += 1
        let login = Login(
            family: state.last, clientID: clientID, scopes: scopes, issuedAt: rules.clock.seconds, subject: subject)
        let refresh = isLasting ? refresh ?? rules.makeRefreshToken() : nil
        if let refresh { keep(refresh, login, &state) }
        return Grant(accessToken: makeAccess(login, given: access, &state), refreshToken: refresh, login: login)
    }

    /// Gives a new access token.
    ///
    /// Beyond the capacity, a tenth of the others is forgotten, those that expire first.
    private func makeAccess(_ login: Login, given: String? = nil, _ state: inout State) -> String {
        if state.accesses.count >= rules.capacity {
            let order = state.accesses.sorted { $0.value.expiry < $1.value.expiry }
            for (token, _) in order.prefix(1 + rules.capacity / 10) { state.accesses[token] = nil }
        }
        let token = given ?? rules.makeAccessToken()
        state.accesses[token] = (login, now + rules.lifetime)
        return token
    }

    /// Keeps a refresh token, for its lifetime from now.
    ///
    /// Beyond the capacity, a tenth of the others is forgotten: spent ones first, then those not used for longest.
    private func keep(_ token: String, _ login: Login, _ state: inout State) {
        if state.refreshes.count >= rules.capacity {
            let order = state.refreshes.sorted { $0.value.rank < $1.value.rank }
            for (token, _) in order.prefix(1 + rules.capacity / 10) { state.refreshes[token] = nil }
        }
        state.last += 1
        let expiry = rules.refreshLifetime.map { now + $0 }
        state.refreshes[token] = Refresh(login: login, expiry: expiry, lastUse: state.last)
    }

    /// Exchanges a refresh token of a client, for all scopes or some; `nil` when it is not valid for these.
    package func refresh(_ token: String, of clientID: String, scopes: [String] = []) -> Grant? {
        state.withLock { state -> Grant? in
            guard let known = state.refreshes[token], known.login.clientID == clientID,
                Set(scopes).isSubset(of: known.login.scopes)
            else { return nil }
            var login = known.login
            var refresh: String?
            if let successor = known.successor {
                guard rules.rotation == .grace, let next = state.refreshes[successor], next.successor == nil else {
                    state.revoke(login.family)  // RFC 9700 4.14.2: somebody has a stolen copy
                    return nil
                }
                refresh = successor
            } else if known.expiry.map({ $0 <= now }) ?? false {
                return nil
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

    /// The login of an access token that is valid now, and when the token expires.
    package func access(_ token: String) -> (login: Login, expiry: ContinuousClock.Instant)? {
        state.withLock { $0.accesses[token] }.flatMap { $0.expiry > now ? $0 : nil }
    }

    /// Whether an access token was valid once, and has expired.
    package func hasExpired(_ token: String) -> Bool {
        state.withLock { $0.accesses[token] }.map { $0.expiry <= now } ?? false
    }

    /// The login of a refresh token that is valid now, and when the token expires.
    package func refresh(_ token: String) -> (login: Login, expiry: ContinuousClock.Instant?)? {
        guard let known = state.withLock({ $0.refreshes[token] }), known.successor == nil,
            known.expiry.map({ $0 > now }) ?? true
        else { return nil }
        return (known.login, known.expiry)
    }

    /// Revokes a token of either kind, a refresh token with its whole login; `false` when it is unknown.
    package func revoke(_ token: String) -> Bool {
        state.withLock { state in
            if state.accesses.removeValue(forKey: token) != nil { return true }
            guard let login = state.refreshes[token]?.login else { return false }
            state.revoke(login.family)
            return true
        }
    }

    /// Ends a login: all of its tokens.
    package func revoke(_ login: Login) { state.withLock { $0.revoke(login.family) } }

    package func expireAccessTokens() {
        let now = now
        state.withLock { $0.accesses = $0.accesses.mapValues { ($0.login, min($0.expiry, now)) } }
    }

    package func revokeRefreshTokens() { state.withLock { $0.refreshes.removeAll() } }
}

/// The authorization codes (RFC 6749 4.1.2, RFC 7636).
///
/// A code is valid once, for the client, the redirect URI and the challenge it was made for. An attempt of its client
/// uses it up, even a failed one; an attempt of another client does not.
extension TokenIssuer {
    /// What a code stands for.
    package struct CodeRequest: Sendable {
        package let clientID: String
        package let redirectURI: String
        /// The S256 challenge, if the request had one.
        package let challenge: String?
        package let scopes: [String]
        /// Whether the login has a refresh token.
        package let isLasting: Bool
        /// The user who agreed, in the server's own words.
        package let subject: String

        package init(
            clientID: String, redirectURI: String, challenge: String?, scopes: [String], isLasting: Bool,
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
        /// The login that it gave.
        var family: UInt64?
    }

    /// Keeps a code for a request that a user agreed to.
    package func add(_ code: String, _ request: CodeRequest, lifetime: Duration) {
        let now = now
        state.withLock { state in
            if state.codes.count >= rules.capacity { state.codes = state.codes.filter { $0.value.expiry > now } }
            state.codes[code] = Code(request: request, expiry: now + lifetime)
        }
    }

    /// Turns a code into tokens; a second use revokes what the first gave (RFC 6749 4.1.2).
    ///
    /// With `takesAnyVerifier` a verifier may be longer or shorter than RFC 7636 4.1 allows, as those of many clients.
    package func redeem(
        _ code: String, of clientID: String, redirectURI: String?, verifier: String?, takesAnyVerifier: Bool = false
    ) throws(OAuthRefusal) -> Grant {
        try state.withLock { (state) throws(OAuthRefusal) -> Grant in
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
            if let challenge = request.challenge {
                guard let verifier, takesAnyVerifier || ProofKey.isVerifier(verifier),
                    ProofKey.challenge(of: verifier) == challenge
                else { throw .invalidGrant("invalid code verifier") }
            } else if verifier != nil {
                throw .invalidGrant("code_verifier without a code_challenge")  // RFC 9700 2.1.1
            }
            let grant = login(clientID, request.subject, request.scopes, request.isLasting, &state)
            state.codes[code]?.family = grant.login.family
            return grant
        }
    }

    package func forgetCodes() { state.withLock { $0.codes.removeAll() } }
}
