// SPDX-License-Identifier: Apache-2.0

import LocalServer
import Synchronization

/// The users with passwords; it checks them, and after wrong ones locks the name out for that way of logging in.
///
/// A lock for all ways would let anyone who can reach the org lock a user out completely.
final class UserLogin: Sendable {
    /// Where a password comes from.
    enum Way: Sendable, Hashable {
        /// An app that has given its secret.
        case app(String)
        /// A browser; one that the user has logged in with before is known by its cookie.
        case browser(known: String?)
        case soap

        fileprivate var name: String {
            switch self {
            case .app(let id): "app \(id)"
            case .browser(let cookie): "browser \(cookie.map(Digest.fingerprint) ?? "")"
            case .soap: "soap"
            }
        }
    }

    private struct Known {
        let id: String
        let username: String
        let password: String
    }

    private let clock: OrgClock
    private let failures: Mutex<AttemptLimiter>
    /// By their names in lower case.
    private let known: Mutex<[String: Known]>

    init(identity: OrgIdentity, configuration: LocalOrgConfiguration, clock: OrgClock) {
        self.clock = clock
        let first = Known(id: identity.userID, username: identity.username, password: identity.password)
        known = Mutex([identity.username.lowercased(): first])
        failures = Mutex(
            AttemptLimiter(most: configuration.passwordAttempts, period: configuration.lockoutPeriod))
    }

    /// The id of the user with this name and password, alone or followed by a security token of up to 64 letters and
    /// digits.
    ///
    /// The platform requires such a token from unknown networks; the org accepts any. A locked-out name is refused even
    /// with the right password, and so is an unknown name.
    func check(_ username: String, _ given: String, by way: Way) throws(OAuthRefusal) -> String {
        let user = known.withLock { $0[username.lowercased()] }
        let wanted = user?.password ?? ""
        let rest = given.dropFirst(wanted.count)
        let isRight = user != nil && Digest.areEqual(String(given.prefix(wanted.count)), wanted)
        let isToken =
            rest.utf8.count <= 64
            && rest.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0 & 0xDF) }
        let name = "\(way.name) \(user?.username.lowercased() ?? "")"
        let now = clock.now
        let wait = failures.withLock { failures -> Duration? in
            if let wait = failures.block(of: name, at: now) { return wait }
            if isRight, isToken { failures.forget(name) } else { failures.count(name, at: now) }
            return nil
        }
        if let wait { throw .rateLimited(wait) }
        guard let user, isRight, isToken else { throw .invalidGrant("authentication failure") }
        return user.id
    }

    /// The id of the user with that name, if there is one with a password.
    func id(of username: String) -> String? { known.withLock { $0[username.lowercased()]?.id } }

    /// The name that a user logs in with; empty for one without a password.
    func username(of id: String) -> String {
        known.withLock { known in known.values.first { $0.id == id }?.username ?? "" }
    }

    /// Gives a user a password, until the org stops; the name is that of one who has none yet.
    func change(_ password: String, of id: String, username: String) {
        known.withLock { known in
            let name = known.first { $0.value.id == id }?.key ?? username.lowercased()
            let user = known[name] ?? Known(id: id, username: username, password: password)
            known[name] = Known(id: user.id, username: user.username, password: password)
        }
    }

    func unlock() { failures.withLock { $0.forgetAll() } }
}

/// Counts events by name and says when there were too many, as a value without I/O.
///
/// The count of a name begins with its first event and is forgotten a period later. The event that reaches the limit
/// starts the period again: from then on the name is blocked for all of it.
struct AttemptLimiter: Sendable {
    private struct Window {
        var start: ContinuousClock.Instant
        var count = 0
    }

    let most: Int
    let period: Duration
    private var windows: [String: Window] = [:]
    /// Names kept at once; beyond it, those whose period is over are dropped.
    private static let capacity = 10_000

    init(most: Int, period: Duration) {
        self.most = max(1, most)
        self.period = period
    }

    /// How long the name stays blocked, or `nil` when it is not.
    func block(of name: String, at now: ContinuousClock.Instant) -> Duration? {
        guard let window = windows[name], window.count >= most, now < window.start + period else { return nil }
        return window.start + period - now
    }

    mutating func count(_ name: String, at now: ContinuousClock.Instant) {
        if windows.count >= Self.capacity { windows = windows.filter { now < $0.value.start + period } }
        var window = windows[name] ?? Window(start: now)
        if now >= window.start + period { window = Window(start: now) }
        window.count += 1
        if window.count == most { window.start = now }
        windows[name] = window
    }

    mutating func forget(_ name: String) { windows[name] = nil }
    mutating func forgetAll() { windows.removeAll() }
}
