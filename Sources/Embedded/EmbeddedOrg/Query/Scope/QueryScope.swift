// SPDX-License-Identifier: Apache-2.0

import SOQLSyntax

/// One FROM, the children joined in it, and the parents reached from it.
///
/// Paths are resolved here, and each parent becomes one LEFT JOIN.
final class QueryScope {
    let compilation: Compilation
    let object: SObjectSchema
    let alias: SQLFragment
    private let prefixes: SOQLPathPrefixes
    var joins: [String: Parent] = [:]
    /// How many rows of parents are joined.
    private var joinCount = 0
    /// The joins in the order they were needed.
    private var joinClauses: SQLFragment = .empty
    /// The row that decides about all others: the child joined last, else the row of the object in FROM.
    var driver: Parent.Target
    /// The inner joins that lead from the driver up to the row of the object.
    var chain: SQLFragment = .empty
    /// The children that FROM names.
    var joinedChildren: [Parent.Target] = []
    /// The names of the object's own fields that the query has named.
    private var ownFields: Set<String> = []

    /// What a relationship leads to: the row itself, or rows of several objects of which at most one exists.
    struct Parent {
        let targets: [Target]
        /// Whether the relationship can lead to several objects, so that the record's own type is of interest.
        var isPolymorphic = false
        /// The way to it, by which it is found again.
        var key = ""

        struct Target {
            let object: SObjectSchema
            let alias: SQLFragment
        }

        /// The id of the row, null where there is none.
        var id: SQLFragment { coalesced(targets.map { "\($0.alias).\"Id\"" }) }

        func coalesced(_ columns: [SQLFragment]) -> SQLFragment {
            columns.count == 1 ? columns[0] : "coalesce(\(columns.joined(separator: ", ")))"
        }

        /// One of its objects on its own.
        func narrowed(to target: Target) -> Parent {
            Parent(targets: [target], key: "\(key)#\(target.object.name)")
        }
    }

    /// The scope of a query's FROM.
    init(_ compilation: Compilation, object: SObjectSchema, _ query: SOQLQuery) throws(QueryError) {
        self.compilation = compilation
        self.object = object
        prefixes = SOQLPathPrefixes(query, alsoNamed: object.name)
        alias = compilation.makeAlias()
        driver = Parent.Target(object: object, alias: alias)
        try join(query)
    }

    /// The row of the object in FROM.
    var root: Parent { Parent(targets: [.init(object: object, alias: alias)]) }

    /// The table of FROM and its joins; complete once all paths of the query have been resolved.
    var source: QuerySource {
        QuerySource(
            table: compilation.table(of: driver.object), alias: driver.alias, joins: chain + joinClauses)
    }

    /// The order of rows that nothing else decides about.
    var rowOrder: SQLFragment { isLatestFirst ? "\(driver.alias).rowid DESC" : "\(driver.alias).rowid" }

    /// Whether rows come in that order without ORDER BY too.
    var isLatestFirst: Bool { driver.object.name == RecentlyViewed.object.name }

    /// `FROM "Account" AS t0 LEFT JOIN …`.
    var fromClause: SQLFragment { source.clause }

    /// The test that leaves deleted rows out, unless the query is to see them.
    var deletedFilter: SQLFragment? {
        guard !compilation.options.includesDeleted else { return nil }
        let rows = [alias] + joinedChildren.map(\.alias)
        return rows.map { "\($0).\"IsDeleted\" = 0" }.joined(separator: " AND ")
    }

    /// The field a path leads to.
    func resolve(_ path: SOQLPath) throws(QueryError) -> Operand {
        try resolve(relativeParts(of: path), below: root, path)
    }

    /// The field that names lead to from a row.
    func resolve(_ parts: [String], below row: Parent, _ path: SOQLPath) throws(QueryError) -> Operand {
        let parent = try parent(parts.dropLast(), of: path, below: row)
        return try field(parts.last ?? path.last, of: parent, isOfParent: parts.count > 1, path)
    }

    /// The names of a path without the object's own name or alias in front.
    func relativeParts(of path: SOQLPath) -> [String] { prefixes.relativeParts(of: path) }

    /// Whether the index of a field has all that the query asks for; the id is only counted.
    func isCovered(by terms: [Operand]) -> Bool {
        guard terms.count == 1, let term = terms.first, term.isColumn, !term.isOfParent else { return false }
        return term.field.isOrdered && ownFields.isSubset(of: [term.field.name, "Id"]) && joinCount == 0
            && joinedChildren.isEmpty
    }

    // MARK: Parents

    /// The row that relationships lead to, joined on first use.
    func parent(
        _ relationships: some Collection<String>, of path: SOQLPath, below row: Parent
    ) throws(QueryError) -> Parent {
        guard relationships.count <= 5 else { throw tooLong(path) }
        var parent = row
        for relationship in relationships { parent = try join(relationship, to: parent, of: path) }
        return parent
    }

    private func join(_ relationship: String, to child: Parent, of path: SOQLPath) throws(QueryError) -> Parent {
        let key = "\(child.key).\(relationship.lowercased())"
        if let known = joins[key] { return known }
        guard child.targets.count == 1, let origin = child.targets.first,
            let reference = origin.object.referenceField(ofRelationship: relationship)
        else { throw unknownRelationship(relationship, path) }
        let objects = reference.referenceTo.compactMap { compilation.schema.object(named: $0) }
        guard !objects.isEmpty else { throw unknownRelationship(relationship, path) }
        try checkAccess(reference, objects, path)
        let targets = objects.map { Parent.Target(object: $0, alias: compilation.makeAlias()) }
        for target in targets {
            joinClauses += """
                 LEFT JOIN \(compilation.table(of: target.object)) AS \(target.alias) \
                ON \(target.alias)."Id" = \(origin.alias).\(name: reference.name)
                """
        }
        let parent = Parent(targets: targets, isPolymorphic: reference.isPolymorphic, key: key)
        joins[key] = parent
        joinCount += targets.count
        guard joinCount <= 55 else {
            throw compilation.error(
                .malformedQuery, "a query follows at most 55 child-to-parent relationships", at: path.position)
        }
        return parent
    }

    private func checkAccess(
        _ reference: FieldSchema, _ objects: [SObjectSchema], _ path: SOQLPath
    ) throws(QueryError) {
        guard compilation.isSecurityEnforced, objects.count > 1 else { return }
        throw compilation.error(
            .malformedQuery,
            "WITH SECURITY_ENFORCED does not go through the polymorphic field \(reference.name); use WITH USER_MODE",
            at: path.position)
    }

    // MARK: Fields

    private func field(
        _ name: String, of parent: Parent, isOfParent: Bool, _ path: SOQLPath
    ) throws(QueryError) -> Operand {
        if parent.isPolymorphic, name.lowercased() == "type" { return type(of: parent, path) }
        let isName = parent.targets.count > 1
        guard !isName || NameFields.spelling(name) != nil else { throw unknownField(name, of: parent, path) }
        var columns: [SQLFragment] = []
        var found: FieldSchema?
        for target in parent.targets {
            guard let field = target.object.field(named: name, orNameField: isName) else { continue }
            // Of a polymorphic parent only what all its objects agree on has a type.
            guard found.map({ $0.type.kind == field.type.kind }) ?? true else { continue }
            found = found ?? field
            if target.alias == alias { ownFields.insert(field.name) }
            columns.append(column(of: field, target))
        }
        guard let found else { throw unknownField(name, of: parent, path) }
        return Operand(
            sql: parent.coalesced(columns), kind: found.type.kind, field: found,
            name: found.name.lowercased() == name.lowercased() ? found.name : "Name", isOfParent: isOfParent,
            position: path.position)
    }

    /// The column of a field; of bytes the path where they can be read.
    private func column(of field: FieldSchema, _ target: Parent.Target) -> SQLFragment {
        let column: SQLFragment = "\(target.alias).\(name: field.name)"
        if let usage = field.usage { return compilation.time(of: usage, target.alias) }
        if field.type.isCompound { return Self.compound(field, target) }
        guard field.type == .base64 else { return column }
        let path = SQLValue.text(compilation.recordPath(of: target.object))
        let end = SQLValue.text("/" + field.name)
        return "CASE WHEN \(column) IS NOT NULL THEN \(path) || \(target.alias).\"Id\" || \(end) END"
    }

    /// The JSON of a field that consists of others; null where all of them are.
    private static func compound(_ field: FieldSchema, _ target: Parent.Target) -> SQLFragment {
        let values = field.components.map { "\(target.alias).\(name: $0.field)" as SQLFragment }
        let pairs = zip(field.components, values).map { "\(string: $0.key), \($1)" as SQLFragment }
        return """
            CASE WHEN coalesce(NULL, \(values.joined(separator: ", "))) IS NOT NULL \
            THEN json_object(\(pairs.joined(separator: ", "))) END
            """
    }

    /// The name of the object that a polymorphic reference leads to.
    private func type(of parent: Parent, _ path: SOQLPath) -> Operand {
        let cases = parent.targets.map { target -> SQLFragment in
            " WHEN \(target.alias).\"Id\" IS NOT NULL THEN \(string: target.object.name)"
        }
        return Operand(
            sql: "(CASE\(cases.joined(separator: "")) END)", kind: .text,
            field: FieldSchema(name: "Type", label: "Type", type: .string, length: 40), name: "Type", isOfParent: true,
            position: path.position)
    }

    // MARK: Errors

    func tooLong(_ path: SOQLPath) -> QueryError {
        compilation.error(
            .malformedQuery, "a path leads at most 5 relationships up: '\(path.text.shortened)'", at: path.position)
    }

    func unknownField(
        _ name: String, of parent: Parent, _ path: SOQLPath, entity: String? = nil
    ) -> QueryError {
        let own = parent.targets.count > 1 ? "Name" : parent.targets.first?.object.name ?? object.name
        let entity = entity ?? own
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

/// The fields of the object Name, which stands for whatever a polymorphic reference leads to.
enum NameFields {
    private static let names: [String: String] = {
        let names = [
            "Id", "Name", "Type", "FirstName", "LastName", "Email", "Phone", "Title", "Alias", "Username", "IsActive",
            "ProfileId",
        ]
        return Dictionary(uniqueKeysWithValues: names.map { ($0.lowercased(), $0) })
    }()

    /// The name of a field as the platform spells it.
    static func spelling(_ name: String) -> String? { names[name.lowercased()] }
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

extension QueryScope {
    /// Joins what FROM names beside the object: parents under names of their own, and children.
    func join(_ query: SOQLQuery) throws(QueryError) {
        var aliases = Set([query.from.alias?.text.lowercased()].compactMap(\.self))
        for source in query.joined {
            if let alias = source.alias, !aliases.insert(alias.text.lowercased()).inserted {
                throw compilation.error(
                    .malformedQuery, "duplicate alias: \(alias.text.shortened)", at: alias.position)
            }
            let parts = relativeParts(of: source.path)
            guard parts.count > 1 || isRelationship(parts[0]) else {
                throw compilation.error(
                    .malformedQuery,
                    """
                    A driving SObject type has already been set, all other entity types in the FROM clause must be \
                    relationships to the initial object. The driving object is \(object.name).
                    """, at: source.path.position)
            }
            let origin = try parent(parts.dropLast(), of: source.path, below: root)
            if try !joinChildren(parts.last ?? "", of: origin, source.path) {
                _ = try parent(parts, of: source.path, below: root)
            }
        }
    }

    private func isRelationship(_ name: String) -> Bool {
        object.referenceField(ofRelationship: name) != nil || object.childRelationship(named: name) != nil
    }

    /// Joins the children of a row: there is one row of the answer for each child, and none without; `false` when the
    /// name is not that of children.
    ///
    /// The child decides about its parent, so the statement is driven by the child.
    private func joinChildren(_ name: String, of origin: Parent, _ path: SOQLPath) throws(QueryError) -> Bool {
        guard origin.targets.count == 1, let parent = origin.targets.first,
            let relationship = parent.object.childRelationship(named: name),
            let child = compilation.schema.object(named: relationship.childObject)
        else { return false }
        guard parent.alias == driver.alias else {
            throw compilation.unsupported("a second list of children in FROM", at: path.position)
        }
        let target = Parent.Target(object: child, alias: compilation.makeAlias())
        chain =
            """
             JOIN \(compilation.table(of: parent.object)) AS \(parent.alias) \
            ON \(parent.alias)."Id" = \(target.alias).\(name: relationship.field)\(chain)
            """
        driver = target
        joinedChildren.append(target)
        let key = "\(origin.key).\(name.lowercased())"
        joins[key] = Parent(targets: [target], key: key)
        return true
    }
}
