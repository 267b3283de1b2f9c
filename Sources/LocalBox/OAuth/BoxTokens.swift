// SPDX-License-Identifier: Apache-2.0

import DropboxAPI
import LocalServer
import RestTransport
import Synchronization

/// Whose access tokens those of a login are.
enum TokenSubject: Sendable, Hashable {
    /// The user with this number.
    case user(Int)
    /// The whole team.
    case team
}

/// Gives, renews, checks and revokes the tokens of the box's users.
final class BoxTokens: Sendable {
    private struct State {
        var registry = TokenRegistry()
        var codes = AuthorizationCodes()
        /// By the family of a login; one that is missing is the owner's.
        var subjects: [UInt64: TokenSubject] = [:]
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

    /// Logs somebody in; the tokens may be given, so that they are the same after a restart.
    func login(
        _ clientID: String, _ subject: TokenSubject = .user(0), scopes: [String], isLasting: Bool,
        access: String? = nil, refresh: String? = nil
    ) -> Grant {
        state.withLock { state in
            let made = login(clientID, scopes, isLasting, access: access, refresh: refresh, &state.registry)
            if subject != .user(0) { state.subjects[made.family] = subject }
            return made.grant
        }
    }

    private func login(
        _ clientID: String, _ scopes: [String], _ isLasting: Bool, access: String? = nil, refresh: String? = nil,
        _ registry: inout TokenRegistry
    ) -> (grant: Grant, family: UInt64) {
        let login = registry.login(clientID: clientID, scopes: scopes, issuedAt: clock.seconds)
        let refresh = isLasting ? refresh ?? RandomText.make(64) : nil
        if let refresh { registry.add(refreshToken: refresh, expiry: nil, now: clock.now, login: login) }
        return (addAccess(login, scopes, refresh, access, &registry), login.family)
    }

    private func addAccess(
        _ login: TokenRegistry.Login, _ scopes: [String], _ refresh: String?, _ access: String? = nil,
        _ registry: inout TokenRegistry
    ) -> Grant {
        let access = access ?? "sl." + RandomText.make(120)
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
            guard !scopes.isEmpty else { return addAccess(login, login.scopes, nil, nil, &state.registry) }
            let narrow = login.narrowed(to: scopes)
            return addAccess(narrow, scopes, nil, nil, &state.registry)
        }
    }

    /// Whose an access token is, and the scopes that it has now.
    func login(of accessToken: String) throws(BoxRefusal) -> (subject: TokenSubject, scopes: [String]) {
        let key = TokenRegistry.key(accessToken)
        let (login, hasExpired) = state.withLock { state in
            let login = state.registry.access(key, at: clock.now)?.login
            let found = login.map { (state.subjects[$0.family] ?? .user(0), $0.scopes) }
            return (found, found == nil && state.registry.hasExpired(key, at: clock.now))
        }
        if let login { return login }
        throw .unauthorized(hasExpired ? .expiredAccessToken : .invalidAccessToken)
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
