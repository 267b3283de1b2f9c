// SPDX-License-Identifier: Apache-2.0

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
