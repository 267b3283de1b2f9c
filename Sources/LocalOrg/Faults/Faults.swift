// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Makes the org misbehave.
public final class Faults: Sendable {
    private struct Rule {
        let path: String
        let method: String?
        let fault: Fault
        var skip: Int
        var remaining: Int

        func matches(_ request: ServerRequest) -> Bool {
            guard method.map({ $0 == request.method }) ?? true else { return false }
            return path.isEmpty || request.target.contains(path)
                || request.path.map { "/" + $0.segments.joined(separator: "/") }?.contains(path) == true
        }
    }

    private let rules = Mutex<[Rule]>([])
    private let tokens: TokenService
    private let cursors: CursorStore
    private let users: UserLogin
    private let limits: ClientLimits

    init(tokens: TokenService, cursors: CursorStore, users: UserLogin, limits: ClientLimits) {
        self.tokens = tokens
        self.cursors = cursors
        self.users = users
        self.limits = limits
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
        rules.withLock {
            $0.append(Rule(path: path, method: method, fault: fault, skip: max(0, skip), remaining: max(0, count)))
        }
    }

    /// Removes every fault that has not happened yet.
    public func clear() { rules.withLock { $0.removeAll() } }

    /// Expires every access token given out so far, as the end of a session does.
    public func expireAccessTokens() { tokens.expireAccessTokens() }

    /// Revokes every refresh token given out so far.
    public func revokeRefreshTokens() { tokens.revokeRefreshTokens() }

    /// Invalidates every authorization code and device code that has not been exchanged.
    public func forgetCodes() { tokens.forgetCodes() }

    /// Ends every lock-out of the user and every limit that a client has reached.
    public func unlockLogins() {
        users.unlock()
        limits.forgetAll()
    }

    /// Forgets every query cursor, so that next pages answer `INVALID_QUERY_LOCATOR`.
    public func killCursors() { cursors.removeAll() }

    /// Whether the request would have a fault now.
    func isAwaited(by request: ServerRequest) -> Bool {
        rules.withLock { $0.contains { $0.skip == 0 && $0.remaining > 0 && $0.matches(request) } }
    }

    func take(for request: ServerRequest) -> Fault? {
        rules.withLock { rules in
            for index in rules.indices where rules[index].matches(request) {
                if rules[index].skip > 0 {
                    rules[index].skip -= 1
                    continue
                }
                guard rules[index].remaining > 0 else { continue }
                rules[index].remaining -= 1
                let fault = rules[index].fault
                if rules[index].remaining == 0 { rules.remove(at: index) }
                return fault
            }
            return nil
        }
    }
}
