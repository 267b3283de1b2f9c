// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport

/// The position in results that are read page by page, as a value that checks whether responses are consistent.
///
/// If a response is interrupted, its page is requested again. The bytes that were already read are then skipped, and
/// must have the same number of rows.
struct ResultTrail: Sendable {
    /// The maximum number of pages in a row without a row.
    private static let mostEmptyPages = 1_000
    private static let longestLocator = 2_048

    private(set) var position: BulkPosition
    private(set) var isAtEnd = false

    /// The number of rows and the next locator in the page's response fields.
    private var announced: Int?
    private var next: String?
    /// Whether the current page names a next page.
    var hasNext: Bool { next != nil }
    /// The rows of the current page, from its beginning.
    private var counter = CSVRowCounter()
    /// The number of bytes of the page that must be skipped.
    private var passing = 0
    /// The number of rows in the bytes of the page before the position, or `nil` if another process read them.
    private var taken: Int?
    /// The number of rows of the earlier pages.
    private var rowsBefore = 0
    private var seen: Set<String> = []
    private var emptyPages = 0
    /// The number of rows that the job reports.
    private let total: Int

    init(from position: BulkPosition, total: Int) {
        (self.position, self.total) = (position, total)
        seen = Set([position.locator].compactMap(\.self))
        rowsBefore = position.rows
    }

    /// Begins or restarts the current page.
    mutating func begin(_ head: HTTPResponse.Head) throws(BulkError) {
        announced = nil
        if let text = head.fields["Sforce-NumberOfRecords"] {
            guard let count = Int(outside: text, in: .count) else {
                throw broken("the server returned an invalid number of records")
            }
            announced = count
        }
        next = head.fields["Sforce-Locator"].flatMap { $0.isEmpty || $0 == "null" ? nil : $0 }
        guard next.map({ $0.utf8.count <= Self.longestLocator }) ?? true else {
            throw broken("the locator of the next page is too long")
        }
        (counter, passing) = (CSVRowCounter(), position.offset)
    }

    /// Compares the column names of a page with the first page.
    mutating func take(header names: [String]) throws(BulkError) {
        guard let columns = position.columns else { return position.columns = names }
        guard columns == names else { throw broken("a page has other columns than the first page") }
    }

    /// Adds bytes of the page without its header, and returns the new bytes.
    mutating func take(_ bytes: ArraySlice<UInt8>) throws(BulkError) -> ArraySlice<UInt8> {
        let old = bytes.prefix(passing)
        if passing > 0 {
            counter.count(old)
            passing -= old.count
            // The position stays where it is until all bytes before it have passed.
            guard passing == 0 else { return [] }
            try checkPassed()
        }
        let new = bytes[old.endIndex...]
        counter.count(new)
        position.offset += new.count
        position.rows = rowsBefore + counter.rows
        taken = counter.rows
        return new
    }

    /// Checks that the skipped bytes have the rows that were read before.
    private mutating func checkPassed() throws(BulkError) {
        if let taken, taken != counter.rows { throw broken("a page has different rows when it is requested again") }
        guard counter.rows <= position.rows else { throw broken("the position is not in these results") }
        if taken == nil { rowsBefore = position.rows - counter.rows }
    }

    /// Ends the current page, and returns whether its last row has no line ending, or `nil` to request the incomplete
    /// page again.
    mutating func endPage() throws(BulkError) -> Bool? {
        guard passing == 0, !counter.isInQuotes else { return nil }
        let rows = counter.rows + (counter.isInRow ? 1 : 0)
        if let announced, rows < announced { return nil }
        if let announced, rows > announced {
            throw broken("a page has \(rows) rows, but the server reported \(announced)")
        }
        rowsBefore += rows
        position.rows = rowsBefore
        guard rowsBefore <= total else {
            throw broken("the pages have more rows than the \(total) rows of the job")
        }
        emptyPages = rows == 0 ? emptyPages + 1 : 0
        guard emptyPages < Self.mostEmptyPages else { throw broken("too many pages are empty") }
        defer { taken = nil }
        guard let next else {
            isAtEnd = true
            guard rowsBefore == total else {
                throw broken("the results end after \(rowsBefore) of the \(total) rows of the job")
            }
            return counter.isInRow
        }
        guard seen.insert(next).inserted else { throw broken("the server returns to a page that was already read") }
        (position.locator, position.offset) = (next, 0)
        return counter.isInRow
    }

    private func broken(_ what: String) -> BulkError {
        BulkError(.response, what, job: position.jobID).at(position)
    }
}
