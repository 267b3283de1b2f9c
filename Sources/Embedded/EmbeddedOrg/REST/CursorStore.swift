// SPDX-License-Identifier: Apache-2.0

import LocalServer
import Synchronization

/// The results that are being read page by page: the query, and the ordered numbers of its rows.
package final class CursorStore: Sendable {
    package struct Cursor: Sendable {
        let query: CompiledQuery
        let rows: RowNumbers
        /// Pages have no more records than this, even if the client asks for more.
        let mostPerPage: Int

        package init(query: CompiledQuery, rows: RowNumbers, mostPerPage: Int = .max) {
            self.query = query
            self.rows = rows
            self.mostPerPage = mostPerPage
        }

        /// About the memory it takes.
        var size: Int { rows.size + query.textSize + 256 }
    }

    private let clock: OrgClock
    private let table: Mutex<CursorTable>

    init(clock: OrgClock, lifetime: Duration) {
        self.clock = clock
        table = Mutex(CursorTable(lifetime: lifetime))
    }

    /// Keeps a caller's results under these locators.
    ///
    /// - Throws: a refusal when one of them has too many rows to be kept.
    func add(_ cursors: [(locator: String, cursor: Cursor)], of caller: String) throws(OrgFault) {
        guard !cursors.isEmpty else { return }
        let now = clock.now
        let isKept = table.withLock { table in
            cursors.allSatisfy { table.add($0.cursor, as: $0.locator, of: caller, now: now) }
        }
        guard isKept else { throw .tooLargeToKeep }
    }

    /// The cursor of a locator, for the caller who made it.
    func cursor(_ locator: String, of caller: String) -> Cursor? {
        let now = clock.now
        return table.withLock { $0.cursor(locator, of: caller, now: now) }
    }

    /// The beginning of a locator with so many unguessable characters; `0r8` and fifteen of them are a whole one.
    static func makeLocator(_ count: Int = 15) -> String { "0r8" + RandomText.make(count) }

    func removeAll() { table.withLock { $0.removeAll() } }
}

extension OrgFault {
    fileprivate static let tooLargeToKeep = OrgFault(
        400, "OPERATION_TOO_LARGE", "The result has too many rows to keep in this order. Use LIMIT or ORDER BY Id.")
}
