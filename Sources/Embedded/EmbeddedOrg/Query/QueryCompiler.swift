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
