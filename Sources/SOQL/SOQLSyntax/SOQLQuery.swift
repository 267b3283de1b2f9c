// SPDX-License-Identifier: Apache-2.0

/// A SOQL query, or a query inside one, as a tree.
///
/// Names keep the spelling of the text; keywords do not. Whether the objects and fields exist is not checked here.
public struct SOQLQuery: Sendable, Hashable {
    /// The select list in the order of the text; never empty.
    public var select: [SOQLSelectItem]
    /// The object, or in a child query the relationship, that is read.
    public var from: SOQLSource
    /// What else stands in FROM: parents under names of their own, as in `FROM Contact c, c.Account a`.
    public var joined: [SOQLSource] = []
    /// The name behind USING SCOPE: `mine`, `everything`.
    public var scope: SOQLName?
    /// The condition on rows.
    public var `where`: SOQLCondition?
    /// The WITH clauses in the order of the text.
    public var with: [SOQLWith] = []
    /// The grouped expressions; empty without GROUP BY.
    public var groupBy: [SOQLExpression]
    /// Which groups are made of them.
    public var grouping = SOQLGrouping.plain
    /// The condition on groups.
    public var having: SOQLCondition?
    /// The order of the rows, most significant first; empty without ORDER BY.
    public var orderBy: [SOQLOrdering]
    /// The most rows wanted.
    ///
    /// A negative number is read as it stands: it is the server that refuses it.
    public var limit: SOQLCount?
    /// How many rows are skipped.
    public var offset: SOQLCount?
    /// What the user does with the rows: FOR VIEW or FOR REFERENCE.
    public var usage: SOQLPlaced<SOQLUsage>?
    /// The statistics of articles that count the query: UPDATE TRACKING, VIEWSTAT.
    public var statistics: [SOQLPlaced<SOQLStatistic>] = []
    /// The clauses that only Apex has: FOR UPDATE and ALL ROWS.
    public var apexClauses: [SOQLPlaced<SOQLApexClause>] = []

    /// A query put together by hand; what is not a parameter is set afterwards.
    public init(
        select: [SOQLSelectItem], from: SOQLSource, where condition: SOQLCondition? = nil,
        groupBy: [SOQLExpression] = [], having: SOQLCondition? = nil, orderBy: [SOQLOrdering] = [],
        limit: SOQLCount? = nil, offset: SOQLCount? = nil
    ) {
        self.select = select
        self.from = from
        self.`where` = condition
        self.groupBy = groupBy
        self.having = having
        self.orderBy = orderBy
        self.limit = limit
        self.offset = offset
    }

    /// Reads a query of at most ``maximumLength`` characters.
    ///
    /// - Throws: the first thing in the text that is not SOQL or not supported, with its place.
    public init(parsing text: String) throws(SOQLSyntaxError) {
        var parser = try Parser(text)
        self = try parser.parseWholeQuery()
    }

    /// The longest text accepted, in UTF-8 bytes (the platform's limit is as many characters).
    public static let maximumLength = 100_000
    /// How many parentheses, child queries and function calls may stand inside each other.
    public static let maximumDepth = 100
}
