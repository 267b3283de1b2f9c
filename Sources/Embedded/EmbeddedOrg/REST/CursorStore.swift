// SPDX-License-Identifier: Apache-2.0

import LocalServer
package import SOQLStore
import Synchronization

/// A result that is read page by page: the query, and the ordered numbers of its rows.
package struct QueryCursor: Sendable {
    let query: CompiledQuery
    let rows: RowNumbers
    /// The maximum number of records on a page, even if the client asks for more.
    let mostPerPage: Int

    package init(query: CompiledQuery, rows: RowNumbers, mostPerPage: Int = .max) {
        self.query = query
        self.rows = rows
        self.mostPerPage = mostPerPage
    }

    fileprivate var size: Int { rows.size + query.textSize + 256 }
}

/// The cursors of all callers, as a value without I/O.
///
/// Beyond the limits, the oldest cursors are removed. An unused cursor expires after its lifetime.
package struct CursorTable: Sendable {
    private struct Entry: Sendable {
        let cursor: QueryCursor
        let caller: String
        var lastUse: ContinuousClock.Instant
    }

    private let lifetime: Duration
    private let (most, mostBytes): (Int, Int)
    private var entries: [String: Entry] = [:]
    private var order: [String] = []
    package private(set) var size = 0

    package init(lifetime: Duration, most: Int = 10_000, mostBytes: Int = 32 << 20) {
        (self.lifetime, self.most, self.mostBytes) = (lifetime, most, mostBytes)
    }

    package var count: Int { entries.count }

    /// Stores a cursor unless the locator is known, or returns `false` if the cursor alone exceeds the limit.
    package mutating func add(
        _ cursor: QueryCursor, as locator: String, of caller: String, now: ContinuousClock.Instant
    ) -> Bool {
        guard cursor.size <= mostBytes else { return false }
        guard entries[locator] == nil else { return true }
        entries[locator] = Entry(cursor: cursor, caller: caller, lastUse: now)
        order.append(locator)
        size += cursor.size
        var surplus = 0
        while order.count - surplus > most || size > mostBytes {
            size -= entries.removeValue(forKey: order[surplus])?.cursor.size ?? 0
            surplus += 1
        }
        order.removeFirst(surplus)
        return true
    }

    /// Returns the caller's cursor with this locator unless it has expired, and restarts its lifetime.
    package mutating func cursor(
        _ locator: String, of caller: String, now: ContinuousClock.Instant
    ) -> QueryCursor? {
        guard let entry = entries[locator], entry.caller == caller, now < entry.lastUse + lifetime else { return nil }
        entries[locator]?.lastUse = now
        return entry.cursor
    }

    mutating func removeAll() { (entries, order, size) = ([:], [], 0) }
}

final class CursorStore: Sendable {
    private let clock: ServerClock
    private let table: Mutex<CursorTable>

    /// The time until the rest of a result expires after its latest page.
    private static let lifetime: Duration = .seconds(2 * 24 * 60 * 60)

    init(clock: ServerClock) {
        self.clock = clock
        table = Mutex(CursorTable(lifetime: Self.lifetime))
    }

    /// Stores a caller's results under these locators.
    ///
    /// - Throws: an error if a result has too many rows.
    func add(_ cursors: [(locator: String, cursor: QueryCursor)], of caller: String) throws(OrgError) {
        guard !cursors.isEmpty else { return }
        let now = clock.now
        let isKept = table.withLock { table in
            cursors.allSatisfy { table.add($0.cursor, as: $0.locator, of: caller, now: now) }
        }
        guard isKept else { throw .tooManyRows }
    }

    func cursor(_ locator: String, of caller: String) -> QueryCursor? {
        let now = clock.now
        return table.withLock { $0.cursor(locator, of: caller, now: now) }
    }

    /// Returns the start of a locator, `0r8` and `count` unguessable characters, of which a whole one has 15.
    static func makeLocator(_ count: Int = 15) -> String { "0r8" + RandomText.make(count) }

    func removeAll() { table.withLock { $0.removeAll() } }
}
