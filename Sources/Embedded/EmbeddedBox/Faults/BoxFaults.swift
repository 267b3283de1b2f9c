// SPDX-License-Identifier: Apache-2.0

import LocalServer

/// Makes a box misbehave.
public final class BoxFaults: Sendable {
    let rules = FaultRules()
    private let tokens: BoxTokens
    private let stores: BoxStores

    init(tokens: BoxTokens, stores: BoxStores) {
        self.tokens = tokens
        self.stores = stores
    }

    /// Applies a fault to coming requests.
    ///
    /// Faults that match the same requests apply one after another, in the order they were added.
    ///
    /// - Parameters:
    ///   - fault: what goes wrong.
    ///   - count: how many requests it applies to.
    ///   - path: a part of the target, such as `/files/upload` or `/oauth2/token`; empty for every request.
    ///   - method: the method it applies to, or `nil` for all.
    ///   - skip: how many matching requests pass without the fault first.
    public func add(
        _ fault: BoxFault, next count: Int = 1, matching path: String = "", method: String? = nil,
        skipping skip: Int = 0
    ) {
        rules.add(fault.action, next: count, matching: path, method: method, skipping: skip)
    }

    /// Removes every fault that has not happened yet.
    public func clear() {
        rules.clear()
        stores.ground.contention.clear()
    }

    /// Fails single entries of batches by `too_many_write_operations`: of `finish_batch`, of moves, copies and
    /// deletions.
    ///
    /// - Parameters:
    ///   - count: how many entries fail.
    ///   - path: a part of the path that an entry writes; empty for every entry.
    ///   - skip: how many matching entries pass first.
    public func contendWrites(next count: Int = 1, matching path: String = "", skipping skip: Int = 0) {
        stores.ground.contention.add(next: count, matching: path, skipping: skip)
    }

    /// Expires every access token given out so far; requests with one get `expired_access_token`.
    public func expireAccessTokens() { tokens.expireAccessTokens() }

    /// Revokes every refresh token given out so far.
    public func revokeRefreshTokens() { tokens.revokeRefreshTokens() }

    /// Makes every cursor given out so far invalid; requests with one get `reset`.
    public func resetCursors() {
        for store in stores.all { _ = try? store.transaction { $0.facts.epoch += 1 } }
    }
}
