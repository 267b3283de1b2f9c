// SPDX-License-Identifier: Apache-2.0

import LocalServer

/// The browsers that know the org and the requests their users are being asked about, as a value without I/O.
///
/// A browser is known by its cookie. Each form carries a ticket for one request and one answer, which is valid only in
/// the browser that received it. So no other page can answer for the user.
struct BrowserLogins: Sendable {
    private struct Session {
        var expiry: ContinuousClock.Instant
        /// The id of the user who has logged in, if one has.
        var user: String?
    }

    private struct Ticket {
        var session: TokenRegistry.Key
        let request: LoginRequest
        let expiry: ContinuousClock.Instant
        /// Whether the user has to type the password for this request, known or not.
        var needsLogin: Bool
    }

    /// What the browser is shown for a new request.
    struct Beginning {
        let ticket: String
        /// The cookie to set, for a browser that came without a known one.
        let cookie: String?
        let needsLogin: Bool
    }

    private var sessions: [TokenRegistry.Key: Session] = [:]
    private var tickets: [TokenRegistry.Key: Ticket] = [:]
    private static let capacity = 1_000
    private static let (sessionLife, ticketLife) = (Duration.seconds(2 * 3_600), Duration.seconds(600))

    /// The id of the user who is logged in with this browser; `nil` if nobody is.
    func user(_ cookie: String?, now: ContinuousClock.Instant) -> String? {
        cookie.flatMap { sessions[TokenRegistry.key($0)] }.flatMap { $0.expiry > now ? $0.user : nil }
    }

    mutating func begin(
        _ request: LoginRequest, cookie: String?, forcesLogin: Bool, now: ContinuousClock.Instant
    ) -> Beginning {
        drop(before: now)
        let known = cookie.flatMap { sessions[TokenRegistry.key($0)] != nil ? $0 : nil }
        let session = known ?? RandomText.make(43)
        let needsLogin = forcesLogin || user(known, now: now) == nil
        if known == nil {
            sessions[TokenRegistry.key(session)] = Session(expiry: now + Self.sessionLife)
        }
        let ticket = RandomText.make(43)
        tickets[TokenRegistry.key(ticket)] = Ticket(
            session: TokenRegistry.key(session), request: request, expiry: now + Self.ticketLife, needsLogin: needsLogin
        )
        return Beginning(ticket: ticket, cookie: known == nil ? session : nil, needsLogin: needsLogin)
    }

    /// The request of a ticket, if this browser got it.
    func request(_ ticket: String, cookie: String?, now: ContinuousClock.Instant) -> LoginRequest? {
        guard let cookie, let found = tickets[TokenRegistry.key(ticket)], found.expiry > now,
            found.session == TokenRegistry.key(cookie)
        else { return nil }
        return found.request
    }

    /// A user of the ticket's browser has given the right password: gives the browser's new cookie.
    ///
    /// The old one ends, so that a cookie that an attacker planted before the login is worthless after it.
    mutating func logIn(_ ticket: String, user: String, now: ContinuousClock.Instant) -> String {
        let key = TokenRegistry.key(ticket)
        let cookie = RandomText.make(43)
        let session = TokenRegistry.key(cookie)
        if let old = tickets[key]?.session { sessions[old] = nil }
        sessions[session] = Session(expiry: now + Self.sessionLife, user: user)
        tickets[key]?.session = session
        tickets[key]?.needsLogin = false
        return cookie
    }

    /// Takes the ticket of a user who answers; `nil` when the password is still missing or the ticket is not this
    /// browser's.
    mutating func finish(
        _ ticket: String, cookie: String?, now: ContinuousClock.Instant
    ) -> (request: LoginRequest, user: String)? {
        let key = TokenRegistry.key(ticket)
        guard let request = request(ticket, cookie: cookie, now: now), tickets[key]?.needsLogin == false,
            let user = user(cookie, now: now)
        else { return nil }
        tickets[key] = nil
        return (request, user)
    }

    /// Forgets what has ended, and everything when there is too much.
    private mutating func drop(before now: ContinuousClock.Instant) {
        tickets = tickets.filter { $0.value.expiry > now }
        sessions = sessions.filter { $0.value.expiry > now }
        if tickets.count >= Self.capacity { tickets.removeAll() }
        if sessions.count >= Self.capacity { sessions = sessions.filter { $0.value.user != nil } }
        if sessions.count >= Self.capacity { sessions.removeAll() }
    }
}
