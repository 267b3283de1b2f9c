// SPDX-License-Identifier: Apache-2.0

import LocalServer
import SOQLSyntax

/// Compiles a child query to a correlated sub-select: one JSON text for each parent, or null without children.
struct ChildrenCompiler {
    let query: SOQLQuery
    let relationship: ChildRelationship
    let parentScope: QueryScope
    let outer: SOQLQuery
    let depth: Int
    /// The child query's number in the whole query, from 1.
    let number: Int

    private var compilation: Compilation { parentScope.compilation }

    func compile() throws(QueryError) -> SQLFragment {
        try checkClauses()
        guard let object = compilation.schema.object(named: relationship.childObject) else {
            throw compilation.error(
                .invalidType, "sObject type '\(relationship.childObject)' is not supported.",
                at: query.from.path.position)
        }
        let scope = try QueryScope(compilation, object: object, query)
        let select = SelectCompiler(query: query, scope: scope, depth: depth)
        try select.checkWindow(insideOf: outer)
        try select.checkUsage("a subquery")
        let record = try RecordSelection(query: query, scope: scope, depth: depth).compile()
        let link: SQLFragment = " WHERE \(scope.alias).\(name: relationship.field) = "
        let tests = try select.tests().reduce(SQLFragment.empty) { $0 + " AND " + $1 }
        let order = try select.order { expression throws(QueryError) in try scope.operand(expression, .ordering) }
        var columns = ColumnList()
        let shape = record.shape(scope, &columns)
        let own = select.assemble(.records(shape), columns: columns.sql, filter: tests, order: order)
        let child = ChildQuery(parentPrefix: parentScope.object.keyPrefix, link: link, query: own)
        compilation.add(child, number: number)
        let rows: SQLFragment = "\(scope.fromClause)\(link)\(parentScope.alias).\"Id\"\(tests)"
        return list(of: record.json(scope), rows, order)
    }

    /// The JSON of the first page; further ones are told by a locator that names the parent.
    ///
    /// The inner select has a LIMIT even when the query has none, so that SQLite keeps its order.
    private func list(of record: SQLFragment, _ rows: SQLFragment, _ order: SQLFragment) -> SQLFragment {
        let (size, limit) = (compilation.options.childPageSize, query.limit?.value)
        let most = SQLValue.integer(Int64(size))
        let offset = SQLValue.integer(Int64(query.offset?.value ?? 0))
        let version = compilation.options.apiVersion
        let path = SQLValue.text("\(version.path)/query/\(compilation.children.prefix(of: number))")
        return """
            (SELECT '{"totalSize":' || total || CASE WHEN total > \(most) THEN ',"done":false,"nextRecordsUrl":"' \
            || \(path) || substr(\(parentScope.alias)."Id", 9, 7) || '-' || \(most) || '"' ELSE ',"done":true' END \
            || ',"records":[' || group_concat(record, ',') || ']}' \
            FROM (SELECT min(max(count(*) - \(offset), 0), \(.integer(Int64(limit ?? .max)))) AS total\(rows)) \
            CROSS JOIN (SELECT \(record) AS record\(rows)\(order) \
            LIMIT \(.integer(Int64(min(limit ?? size, size)))) OFFSET \(offset)))
            """
    }

    private func checkClauses() throws(QueryError) {
        try compilation.checkClauses(of: query)
        guard query.isAggregate || query.having != nil else { return }
        throw compilation.error(
            .malformedQuery, "only root queries support aggregate expressions",
            at: query.groupBy.first?.position ?? query.select[0].position)
    }
}

extension RecordNode {
    /// SQLite's functions take up to 127 arguments, two for each member.
    private static let membersPerCall = 60

    /// SQL that gives the record as a JSON text.
    func json(_ scope: QueryScope) -> SQLFragment {
        var pairs: [SQLFragment] = ["'attributes', \(attributes(scope))"]
        for (name, content) in members {
            pairs.append("\(string: name), \(content.json(scope))")
        }
        let objects = stride(from: 0, to: pairs.count, by: Self.membersPerCall).map { start in
            let part = pairs[start..<min(start + Self.membersPerCall, pairs.count)]
            return "json_object(\(part.joined(separator: ", ")))" as SQLFragment
        }
        guard objects.count > 1 else { return objects[0] }
        // `{a}` and `{b}` become `{a,b}`.
        let inner = objects.map { "substr(\($0), 2, length(\($0)) - 2)" as SQLFragment }
        return "('{' || \(inner.joined(separator: " || ',' || ")) || '}')"
    }

    /// The JSON of the first node whose row exists, or null.
    fileprivate static func json(ofFirst nodes: [RecordNode], _ scope: QueryScope) -> SQLFragment {
        let cases = nodes.map { " WHEN \($0.parent.id) IS NOT NULL THEN \($0.json(scope))" as SQLFragment }
        return "json(CASE\(cases.joined(separator: "")) END)"
    }

    private func attributes(_ scope: QueryScope) -> SQLFragment {
        let objects = parent.targets.map { target -> SQLFragment in
            let path = SQLValue.text(scope.compilation.recordPath(of: target.object))
            return """
                json_object('type', \(string: target.object.name), 'url', \(path) || \(target.alias)."Id")
                """
        }
        guard objects.count > 1 else { return objects[0] }
        let cases = zip(parent.targets, objects).map { target, object -> SQLFragment in
            " WHEN \(target.alias).\"Id\" IS NOT NULL THEN \(object)"
        }
        return "json(CASE\(cases.joined(separator: "")) END)"
    }
}

extension RecordNode.Content {
    fileprivate func json(_ scope: QueryScope) -> SQLFragment {
        switch self {
        case .value(let operand) where operand.kind == .boolean:
            "json(CASE \(operand.sql) WHEN 0 THEN 'false' WHEN 1 THEN 'true' END)"
        case .value(let operand) where operand.kind == .compound: "json(\(operand.sql))"
        case .value(let operand): operand.sql
        case .parent(let node): RecordNode.json(ofFirst: [node], scope)
        case .choice(let nodes): RecordNode.json(ofFirst: nodes, scope)
        case .children(let sql): "json(\(sql))"
        }
    }
}
