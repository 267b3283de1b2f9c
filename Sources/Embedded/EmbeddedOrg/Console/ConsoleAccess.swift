// SPDX-License-Identifier: Apache-2.0

import LocalServer

/// The one-time token and the open sessions of the console.
struct ConsoleAccess: Sendable {
    private var token: String?
    private var sessions: [String] = []

    /// The maximum number of sessions, without the oldest ones.
    private static let mostSessions = 8

    /// Makes a token for one session, which replaces an unused one.
    mutating func makeToken() -> String {
        let made = RandomText.make(32)
        token = made
        return made
    }

    /// Returns a new session for the token, which is used up, or `nil` if the token is wrong.
    mutating func open(_ given: String) -> String? {
        guard let token, Digest.areEqual(token, given) else { return nil }
        self.token = nil
        let session = RandomText.make(32)
        sessions = sessions.suffix(Self.mostSessions - 1) + [session]
        return session
    }

    /// Whether a session is open, in a time that does not depend on it.
    func isOpen(_ given: String) -> Bool {
        sessions.reduce(false) { isOpen, session in Digest.areEqual(session, given) || isOpen }
    }
}

/// A fault that the console switches on for all matching requests.
enum ConsoleFault: String, Sendable, CaseIterable {
    case session, unavailable, slow, cut, lost

    var fault: Fault {
        switch self {
        case .session: .status(401, code: "INVALID_SESSION_ID", message: "Session expired or invalid")
        case .unavailable:
            .status(
                503, code: "SERVER_UNAVAILABLE", message: "The service is unavailable.", fields: ["Retry-After": "1"])
        case .slow: .delay(.seconds(2))
        case .cut: .reset
        case .lost: .closeAfterHandling
        }
    }

    /// The path of the requests if the user does not name any, because logins need no session.
    var path: String { self == .session ? "/services/data" : "" }
}
