// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestBase

/// Logins of devices that wait for a user elsewhere, as a value without I/O (RFC 8628).
struct DeviceLogins: Sendable {
    /// What the user is asked to agree to.
    struct Request: Sendable {
        let clientID: String
        let scopes: [String]
    }

    fileprivate enum Answer {
        /// The user has not answered; the device polls.
        case pending
        /// This user has agreed; the device's next poll gets the tokens.
        case allowed(user: String)
        /// The user has refused; every further poll is told so.
        case denied
    }

    fileprivate struct Login {
        let request: Request
        let userCode: String
        let expiry: ContinuousClock.Instant
        var interval: Duration
        var lastPoll: ContinuousClock.Instant?
        var answer = Answer.pending
    }

    enum Poll {
        case granted(Request, user: String)
        case refused(OAuthRefusal)
    }

    private var logins: [TokenRegistry.Key: Login] = [:]
    private static let capacity = 1_000
    static let interval = Duration.seconds(5)

    /// Keeps a login; `false` when there are too many.
    mutating func add(
        _ deviceCode: String, userCode: String, _ request: Request, lifetime: Duration, now: ContinuousClock.Instant
    ) -> Bool {
        // Expired ones are kept for a while, so that their devices learn why they get nothing.
        logins = logins.filter { now < $0.value.expiry + .seconds(600) }
        guard logins.count < Self.capacity else { return false }
        logins[TokenRegistry.key(deviceCode)] = Login(
            request: request, userCode: userCode, expiry: now + lifetime, interval: Self.interval)
        return true
    }

    /// What the user with that code is asked, while it waits for an answer.
    func request(userCode: String, now: ContinuousClock.Instant) -> Request? {
        logins.values.first { $0.isOpen(userCode, now) }?.request
    }

    /// The user's answer; `false` when nothing waits for it any more.
    mutating func answer(_ userCode: String, by user: String, isAllowed: Bool, now: ContinuousClock.Instant) -> Bool {
        guard let key = logins.first(where: { $0.value.isOpen(userCode, now) })?.key else { return false }
        logins[key]?.answer = isAllowed ? .allowed(user: user) : .denied
        return true
    }

    /// A device asks; asking faster than told costs five seconds more from then on (RFC 8628 §3.5).
    mutating func poll(_ deviceCode: String, clientID: String, now: ContinuousClock.Instant) -> Poll {
        let key = TokenRegistry.key(deviceCode)
        guard var login = logins[key], login.request.clientID == clientID else {
            return .refused(.invalidGrant("invalid device code"))
        }
        guard now < login.expiry else { return .refused(.init("expired_token", "the device code has expired")) }
        let isHasty = login.lastPoll.map { now < $0 + login.interval } ?? false
        login.lastPoll = now
        if isHasty { login.interval += .seconds(5) }
        logins[key] = login
        switch login.answer {
        case .denied: return .refused(.init("access_denied", "end-user denied authorization"))
        case _ where isHasty: return .refused(.init("slow_down", "polling too quickly"))
        case .pending: return .refused(.init("authorization_pending", "user has not approved access yet"))
        case .allowed(let user):
            logins[key] = nil
            return .granted(login.request, user: user)
        }
    }

    mutating func removeAll() { logins.removeAll() }
}

extension DeviceLogins.Login {
    fileprivate func isOpen(_ code: String, _ now: ContinuousClock.Instant) -> Bool {
        guard case .pending = answer, now < expiry else { return false }
        return Digest.areEqual(userCode, code)
    }
}

/// The code that a user types: eight letters without vowels, so that they make no word (RFC 8628 §6.1).
enum UserCode {
    private static let letters = "BCDFGHJKLMNPQRSTVWXZ"

    static func make() -> String { RandomText.make(8, of: letters) }

    /// The code without what people add: case, spaces and hyphens; `nil` when it can be none.
    static func normalized(_ text: String) -> String? {
        let code = text.uppercased().without(" -")
        return code.utf8.count == 8 && code.utf8.allSatisfy(letters.utf8.contains) ? code : nil
    }
}
