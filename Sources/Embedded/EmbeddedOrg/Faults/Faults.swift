// SPDX-License-Identifier: Apache-2.0

import LocalServer

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
    public func expireAccessTokens() { tokens.expireAccessTokens() }

    /// Revokes every refresh token given out so far.
    public func revokeRefreshTokens() { tokens.revokeRefreshTokens() }

    /// Invalidates every authorization code and device code that has not been exchanged.
    public func forgetCodes() { tokens.forgetCodes() }

    /// Forgets every query cursor, so that next pages answer `INVALID_QUERY_LOCATOR`.
    public func killCursors() { cursors.removeAll() }
}
