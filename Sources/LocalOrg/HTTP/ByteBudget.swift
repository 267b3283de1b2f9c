// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The bytes that all requests together may hold at a time.
final class ByteBudget: Sendable {
    private let limit: Int
    private let used = Mutex(0)

    init(_ limit: Int) {
        self.limit = limit
    }

    /// Takes bytes, or takes nothing and says no.
    func take(_ count: Int) -> Bool {
        used.withLock { used in
            guard count <= limit - used else { return false }
            used += count
            return true
        }
    }

    func giveBack(_ count: Int) { used.withLock { $0 -= count } }

    /// Whether so many bytes could be taken now.
    func hasRoom(for count: Int) -> Bool { used.withLock { count <= limit - $0 } }
}
