// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// How a server makes tokens, and how long they are good.
package struct TokenRules: Sendable {
    package let clock: ServerClock
    package let lifetime: Duration
    /// Counts from the last use; `nil` for no limit.
    package var refreshLifetime: Duration?
    package var rotation = RefreshRotation.off
    package let makeAccessToken: @Sendable () -> String
    package let makeRefreshToken: @Sendable () -> String

    package init(
        clock: ServerClock, lifetime: Duration, makeAccessToken: @escaping @Sendable () -> String,
        makeRefreshToken: @escaping @Sendable () -> String
    ) {
        (self.clock, self.lifetime) = (clock, lifetime)
        (self.makeAccessToken, self.makeRefreshToken) = (makeAccessToken, makeRefreshToken)
    }

    fileprivate var refreshExpiry: ContinuousClock.Instant? { refreshLifetime.map { clock.now + $0 } }
}

/// Gives, renews, checks and revokes tokens, and the codes that become tokens.
package final class TokenIssuer: Sendable {
    private struct State {
        var registry = TokenRegistry()
        var codes = AuthorizationCodes()
    }

    /// The tokens that a login gives.
    package struct Grant: Sendable {
        package let accessToken: String
        package let refreshToken: String?
        package let login: TokenRegistry.Login
    }

    package let rules: TokenRules
    private let state = Mutex(State())

    package init(_ rules: TokenRules) {
        self.rules = rules
    }

    private var now: ContinuousClock.Instant { rules.clock.now }

    /// Logs somebody in; the tokens may be given, so that they are the same after a restart.
    package func login(
        _ clientID: String, subject: String, scopes: [String], isLasting: Bool, access: String? = nil,
        refresh: String? = nil
    ) -> Grant {
        state.withLock { login(clientID, subject, scopes, isLasting, access: access, refresh: refresh, &$0.registry) }
    }

    private func login(
        _ clientID: String, _ subject: String, _ scopes: [String], _ isLasting: Bool, access: String? = nil,
        refresh: String? = nil, _ registry: inout TokenRegistry
    ) -> Grant {
        let login = registry.login(
            clientID: clientID, scopes: scopes, issuedAt: rules.clock.seconds, subject: subject)
        let refresh = isLasting ? refresh ?? rules.makeRefreshToken() : nil
        if let refresh {
            registry.add(refreshToken: refresh, expiry: rules.refreshExpiry, now: now, login: login)
        }
        return Grant(accessToken: addAccess(login, given: access, &registry), refreshToken: refresh, login: login)
    }

    private func addAccess(
        _ login: TokenRegistry.Login, given: String? = nil, _ registry: inout TokenRegistry
    ) -> String {
        let access = given ?? rules.makeAccessToken()
        registry.add(accessToken: access, expiry: now + rules.lifetime, now: now, login: login)
        return access
    }

    /// Exchanges a refresh token of a client, for all scopes or some; `nil` when it is not valid for these.
    package func refresh(_ token: String, of clientID: String, scopes: [String] = []) -> Grant? {
        let exchange = TokenRegistry.ExchangeRules(rotation: rules.rotation, expiry: rules.refreshExpiry, now: now)
        let successor = rules.makeRefreshToken()
        return state.withLock { state -> Grant? in
            guard
                case .granted(var login, let refresh) = state.registry.exchange(
                    token, of: clientID, successor: successor, exchange),
                Set(scopes).isSubset(of: login.scopes)
            else { return nil }
            if !scopes.isEmpty { login = login.narrowed(to: scopes) }
            return Grant(accessToken: addAccess(login, &state.registry), refreshToken: refresh, login: login)
        }
    }

    /// The login of an access token that is good now, and when the token ends.
    package func access(_ token: String) -> (login: TokenRegistry.Login, expiry: ContinuousClock.Instant)? {
        let key = TokenRegistry.key(token)
        return state.withLock { $0.registry.access(key, at: now) }
    }

    /// Whether an access token was good once, and its time is over.
    package func hasExpired(_ token: String) -> Bool {
        let key = TokenRegistry.key(token)
        return state.withLock { $0.registry.hasExpired(key, at: now) }
    }

    /// The login of a refresh token that is good now, and when the token ends.
    package func refresh(_ token: String) -> (login: TokenRegistry.Login, expiry: ContinuousClock.Instant?)? {
        let key = TokenRegistry.key(token)
        return state.withLock { $0.registry.refresh(key, at: now) }
    }

    /// Keeps a code for a request that a user agreed to.
    package func add(_ code: String, _ entry: AuthorizationCodes.Entry) {
        state.withLock { $0.codes.add(code, entry, now: now) }
    }

    /// Turns a code into tokens; a second use revokes what the first gave (RFC 6749 §4.1.2).
    package func redeem(_ code: String, _ claim: AuthorizationCodes.Claim) throws(OAuthRefusal) -> Grant {
        try state.withLock { (state) throws(OAuthRefusal) -> Grant in
            switch state.codes.redeem(code, claim, now: now) {
            case .refused(let reason): throw .invalidGrant(reason)
            case .replayed(let family):
                if let family { state.registry.revoke(family: family) }
                throw .invalidGrant("expired authorization code")
            case .granted(let entry):
                let grant = login(entry.clientID, entry.subject, entry.scopes, entry.isLasting, &state.registry)
                state.codes.note(grant.login.family, of: code)
                return grant
            }
        }
    }

    /// Revokes a token of either kind; `false` when it is unknown.
    package func revoke(_ token: String) -> Bool { state.withLock { $0.registry.revoke(token) } }

    /// Ends a login: all of its tokens.
    package func revoke(_ login: TokenRegistry.Login) { state.withLock { $0.registry.revoke(family: login.family) } }

    package func expireAccessTokens() { state.withLock { $0.registry.expireAccessTokens(at: now) } }
    package func revokeRefreshTokens() { state.withLock { $0.registry.revokeRefreshTokens() } }
    package func forgetCodes() { state.withLock { $0.codes.removeAll() } }
}
