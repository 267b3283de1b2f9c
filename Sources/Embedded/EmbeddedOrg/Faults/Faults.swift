// SPDX-License-Identifier: Apache-2.0

import LocalServer
import SOQLStore

/// Makes the org misbehave.
public final class Faults: Sendable {
    let rules = FaultRules()
    private let tokens: TokenService
    private let cursors: CursorStore

    init(tokens: TokenService, cursors: CursorStore) {
        self.tokens = tokens
        self.cursors = cursors
    }

    /// Applies a fault to coming requests.
    ///
    /// Faults that match the same requests apply one after another, in the order they were added.
    ///
    /// - Parameters:
    ///   - fault: what goes wrong.
    ///   - count: how many requests it applies to.
    ///   - path: a part of the target as sent, or of its decoded path (`/query`, `/services/oauth2/token`); empty for
    ///     every request.
    ///   - method: the method it applies to, or `nil` for all.
    ///   - skip: how many matching requests pass without the fault first.
    public func add(
        _ fault: Fault, next count: Int = 1, matching path: String = "", method: String? = nil, skipping skip: Int = 0
    ) {
        rules.add(fault.action, next: count, matching: path, method: method, skipping: skip)
    }

    /// Removes every fault that has not happened yet.
    public func clear() { rules.clear() }

    /// Expires every access token given out so far, as the end of a session does.
    public func expireAccessTokens() { tokens.issuer.expireAccessTokens() }

    /// Revokes every refresh token given out so far.
    public func revokeRefreshTokens() { tokens.issuer.revokeRefreshTokens() }

    /// Invalidates every authorization code and device code that has not been exchanged.
    public func forgetCodes() { tokens.forgetCodes() }

    /// Forgets every query cursor, so that next pages answer `INVALID_QUERY_LOCATOR`.
    public func killCursors() { cursors.removeAll() }
}

/// One way to misbehave, for tests of clients.
public struct Fault: Sendable, Hashable {
    let action: FaultAction

    /// Answers with this status and body instead of handling the request.
    public static func status(
        _ status: Int, code: String = "UNKNOWN_EXCEPTION", message: String = "An unexpected error occurred.",
        fields: [String: String] = [:]
    ) -> Fault {
        let body = OrgError(code, message).response.body
        return Fault(
            action: .respond(
                status: status, contentType: "application/json;charset=UTF-8", body: status == 204 ? [] : body,
                fields: fields))
    }

    /// Answers a request of an OAuth endpoint with an OAuth error (RFC 6749 §5.2) instead of handling it.
    public static func oauth(
        _ error: String, description: String = "", status: Int = 400, fields: [String: String] = [:]
    ) -> Fault {
        let body = OAuthRefusal(error, description).response.body
        return Fault(
            action: .respond(status: status, contentType: "application/json;charset=UTF-8", body: body, fields: fields))
    }

    /// Answers with any body, for example a page of HTML where JSON is expected.
    public static func body(
        _ body: String, status: Int = 200, contentType: String = "text/html;charset=utf-8",
        fields: [String: String] = [:]
    ) -> Fault {
        Fault(action: .respond(status: status, contentType: contentType, body: Array(body.utf8), fields: fields))
    }

    /// Closes the connection without an answer; the request is not handled.
    public static let close = Fault(action: .close)
    /// Handles the request, a write included, and closes the connection without an answer.
    public static let closeAfterHandling = Fault(action: .closeAfterHandling)
    /// Resets the connection (RST); the request is not handled.
    public static let reset = Fault(action: .reset)
    /// Handles the request at once and delays the answer.
    public static func delay(_ duration: Duration) -> Fault { Fault(action: .delay(duration)) }
    /// Handles the request and sends only so many bytes of the body.
    public static func truncate(after bytes: Int) -> Fault { Fault(action: .truncate(bytes)) }
    /// Handles the request and gives the answer this content type.
    public static func mislabel(_ contentType: String) -> Fault { Fault(action: .mislabel(contentType)) }
}
