// SPDX-License-Identifier: Apache-2.0

import SOQLSyntax

/// Resolves names in a query that may be incomplete except for its FROM clause.
package struct QueryNames {
    private let scope: ResolverScope

    /// Creates the names of a query.
    ///
    /// - Parameters:
    ///   - source: the name in FROM: an object, or a child relationship of the enclosing query.
    ///   - alias: the alias in FROM.
    ///   - parent: the enclosing query, if this query is in its select list.
    ///   - resolver: finds the objects and reports those that are missing in the schema.
    package init(of source: String, alias: String?, in parent: QueryNames?, _ resolver: Resolver) {
        let query = SOQLQuery(
            select: [], from: SOQLSource(path: SOQLPath([source]), alias: alias.map { SOQLName($0) }))
        var name: String? = source
        if let parent { name = parent.scope.object?.childRelationship(named: source)?.object }
        scope = ResolverScope(
            resolver, object: name.flatMap { resolver.target($0, of: query.from.path) }, query)
    }

    /// The object in FROM, or `nil` if it is unknown.
    package var object: ObjectDescription? { scope.object }

    /// The row that has the field or relationship named last in a path, or `nil` if it is unknown.
    package func row(of path: [String]) -> ResolvedRow? {
        let way = scope.way(SOQLPath(path))
        return scope.row(way, count: way.parts.count - 1, below: scope.root)
    }

    /// The value of a field, or `nil` if it is unknown.
    package func value(of path: [String]) -> ResolvedValue? {
        scope.value(of: scope.way(SOQLPath(path)), below: scope.root)
    }
}
