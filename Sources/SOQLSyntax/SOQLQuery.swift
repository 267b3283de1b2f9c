// SPDX-License-Identifier: Apache-2.0

/// A SOQL query, or a query inside one, as a tree.
///
/// Names keep the spelling of the text; keywords do not. Whether the objects and fields exist is not checked here.
public struct SOQLQuery: Sendable, Hashable {
    /// The select list in the order of the text; never empty.
    public var select: [SOQLSelectItem]
    /// The object, or in a child query the relationship, that is read.
    public var from: SOQLSource
    /// The condition on rows.
    public var `where`: SOQLCondition?
    /// The grouped expressions; empty without GROUP BY.
    public var groupBy: [SOQLExpression]
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

    /// A query put together by hand.
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

/// What a query reads: `FROM Account a`.
public struct SOQLSource: Sendable, Hashable {
    /// The object's name, or the path to a relationship.
    public var path: SOQLPath
    /// The short name that paths of the query may begin with.
    public var alias: SOQLName?

    /// A source.
    public init(path: SOQLPath, alias: SOQLName? = nil) {
        self.path = path
        self.alias = alias
    }
}

/// One name with its place.
public struct SOQLName: Sendable, Hashable {
    /// The name as written.
    public var text: String
    /// Where it was written.
    @SOQLUncompared public var position: SOQLPosition

    /// A name.
    public init(_ text: String, position: SOQLPosition = .start) {
        self.text = text
        self.position = position
    }
}

/// The number of a LIMIT or OFFSET clause with its place.
public struct SOQLCount: Sendable, Hashable {
    /// The number as written, possibly negative.
    public var value: Int
    /// Where the number was written.
    @SOQLUncompared public var position: SOQLPosition

    /// A count.
    public init(_ value: Int, position: SOQLPosition = .start) {
        self.value = value
        self.position = position
    }
}

/// One entry of ORDER BY.
public struct SOQLOrdering: Sendable, Hashable {
    /// Which end of the order null values go to.
    public enum Nulls: Sendable, Hashable { case first, last }

    /// What is compared.
    public var expression: SOQLExpression
    /// Whether the greatest comes first.
    public var isDescending: Bool
    /// Where nulls go; `nil` when not written (the platform then puts them first).
    public var nulls: Nulls?

    /// An entry.
    public init(_ expression: SOQLExpression, isDescending: Bool = false, nulls: Nulls? = nil) {
        self.expression = expression
        self.isDescending = isDescending
        self.nulls = nulls
    }
}
