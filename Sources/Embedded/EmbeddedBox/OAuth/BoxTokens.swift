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
        /// Of the codes that were given out and not turned in.
        var codeSubjects: [TokenRegistry.Key: TokenSubject] = [:]

        mutating func note(_ subject: TokenSubject, of family: UInt64) {
            if subject != .user(0) { subjects[family] = subject }
        }
    }

    /// What a login gives.
    struct Grant: Sendable {
        let accessToken: String
        let refreshToken: String?
        let scopes: [String]
        var subject = TokenSubject.user(0)
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
            state.note(subject, of: made.family)
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
            let narrow = scopes.isEmpty ? login : login.narrowed(to: scopes)
            var grant = addAccess(narrow, narrow.scopes, nil, nil, &state.registry)
            grant.subject = state.subjects[login.family] ?? .user(0)
            return grant
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

    /// A code for a user's login.
    func makeCode(_ entry: AuthorizationCodes.Entry, _ user: BoxUser) -> String {
        let code = RandomText.make(43)
        state.withLock { state in
            state.codes.add(code, entry, now: clock.now)
            if user.number > 0 { state.codeSubjects[TokenRegistry.key(code)] = .user(user.number) }
        }
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
                var grant = made.grant
                grant.subject = state.codeSubjects.removeValue(forKey: TokenRegistry.key(code)) ?? .user(0)
                state.note(grant.subject, of: made.family)
                return grant
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
