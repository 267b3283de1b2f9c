// SPDX-License-Identifier: Apache-2.0

import SOQLCheck
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
    /// - Throws: `OrgError`, for what the parser refuses too.
    package func compile(_ text: String, options: QueryOptions) throws(OrgError) -> CompiledQuery {
        let query: SOQLQuery
        do throws(SOQLSyntaxError) {
            query = try SOQLQuery(parsing: text)
        } catch {
            throw OrgError(error, in: text)
        }
        return try compile(query, text: text, options: options)
    }

    /// Compiles a query that has been parsed from `text`.
    ///
    /// - Throws: `OrgError` with the first finding of the resolver, or for what this org does not have.
    package func compile(
        _ query: SOQLQuery, text: String, options: QueryOptions
    ) throws(OrgError) -> CompiledQuery {
        let resolver = Resolver(text, schema.queries)
        let resolved = resolver.resolve(query)
        if let finding = resolver.findings.first(where: { $0.severity == .error }) {
            throw OrgError(finding, in: text)
        }
        guard let resolved, resolver.isComplete else {
            throw OrgError(.tooComplicated, "the query has no meaning for this org")
        }
        let compilation = Compilation(text: text, schema: schema, options: options)
        try compilation.checkClauses(of: query)
        let rows = try JoinedRows(compilation, resolved.object, query, joined: resolved.joined)
        var compiled = try SelectCompiler(query: resolved, rows: rows).compile()
        compiled.children = compilation.children
        guard compiled.rows().bindings.count <= QueryCompiler.maximumParameters else {
            throw OrgError(.tooComplicated, "the query has more than \(QueryCompiler.maximumParameters) literals")
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
    /// A construct of the language that only newer versions of the API have.
    struct Feature {
        /// The first version that has it.
        fileprivate let first: Int

        static let typeof = Feature(first: 46)
        /// `FIELDS()`.
        static let fieldGroups = Feature(first: 51)
        /// Subqueries inside of subqueries.
        static let nestedSubqueries = Feature(first: 58)
    }

    /// The path of the version's resources in records: `/services/data/v66.0`.
    var path: String { "/services/data/v\(version).0" }

    /// Whether the version has it.
    func has(_ feature: Feature) -> Bool { version >= feature.first }
}

/// What all parts of one compilation share: the query's text for messages, names given out, and the child queries.
///
/// It is a class because rows of queries inside queries take names together; it lives no longer than one compilation.
final class Compilation {
    let text: String
    let schema: Schema
    let options: QueryOptions
    let dates: DateRangeResolver
    private var aliases = 0
    private var childQueries = 0
    /// The child queries compiled so far, for the further pages of their lists.
    private(set) var children: ChildQueries

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

    /// The number of the next child query, from 1.
    func makeChildNumber() -> Int {
        childQueries += 1
        return childQueries
    }

    func add(_ query: ChildQuery, number: Int) { children.add(query, number: number) }

    func error(_ code: QueryCode, _ reason: String, at position: SOQLPosition) -> OrgError {
        OrgError(code, reason, at: position, in: text)
    }

    /// The stored object that an object of the resolver describes.
    func object(_ object: ObjectDescription) -> SObjectSchema {
        schema.queried(object.name) ?? RecentlyViewed.object
    }

    /// The prefix of a record's `url`; its id follows.
    func recordPath(of object: SObjectSchema) -> String {
        "\(options.path)/sobjects/\(object.name)/"
    }
}
