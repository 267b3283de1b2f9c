// SPDX-License-Identifier: Apache-2.0

import SOQLSyntax

/// The meaning of names in a query that may be unfinished: only its FROM has to be known.
package struct QueryNames {
    private let scope: ResolverScope

    /// The names of a query.
    ///
    /// - Parameters:
    ///   - source: the name in FROM: an object, or a relationship to children of the query around it.
    ///   - alias: the other name that FROM gives it.
    ///   - parent: the query around it, if it is in the select list of that query.
    ///   - resolver: looks the objects up, and reports those that the schema lacks.
    package init(of source: String, alias: String?, in parent: QueryNames?, _ resolver: Resolver) {
        let query = SOQLQuery(
            select: [], from: SOQLSource(path: SOQLPath([source]), alias: alias.map { SOQLName($0) }))
        var name: String? = source
        if let parent { name = parent.scope.object?.childRelationship(named: source)?.object }
        scope = ResolverScope(
            resolver, object: name.flatMap { resolver.target($0, of: query.from.path) }, query)
    }

    /// The object that the query reads; `nil` if it is not known.
    package var object: ObjectDescription? { scope.object }

    /// The row whose field or relationship is the last name of a path; `nil` if it is not known.
    package func row(of path: [String]) -> ResolvedRow? {
        let way = scope.way(SOQLPath(path))
        return scope.row(way, count: way.parts.count - 1, below: scope.root)
    }

    /// The value of a field; `nil` if it is not known.
    package func value(of path: [String]) -> ResolvedValue? {
        scope.value(of: scope.way(SOQLPath(path)), below: scope.root)
    }
}
