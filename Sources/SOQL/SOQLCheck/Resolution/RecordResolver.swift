// SPDX-License-Identifier: Apache-2.0

import RestBase
import SOQLSyntax

/// Resolves the select list of a query for records.
struct RecordResolver {
    let query: SOQLQuery
    let scope: ResolverScope
    let depth: Int

    private var resolver: Resolver { scope.resolver }

    func resolve() -> ResolvedRecord {
        let record = RecordBuilder(scope.root)
        for item in query.select {
            switch item {
            case .count(let position):
                resolver.add(.misplaced, "COUNT() is not allowed in a subquery", at: position.wrappedValue)
            case .children(let children, let alias): add(children, alias, to: record)
            case .field(let expression, let alias): add(expression, alias, to: record)
            case .typeof(let typeof): add(typeof, to: record)
            case .fields(let group): add(group, to: record)
            }
        }
        return record.record
    }

    private func duplicate(_ expression: SOQLExpression) {
        resolver.add(.duplicate, "duplicate field selected: \(expression.text.shortened)", at: expression.position)
    }

    // MARK: Fields

    private func add(_ expression: SOQLExpression, _ alias: SOQLName?, to record: RecordBuilder) {
        if let alias, !expression.isPrinted {
            return resolver.add(.misplaced, "only aggregate expressions use field aliasing", at: alias.position)
        }
        let value = scope.value(expression, .selection)
        if value == nil { resolver.isComplete = false }
        if let alias {
            if !record.add(alias.text, .value(value), expression) {
                resolver.add(.duplicate, "duplicate alias: \(alias.text.shortened)", at: alias.position)
            }
        } else if let path = expression.namingPath(isGrouped: false) {
            add(value, scope.way(path), expression, to: record)
        } else if case .distance = expression {
            record.addUnnamed(.value(value), expression)
        } else {
            ungrouped(expression)
        }
    }

    /// Adds a finding for an aggregate function in a query without groups.
    private func ungrouped(_ expression: SOQLExpression) {
        resolver.add(
            .notGrouped, "Field must be grouped or aggregated: \(expression.text.shortened)", at: expression.position)
    }

    /// Adds a value to the record of the parent that its path leads to.
    private func add(
        _ value: ResolvedValue?, _ way: ResolverScope.Way, _ expression: SOQLExpression, to record: RecordBuilder
    ) {
        guard let parent = parent(way, count: way.parts.count - 1, expression, of: record),
            parent.add(value?.name ?? way.parts.last ?? "", .value(value), expression)
        else { return duplicate(expression) }
    }

    /// The record of the parent that the first `count` relationships of a path lead to, or `nil` if its name is used.
    private func parent(
        _ way: ResolverScope.Way, count: Int, _ expression: SOQLExpression, of record: RecordBuilder
    ) -> RecordBuilder? {
        // Longer paths already have a finding.
        guard count <= 5 else { return record }
        return (1..<count + 1).reduce(Optional(record)) { parent, count in
            let row = scope.row(way, count: count, below: record.row)
            return parent?.parent(row?.relationshipName ?? way.parts[count - 1], row, expression)
        }
    }

    private func add(_ group: SOQLPlaced<SOQLFieldGroup>, to record: RecordBuilder) {
        if group.value != .standard, !(query.limit.map { $0.value <= 200 } ?? false) {
            resolver.add(.limits, "The SOQL FIELDS function must have a LIMIT of at most 200", at: group.position)
        }
        for field in scope.object?.fields ?? [] where group.value.has(field) {
            let path = SOQLPath([field.name], position: group.position)
            if !record.add(field.name, .value(scope.value(.path(path), .selection)), .path(path)) {
                duplicate(.path(path))
            }
        }
    }

    // MARK: Children

    private func add(_ children: SOQLChildQuery, _ alias: SOQLName?, to record: RecordBuilder) {
        resolver.countChildQuery(at: children.position)
        if depth >= 4 { resolver.add(.limits, "subqueries go at most 5 levels down", at: children.position) }
        let inner = children.query
        resolver.checkClauses(of: inner)
        if inner.isAggregate || inner.having != nil {
            resolver.add(
                .misplaced, "only root queries support aggregate expressions",
                at: inner.groupBy.first?.position ?? inner.select[0].position)
        }
        let relationship = relationship(of: inner.from)
        let object = relationship.flatMap { resolver.target($0.object, of: inner.from.path) }
        let scope = ResolverScope(resolver, object: object, inner)
        let query = SelectResolver(query: inner, scope: scope, depth: depth + 1).resolveChildren(of: query)
        let content = relationship.flatMap { relationship in
            query.map { ResolvedChildren(relationship: relationship, query: $0) }
        }
        let name = alias?.text ?? relationship?.name ?? inner.from.path.text
        if !record.add(name, .children(content), .path(inner.from.path)) {
            resolver.add(
                .duplicate, "duplicate subquery of the relationship \(name.shortened)", at: children.position)
        }
    }

    private func relationship(of source: SOQLSource) -> ObjectDescription.ChildRelationship? {
        guard let object = scope.object else { return nil }
        let parts = scope.way(source.path).parts
        if parts.count == 1, let found = object.childRelationship(named: parts[0]) { return found }
        resolver.add(
            .unknownChildRelationship,
            Message.unknownRelationship(source.path.text.shortened, in: "FROM part of query call"),
            at: source.path.position, near: parts.last ?? "", object.namedChildren.map(\.name))
        return nil
    }

    // MARK: TYPEOF

    /// Adds `TYPEOF What WHEN Account THEN Phone ELSE Name END`.
    private func add(_ typeof: SOQLTypeof, to record: RecordBuilder) {
        if resolver.isSecurityEnforced, !typeof.otherwise.isEmpty {
            resolver.add(
                .misplaced, "TYPEOF with ELSE is not allowed beside WITH SECURITY_ENFORCED", at: typeof.position)
        }
        let path = typeof.reference
        let way = scope.way(path)
        let row = scope.row(way, count: way.parts.count, below: scope.root)
        if let row, !row.isPolymorphic {
            return resolver.add(
                .typeof, "TYPEOF takes a polymorphic relationship, not '\(path.text.shortened)'", at: path.position)
        }
        if row == nil { resolver.isComplete = false }
        let branches = branches(of: typeof, row)
        let otherwise = RecordBuilder(row)
        for field in typeof.otherwise { add(field, toOtherwise: otherwise) }
        let content = ResolvedRecord.Content.choice(branches, otherwise: otherwise.record)
        guard let parent = parent(way, count: way.parts.count - 1, .path(path), of: record),
            parent.add(row?.relationshipName ?? path.last, content, .path(path))
        else { return duplicate(.path(path)) }
    }

    private func branches(of typeof: SOQLTypeof, _ row: ResolvedRow?) -> [ResolvedRecord] {
        var names: Set<String> = []
        return typeof.branches.map { branch in
            let name = branch.object.text
            if !names.insert(name.lowercased()).inserted {
                resolver.add(.duplicate, "TYPEOF has two branches for '\(name.shortened)'", at: branch.object.position)
            }
            let record = RecordBuilder(
                row.flatMap { row in object(of: branch, row, typeof.reference).map { row.branch($0) } })
            for field in branch.fields {
                guard let path = path(ofBranch: field) else { continue }
                let value = record.row.flatMap { scope.value(field, inBranch: $0) }
                add(value, ResolverScope.Way(path: path, parts: path.parts), field, to: record)
            }
            return record.record
        }
    }

    /// The field path of a branch entry, or `nil` if the entry is not allowed in a branch.
    private func path(ofBranch field: SOQLExpression) -> SOQLPath? {
        if let path = field.namingPath(isGrouped: false) { return path }
        if case .distance = field {
            resolver.add(.misplaced, "DISTANCE() is not allowed inside TYPEOF", at: field.position, length: 8)
        } else {
            ungrouped(field)
        }
        return nil
    }

    private func object(
        of branch: SOQLTypeof.Branch, _ row: ResolvedRow, _ reference: SOQLPath
    ) -> ObjectDescription? {
        let name = branch.object.text
        if let object = row.objects.first(where: { $0.name.lowercased() == name.lowercased() }) { return object }
        guard !row.references.contains(where: { $0.lowercased() == name.lowercased() }) else {
            return resolver.target(name, of: reference)
        }
        resolver.add(
            .typeofObject, "'\(reference.text.shortened)' does not lead to '\(name.shortened)'",
            at: branch.object.position, near: name, row.references)
        return nil
    }

    /// Adds a field of ELSE, which is a field of the object Name or its label.
    private func add(_ field: SOQLExpression, toOtherwise record: RecordBuilder) {
        guard scope.object != nil, let path = path(ofBranch: field) else { return }
        let way = ResolverScope.Way(path: path, parts: path.parts)
        guard path.parts.count == 1, let name = NameFields.spelling(of: path.last),
            let kind = NameFields.kind(of: path.last)
        else {
            return resolver.add(
                .unknownField, Message.unknownField(path.parts[0].shortened, of: "Name"), at: path.position,
                near: path.last, NameFields.all)
        }
        if case .call(let call) = field, SOQLPrintFunction(named: call.function) != .label {
            _ = scope.refuse(.wrongArgument, call, "\(call.function)() takes another field than \(name)")
        }
        guard let row = record.row else { return }
        let value = ResolvedValue(
            source: name == "Type" ? .type(row) : .name(row), name: name, kind: kind,
            references: name == "Id" ? row.references : [], position: path.position, length: way.length(of: 0),
            start: path.position)
        if !record.add(name, .value(value), field) { duplicate(field) }
    }
}

extension ResolvedRow {
    /// The name of the relationship that leads to the row, as spelled in the schema.
    fileprivate var relationshipName: String? {
        switch origin {
        case .parent(_, let reference): reference.relationshipName
        case .child(_, let relationship): relationship.name
        case .from, .branch: nil
        }
    }
}

extension SOQLExpression {
    /// Whether the expression can have an alias in a query for records.
    fileprivate var isPrinted: Bool {
        if case .distance = self { return true }
        return namingPath(isGrouped: false) != namingPath(isGrouped: true)
    }
}

extension SOQLFieldGroup {
    /// Returns whether a field belongs to the group.
    func has(_ field: ObjectDescription.Field) -> Bool {
        let isCustom = field.name.hasBytes(suffix: "__c")
        return switch self {
        case .all: true
        case .standard: !isCustom
        case .custom: isCustom
        }
    }
}

/// A record of the result under construction.
///
/// This is a class because the paths of a select list add members to the same parents.
private final class RecordBuilder {
    private enum Content {
        case parent(RecordBuilder)
        case other(ResolvedRecord.Content)
    }

    let row: ResolvedRow?
    private var members: [(name: String, content: Content, expression: SOQLExpression)] = []
    private var positions: [String: Int] = [:]
    private var unnamed = 0

    init(_ row: ResolvedRow?) {
        self.row = row
    }

    /// Adds a member, or returns `false` if the name is used.
    func add(_ name: String, _ content: ResolvedRecord.Content, _ expression: SOQLExpression) -> Bool {
        guard positions[name.lowercased()] == nil else { return false }
        append(name, .other(content), expression)
        return true
    }

    /// Adds a member under a numbered name.
    func addUnnamed(_ content: ResolvedRecord.Content, _ expression: SOQLExpression) {
        _ = add("expr\(unnamed)", content, expression)
        unnamed += 1
    }

    /// The record of a parent, which is added if it is new, or `nil` if another member has the name.
    func parent(_ name: String, _ row: ResolvedRow?, _ expression: SOQLExpression) -> RecordBuilder? {
        if let position = positions[name.lowercased()] {
            return if case .parent(let record) = members[position].content { record } else { nil }
        }
        let record = RecordBuilder(row)
        append(name, .parent(record), expression)
        return record
    }

    private func append(_ name: String, _ content: Content, _ expression: SOQLExpression) {
        positions[name.lowercased()] = members.count
        members.append((name, content, expression))
    }

    var record: ResolvedRecord {
        ResolvedRecord(
            row: row,
            members: members.map { name, content, expression in
                switch content {
                case .parent(let record): .init(name: name, content: .parent(record.record), expression: expression)
                case .other(let content): .init(name: name, content: content, expression: expression)
                }
            })
    }
}
