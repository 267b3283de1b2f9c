// SPDX-License-Identifier: Apache-2.0

import RestBase
import SOQLSyntax

/// The select list of a query for records, as a tree of rows and parents in the order of first mention.
struct RecordSelection {
    let query: SOQLQuery
    let scope: QueryScope
    /// How many queries stand around this one.
    var depth = 0

    var compilation: Compilation { scope.compilation }

    func compile() throws(QueryError) -> RecordNode {
        let record = RecordNode(scope.root)
        for item in query.select {
            switch item {
            case .count(let position):
                throw compilation.error(
                    .malformedQuery, "COUNT() is not allowed in a subquery", at: position.wrappedValue)
            case .children(let children, let alias): try add(children, alias, to: record)
            case .field(let expression, let alias): try add(expression, alias, to: record)
            case .typeof(let typeof): try add(typeof, to: record)
            case .fields(let group): try add(group, to: record)
            }
        }
        return record
    }

    // MARK: Fields

    private func add(
        _ expression: SOQLExpression, _ alias: SOQLName?, to record: RecordNode
    ) throws(QueryError) {
        if let alias { return try add(expression, as: alias, to: record) }
        guard let path = expression.namingPath(isGrouped: false) else { return try addUnnamed(expression, to: record) }
        let operand = try scope.operand(expression, .selection)
        let node = try node(scope.relativeParts(of: path).dropLast(), of: path, below: record)
        guard node.add(operand.name, .value(operand)) else { throw duplicate(expression) }
    }

    /// Adds a function of a field under a name of its own, which stands beside the fields of the record.
    private func add(_ expression: SOQLExpression, as alias: SOQLName, to record: RecordNode) throws(QueryError) {
        guard expression.isPrinted else {
            throw compilation.error(
                .malformedQuery, "only aggregate expressions use field aliasing", at: alias.position)
        }
        guard record.add(alias.text, .value(try scope.operand(expression, .selection))) else {
            throw compilation.error(
                .malformedQuery, "duplicate alias: \(alias.text.shortened)", at: alias.position)
        }
    }

    private func addUnnamed(_ expression: SOQLExpression, to record: RecordNode) throws(QueryError) {
        let operand = try scope.operand(expression, .selection)
        if case .distance = expression { return record.addUnnamed(.value(operand)) }
        throw ungrouped(expression)
    }

    /// The platform's error for a function of groups in a query for records.
    func ungrouped(_ expression: SOQLExpression) -> QueryError {
        compilation.error(
            .malformedQuery, "Field must be grouped or aggregated: \(expression.text.shortened)",
            at: expression.position)
    }

    /// The fields that FIELDS() stands for, in the order of the schema.
    private func add(_ group: SOQLPlaced<SOQLFieldGroup>, to record: RecordNode) throws(QueryError) {
        try compilation.require(.fieldGroups, "FIELDS()", at: group.position)
        guard group.value == .standard || query.limit.map({ $0.value <= 200 }) ?? false else {
            throw compilation.error(
                .malformedQuery, "The SOQL FIELDS function must have a LIMIT of at most 200", at: group.position)
        }
        for field in scope.object.fields where group.value.has(field) {
            try add(.path(SOQLPath([field.name], position: group.position)), nil, to: record)
        }
    }

    func duplicate(_ expression: SOQLExpression) -> QueryError {
        compilation.error(
            .malformedQuery, "duplicate field selected: \(expression.text.shortened)", at: expression.position)
    }

    /// The node of the parent that relationships lead to, made on first mention.
    func node(
        _ relationships: some Collection<String>, of path: SOQLPath, below record: RecordNode
    ) throws(QueryError) -> RecordNode {
        var node = record
        guard relationships.count <= 5 else { throw scope.tooLong(path) }
        for relationship in relationships {
            let parent = try scope.parent([relationship], of: path, below: node.parent)
            let origin = node.parent.targets.first?.object
            let name = origin?.referenceField(ofRelationship: relationship)?.relationshipName
            node = node.parentNode(name ?? origin?.childRelationship(named: relationship)?.name ?? relationship, parent)
        }
        return node
    }

    // MARK: Children

    private func add(
        _ children: SOQLChildQuery, _ alias: SOQLName?, to record: RecordNode
    ) throws(QueryError) {
        let number = try compilation.countChildQuery(at: children.position)
        let most = compilation.options.apiVersion.has(.nestedSubqueries) ? 4 : 1
        guard depth < most else {
            throw compilation.error(
                .malformedQuery, "subqueries go at most \(most + 1) levels down", at: children.position)
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

extension SOQLExpression {
    /// Whether it gives a value that may have a name of its own in a query for records.
    fileprivate var isPrinted: Bool {
        if case .distance = self { return true }
        return namingPath(isGrouped: false) != namingPath(isGrouped: true)
    }
}

extension SOQLFieldGroup {
    /// Whether a field belongs to the group; what an org has added ends with `__c`.
    fileprivate func has(_ field: FieldSchema) -> Bool {
        let isCustom = field.name.hasBytes(suffix: "__c")
        return switch self {
        case .all: true
        case .standard: !isCustom
        case .custom: isCustom
        }
    }
}

extension RecordSelection {
    /// Adds what TYPEOF selects: one node for each object that the reference can lead to.
    func add(_ typeof: SOQLTypeof, to record: RecordNode) throws(QueryError) {
        try compilation.require(.typeof, "TYPEOF", at: typeof.position)
        let path = typeof.reference
        let parts = scope.relativeParts(of: path)
        let node = try node(parts.dropLast(), of: path, below: record)
        let parent = try scope.parent(parts, of: path, below: scope.root)
        guard parent.isPolymorphic, let last = parts.last else {
            throw compilation.error(
                .malformedQuery, "TYPEOF takes a polymorphic relationship, not '\(path.text.shortened)'",
                at: path.position)
        }
        try checkAccess(typeof)
        let branches = try branches(of: typeof, parent)
        var choices: [RecordNode] = []
        for target in parent.targets {
            let choice = RecordNode(parent.narrowed(to: target))
            if let branch = branches[target.object.name] {
                for field in branch.fields { try add(field, to: choice, orNull: false) }
            } else {
                for field in typeof.otherwise { try add(field, to: choice, orNull: true) }
            }
            choices.append(choice)
        }
        let name = node.parent.targets.first?.object.referenceField(ofRelationship: last)?.relationshipName ?? last
        guard node.add(name, .choice(choices)) else { throw duplicate(.path(path)) }
    }

    private func checkAccess(_ typeof: SOQLTypeof) throws(QueryError) {
        guard compilation.isSecurityEnforced, !typeof.otherwise.isEmpty else { return }
        throw compilation.error(
            .malformedQuery, "TYPEOF with ELSE is not allowed beside WITH SECURITY_ENFORCED", at: typeof.position)
    }

    /// The branches by the names of their objects.
    private func branches(
        of typeof: SOQLTypeof, _ parent: QueryScope.Parent
    ) throws(QueryError) -> [String: SOQLTypeof.Branch] {
        var branches: [String: SOQLTypeof.Branch] = [:]
        for branch in typeof.branches {
            let name = branch.object.text
            guard let target = parent.targets.first(where: { $0.object.name.lowercased() == name.lowercased() }) else {
                throw compilation.error(
                    .invalidType, "'\(typeof.reference.text.shortened)' does not lead to '\(name.shortened)'",
                    at: branch.object.position)
            }
            guard branches.updateValue(branch, forKey: target.object.name) == nil else {
                throw compilation.error(
                    .malformedQuery, "TYPEOF has two branches for '\(name.shortened)'", at: branch.object.position)
            }
        }
        return branches
    }

    /// Adds a field of a branch; behind ELSE it is one of the object Name, and null where a record has no such field.
    private func add(_ field: SOQLExpression, to choice: RecordNode, orNull: Bool) throws(QueryError) {
        let row = choice.parent
        if case .distance(let distance) = field { throw scope.misplaced(distance) }
        guard let path = field.namingPath(isGrouped: false) else { throw ungrouped(field) }
        if orNull {
            guard path.parts.count == 1, let name = NameFields.spelling(path.last) else {
                throw scope.unknownField(path.parts[0], of: row, path, entity: "Name")
            }
            guard let target = row.targets.first else { return }
            if let content = otherwise(name, of: target, path) {
                try checkPrinting(of: field, content)
                guard choice.add(content.name, .value(content)) else { throw duplicate(field) }
                return
            }
        }
        let operand = try scope.operand(field, below: row)
        let node = try node(path.parts.dropLast(), of: path, below: choice)
        guard node.add(operand.name, .value(operand)) else { throw duplicate(field) }
    }

    /// Refuses the functions of numbers and dates behind ELSE: the object Name has texts, whose labels they are.
    private func checkPrinting(of field: SOQLExpression, _ content: Operand) throws(QueryError) {
        guard case .call(let call) = field, call.function.uppercased() != "TOLABEL" else { return }
        throw compilation.error(
            .invalidField, "\(call.function)() takes another field than \(content.name)", at: call.position)
    }

    /// The value of a field of the object Name; `nil` when the record's own object has the field.
    private func otherwise(
        _ name: String, of target: QueryScope.Parent.Target, _ path: SOQLPath
    ) -> Operand? {
        let object = target.object
        if name != "Type", object.field(named: name) != nil { return nil }
        let column: SQLFragment
        switch name {
        case "Type": column = "\(string: object.name)"
        case "Name": column = object.nameColumn.map { "\(target.alias).\(name: $0)" } ?? "NULL"
        default: column = "NULL"
        }
        return Operand(
            sql: column, kind: .text, field: FieldSchema(name: name, label: name, type: .string), name: name,
            isOfParent: true, position: path.position)
    }
}

extension SObjectSchema {
    fileprivate var nameColumn: String? { fields.first(where: \.isNameField)?.name }
}

/// A record of the answer while it is being put together: the row it is of, and its members in order.
final class RecordNode {
    enum Content {
        case value(Operand)
        case parent(RecordNode)
        /// The first of these records that exists, each of another object.
        case choice([RecordNode])
        /// SQL that gives the JSON of a child query's result.
        case children(SQLFragment)
    }

    let parent: QueryScope.Parent
    private(set) var members: [(name: String, content: Content)] = []
    private var positions: [String: Int] = [:]
    private var unnamed = 0

    init(_ parent: QueryScope.Parent) {
        self.parent = parent
    }

    /// Adds a member; `false` when there is one of that name.
    func add(_ name: String, _ content: Content) -> Bool {
        guard positions.updateValue(members.count, forKey: name.lowercased()) == nil else { return false }
        members.append((name, content))
        return true
    }

    /// Adds a member whose name is a number.
    func addUnnamed(_ content: Content) {
        _ = add("expr\(unnamed)", content)
        unnamed += 1
    }

    /// The node of a parent, which becomes a member when it is new.
    func parentNode(_ name: String, _ parent: QueryScope.Parent) -> RecordNode {
        if let position = positions[name.lowercased()], case .parent(let node) = members[position].content {
            return node
        }
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
            case .choice(let nodes):
                shapes.append(.init(name, .choice(nodes.map { $0.shape(scope, &columns) })))
            case .children(let sql): shapes.append(.init(name, .json(column: columns.position(of: sql))))
            }
        }
        return RecordShape(idColumn: id, openings: openings, members: shapes)
    }
}
