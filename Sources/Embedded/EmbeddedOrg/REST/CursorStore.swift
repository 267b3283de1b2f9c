// SPDX-License-Identifier: Apache-2.0

import LocalServer
package import SOQLStore
import Synchronization

/// A result that is being read page by page: the query, and the ordered numbers of its rows.
package struct QueryCursor: Sendable {
    let query: CompiledQuery
    let rows: [Int64]
    /// Pages have no more records than this, even if the client asks for more.
    let mostPerPage: Int

    package init(query: CompiledQuery, rows: [Int64], mostPerPage: Int = .max) {
        self.query = query
        self.rows = rows
        self.mostPerPage = mostPerPage
    }

    /// About the memory it takes.
    fileprivate var size: Int { rows.count * MemoryLayout<Int64>.stride + query.textSize + 256 }
}

/// The cursors of all callers, as a value without I/O.
///
/// When there are too many, the oldest end first. One that is not read ends after its lifetime.
package struct CursorTable: Sendable {
    private struct Entry: Sendable {
        let cursor: QueryCursor
        let caller: String
        var lastUse: ContinuousClock.Instant
    }

    private let lifetime: Duration
    private let (most, mostBytes): (Int, Int)
    private var entries: [String: Entry] = [:]
    /// The locators from the oldest on.
    private var order: [String] = []
    /// The memory that all cursors take together.
    package private(set) var size = 0

    package init(lifetime: Duration, most: Int = 10_000, mostBytes: Int = 64 << 20) {
        (self.lifetime, self.most, self.mostBytes) = (lifetime, most, mostBytes)
    }

    package var count: Int { entries.count }

    /// Keeps a cursor, unless the locator is known already; `false` when it alone is over the limit.
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

    /// The cursor of a locator, if that caller made it and it has not ended; it lives on from now.
    package mutating func cursor(
        _ locator: String, of caller: String, now: ContinuousClock.Instant
    ) -> QueryCursor? {
        guard let entry = entries[locator], entry.caller == caller, now < entry.lastUse + lifetime else { return nil }
        entries[locator]?.lastUse = now
        return entry.cursor
    }

    mutating func removeAll() { (entries, order, size) = ([:], [], 0) }
}

/// The cursors of an org, by its clock.
final class CursorStore: Sendable {
    private let clock: ServerClock
    private let table: Mutex<CursorTable>

    init(clock: ServerClock, lifetime: Duration) {
        self.clock = clock
        table = Mutex(CursorTable(lifetime: lifetime))
    }

    /// Keeps a caller's results under these locators.
    ///
    /// - Throws: a refusal when one of them has too many rows to be kept.
    func add(_ cursors: [(locator: String, cursor: QueryCursor)], of caller: String) throws(OrgError) {
        guard !cursors.isEmpty else { return }
        let now = clock.now
        let isKept = table.withLock { table in
            cursors.allSatisfy { table.add($0.cursor, as: $0.locator, of: caller, now: now) }
        }
        guard isKept else {
            throw OrgError("OPERATION_TOO_LARGE", "The result has too many rows to keep. Use LIMIT.")
        }
    }

    /// The cursor of a locator, for the caller who made it.
    func cursor(_ locator: String, of caller: String) -> QueryCursor? {
        let now = clock.now
        return table.withLock { $0.cursor(locator, of: caller, now: now) }
    }

    /// The beginning of a locator with so many unguessable characters; `0r8` and fifteen of them are a whole one.
    static func makeLocator(_ count: Int = 15) -> String { "0r8" + RandomText.make(count) }

    func removeAll() { table.withLock { $0.removeAll() } }
}
