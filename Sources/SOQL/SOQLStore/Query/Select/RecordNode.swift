// SPDX-License-Identifier: Apache-2.0

import RestSQLite
import SOQLCheck
import SOQLSyntax

/// A record of the result as SQL: its row, and its members in order.
struct RecordNode {
    indirect enum Content {
        case value(Operand)
        case parent(RecordNode)
        /// The first of these records that exists, each of a different object.
        case choice([RecordNode])
        /// SQL that returns the JSON of a child query's result.
        case children(SQLFragment)
    }

    let row: JoinedRows.Row
    var members: [(name: String, content: Content)] = []

    /// Converts the node to the shape of a row, and adds its values to the columns of the statement.
    func shape(_ compilation: Compilation, _ columns: inout ColumnList) -> RecordShape {
        let id = columns.position(of: row.id)
        let openings = row.targets.map {
            RecordShape.Opening($0.object, path: compilation.recordPath(of: $0.object))
        }
        var shapes: [RecordShape.Member] = []
        for (name, content) in members {
            switch content {
            case .value(let operand):
                shapes.append(.init(name, .value(column: columns.position(of: operand.sql), operand.kind)))
            case .parent(let node): shapes.append(.init(name, .parent(node.shape(compilation, &columns))))
            case .choice(let nodes):
                shapes.append(.init(name, .choice(nodes.map { $0.shape(compilation, &columns) })))
            case .children(let sql): shapes.append(.init(name, .json(column: columns.position(of: sql))))
            }
        }
        return RecordShape(idColumn: id, openings: openings, members: shapes)
    }
}

extension SelectCompiler {
    func node(of record: ResolvedRecord) throws(OrgError) -> RecordNode {
        // In a fully resolved query, every row is known.
        guard let row = record.row else { return RecordNode(row: JoinedRows.Row(targets: [])) }
        var node = RecordNode(row: rows.row(row))
        for member in record.members {
            let content: RecordNode.Content
            switch member.content {
            case .value(nil), .children(nil): continue
            case .value(let value?): content = .value(rows.operand(value))
            case .parent(let parent): content = .parent(try self.node(of: parent))
            case .choice(let branches, let otherwise): content = .choice(try choices(branches, otherwise))
            case .children(let children?):
                content = .children(try self.children(children, at: member.expression.position))
            }
            node.members.append((member.name, content))
        }
        return node
    }

    /// Returns one record for each object that a reference can point to.
    private func choices(
        _ branches: [ResolvedRecord], _ otherwise: ResolvedRecord
    ) throws(OrgError) -> [RecordNode] {
        guard let whole = otherwise.row else { return [] }
        var choices: [RecordNode] = []
        for target in rows.row(whole).targets {
            let row = JoinedRows.Row(targets: [target])
            if let branch = branches.first(where: { $0.row?.objects.first?.name == target.object.name }) {
                choices.append(try node(of: branch))
            } else {
                var node = RecordNode(row: row)
                for case (let name, .value(let value?)) in otherwise.members.map({ ($0.name, $0.content) }) {
                    node.members.append((name, .value(rows.shared(value, row))))
                }
                choices.append(node)
            }
        }
        return choices
    }

    // MARK: Children

    /// Compiles a child query to a correlated subquery that returns JSON for each parent, or null without children.
    private func children(_ children: ResolvedChildren, at position: SOQLPosition) throws(OrgError) -> SQLFragment {
        let number = compilation.makeChildNumber()
        let most = compilation.options.has(.nestedSubqueries) ? 4 : 1
        guard depth < most else {
            throw compilation.error(.malformedQuery, "subqueries go at most \(most + 1) levels down", at: position)
        }
        let query = children.query
        guard case .records(let record) = query.selection else { return "NULL" }
        try compilation.checkClauses(of: query.query)
        let rows = try JoinedRows(compilation, query.object, query.query, joined: query.joined)
        let select = SelectCompiler(query: query, rows: rows, depth: depth + 1)
        let node = try select.node(of: record)
        let link: SQLFragment = " WHERE \(rows.alias).\(name: children.relationship.field) = "
        let tests = try select.tests().reduce(SQLFragment.empty) { $0 + " AND " + $1 }
        let order = select.order { rows.operand($0) }
        var columns = ColumnList()
        let shape = node.shape(compilation, &columns)
        let own = select.assemble(.records(shape), columns: columns.sql, filter: tests, order: order)
        compilation.add(ChildQuery(parentPrefix: self.rows.object.keyPrefix, link: link, query: own), number: number)
        let source: SQLFragment = "\(rows.fromClause)\(link)\(self.rows.alias).\"Id\"\(tests)"
        return list(of: node.json(compilation), source, order, query.query, number)
    }

    /// Returns the JSON of the first page, with a locator of the further pages that contains the parent's number.
    ///
    /// The inner select has a LIMIT even if the query has none, so that SQLite preserves its order.
    private func list(
        of record: SQLFragment, _ source: SQLFragment, _ order: SQLFragment, _ query: SOQLQuery, _ number: Int
    ) -> SQLFragment {
        let (size, limit) = (compilation.options.childPageSize, query.limit?.value)
        let most = SQLValue.integer(Int64(size))
        let offset = SQLValue.integer(Int64(query.offset?.value ?? 0))
        let path = SQLValue.text("\(compilation.options.path)/query/\(compilation.children.prefix(of: number))")
        return """
            (SELECT '{"totalSize":' || total || CASE WHEN total > \(most) THEN ',"done":false,"nextRecordsUrl":"' \
            || \(path) || substr(\(rows.alias)."Id", 9, 7) || '-' || \(most) || '"' ELSE ',"done":true' END \
            || ',"records":[' || group_concat(record, ',') || ']}' \
            FROM (SELECT min(max(count(*) - \(offset), 0), \(.integer(Int64(limit ?? .max)))) AS total\(source)) \
            CROSS JOIN (SELECT \(record) AS record\(source)\(order) \
            LIMIT \(.integer(Int64(min(limit ?? size, size)))) OFFSET \(offset)))
            """
    }
}

extension RecordNode {
    /// The members per call, because SQLite's functions take up to 127 arguments, two for each member.
    private static let membersPerCall = 60

    /// Returns SQL for the record as JSON text.
    func json(_ compilation: Compilation) -> SQLFragment {
        var pairs: [SQLFragment] = ["'attributes', \(attributes(compilation))"]
        for (name, content) in members {
            pairs.append("\(string: name), \(content.json(compilation))")
        }
        let objects = stride(from: 0, to: pairs.count, by: Self.membersPerCall).map { start in
            let part = pairs[start..<min(start + Self.membersPerCall, pairs.count)]
            return "json_object(\(part.joined(separator: ", ")))" as SQLFragment
        }
        guard objects.count > 1 else { return objects[0] }
        let inner = objects.map { "substr(\($0), 2, length(\($0)) - 2)" as SQLFragment }
        return "('{' || \(inner.joined(separator: " || ',' || ")) || '}')"
    }

    /// Returns the JSON of the first node whose row exists, or null.
    fileprivate static func json(ofFirst nodes: [RecordNode], _ compilation: Compilation) -> SQLFragment {
        let cases = nodes.map { " WHEN \($0.row.id) IS NOT NULL THEN \($0.json(compilation))" as SQLFragment }
        return "json(CASE\(cases.joined(separator: "")) END)"
    }

    private func attributes(_ compilation: Compilation) -> SQLFragment {
        let objects = row.targets.map { target -> SQLFragment in
            let path = SQLValue.text(compilation.recordPath(of: target.object))
            return """
                json_object('type', \(string: target.object.name), 'url', \(path) || \(target.alias)."Id")
                """
        }
        guard objects.count > 1 else { return objects[0] }
        let cases = zip(row.targets, objects).map { target, object -> SQLFragment in
            " WHEN \(target.alias).\"Id\" IS NOT NULL THEN \(object)"
        }
        return "json(CASE\(cases.joined(separator: "")) END)"
    }
}

extension RecordNode.Content {
    fileprivate func json(_ compilation: Compilation) -> SQLFragment {
        switch self {
        case .value(let operand) where operand.kind == .boolean:
            "json(CASE \(operand.sql) WHEN 0 THEN 'false' WHEN 1 THEN 'true' END)"
        case .value(let operand) where operand.kind == .compound: "json(\(operand.sql))"
        case .value(let operand): operand.sql
        case .parent(let node): RecordNode.json(ofFirst: [node], compilation)
        case .choice(let nodes): RecordNode.json(ofFirst: nodes, compilation)
        case .children(let sql): "json(\(sql))"
        }
    }
}
