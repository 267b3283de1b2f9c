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

/// A word or a constant of the language with its place.
public struct SOQLPlaced<Value: Sendable & Hashable>: Sendable, Hashable {
    /// What was written.
    public var value: Value
    /// Where it was written.
    @SOQLUncompared public var position: SOQLPosition

    /// A value at a place.
    public init(_ value: Value, position: SOQLPosition = .start) {
        self.value = value
        self.position = position
    }
}

/// The number of a LIMIT or OFFSET clause as written, possibly negative, with its place.
public typealias SOQLCount = SOQLPlaced<Int>

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

/// One entry of a select list.
public enum SOQLSelectItem: Sendable, Hashable {
    /// `COUNT()`, which always stands alone.
    case count(position: SOQLUncompared<SOQLPosition>)
    /// A field or a function, with the alias of an aggregate query.
    case field(SOQLExpression, alias: SOQLName?)
    /// The children of each row: `(SELECT LastName FROM Contacts)`.
    case children(SOQLChildQuery, alias: SOQLName?)
    /// Fields that depend on the object of a reference.
    case typeof(SOQLTypeof)
    /// `FIELDS(ALL)`, `FIELDS(STANDARD)` or `FIELDS(CUSTOM)`.
    case fields(SOQLPlaced<SOQLFieldGroup>)

    /// Where the entry begins.
    public var position: SOQLPosition {
        switch self {
        case .count(let position): position.wrappedValue
        case .field(let expression, _): expression.position
        case .children(let children, _): children.position
        case .typeof(let typeof): typeof.position
        case .fields(let group): group.position
        }
    }
}

/// A query over the children of each row of the query around it.
public struct SOQLChildQuery: Sendable, Hashable {
    /// The query; its source is a relationship.
    public var query: SOQLQuery
    /// Where its opening parenthesis stands.
    @SOQLUncompared public var position: SOQLPosition

    /// A child query.
    public init(_ query: SOQLQuery, position: SOQLPosition = .start) {
        self.query = query
        self.position = position
    }
}

/// Fields that depend on which object a reference points to: `TYPEOF What WHEN Account THEN Phone ELSE Name END`.
public struct SOQLTypeof: Sendable, Hashable {
    /// What is selected of the records of one object.
    public struct Branch: Sendable, Hashable {
        /// The object.
        public var object: SOQLName
        /// Its fields; at least one.
        public var fields: [SOQLExpression]

        /// A branch.
        public init(_ object: SOQLName, _ fields: [SOQLExpression]) {
            self.object = object
            self.fields = fields
        }
    }

    /// The relationship.
    public var reference: SOQLPath
    /// The branches in the order of the text; at least one.
    public var branches: [Branch]
    /// The fields of records of any other object; empty without ELSE.
    public var otherwise: [SOQLExpression]
    /// Where TYPEOF was written.
    @SOQLUncompared public var position: SOQLPosition

    /// A choice of fields.
    public init(
        _ reference: SOQLPath, _ branches: [Branch], otherwise: [SOQLExpression] = [],
        position: SOQLPosition = .start
    ) {
        self.reference = reference
        self.branches = branches
        self.otherwise = otherwise
        self.position = position
    }
}

/// Which groups the expressions of GROUP BY make.
public enum SOQLGrouping: String, Sendable, Hashable, CaseIterable {
    /// One for each combination of values.
    case plain = ""
    /// Beside those the subtotals from right to left, and the total.
    case rollup = "ROLLUP"
    /// Beside those the subtotals of every choice of expressions, and the total.
    case cube = "CUBE"
}

/// What the user does with the rows; the raw value is the word behind FOR.
public enum SOQLUsage: String, Sendable, Hashable, CaseIterable {
    /// Looks at them.
    case view = "VIEW"
    /// Uses them from something else.
    case reference = "REFERENCE"
}

/// The statistics of articles; the raw value is the word behind UPDATE.
public enum SOQLStatistic: String, Sendable, Hashable, CaseIterable {
    /// The keywords that articles were looked for with.
    case tracking = "TRACKING"
    /// How often an article was seen.
    case viewstat = "VIEWSTAT"
}

/// The clauses that a query has in Apex only; the raw value is the clause.
public enum SOQLApexClause: String, Sendable, Hashable, CaseIterable {
    /// Locks the rows.
    case forUpdate = "FOR UPDATE"
    /// Reads deleted rows too.
    case allRows = "ALL ROWS"
}

/// The groups of fields that FIELDS() stands for; the raw value is its argument.
public enum SOQLFieldGroup: String, Sendable, Hashable, CaseIterable {
    /// Every field.
    case all = "ALL"
    /// Those that every org has.
    case standard = "STANDARD"
    /// Those that this org added.
    case custom = "CUSTOM"
}

/// One WITH clause.
public enum SOQLWith: Sendable, Hashable {
    /// Whose rights decide: `WITH USER_MODE`.
    case access(SOQLPlaced<SOQLAccess>)
    /// The categories of articles, all of which must fit; at least one.
    case dataCategories([SOQLDataCategory])
    /// Any other name with what follows it: `WITH NETWORK = '0DB…'`.
    case setting(SOQLSetting)

    /// Where it begins behind WITH.
    public var position: SOQLPosition {
        switch self {
        case .access(let access): access.position
        case .dataCategories(let categories): categories.first?.group.position ?? .start
        case .setting(let setting): setting.name.position
        }
    }
}

/// Whose rights decide what a query sees; the raw value is the word behind WITH.
public enum SOQLAccess: String, Sendable, Hashable, CaseIterable {
    /// The user's, for the fields and objects of SELECT and FROM.
    case securityEnforced = "SECURITY_ENFORCED"
    /// The user's, everywhere.
    case userMode = "USER_MODE"
    /// Nobody's.
    case systemMode = "SYSTEM_MODE"
}

/// A test of an article's category: `Geography__c BELOW europe__c`.
public struct SOQLDataCategory: Sendable, Hashable {
    /// Which categories of the tree are meant; the raw value is the keyword.
    public enum Selector: String, Sendable, Hashable, CaseIterable {
        /// The category itself.
        case at = "AT"
        /// The category and those above it, or below it.
        case above = "ABOVE", below = "BELOW"
        /// The category and those above and below it.
        case aboveOrBelow = "ABOVE_OR_BELOW"
    }

    /// The name of the category group.
    public var group: SOQLName
    /// Where in the tree.
    public var selector: Selector
    /// The categories; at least one.
    public var categories: [SOQLName]

    /// A test.
    public init(_ group: SOQLName, _ selector: Selector, _ categories: [SOQLName]) {
        self.group = group
        self.selector = selector
        self.categories = categories
    }
}

/// A name behind WITH, its value or its options.
public struct SOQLSetting: Sendable, Hashable {
    /// One option: `maxDescriptorPerRecord = 100`.
    public struct Option: Sendable, Hashable {
        /// Its name.
        public var name: SOQLName
        /// Its value.
        public var value: SOQLValue

        /// An option.
        public init(_ name: SOQLName, _ value: SOQLValue) {
            self.name = name
            self.value = value
        }
    }

    /// The name.
    public var name: SOQLName
    /// What is behind `=`.
    public var value: SOQLValue?
    /// What is in parentheses; empty when there is a value.
    public var options: [Option]

    /// A setting.
    public init(_ name: SOQLName, value: SOQLValue? = nil, options: [Option] = []) {
        self.name = name
        self.value = value
        self.options = options
    }
}
