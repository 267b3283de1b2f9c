// SPDX-License-Identifier: Apache-2.0

/// The tokens a server has given out, as a value without I/O.
///
/// Tokens are kept by their SHA-256, so that the time of a look-up reveals nothing about the stored ones.
package struct TokenRegistry: Sendable {
    package typealias Key = [UInt8]

    /// One login: all tokens that come from it are a family, and die with it.
    package struct Login: Sendable {
        package let family: UInt64
        package let clientID: String
        package let scopes: [String]
        /// Seconds since 1970.
        package let issuedAt: Int64
        /// Who logged in, in the server's own words; empty where it has one user only.
        package let subject: String

        /// The same login with fewer scopes.
        package func narrowed(to scopes: [String]) -> Login {
            Login(family: family, clientID: clientID, scopes: scopes, issuedAt: issuedAt, subject: subject)
        }
    }

    private struct Access {
        let expiry: ContinuousClock.Instant
        let login: Login
    }

    private enum Refresh {
        case live(Login, expiry: ContinuousClock.Instant?)
        /// Used once; what it was exchanged for is kept for `grace`.
        case spent(Login, successor: String)

        var login: Login {
            switch self {
            case .live(let login, _), .spent(let login, _): login
            }
        }

        var isSpent: Bool { if case .spent = self { true } else { false } }

        func hasEnded(at now: ContinuousClock.Instant) -> Bool {
            if case .live(_, let expiry?) = self { expiry <= now } else { false }
        }
    }

    /// A refresh token and its place in the order in which they were written down.
    private struct Entry {
        let refresh: Refresh
        let number: UInt64

        /// The entry with the lowest is forgotten first.
        var rank: (Int, UInt64) { (refresh.isSpent ? 0 : 1, number) }
    }

    private var accesses: [Key: Access] = [:]
    private var refreshes: [Key: Entry] = [:]
    private var deadFamilies: Set<UInt64> = []
    private var (nextFamily, nextEntry): (UInt64, UInt64) = (0, 0)
    private let capacity: Int

    /// - Parameter capacity: how many tokens of each kind are kept.
    package init(capacity: Int = 10_000) {
        self.capacity = capacity
    }

    /// Everything that is kept, of all kinds.
    package var count: Int { accesses.count + refreshes.count + deadFamilies.count }

    /// Begins a family.
    package mutating func login(
        clientID: String, scopes: [String], issuedAt: Int64, subject: String = ""
    ) -> Login {
        nextFamily += 1
        return Login(
            family: nextFamily, clientID: clientID, scopes: scopes, issuedAt: issuedAt, subject: subject)
    }

    package mutating func add(
        refreshToken: String, expiry: ContinuousClock.Instant?, now: ContinuousClock.Instant, login: Login
    ) {
        prune(now)
        keep(.live(login, expiry: expiry), as: Self.key(refreshToken))
    }

    private mutating func keep(_ refresh: Refresh, as key: Key) {
        nextEntry += 1
        refreshes[key] = Entry(refresh: refresh, number: nextEntry)
    }

    package mutating func add(
        accessToken: String, expiry: ContinuousClock.Instant, now: ContinuousClock.Instant, login: Login
    ) {
        prune(now)
        accesses[Self.key(accessToken)] = Access(expiry: expiry, login: login)
    }

    /// Forgets tokens that are useless, once there are many, and then the oldest: access tokens that end first,
    /// refresh tokens spent first, and refresh tokens not used for longest.
    private mutating func prune(_ now: ContinuousClock.Instant) {
        guard max(accesses.count, refreshes.count, deadFamilies.count) >= capacity else { return }
        accesses = accesses.filter { $0.value.expiry > now && !deadFamilies.contains($0.value.login.family) }
        refreshes = refreshes.filter {
            !$0.value.refresh.hasEnded(at: now) && !deadFamilies.contains($0.value.refresh.login.family)
        }
        deadFamilies.removeAll()  // nothing of them is left
        // A tenth at a time, so that the next ones find room without any work.
        let most = capacity - capacity / 10
        for (key, _) in accesses.sorted(by: { $0.value.expiry < $1.value.expiry }).dropLast(most) {
            accesses[key] = nil
        }
        let order = refreshes.sorted { $0.value.rank < $1.value.rank }
        for (key, _) in order.dropLast(most) { refreshes[key] = nil }
    }

    /// The login of an access token that is good now, and when the token ends.
    package func access(_ key: Key, at now: ContinuousClock.Instant) -> (login: Login, expiry: ContinuousClock.Instant)?
    {
        guard let access = accesses[key], access.expiry > now, !deadFamilies.contains(access.login.family) else {
            return nil
        }
        return (access.login, access.expiry)
    }

    /// Whether an access token was good once, and its time is over.
    package func hasExpired(_ key: Key, at now: ContinuousClock.Instant) -> Bool {
        accesses[key].map { $0.expiry <= now && !deadFamilies.contains($0.login.family) } ?? false
    }

    /// The login of a refresh token that is good now, and when the token ends.
    package func refresh(_ key: Key, at now: ContinuousClock.Instant) -> (
        login: Login, expiry: ContinuousClock.Instant?
    )? {
        guard case .live(let login, let expiry) = refreshes[key]?.refresh, expiry.map({ $0 > now }) ?? true,
            !deadFamilies.contains(login.family)
        else { return nil }
        return (login, expiry)
    }

    /// What a refresh token is worth.
    package enum Exchange {
        /// The family goes on; the new refresh token, when the old one rotated.
        case granted(Login, refreshToken: String?)
        /// Unknown, expired, revoked, spent or another client's: no new token.
        case refused
    }

    /// The rules of an exchange.
    package struct ExchangeRules {
        package let rotation: RefreshRotation
        package let expiry: ContinuousClock.Instant?
        package let now: ContinuousClock.Instant

        package init(
            rotation: RefreshRotation, expiry: ContinuousClock.Instant?,
            now: ContinuousClock.Instant
        ) {
            self.rotation = rotation
            self.expiry = expiry
            self.now = now
        }
    }

    /// Exchanges a refresh token; `successor` becomes the new one when the rotation asks for it.
    package mutating func exchange(
        _ token: String, of clientID: String, successor: String, _ rules: ExchangeRules
    ) -> Exchange {
        let key = Self.key(token)
        switch refreshes[key]?.refresh {
        case .live(let login, let expiry) where isAlive(login, of: clientID) && expiry.map({ $0 > rules.now }) ?? true:
            guard rules.rotation != .off else {
                keep(.live(login, expiry: rules.expiry), as: key)
                return .granted(login, refreshToken: nil)
            }
            keep(.spent(login, successor: successor), as: key)
            add(refreshToken: successor, expiry: rules.expiry, now: rules.now, login: login)
            return .granted(login, refreshToken: successor)
        case .spent(let login, let known) where isAlive(login, of: clientID):
            if rules.rotation == .grace, case .live = refreshes[Self.key(known)]?.refresh {
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

    package mutating func revoke(family: UInt64) { deadFamilies.insert(family) }

    /// Revokes a token of either kind; a refresh token takes its whole family along.
    ///
    /// `false` when it is unknown.
    package mutating func revoke(_ token: String) -> Bool {
        let key = Self.key(token)
        if accesses.removeValue(forKey: key) != nil { return true }
        guard let login = refreshes[key]?.refresh.login else { return false }
        return deadFamilies.insert(login.family).inserted
    }

    /// Ends the time of every access token.
    package mutating func expireAccessTokens(at now: ContinuousClock.Instant) {
        accesses = accesses.mapValues { Access(expiry: min($0.expiry, now), login: $0.login) }
    }

    package mutating func revokeRefreshTokens() { refreshes.removeAll() }

    package static func key(_ token: String) -> Key { Digest.sha256(token.utf8) }
}

/// What happens to a refresh token after its use (RFC 9700 §4.14.2).
public enum RefreshRotation: Sendable, Hashable {
    /// Every use gives a new one; a second use of an old one revokes every token of the same login.
    case strict
    /// Every use gives a new one; a second use of the last one, after a lost answer, gives the same successor.
    case grace
    /// The token stays valid and there is no new one, as on a platform without rotation.
    case off
}
