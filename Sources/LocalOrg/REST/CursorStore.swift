// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The results that are being read page by page: the query, and the ordered numbers of its rows.
final class CursorStore: Sendable {
    struct Cursor: Sendable {
        let query: CompiledQuery
        let rows: [Int64]
        /// Pages have no more records than this, whatever the client wishes.
        var mostPerPage = Int.max
    }

    private struct State {
        var cursors: [String: Cursor] = [:]
        var order: [String] = []
    }

    /// The platform has no limit since version 56; this one bounds the memory of a client that never reads on.
    private static let most = 20_000
    private let state = Mutex(State())

    /// Keeps a result and gives its locator: `0r8` and fifteen letters and digits.
    func add(_ cursor: Cursor) -> String {
        let locator = Self.makeLocator(15)
        add(cursor, as: locator)
        return locator
    }

    /// Keeps a result under a locator that was given to the client already.
    func add(_ cursor: Cursor, as locator: String) {
        state.withLock { state in
            guard state.cursors.updateValue(cursor, forKey: locator) == nil else { return }
            state.order.append(locator)
            if state.order.count > Self.most { state.cursors[state.order.removeFirst()] = nil }
        }
    }

    /// The beginning of a locator with so many unguessable characters.
    static func makeLocator(_ count: Int) -> String { "0r8" + RandomText.make(count) }

    func cursor(_ locator: String) -> Cursor? { state.withLock { $0.cursors[locator] } }

    func removeAll() { state.withLock { $0 = State() } }
}
