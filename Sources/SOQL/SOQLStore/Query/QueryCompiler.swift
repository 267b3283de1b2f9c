// SPDX-License-Identifier: Apache-2.0

import SOQLCheck
package import SOQLSyntax

/// Compiles SOQL to one parameterized SQL statement over the tables of a schema.
///
/// Objects are tables and fields are columns with the same names. Literals become parameters and names come from the
/// schema, so that no part of the query's text becomes SQL.
package struct QueryCompiler: Sendable {
    package let schema: Schema

    package init(schema: Schema) {
        self.schema = schema
    }

    /// Compiles the text of a query, with an `OrgError` for syntax errors as well.
    package func compile(_ text: String, options: QueryOptions) throws(OrgError) -> CompiledQuery {
        let query: SOQLQuery
        do throws(SOQLSyntaxError) {
            query = try SOQLQuery(parsing: text)
        } catch {
            throw OrgError(error, in: text)
        }
        return try compile(query, text: text, options: options)
    }

    /// Compiles a query that was parsed from `text`.
    ///
    /// - Throws: `OrgError` with the first finding of the resolver, or for features that this org does not have.
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

    /// SQLite's limit is 32,766.
    private static let maximumParameters = 32_000
}

/// The inputs of a compilation in addition to the query and the schema.
package struct QueryOptions: Sendable {
    /// The current time in milliseconds since 1970, for date formulas.
    package var now: Int64
    /// The API version, for the paths in the response and the available features.
    package var version: Int
    /// Whether deleted records are included (`queryAll`).
    package var includesDeleted: Bool
    /// The id of the user, for USING SCOPE and recently viewed records.
    package var userID: String?
    /// The maximum number of children in a record.
    ///
    /// The rest of a longer list is read in pages.
    package var childPageSize: Int
    /// The first ten characters of the locators of this query's lists of children, which must be unguessable.
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
    /// A feature of SOQL that was added in a version of the API.
    struct Feature {
        fileprivate let first: Int

        static let typeof = Feature(first: 46)
        static let fieldGroups = Feature(first: 51)
        static let nestedSubqueries = Feature(first: 58)
    }

    /// The path of the version's resources: `/services/data/v66.0`.
    var path: String { "/services/data/v\(version).0" }

    func has(_ feature: Feature) -> Bool { version >= feature.first }
}

/// The state shared by all parts of one compilation: the query's text, the table aliases, and the child queries.
///
/// This is a class because nested queries share aliases. It lives for one compilation.
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

    /// Returns a table alias that is unique in the statement.
    func makeAlias() -> SQLFragment {
        defer { aliases += 1 }
        return "t\(number: aliases)"
    }

    /// Returns the number of the next child query, starting from 1.
    func makeChildNumber() -> Int {
        childQueries += 1
        return childQueries
    }

    func add(_ query: ChildQuery, number: Int) { children.add(query, number: number) }

    func error(_ code: QueryCode, _ reason: String, at position: SOQLPosition) -> OrgError {
        OrgError(code, reason, at: position, in: text)
    }

    /// Returns the stored object for an object of the resolver.
    func object(_ object: ObjectDescription) -> SObjectSchema {
        schema.queried(object.name) ?? RecentlyViewed.object
    }

    /// The prefix of a record's `url`, which the record's id follows.
    func recordPath(of object: SObjectSchema) -> String {
        "\(options.path)/sobjects/\(object.name)/"
    }
}
