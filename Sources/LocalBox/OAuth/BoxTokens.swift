// SPDX-License-Identifier: Apache-2.0

import DropboxAPI
import LocalServer
import RestTransport
import Synchronization

/// Gives, renews, checks and revokes the tokens of the box's account.
final class BoxTokens: Sendable {
    private struct State {
        var registry = TokenRegistry()
        var codes = AuthorizationCodes()
    }

    /// What a login gives.
    struct Grant: Sendable {
        let accessToken: String
        let refreshToken: String?
        let scopes: [String]
    }

    private let clock: BoxClock
    private let lifetime: Duration
    private let state = Mutex(State())

    init(clock: BoxClock, lifetime: Duration) {
        self.clock = clock
        self.lifetime = lifetime
    }

    var lifetimeSeconds: Int64 { lifetime.components.seconds }

    func login(_ clientID: String, scopes: [String], isLasting: Bool) -> Grant {
        state.withLock { login(clientID, scopes, isLasting, &$0.registry).grant }
    }

    private func login(
        _ clientID: String, _ scopes: [String], _ isLasting: Bool, _ registry: inout TokenRegistry
    ) -> (grant: Grant, family: UInt64) {
        let login = registry.login(clientID: clientID, scopes: scopes, issuedAt: clock.seconds)
        let refresh = isLasting ? RandomText.make(64) : nil
        if let refresh { registry.add(refreshToken: refresh, expiry: nil, now: clock.now, login: login) }
        return (addAccess(login, scopes, refresh, &registry), login.family)
    }

    private func addAccess(
        _ login: TokenRegistry.Login, _ scopes: [String], _ refresh: String?, _ registry: inout TokenRegistry
    ) -> Grant {
        let access = "sl." + RandomText.make(120)
        registry.add(accessToken: access, expiry: clock.now + lifetime, now: clock.now, login: login)
        return Grant(accessToken: access, refreshToken: refresh, scopes: scopes)
    }

    /// A further access token, with all scopes or some; `nil` for a refresh token that is not good.
    func refresh(_ token: String, of clientID: String, scopes: [String]) -> Grant? {
        state.withLock { state in
            let rules = TokenRegistry.ExchangeRules(rotation: .off, expiry: nil, now: clock.now)
            guard case .granted(let login, _) = state.registry.exchange(token, of: clientID, successor: "", rules),
                Set(scopes).isSubset(of: login.scopes)
            else { return nil }
            guard !scopes.isEmpty else { return addAccess(login, login.scopes, nil, &state.registry) }
            let narrow = login.narrowed(to: scopes)
            return addAccess(narrow, scopes, nil, &state.registry)
        }
    }

    /// The scopes that an access token has now.
    func scopes(of accessToken: String) throws(BoxRefusal) -> [String] {
        let key = TokenRegistry.key(accessToken)
        let found = state.withLock { state in
            (state.registry.access(key, at: clock.now)?.login.scopes, state.registry.hasExpired(key, at: clock.now))
        }
        if let scopes = found.0 { return scopes }
        throw .unauthorized(found.1 ? .expiredAccessToken : .invalidAccessToken)
    }

    func makeCode(_ entry: AuthorizationCodes.Entry) -> String {
        let code = RandomText.make(43)
        state.withLock { $0.codes.add(code, entry, now: clock.now) }
        return code
    }

    /// Turns a code into tokens; a second use revokes what the first gave (RFC 6749 §4.1.2).
    func redeem(_ code: String, _ claim: AuthorizationCodes.Claim) throws(OAuthRefusal) -> Grant {
        try state.withLock { (state) throws(OAuthRefusal) -> Grant in
            switch state.codes.redeem(code, claim, now: clock.now) {
            case .refused(let reason): throw .invalidGrant(reason)
            case .replayed(let family):
                if let family { state.registry.revoke(family: family) }
                throw .invalidGrant("the code has been used")
            case .granted(let entry):
                let made = login(
                    entry.clientID, entry.scopes.filter { $0 != Self.offline }, entry.scopes.contains(Self.offline),
                    &state.registry)
                state.codes.note(made.family, of: code)
                return made.grant
            }
        }
    }

    /// Stands among the scopes of a code that also gives a refresh token.
    static let offline = " offline"

    /// Ends the login of an access token: all of its tokens.
    func revokeLogin(of accessToken: String) {
        let key = TokenRegistry.key(accessToken)
        state.withLock { state in
            if let login = state.registry.access(key, at: clock.now)?.login {
                state.registry.revoke(family: login.family)
            }
        }
    }

    func expireAccessTokens() { state.withLock { $0.registry.expireAccessTokens(at: clock.now) } }
    func revokeRefreshTokens() { state.withLock { $0.registry.revokeRefreshTokens() } }
}
