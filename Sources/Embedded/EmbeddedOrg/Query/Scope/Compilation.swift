// SPDX-License-Identifier: Apache-2.0

import SOQLSyntax

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
