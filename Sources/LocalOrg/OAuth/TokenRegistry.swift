// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The tokens the org has given out, as a value without I/O.
///
/// Tokens are kept by their SHA-256, so that looking one up takes a time that says nothing about the stored ones.
struct TokenRegistry {
    typealias Key = [UInt8]

    private struct Access {
        let expiry: ContinuousClock.Instant
        let family: UInt64?
    }

    private enum Refresh {
        case live(family: UInt64)
        /// Used once; what it was exchanged for is kept for `grace`.
        case spent(family: UInt64, successor: String)
    }

    private var accesses: [Key: Access] = [:]
    private var refreshes: [Key: Refresh] = [:]
    private var deadFamilies: Set<UInt64> = []
    private var nextFamily: UInt64 = 0

    /// What a refresh token is worth.
    enum Exchange: Equatable {
        /// The family goes on; the new refresh token, when the old one rotated.
        case granted(family: UInt64, refreshToken: String?)
        /// Unknown, revoked, or spent: no new token.
        case refused
    }

    /// Begins a family: all tokens that come from one login.
    mutating func beginFamily(refreshToken: String) -> UInt64 {
        nextFamily += 1
        refreshes[Self.key(refreshToken)] = .live(family: nextFamily)
        return nextFamily
    }

    mutating func add(
        accessToken: String, expiry: ContinuousClock.Instant, now: ContinuousClock.Instant, family: UInt64?
    ) {
        if accesses.count >= 10_000 { accesses = accesses.filter { $0.value.expiry > now } }
        accesses[Self.key(accessToken)] = Access(expiry: expiry, family: family)
    }

    func isValid(_ key: Key, at now: ContinuousClock.Instant) -> Bool {
        guard let access = accesses[key], access.expiry > now else { return false }
        return access.family.map { !deadFamilies.contains($0) } ?? true
    }

    /// Exchanges a refresh token; `successor` becomes the new one when the rotation asks for it.
    mutating func exchange(
        _ token: String, successor: String, rotation: LocalOrgConfiguration.RefreshRotation
    ) -> Exchange {
        let key = Self.key(token)
        switch refreshes[key] {
        case .live(let family) where !deadFamilies.contains(family):
            guard rotation != .off else { return .granted(family: family, refreshToken: nil) }
            refreshes[key] = .spent(family: family, successor: successor)
            refreshes[Self.key(successor)] = .live(family: family)
            return .granted(family: family, refreshToken: successor)
        case .spent(let family, let known) where !deadFamilies.contains(family):
            if rotation == .grace, case .live = refreshes[Self.key(known)] {
                return .granted(family: family, refreshToken: known)
            }
            deadFamilies.insert(family)  // RFC 9700 §4.14.2: somebody has a stolen copy
            return .refused
        default: return .refused
        }
    }

    /// Revokes a token of either kind; a refresh token takes its whole family along.
    ///
    /// `false` when it is unknown.
    mutating func revoke(_ token: String) -> Bool {
        let key = Self.key(token)
        if accesses.removeValue(forKey: key) != nil { return true }
        switch refreshes[key] {
        case .live(let family), .spent(let family, _): return deadFamilies.insert(family).inserted
        case nil: return false
        }
    }

    mutating func expireAccessTokens() { accesses.removeAll() }
    mutating func revokeRefreshTokens() { refreshes.removeAll() }

    static func key(_ token: String) -> Key { Digest.sha256(token.utf8) }
}
