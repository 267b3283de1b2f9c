// SPDX-License-Identifier: Apache-2.0

/// A SOQL query or a nested query as a syntax tree.
///
/// Names keep their spelling, keywords do not. The parser does not check that objects and fields exist.
public struct SOQLQuery: Sendable, Hashable {
    /// The select list in the order of the text, which is never empty.
    public var select: [SOQLSelectItem]
    /// The object in FROM, or the relationship in a child query.
    public var from: SOQLSource
    /// The additional sources in FROM: parents with aliases, as in `FROM Contact c, c.Account a`.
    public var joined: [SOQLSource] = []
    /// The name after USING SCOPE, such as `mine` or `everything`.
    public var scope: SOQLName?
    /// The condition on rows.
    public var `where`: SOQLCondition?
    /// The WITH clauses in the order of the text.
    public var with: [SOQLWith] = []
    /// The grouped expressions, or an empty list without GROUP BY.
    public var groupBy: [SOQLExpression]
    /// The kind of grouping.
    public var grouping = SOQLGrouping.plain
    /// The condition on groups.
    public var having: SOQLCondition?
    /// The order of the rows, most significant first, or an empty list without ORDER BY.
    public var orderBy: [SOQLOrdering]
    /// The maximum number of rows.
    ///
    /// A negative number is parsed as well, because the server rejects it.
    public var limit: SOQLCount?
    /// The number of rows to skip.
    public var offset: SOQLCount?
    /// The usage of the rows, from FOR VIEW or FOR REFERENCE.
    public var usage: SOQLPlaced<SOQLUsage>?
    /// The article statistics to update, from UPDATE TRACKING and UPDATE VIEWSTAT.
    public var statistics: [SOQLPlaced<SOQLStatistic>] = []
    /// The clauses that are only allowed in Apex: FOR UPDATE and ALL ROWS.
    public var apexClauses: [SOQLPlaced<SOQLApexClause>] = []

    /// Creates a query from its main clauses, to which the other clauses can be added.
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

    /// Parses a query of at most ``maximumLength`` bytes.
    ///
    /// - Throws: the first syntax error or unsupported construct, with its position.
    public init(parsing text: String) throws(SOQLSyntaxError) {
        var parser = try Parser(text)
        self = try parser.parseWholeQuery()
    }

    /// The maximum length of a query in UTF-8 bytes.
    ///
    /// Salesforce limits the number of characters to the same.
    public static let maximumLength = 100_000
    /// The maximum nesting depth of parentheses, child queries and function calls.
    public static let maximumDepth = 100
}

/// A source of a query, such as `FROM Account a`.
public struct SOQLSource: Sendable, Hashable {
    /// The object's name, or the path to a relationship.
    public var path: SOQLPath
    /// The alias that paths of the query can begin with.
    public var alias: SOQLName?

    /// Creates a source.
    public init(path: SOQLPath, alias: SOQLName? = nil) {
        self.path = path
        self.alias = alias
    }
}

/// A name with its position.
public struct SOQLName: Sendable, Hashable {
    /// The name as written.
    public var text: String
    /// The position of the name.
    @SOQLUncompared public var position: SOQLPosition

    /// Creates a name.
    public init(_ text: String, position: SOQLPosition = .start) {
        self.text = text
        self.position = position
    }
}

/// A word or constant of SOQL with its position.
public struct SOQLPlaced<Value: Sendable & Hashable>: Sendable, Hashable {
    /// The value.
    public var value: Value
    /// The position of the value.
    @SOQLUncompared public var position: SOQLPosition

    /// Creates a value at a position.
    public init(_ value: Value, position: SOQLPosition = .start) {
        self.value = value
        self.position = position
    }
}

/// The number of a LIMIT or OFFSET clause as written, possibly negative, with its position.
public typealias SOQLCount = SOQLPlaced<Int>

/// One entry of ORDER BY.
public struct SOQLOrdering: Sendable, Hashable {
    /// The end of the order at which nulls are placed.
    public enum Nulls: Sendable, Hashable { case first, last }

    /// The expression to sort by.
    public var expression: SOQLExpression
    /// Whether the largest value comes first.
    public var isDescending: Bool
    /// The placement of nulls, or `nil` if it is not written, in which case Salesforce puts nulls first.
    public var nulls: Nulls?

    /// Creates an entry.
    public init(_ expression: SOQLExpression, isDescending: Bool = false, nulls: Nulls? = nil) {
        self.expression = expression
        self.isDescending = isDescending
        self.nulls = nulls
    }
}

/// One entry of a select list.
public enum SOQLSelectItem: Sendable, Hashable {
    /// `COUNT()`, which must be the only entry.
    case count(position: SOQLUncompared<SOQLPosition>)
    /// A field or a function, with an optional alias.
    case field(SOQLExpression, alias: SOQLName?)
    /// The children of each row, such as `(SELECT LastName FROM Contacts)`.
    case children(SOQLChildQuery, alias: SOQLName?)
    /// Fields that depend on the object of a reference.
    case typeof(SOQLTypeof)
    /// `FIELDS(ALL)`, `FIELDS(STANDARD)` or `FIELDS(CUSTOM)`.
    case fields(SOQLPlaced<SOQLFieldGroup>)

    /// The start of the entry.
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

/// A query over the children of each row of the enclosing query, or a semi-join.
public struct SOQLChildQuery: Sendable, Hashable {
    /// The query, whose source in a select list is a relationship.
    public var query: SOQLQuery
    /// The position of the opening parenthesis.
    @SOQLUncompared public var position: SOQLPosition

    /// Creates a child query.
    public init(_ query: SOQLQuery, position: SOQLPosition = .start) {
        self.query = query
        self.position = position
    }
}

/// Fields that depend on the object of a reference: `TYPEOF What WHEN Account THEN Phone ELSE Name END`.
public struct SOQLTypeof: Sendable, Hashable {
    /// The fields for records of one object.
    public struct Branch: Sendable, Hashable {
        /// The object.
        public var object: SOQLName
        /// The fields, at least one.
        public var fields: [SOQLExpression]

        /// Creates a branch.
        public init(_ object: SOQLName, _ fields: [SOQLExpression]) {
            self.object = object
            self.fields = fields
        }
    }

    /// The relationship.
    public var reference: SOQLPath
    /// The branches in the order of the text, at least one.
    public var branches: [Branch]
    /// The fields for records of any other object, or an empty list without ELSE.
    public var otherwise: [SOQLExpression]
    /// The position of TYPEOF.
    @SOQLUncompared public var position: SOQLPosition

    /// Creates a TYPEOF entry.
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

/// The kind of grouping in GROUP BY.
public enum SOQLGrouping: String, Sendable, Hashable, CaseIterable {
    /// One group for each combination of values.
    case plain = ""
    /// In addition, the subtotals from right to left, and the grand total.
    case rollup = "ROLLUP"
    /// In addition, the subtotals of every subset of the expressions, and the grand total.
    case cube = "CUBE"
}

/// The usage of the rows, whose raw value is the word after FOR.
public enum SOQLUsage: String, Sendable, Hashable, CaseIterable {
    /// The user views the rows.
    case view = "VIEW"
    /// The user refers to the rows from somewhere else.
    case reference = "REFERENCE"
}

/// The article statistics, whose raw value is the word after UPDATE.
public enum SOQLStatistic: String, Sendable, Hashable, CaseIterable {
    /// The keywords that were used to search for articles.
    case tracking = "TRACKING"
    /// The number of times that an article was viewed.
    case viewstat = "VIEWSTAT"
}

/// A clause that is only allowed in Apex, whose raw value is the clause.
public enum SOQLApexClause: String, Sendable, Hashable, CaseIterable {
    /// Locks the rows.
    case forUpdate = "FOR UPDATE"
    /// Includes deleted rows.
    case allRows = "ALL ROWS"
}

/// A group of fields in FIELDS(), whose raw value is the argument.
public enum SOQLFieldGroup: String, Sendable, Hashable, CaseIterable {
    /// Every field.
    case all = "ALL"
    /// The standard fields.
    case standard = "STANDARD"
    /// The custom fields.
    case custom = "CUSTOM"
}

/// A WITH clause.
public enum SOQLWith: Sendable, Hashable {
    /// The access mode, such as `WITH USER_MODE`.
    case access(SOQLPlaced<SOQLAccess>)
    /// The data categories of articles, at least one, which must all match.
    case dataCategories([SOQLDataCategory])
    /// Any other name with its value or options, such as `WITH NETWORK = '0DB…'`.
    case setting(SOQLSetting)

    /// The start of the clause after WITH.
    public var position: SOQLPosition {
        switch self {
        case .access(let access): access.position
        case .dataCategories(let categories): categories.first?.group.position ?? .start
        case .setting(let setting): setting.name.position
        }
    }
}

/// The permissions that apply to a query, whose raw value is the word after WITH.
public enum SOQLAccess: String, Sendable, Hashable, CaseIterable {
    /// The user's permissions for the fields and objects in SELECT and FROM.
    case securityEnforced = "SECURITY_ENFORCED"
    /// The user's permissions for the whole query.
    case userMode = "USER_MODE"
    /// No permission checks.
    case systemMode = "SYSTEM_MODE"
}

/// A test of an article's category, such as `Geography__c BELOW europe__c`.
public struct SOQLDataCategory: Sendable, Hashable {
    /// The selected part of the category tree, whose raw value is the keyword.
    public enum Selector: String, Sendable, Hashable, CaseIterable {
        /// The category itself.
        case at = "AT"
        /// The category and the categories above it, or below it.
        case above = "ABOVE", below = "BELOW"
        /// The category and the categories above and below it.
        case aboveOrBelow = "ABOVE_OR_BELOW"
    }

    /// The name of the category group.
    public var group: SOQLName
    /// The selected part of the tree.
    public var selector: Selector
    /// The categories, at least one.
    public var categories: [SOQLName]

    /// Creates a test.
    public init(_ group: SOQLName, _ selector: Selector, _ categories: [SOQLName]) {
        self.group = group
        self.selector = selector
        self.categories = categories
    }
}

/// A name after WITH, with its value or its options.
public struct SOQLSetting: Sendable, Hashable {
    /// One option, such as `maxDescriptorPerRecord = 100`.
    public struct Option: Sendable, Hashable {
        /// The name of the option.
        public var name: SOQLName
        /// The value of the option.
        public var value: SOQLValue

        /// Creates an option.
        public init(_ name: SOQLName, _ value: SOQLValue) {
            self.name = name
            self.value = value
        }
    }

    /// The name of the setting.
    public var name: SOQLName
    /// The value after `=`.
    public var value: SOQLValue?
    /// The options in parentheses, or an empty list if there is a value.
    public var options: [Option]

    /// Creates a setting.
    public init(_ name: SOQLName, value: SOQLValue? = nil, options: [Option] = []) {
        self.name = name
        self.value = value
        self.options = options
    }
}
