// SPDX-License-Identifier: Apache-2.0

package import SOQLSyntax

/// Compiles SOQL to one parameterised SQL statement over the tables of a schema.
///
/// Each object is a table of its name and each field a column of its name. Literals become parameters, names come from
/// the schema; nothing of the query's text becomes SQL.
package struct QueryCompiler: Sendable {
    package let schema: Schema

    package init(schema: Schema) {
        self.schema = schema
    }

    /// Compiles the text of a query.
    ///
    /// - Throws: `QueryError`, for what the parser refuses too.
    package func compile(_ text: String, options: QueryOptions) throws(QueryError) -> CompiledQuery {
        let query: SOQLQuery
        do throws(SOQLSyntaxError) {
            query = try SOQLQuery(parsing: text)
        } catch {
            throw QueryError(error, in: text)
        }
        return try compile(query, text: text, options: options)
    }

    /// Compiles a query that has been parsed from `text`.
    package func compile(
        _ query: SOQLQuery, text: String, options: QueryOptions
    ) throws(QueryError) -> CompiledQuery {
        let compilation = Compilation(text: text, schema: schema, options: options)
        try compilation.checkClauses(of: query)
        let object = try compilation.object(of: query.from)
        let scope = try QueryScope(compilation, object: object, query)
        var compiled = try SelectCompiler(query: query, scope: scope).compile()
        compiled.children = compilation.children
        guard compiled.rows().bindings.count <= QueryCompiler.maximumParameters else {
            throw QueryError(.tooComplicated, "the query has more than \(QueryCompiler.maximumParameters) literals")
        }
        return compiled
    }

    /// SQLite's own limit is 32,766.
    private static let maximumParameters = 32_000
}

/// What a query's meaning depends on beside its text and the schema.
package struct QueryOptions: Sendable {
    /// The present in milliseconds since 1970, for date formulas.
    package var now: Int64
    /// The number of the API version, for the paths in the response and for what a query may contain.
    package var version: Int
    /// Whether deleted rows count too (`queryAll`).
    package var includesDeleted: Bool
    /// The id of the user who asks, for USING SCOPE and for what the user has looked at.
    package var userID: String?
    /// How many children a record comes with; the rest of a longer list is read by pages.
    package var childPageSize: Int
    /// Ten unguessable characters that begin the locators of this query's lists of children.
    package var childLocator: String

    package init(
        now: Int64, version: Int, includesDeleted: Bool = false, userID: String? = nil,
        childPageSize: Int = .max, childLocator: String = ""
    ) {
        self.now = now
        self.version = version
        self.includesDeleted = includesDeleted
        self.userID = userID
        self.childPageSize = max(1, childPageSize)
        self.childLocator = childLocator
    }
}

extension QueryOptions {
    var apiVersion: APIVersion { APIVersion(number: version) }
}

/// What all parts of one compilation share: the query's text for messages, names given out, and counts against limits.
///
/// It is a class because scopes inside scopes count together; it lives no longer than one call of the compiler.
final class Compilation {
    let text: String
    let schema: Schema
    let options: QueryOptions
    let dates: DateRangeResolver
    private var aliases = 0
    private var childQueries = 0
    /// The child queries compiled so far, for the further pages of their lists.
    private(set) var children: ChildQueries
    /// Where the semi-joins stand; what is compiled for several sets of groups is one all the same.
    private var semiJoins: Set<Int> = []
    /// Whether a query checks the user's rights in the way that knows no polymorphic references.
    var isSecurityEnforced = false

    init(text: String, schema: Schema, options: QueryOptions) {
        self.text = text
        self.schema = schema
        self.options = options
        dates = DateRangeResolver(milliseconds: options.now)
        children = ChildQueries(locator: options.childLocator)
    }

    /// A table alias not used before in the statement.
    func makeAlias() -> SQLFragment {
        defer { aliases += 1 }
        return "t\(number: aliases)"
    }

    func error(_ code: QueryError.Code, _ reason: String, at position: SOQLPosition) -> QueryError {
        QueryError(code, reason, at: position, in: text)
    }

    /// Counts a child query and gives its number, from 1.
    func countChildQuery(at position: SOQLPosition) throws(QueryError) -> Int {
        childQueries += 1
        guard childQueries <= 20 else {
            throw error(.malformedQuery, "a query has at most 20 parent-to-child subqueries", at: position)
        }
        return childQueries
    }

    func add(_ query: ChildQuery, number: Int) { children.add(query, number: number) }

    func countSemiJoin(at position: SOQLPosition) throws(QueryError) {
        semiJoins.insert(position.offset)
        guard semiJoins.count <= 2 else {
            throw error(.malformedQuery, "Maximum 2 semi join sub-selects are allowed", at: position)
        }
    }

    /// The object a query or a semi-join is about.
    func object(of source: SOQLSource) throws(QueryError) -> SObjectSchema {
        if source.path.parts.count == 1, let object = schema.queried(source.path.last) { return object }
        throw error(
            .invalidType,
            """
            sObject type '\(source.path.text.shortened)' is not supported. If you are attempting to use a custom \
            object, be sure to append the '__c' after the entity name. Please reference your WSDL or the describe call \
            for the appropriate names.
            """, at: source.path.position)
    }

    /// The prefix of a record's `url`; its id follows.
    func recordPath(of object: SObjectSchema) -> String {
        options.apiVersion.path + "/sobjects/" + object.name + "/"
    }
}

/// Why a query cannot be answered, in the platform's words; goes out with status 400.
package struct QueryError: Error, Sendable, Hashable {
    /// The platform's error codes that a query can cause.
    package enum Code: String, Sendable, Hashable {
        case malformedQuery = "MALFORMED_QUERY"
        case invalidField = "INVALID_FIELD"
        case invalidType = "INVALID_TYPE"
        case invalidFilterOperator = "INVALID_QUERY_FILTER_OPERATOR"
        case numberOutsideRange = "NUMBER_OUTSIDE_VALID_RANGE"
        case exceededIDLimit = "EXCEEDED_ID_LIMIT"
        case tooComplicated = "QUERY_TOO_COMPLICATED"
        case notEnabled = "FUNCTIONALITY_NOT_ENABLED"
    }

    package let code: Code
    /// The whole message, with the quoted line and the caret where there is a place to point to.
    package let message: String
    /// The place that is to blame.
    package let position: SOQLPosition?

    init(_ code: Code, _ reason: String) {
        self.code = code
        message = reason
        position = nil
    }

    /// An error that points into the text of the query.
    init(_ code: Code, _ reason: String, at position: SOQLPosition, in text: String) {
        self.code = code
        self.position = position
        message = """

            \(QueryError.quote(text, position))
            ERROR at Row:\(position.line):Column:\(position.column)
            \(reason)
            """
    }

    init(_ error: SOQLSyntaxError, in text: String) {
        let code: Code = error.kind == .malformed ? .malformedQuery : .notEnabled
        self.init(code, error.message, at: error.position, in: text)
    }

    /// An aggregate query with more than ``CompiledQuery/maximumGroups`` groups.
    package static let tooManyGroups = QueryError(
        .exceededIDLimit,
        "Aggregate query does not support queryMore(), use LIMIT to restrict the results to a single batch")

    /// How much of a long line is shown on each side of the caret.
    private static let context = 60

    /// The line with a caret under the column, cut where it is long.
    private static func quote(_ text: String, _ position: SOQLPosition) -> String {
        let scalars = text.unicodeScalars
        let isBreak: (Unicode.Scalar) -> Bool = { $0 == "\n" || $0 == "\r" }
        let start = scalars.utf8Index(position.offset)
        let before = scalars[..<start].reversed().prefix { !isBreak($0) }.prefix(context).reversed()
        let after = scalars[start...].prefix { !isBreak($0) }.prefix(context)
        var line = ""
        for scalar in [Unicode.Scalar](before) + after {
            // A tab or another control character would move the caret away from its column.
            line.unicodeScalars.append(scalar.properties.generalCategory == .control ? " " : scalar)
        }
        return line + "\n" + String(repeating: " ", count: before.count) + "^"
    }
}

extension String.UnicodeScalarView {
    /// The index so many UTF-8 bytes from the start, or the end.
    fileprivate func utf8Index(_ offset: Int) -> Index {
        let text = String(self)
        return text.utf8.index(text.utf8.startIndex, offsetBy: offset, limitedBy: text.utf8.endIndex) ?? text.endIndex
    }
}
