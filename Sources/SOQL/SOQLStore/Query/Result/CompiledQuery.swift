// SPDX-License-Identifier: Apache-2.0

import RestSQLite
package import SOQLSyntax

/// A query as SQL: statements to run, and how to print their rows.
///
/// A result that fits one page is read by `rows(limit:)` with one row more than the page has room for. A longer one is
/// read in two steps that see one state of the data: `rowNumbers` once, then `page(of:)` for each page.
package struct CompiledQuery: Sendable {
    /// What the answer consists of.
    package enum Shape: Sendable {
        /// `COUNT()`: one row whose column 0 is the `totalSize`; there are no records.
        case count
        /// Records; they can be read by pages.
        case records(RecordShape)
        /// Groups: never more than ``CompiledQuery/maximumGroups``, always in one page.
        case groups(RecordShape)
    }

    /// The most groups an aggregate query may have.
    package static let maximumGroups = 2_000

    package let shape: Shape
    /// The name of the object in FROM.
    package let object: String
    /// The LIMIT of the query.
    package let limit: Int?
    let columns: SQLFragment
    /// ` FROM …` with the joins.
    let source: QuerySource
    /// ` WHERE …`, and for groups ` GROUP BY … HAVING …`.
    var filter: SQLFragment
    /// ` ORDER BY …`, or nothing.
    let order: SQLFragment
    let offset: Int
    /// The selects of a query with subtotals, in the place of the table.
    var subtotals: SQLFragment?
    /// What the user does with the records.
    package var usage: SOQLUsage?
    /// The child queries, all levels of them.
    package var children = ChildQueries(locator: "")

    /// About the memory that its texts take.
    package var textSize: Int {
        [columns, source.joins, filter, order, subtotals ?? .empty].reduce(0) { $0 + $1.size }
    }

    /// The statement for the rows of the answer.
    ///
    /// There are no more than `most`, if that is fewer than the query's own LIMIT.
    package func rows(limit most: Int? = nil) -> SQLStatement {
        let window = window(limit: [limit, most].compactMap(\.self).min())
        if let subtotals { return SQLStatement("SELECT \(columns) FROM \(subtotals)\(order)\(window)") }
        guard case .count = shape else {
            return SQLStatement("SELECT \(columns)\(source.clause)\(filter)\(order)\(window)")
        }
        guard limit != nil || offset > 0 else { return SQLStatement("SELECT count(*)\(source.clause)\(filter)") }
        return SQLStatement("SELECT count(*) FROM (SELECT 1\(source.clause)\(filter)\(window))")
    }

    /// How many rows there are before any condition.
    package var objectCount: SQLStatement { SQLStatement("SELECT count(*) FROM \(source.table)") }

    /// The `rowid`s of all records of the answer in their order.
    package var rowNumbers: SQLStatement {
        SQLStatement("SELECT \(source.alias).rowid\(source.clause)\(filter)\(order)\(window(limit: limit))")
    }

    /// The records of some row numbers in that order; rows that are gone from the table are left out.
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

    /// The same for numbers without a gap, which is much quicker.
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

/// The table of FROM and its joins, apart, so that the table can be joined to the row numbers of a page.
struct QuerySource: Sendable {
    let table: SQLFragment
    let alias: SQLFragment
    let joins: SQLFragment

    var clause: SQLFragment { " FROM \(table) AS \(alias)\(joins)" }
}

extension ArraySlice<Int64> {
    /// The range of the numbers when each is the one before plus one.
    fileprivate var asRange: ClosedRange<Int64>? {
        guard let first, let last, first <= last, zip(self, dropFirst()).allSatisfy({ $1 == $0 &+ 1 }) else {
            return nil
        }
        return first...last
    }
}

/// A child query on its own, for the pages of a list of children beyond the first.
package struct ChildQuery: Sendable {
    /// The key prefix of the parent's object.
    let parentPrefix: String
    /// ` WHERE … = `; the parent's id follows.
    let link: SQLFragment
    /// The query, its filter being ` AND …` or nothing.
    let query: CompiledQuery

    /// The query for the children of one parent.
    func query(ofParent number: Int64) -> CompiledQuery {
        var result = query
        let id = SQLValue.text(RecordID.make(prefix: parentPrefix, number: number))
        result.filter = "\(link)\(id)\(query.filter)"
        return result
    }
}

/// The child queries of one query, and the locators of their lists.
///
/// A locator is 18 characters: ten of the query, a letter for the child query, and the parent's number as in its id.
/// The database writes it into its JSON, so that a list inside a list can be paged as well.
package struct ChildQueries: Sendable {
    /// A list that goes on beyond the page it is in.
    package struct List: Sendable {
        /// The locator of its further pages.
        package let locator: String
        /// The query for all of it.
        package let query: CompiledQuery
    }

    private let locator: [UInt8]
    private var queries: [UInt8: ChildQuery] = [:]

    init(locator: String) {
        self.locator = Array(locator.utf8)
    }

    package var isEmpty: Bool { queries.isEmpty || locator.isEmpty }

    mutating func add(_ query: ChildQuery, number: Int) { queries[Self.letter(number)] = query }

    /// The locator up to the parent's number.
    func prefix(of number: Int) -> String { String(decoding: locator + [Self.letter(number)], as: UTF8.self) }

    private static func letter(_ number: Int) -> UInt8 { UInt8(ascii: "A") + UInt8(clamping: number) }

    /// The lists in a rendered page that go on.
    ///
    /// They are found by the query's part of the locator, which nobody could have written into a record.
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
