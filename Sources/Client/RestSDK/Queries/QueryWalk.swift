// SPDX-License-Identifier: Apache-2.0

import RestJSON

/// Whether a walk over the pages of a query gets on, as a value: a server whose pages lead in a circle must not keep
/// the caller for ever.
///
/// An address that was not asked before is always worth asking. Some servers keep the cursor to themselves and name one
/// address for all pages: that is taken as long as records come that did not come just before, and some are left.
struct QueryWalk: Sendable {
    /// How many pages without a record may follow each other.
    static let mostEmptyPages = 100

    private var pathsSeen: Set<String> = []
    private var emptyPages = 0
    /// The records of the last page that named an address which had been asked before, as a hash.
    private var lastRecords: Int?

    /// Takes in a page that names a next one.
    ///
    /// - Parameters:
    ///   - path: the address of the next page.
    ///   - records: the page's own records.
    ///   - given: how many records the walk has given, with the page's own.
    ///   - total: how many there are in all, as the first page said.
    /// - Returns: whether the next page is worth asking for.
    mutating func getsOn(to path: String, after records: JSONArray, given: Int, of total: Int) -> Bool {
        emptyPages = records.isEmpty ? emptyPages + 1 : 0
        guard emptyPages <= Self.mostEmptyPages else { return false }
        guard !pathsSeen.insert(path).inserted else { return true }
        guard !records.isEmpty, given < total else { return false }
        let hash = records.hashValue
        defer { lastRecords = hash }
        return hash != lastRecords
    }
}
