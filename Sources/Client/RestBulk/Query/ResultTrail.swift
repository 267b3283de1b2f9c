// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport

/// What is known of results that are read page by page: whether answers fit together, and where the reading stands.
///
/// It sends nothing. A page may be begun again, when its answer broke off: what was taken of it is passed over, and
/// must have as many rows as before.
struct ResultTrail: Sendable {
    /// The most pages without a row, one after another.
    private static let mostEmptyPages = 1_000
    /// The longest locator that is believed.
    private static let longestLocator = 2_048

    /// Where the reading stands.
    private(set) var position: BulkPosition
    /// Whether all pages were read.
    private(set) var isAtEnd = false

    /// What the page's answer said of its rows and of the page after it.
    private var announced: Int?
    private var next: String?
    /// The rows of the page under way, from its beginning.
    private var counter = CSVRowCounter()
    /// How much of the page is still to be passed over.
    private var passing = 0
    /// How many rows were in what was taken of the page; `nil` when another process took it.
    private var taken: Int?
    /// The rows of the pages before.
    private var rowsBefore = 0
    private var seen: Set<String> = []
    private var emptyPages = 0
    /// How many rows the job says that it has.
    private let total: Int

    init(from position: BulkPosition, total: Int) {
        (self.position, self.total) = (position, total)
        seen = Set([position.locator].compactMap(\.self))
        rowsBefore = position.rows
    }

    /// Begins the page under way, or begins it again.
    mutating func begin(_ head: HTTPResponse.Head) throws(BulkError) {
        announced = nil
        if let text = head.fields["Sforce-NumberOfRecords"] {
            guard let count = Int(outside: text, in: .count) else {
                throw broken("the server says a number of records that no page has")
            }
            announced = count
        }
        next = head.fields["Sforce-Locator"].flatMap { $0.isEmpty || $0 == "null" ? nil : $0 }
        guard next.map({ $0.utf8.count <= Self.longestLocator }) ?? true else {
            throw broken("the locator of the next page is too long to be one")
        }
        (counter, passing) = (CSVRowCounter(), position.offset)
    }

    /// Compares the names of a page's columns with those of the first page.
    mutating func take(header names: [String]) throws(BulkError) {
        guard let columns = position.columns else { return position.columns = names }
        guard columns == names else { throw broken("a page has other columns than the first one") }
    }

    /// Takes bytes of the page, without its header; gives those that were not taken before.
    mutating func take(_ bytes: ArraySlice<UInt8>) throws(BulkError) -> ArraySlice<UInt8> {
        let old = bytes.prefix(passing)
        if !old.isEmpty {
            counter.count(old)
            passing -= old.count
            if passing == 0 { try checkPassed() }
        }
        let new = bytes[old.endIndex...]
        counter.count(new)
        position.offset += new.count
        position.rows = rowsBefore + counter.rows
        taken = counter.rows
        return new
    }

    /// What was passed over must be what was taken before.
    private mutating func checkPassed() throws(BulkError) {
        if let taken, taken != counter.rows { throw broken("a page has different rows when it is requested again") }
        guard counter.rows <= position.rows else { throw broken("the position is not in these results") }
        if taken == nil { rowsBefore = position.rows - counter.rows }
    }

    /// Ends the page under way.
    ///
    /// - Returns: whether its last row has no line ending; `nil` when the page is not whole, and is to be begun again.
    mutating func endPage() throws(BulkError) -> Bool? {
        guard passing == 0, !counter.isInQuotes else { return nil }
        let rows = counter.rows + (counter.isInRow ? 1 : 0)
        if let announced, rows < announced { return nil }
        if let announced, rows > announced {
            throw broken("a page has \(rows) rows, and the server said \(announced)")
        }
        rowsBefore += rows
        position.rows = rowsBefore
        guard rowsBefore <= total else {
            throw broken("there are more rows than the \(total) of the job")
        }
        emptyPages = rows == 0 ? emptyPages + 1 : 0
        guard emptyPages < Self.mostEmptyPages else { throw broken("page after page is empty") }
        defer { taken = nil }
        guard let next else {
            isAtEnd = true
            guard rowsBefore == total else {
                throw broken("the results end after \(rowsBefore) of the \(total) rows of the job")
            }
            return counter.isInRow
        }
        guard seen.insert(next).inserted else { throw broken("the server leads back to a page that was read") }
        (position.locator, position.offset) = (next, 0)
        return counter.isInRow
    }

    private func broken(_ what: String) -> BulkError {
        BulkError(.answer, what, job: position.jobID).at(position)
    }
}
