// SPDX-License-Identifier: Apache-2.0

/// The tokens the org has given out, as a value without I/O.
///
/// Tokens are kept by their SHA-256, so that looking one up takes a time that says nothing about the stored ones.
struct TokenRegistry: Sendable {
    typealias Key = [UInt8]

    /// One login: all tokens that come from it are a family, and die with it.
    struct Login: Sendable {
        let family: UInt64
        let clientID: String
        let scopes: [String]
        /// Seconds since 1970.
        let issuedAt: Int64
    }

    private struct Access {
        let expiry: ContinuousClock.Instant
        let login: Login
    }

    private enum Refresh {
        case live(Login, expiry: ContinuousClock.Instant?)
        /// Used once; what it was exchanged for is kept for `grace`.
        case spent(Login, successor: String)
    }

    private var accesses: [Key: Access] = [:]
    private var refreshes: [Key: Refresh] = [:]
    private var deadFamilies: Set<UInt64> = []
    private var nextFamily: UInt64 = 0

    /// Begins a family.
    mutating func login(clientID: String, scopes: [String], issuedAt: Int64) -> Login {
        nextFamily += 1
        return Login(family: nextFamily, clientID: clientID, scopes: scopes, issuedAt: issuedAt)
    }

    mutating func add(refreshToken: String, expiry: ContinuousClock.Instant?, login: Login) {
        refreshes[Self.key(refreshToken)] = .live(login, expiry: expiry)
    }

    mutating func add(
        accessToken: String, expiry: ContinuousClock.Instant, now: ContinuousClock.Instant, login: Login
    ) {
        if accesses.count >= 10_000 { accesses = accesses.filter { $0.value.expiry > now } }
        accesses[Self.key(accessToken)] = Access(expiry: expiry, login: login)
    }

    /// The login of an access token that is good now, and when the token ends.
    func access(_ key: Key, at now: ContinuousClock.Instant) -> (login: Login, expiry: ContinuousClock.Instant)? {
        guard let access = accesses[key], access.expiry > now, !deadFamilies.contains(access.login.family) else {
            return nil
        }
        return (access.login, access.expiry)
    }

    /// The login of a refresh token that is good now, and when the token ends.
    func refresh(_ key: Key, at now: ContinuousClock.Instant) -> (login: Login, expiry: ContinuousClock.Instant?)? {
        guard case .live(let login, let expiry) = refreshes[key], expiry.map({ $0 > now }) ?? true,
            !deadFamilies.contains(login.family)
        else { return nil }
        return (login, expiry)
    }

    /// What a refresh token is worth.
    enum Exchange {
        /// The family goes on; the new refresh token, when the old one rotated.
        case granted(Login, refreshToken: String?)
        /// Unknown, expired, revoked, spent or another client's: no new token.
        case refused
    }

    /// What an exchange goes by.
    struct ExchangeRules {
        let rotation: LocalOrgConfiguration.RefreshRotation
        let expiry: ContinuousClock.Instant?
        let now: ContinuousClock.Instant
    }

    /// Exchanges a refresh token; `successor` becomes the new one when the rotation asks for it.
    mutating func exchange(
        _ token: String, of clientID: String, successor: String, _ rules: ExchangeRules
    ) -> Exchange {
        let key = Self.key(token)
        switch refreshes[key] {
        case .live(let login, let expiry) where isAlive(login, of: clientID) && expiry.map({ $0 > rules.now }) ?? true:
            guard rules.rotation != .off else {
                refreshes[key] = .live(login, expiry: rules.expiry)
                return .granted(login, refreshToken: nil)
            }
            refreshes[key] = .spent(login, successor: successor)
            refreshes[Self.key(successor)] = .live(login, expiry: rules.expiry)
            return .granted(login, refreshToken: successor)
        case .spent(let login, let known) where isAlive(login, of: clientID):
            if rules.rotation == .grace, case .live = refreshes[Self.key(known)] {
                return .granted(login, refreshToken: known)
            }
            revoke(family: login.family)  // RFC 9700 §4.14.2: somebody has a stolen copy
            return .refused
        default: return .refused
        }
    }

    private func isAlive(_ login: Login, of clientID: String) -> Bool {
        login.clientID == clientID && !deadFamilies.contains(login.family)
    }

    mutating func revoke(family: UInt64) { deadFamilies.insert(family) }

    /// Revokes a token of either kind; a refresh token takes its whole family along.
    ///
    /// `false` when it is unknown.
    mutating func revoke(_ token: String) -> Bool {
        let key = Self.key(token)
        if accesses.removeValue(forKey: key) != nil { return true }
        switch refreshes[key] {
        case .live(let login, _), .spent(let login, _): return deadFamilies.insert(login.family).inserted
        case nil: return false
        }
    }

    mutating func expireAccessTokens() { accesses.removeAll() }
    mutating func revokeRefreshTokens() { refreshes.removeAll() }

    static func key(_ token: String) -> Key { Digest.sha256(token.utf8) }
}
