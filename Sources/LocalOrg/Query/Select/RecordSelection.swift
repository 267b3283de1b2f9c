// SPDX-License-Identifier: Apache-2.0

import SOQLSyntax

/// The select list of a query for records, as a tree of rows and parents in the order of first mention.
struct RecordSelection {
    let query: SOQLQuery
    let scope: QueryScope
    /// How many queries stand around this one.
    var depth = 0

    private var compilation: Compilation { scope.compilation }

    func compile() throws(QueryError) -> RecordNode {
        let record = RecordNode(scope.root)
        for item in query.select {
            switch item {
            case .count(let position):
                throw compilation.error(
                    .malformedQuery, "COUNT() is not allowed in a subquery", at: position.wrappedValue)
            case .children(let children, let alias): try add(children, alias, to: record)
            case .typeof, .fields: break
            case .field(let expression, let alias): try add(expression, alias, to: record)
            }
        }
        return record
    }

    // MARK: Fields

    private func add(
        _ expression: SOQLExpression, _ alias: SOQLName?, to record: RecordNode
    ) throws(QueryError) {
        if let alias {
            throw compilation.error(
                .malformedQuery, "only aggregate expressions use field aliasing", at: alias.position)
        }
        let path = try selectedPath(expression)
        let operand = try scope.operand(expression, .selection)
        let node = try node(scope.relativeParts(of: path).dropLast(), of: path, below: record)
        guard node.add(operand.name, .value(operand)) else { throw duplicate(expression) }
    }

    private func selectedPath(_ expression: SOQLExpression) throws(QueryError) -> SOQLPath {
        switch expression {
        case .path(let path): return path
        case .distance(let distance): throw compilation.unsupported("DISTANCE()", at: distance.position)
        case .call(let call):
            guard call.function.uppercased() == "TOLABEL", case .path(let path)? = call.argument else {
                _ = try scope.operand(expression, .selection)
                throw compilation.error(
                    .malformedQuery, "Field must be grouped or aggregated: \(expression.text.shortened)",
                    at: expression.position)
            }
            return path
        }
    }

    private func duplicate(_ expression: SOQLExpression) -> QueryError {
        compilation.error(
            .malformedQuery, "duplicate field selected: \(expression.text.shortened)", at: expression.position)
    }

    /// The node of the parent that relationships lead to, made on first mention.
    private func node(
        _ relationships: some Collection<String>, of path: SOQLPath, below record: RecordNode
    ) throws(QueryError) -> RecordNode {
        var node = record
        var walked: [String] = []
        for relationship in relationships {
            walked.append(relationship)
            let parent = try scope.parent(walked, of: path)
            let name = node.parent.targets.first?.object.referenceField(ofRelationship: relationship)?.relationshipName
            node = node.parentNode(name ?? relationship, parent)
        }
        return node
    }

    // MARK: Children

    private func add(
        _ children: SOQLChildQuery, _ alias: SOQLName?, to record: RecordNode
    ) throws(QueryError) {
        let number = try compilation.countChildQuery(at: children.position)
        guard depth < 4 else {
            throw compilation.error(.malformedQuery, "subqueries go at most 5 levels down", at: children.position)
        }
        let relationship = try relationship(of: children.query.from)
        let sql = try ChildrenCompiler(
            query: children.query, relationship: relationship, parentScope: scope, outer: query, depth: depth + 1,
            number: number
        ).compile()
        let name = alias?.text ?? relationship.name
        guard record.add(name, .children(sql)) else {
            throw compilation.error(
                .malformedQuery, "duplicate subquery of the relationship \(name)", at: children.position)
        }
    }

    private func relationship(of source: SOQLSource) throws(QueryError) -> ChildRelationship {
        let parts = scope.relativeParts(of: source.path)
        if parts.count == 1, let found = scope.object.childRelationship(named: parts[0]) { return found }
        throw compilation.error(
            .invalidType,
            """
            Didn't understand relationship '\(source.path.text.shortened)' in FROM part of query call. If you are \
            attempting to use a custom relationship, be sure to append the '__r' after the custom relationship name. \
            Please reference your WSDL or the describe call for the appropriate names.
            """, at: source.path.position)
    }
}

/// A record of the answer while it is being put together: the row it is of, and its members in order.
final class RecordNode {
    enum Content {
        case value(Operand)
        case parent(RecordNode)
        /// SQL that gives the JSON of a child query's result.
        case children(SQLFragment)
    }

    let parent: QueryScope.Parent
    private(set) var members: [(name: String, content: Content)] = []
    private var positions: [String: Int] = [:]

    init(_ parent: QueryScope.Parent) {
        self.parent = parent
    }

    /// Adds a member; `false` when there is one of that name.
    func add(_ name: String, _ content: Content) -> Bool {
        guard positions.updateValue(members.count, forKey: name) == nil else { return false }
        members.append((name, content))
        return true
    }

    /// The node of a parent, which becomes a member when it is new.
    func parentNode(_ name: String, _ parent: QueryScope.Parent) -> RecordNode {
        if let position = positions[name], case .parent(let node) = members[position].content { return node }
        let node = RecordNode(parent)
        _ = add(name, .parent(node))
        return node
    }

    /// The node as the shape of rows, its values being columns of the statement.
    func shape(_ scope: QueryScope, _ columns: inout ColumnList) -> RecordShape {
        let id = columns.position(of: parent.id)
        let openings = parent.targets.map {
            RecordShape.Opening($0.object, path: scope.compilation.recordPath(of: $0.object))
        }
        var shapes: [RecordShape.Member] = []
        for (name, content) in members {
            switch content {
            case .value(let operand):
                shapes.append(.init(name, .value(column: columns.position(of: operand.sql), operand.kind)))
            case .parent(let node): shapes.append(.init(name, .parent(node.shape(scope, &columns))))
            case .children(let sql): shapes.append(.init(name, .json(column: columns.position(of: sql))))
            }
        }
        return RecordShape(idColumn: id, openings: openings, members: shapes)
    }
}
