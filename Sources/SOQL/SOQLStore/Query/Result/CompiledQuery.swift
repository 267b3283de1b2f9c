// SPDX-License-Identifier: Apache-2.0

import RestSQLite
package import SOQLSyntax

/// A query as SQL statements, with the format of their rows.
///
/// A result that fits one page is read by `rows(limit:)` with one row more than fits the page. A larger result is read
/// in two steps on one snapshot of the data: `rowNumbers` once, and `page(of:)` for each page.
package struct CompiledQuery: Sendable {
    package enum Shape: Sendable {
        /// `COUNT()`: one row whose column 0 is the `totalSize`, without records.
        case count
        /// Records, which can be read in pages.
        case records(RecordShape)
        /// Groups: never more than ``CompiledQuery/maximumGroups``, and always in one page.
        case groups(RecordShape)
    }

    /// The maximum number of groups of an aggregate query.
    package static let maximumGroups = 2_000

    package let shape: Shape
    package let object: String
    package let limit: Int?
    let columns: SQLFragment
    let source: QuerySource
    var filter: SQLFragment
    let order: SQLFragment
    let offset: Int
    /// The selects of a query with subtotals, which replace the table.
    var subtotals: SQLFragment?
    /// The usage to record, from FOR VIEW or FOR REFERENCE.
    package var usage: SOQLUsage?
    package var children = ChildQueries(locator: "")

    /// The approximate memory size of the SQL, in bytes.
    package var textSize: Int {
        [columns, source.joins, filter, order, subtotals ?? .empty].reduce(0) { $0 + $1.size }
    }

    /// The statement for the rows of the result, of which there are at most `most` even if the query's LIMIT is larger.
    package func rows(limit most: Int? = nil) -> SQLStatement {
        let window = window(limit: [limit, most].compactMap(\.self).min())
        if let subtotals { return SQLStatement("SELECT \(columns) FROM \(subtotals)\(order)\(window)") }
        guard case .count = shape else {
            return SQLStatement("SELECT \(columns)\(source.clause)\(filter)\(order)\(window)")
        }
        guard limit != nil || offset > 0 else { return SQLStatement("SELECT count(*)\(source.clause)\(filter)") }
        return SQLStatement("SELECT count(*) FROM (SELECT 1\(source.clause)\(filter)\(window))")
    }

    /// The statement that counts the rows without any condition.
    package var objectCount: SQLStatement { SQLStatement("SELECT count(*) FROM \(source.table)") }

    /// The statement for the `rowid`s of all records of the result, in their order.
    package var rowNumbers: SQLStatement {
        SQLStatement("SELECT \(source.alias).rowid\(source.clause)\(filter)\(order)\(window(limit: limit))")
    }

    /// The statement for the records with these row numbers, in order, without rows that no longer exist.
    package func page(of rowNumbers: ArraySlice<Int64>) -> SQLStatement {
        if let range = rowNumbers.asRange { return page(from: range.lowerBound, through: range.upperBound) }
        let list = "[" + rowNumbers.map { "\($0)" }.joined(separator: ",") + "]"
        return SQLStatement(
            """
            SELECT \(columns) FROM json_each(\(.text(list))) AS "page" \
            CROSS JOIN \(source.table) AS \(source.alias) ON \(source.alias).rowid = "page".value\(source.joins) \
            ORDER BY "page".key
            """)
    }

    /// The statement that returns a row if the record with this row number fulfils the query's conditions.
    package func test(ofRow number: Int64) -> SQLStatement {
        let link: SQLFragment = filter.text.isEmpty ? " WHERE " : " AND "
        return SQLStatement("SELECT 1\(source.clause)\(filter)\(link)\(source.alias).rowid = \(.integer(number))")
    }

    /// The page for consecutive row numbers, which is much faster.
    private func page(from first: Int64, through last: Int64) -> SQLStatement {
        SQLStatement(
            """
            SELECT \(columns)\(source.clause) WHERE \(source.alias).rowid BETWEEN \(.integer(first)) AND \(.integer(last)) \
            ORDER BY \(source.alias).rowid
            """)
    }

    private func window(limit: Int?) -> SQLFragment {
        " LIMIT \(.integer(Int64(limit ?? -1))) OFFSET \(.integer(Int64(offset)))"
    }
}

/// The table of FROM and its joins, stored separately so that the table can be joined to the row numbers of a page.
struct QuerySource: Sendable {
    let table: SQLFragment
    let alias: SQLFragment
    let joins: SQLFragment

    var clause: SQLFragment { " FROM \(table) AS \(alias)\(joins)" }
}

/// The row numbers of a result in their order, of which there can be millions, in no more than four bytes each.
package struct RowNumbers: Sendable {
    private var first: Int64 = 0
    /// The distances of all rows from the first row, or empty while the numbers are consecutive.
    private var distances: [Int32] = []
    package private(set) var count = 0

    package init() {}

    /// The size of the numbers, in bytes.
    package var size: Int { distances.count * MemoryLayout<Int32>.stride }

    /// Adds a number, or returns `false` if it is too far from the first one.
    package mutating func append(_ number: Int64) -> Bool {
        if count == 0 { first = number }
        guard let distance = Int32(exactly: number &- first) else { return false }
        if distances.isEmpty, count > 0, distance != count { distances = (0..<Int32(count)).map(\.self) }
        if !distances.isEmpty { distances.append(distance) }
        count += 1
        return true
    }

    package subscript(places: Range<Int>) -> ArraySlice<Int64> {
        let found = distances.isEmpty ? places.map(Int64.init) : distances[places].map(Int64.init)
        return found.map { first &+ $0 }[...]
    }
}

extension ArraySlice<Int64> {
    /// The range of the numbers, if they are consecutive.
    fileprivate var asRange: ClosedRange<Int64>? {
        guard let first, let last, first <= last, zip(self, dropFirst()).allSatisfy({ $1 == $0 &+ 1 }) else {
            return nil
        }
        return first...last
    }
}

/// A child query, for the pages of a list of children after the first page.
package struct ChildQuery: Sendable {
    let parentPrefix: String
    /// ` WHERE … = `, which the parent's id follows.
    let link: SQLFragment
    /// The query, whose filter is ` AND …` or empty.
    let query: CompiledQuery

    func query(ofParent number: Int64) -> CompiledQuery {
        var result = query
        let id = SQLValue.text(RecordID.make(prefix: parentPrefix, number: number))
        result.filter = "\(link)\(id)\(query.filter)"
        return result
    }
}

/// The child queries of one query, and the locators of their lists.
///
/// A locator has 18 characters: ten of the query, a letter for the child query, and the parent's number as in its id.
/// The database writes locators into its JSON, so that nested lists can be read in pages.
package struct ChildQueries: Sendable {
    /// A list that continues after the current page.
    package struct List: Sendable {
        package let locator: String
        package let query: CompiledQuery
    }

    private let locator: [UInt8]
    private var queries: [UInt8: ChildQuery] = [:]

    init(locator: String) {
        self.locator = Array(locator.utf8)
    }

    package var isEmpty: Bool { queries.isEmpty || locator.isEmpty }

    mutating func add(_ query: ChildQuery, number: Int) { queries[Self.letter(number)] = query }

    func prefix(of number: Int) -> String { String(decoding: locator + [Self.letter(number)], as: UTF8.self) }

    private static func letter(_ number: Int) -> UInt8 { UInt8(ascii: "A") + UInt8(clamping: number) }

    /// Returns the lists in a rendered page that have further pages.
    ///
    /// Lists are found by the query's part of the locator, which is unguessable, so that no record can contain it.
    package func unfinishedLists(in page: [UInt8]) -> [List] {
        guard !isEmpty else { return [] }
        var lists: [List] = []
        var index = 0
        while index + locator.count + 8 <= page.count {
            guard page[index] == locator[0], page[index...].starts(with: locator) else {
                index += 1
                continue
            }
            let end = index + locator.count + 8
            if let list = list(page[index..<end]) { lists.append(list) }
            index = end
        }
        return lists
    }

    private func list(_ text: ArraySlice<UInt8>) -> List? {
        guard let child = queries[text[text.startIndex + locator.count]],
            let number = RecordID.number(of: text.suffix(7))
        else { return nil }
        var query = child.query(ofParent: number)
        query.children = self
        return List(locator: String(decoding: text, as: UTF8.self), query: query)
    }
}
