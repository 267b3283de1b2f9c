// SPDX-License-Identifier: Apache-2.0

import SOQLSyntax

/// One FROM and the parents reached from it.
///
/// Paths are resolved here, and each parent becomes one LEFT JOIN.
final class QueryScope {
    let compilation: Compilation
    let object: SObjectSchema
    let alias: SQLFragment
    private let source: SOQLSource
    private var joins: [String: Parent] = [:]
    /// The joins in the order they were needed.
    private(set) var joinClauses: SQLFragment = .empty

    /// What a relationship leads to: the row itself, or rows of several objects of which at most one exists.
    struct Parent {
        let targets: [Target]

        struct Target {
            let object: SObjectSchema
            let alias: SQLFragment
        }

        /// The id of the row, null where there is none.
        var id: SQLFragment { coalesced(targets.map { "\($0.alias).\"Id\"" }) }

        func coalesced(_ columns: [SQLFragment]) -> SQLFragment {
            columns.count == 1 ? columns[0] : "coalesce(\(columns.joined(separator: ", ")))"
        }
    }

    init(_ compilation: Compilation, object: SObjectSchema, source: SOQLSource) {
        self.compilation = compilation
        self.object = object
        self.source = source
        alias = compilation.makeAlias()
    }

    /// The row of the object in FROM.
    var root: Parent { Parent(targets: [.init(object: object, alias: alias)]) }

    /// `FROM "Account" AS t0 LEFT JOIN …`; complete once all paths of the query have been resolved.
    var fromClause: SQLFragment { " FROM \(name: object.name) AS \(alias)\(joinClauses)" }

    /// The test that leaves deleted rows out, unless the query is to see them.
    var deletedFilter: SQLFragment? {
        compilation.options.includesDeleted ? nil : "\(alias).\"IsDeleted\" = 0"
    }

    /// The field a path leads to.
    func resolve(_ path: SOQLPath) throws(QueryError) -> Operand {
        let parts = relativeParts(of: path)
        let parent = try parent(parts.dropLast(), of: path)
        return try field(parts.last ?? path.last, of: parent, isOfParent: parts.count > 1, path)
    }

    /// The names of a path without the object's own name or alias in front.
    func relativeParts(of path: SOQLPath) -> [String] {
        guard path.parts.count > 1, let first = path.parts.first?.lowercased() else { return path.parts }
        if first == source.alias?.text.lowercased() { return Array(path.parts.dropFirst()) }
        let isOwn = first == object.name.lowercased() || first == source.path.last.lowercased()
        return isOwn && object.referenceField(ofRelationship: first) == nil ? Array(path.parts.dropFirst()) : path.parts
    }

    /// The row that relationships lead to, joined on first use.
    func parent(_ relationships: some Collection<String>, of path: SOQLPath) throws(QueryError) -> Parent {
        guard relationships.count <= 5 else {
            throw compilation.error(
                .malformedQuery, "a path leads at most 5 relationships up: '\(path.text.shortened)'", at: path.position)
        }
        var parent = root
        var key = ""
        for relationship in relationships {
            key += "." + relationship.lowercased()
            parent = try join(relationship, to: parent, key: key, of: path)
        }
        return parent
    }

    private func join(
        _ relationship: String, to child: Parent, key: String, of path: SOQLPath
    ) throws(QueryError) -> Parent {
        if let known = joins[key] { return known }
        guard child.targets.count == 1, let origin = child.targets.first,
            let reference = origin.object.referenceField(ofRelationship: relationship)
        else { throw unknownRelationship(relationship, path) }
        let objects = reference.referenceTo.compactMap { compilation.schema.object(named: $0) }
        guard !objects.isEmpty else { throw unknownRelationship(relationship, path) }
        let targets = objects.map { Parent.Target(object: $0, alias: compilation.makeAlias()) }
        for target in targets {
            joinClauses += """
                 LEFT JOIN \(name: target.object.name) AS \(target.alias) \
                ON \(target.alias)."Id" = \(origin.alias).\(name: reference.name)
                """
        }
        let parent = Parent(targets: targets)
        joins[key] = parent
        guard joins.values.reduce(0, { $0 + $1.targets.count }) <= 55 else {
            throw compilation.error(
                .malformedQuery, "a query follows at most 55 child-to-parent relationships", at: path.position)
        }
        return parent
    }

    private func field(
        _ name: String, of parent: Parent, isOfParent: Bool, _ path: SOQLPath
    ) throws(QueryError) -> Operand {
        let isPolymorphic = parent.targets.count > 1
        var columns: [SQLFragment] = []
        var found: FieldSchema?
        for target in parent.targets {
            guard let field = target.object.field(named: name, orNameField: isPolymorphic) else { continue }
            // Of a polymorphic parent only what all its objects agree on has a type.
            guard found.map({ $0.type.kind == field.type.kind }) ?? true else { continue }
            found = found ?? field
            columns.append("\(target.alias).\(name: field.name)")
        }
        guard let found else { throw unknownField(name, of: parent, path) }
        return Operand(
            sql: parent.coalesced(columns), kind: found.type.kind, field: found,
            name: found.name.lowercased() == name.lowercased() ? found.name : "Name", isOfParent: isOfParent,
            position: path.position)
    }

    // MARK: Errors

    private func unknownField(_ name: String, of parent: Parent, _ path: SOQLPath) -> QueryError {
        let entity = parent.targets.count > 1 ? "Name" : parent.targets.first?.object.name ?? object.name
        return compilation.error(
            .invalidField,
            """
            No such column '\(name.shortened)' on entity '\(entity)'. If you are attempting to use a custom field, \
            be sure to append the '__c' after the custom field name. Please reference your WSDL or the describe call \
            for the appropriate names.
            """, at: path.position)
    }

    private func unknownRelationship(_ name: String, _ path: SOQLPath) -> QueryError {
        compilation.error(
            .invalidField,
            """
            Didn't understand relationship '\(name.shortened)' in field path. If you are attempting to use a custom \
            relationship, be sure to append the '__r' after the custom relationship name. Please reference your WSDL \
            or the describe call for the appropriate names.
            """, at: path.position)
    }
}

extension SObjectSchema {
    /// A field; of a polymorphic parent `Name` is the name field of each object, whatever it is called.
    func field(named name: String, orNameField: Bool) -> FieldSchema? {
        if let field = field(named: name) { return field }
        return orNameField && name.lowercased() == "name" ? fields.first(where: \.isNameField) : nil
    }
}

extension String {
    /// The text for a message, cut when it is long.
    var shortened: String { count > 80 ? prefix(80) + "…" : self }
}
