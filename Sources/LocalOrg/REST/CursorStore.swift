// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The results that are being read page by page: the query, and the ordered numbers of its rows.
final class CursorStore: Sendable {
    struct Cursor: Sendable {
        let query: CompiledQuery
        let rows: [Int64]
    }

    private struct State {
        var cursors: [String: Cursor] = [:]
        var order: [String] = []
    }

    /// The platform has no limit since version 56; this one bounds the memory of a client that never reads on.
    private static let most = 1_000
    private let state = Mutex(State())

    /// Keeps a result and gives its locator: `0r8` and fifteen letters and digits.
    func add(_ cursor: Cursor) -> String {
        let locator = "0r8" + RandomText.make(15)
        state.withLock { state in
            if state.order.count >= Self.most { state.cursors[state.order.removeFirst()] = nil }
            state.cursors[locator] = cursor
            state.order.append(locator)
        }
        return locator
    }

    func cursor(_ locator: String) -> Cursor? { state.withLock { $0.cursors[locator] } }

    func removeAll() { state.withLock { $0 = State() } }
}
