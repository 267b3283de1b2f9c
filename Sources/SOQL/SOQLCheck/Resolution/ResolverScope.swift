// SPDX-License-Identifier: Apache-2.0

import RestBase
import SOQLSyntax

/// One FROM clause, and the paths that begin there.
///
/// This is a class because all paths of a query share their rows. It lives for one resolution.
final class ResolverScope {
    let resolver: Resolver
    /// The object in FROM, or `nil` if it is unknown.
    let object: ObjectDescription?
    private(set) var joined: [ResolvedRow] = []
    private let prefixes: SOQLPathPrefixes
    /// The rows that relationships lead to, by their keys, with `nil` for unknown rows.
    private var rows: [String: ResolvedRow?] = [:]
    private var followed = 0

    /// A path with its names.
    struct Way {
        let path: SOQLPath
        /// The names, starting from the object in FROM.
        let parts: [String]

        /// The position of a name, or the start of the path for names that an alias represents.
        func place(of index: Int) -> SOQLPosition {
            let own = max(0, path.parts.count - parts.count + index)
            let before = path.parts[..<min(own, path.parts.count - 1)]
            var position = path.position
            for part in before {
                position.column += part.unicodeScalars.count + 1
                position.offset += part.utf8.count + 1
            }
            return position
        }

        func length(of index: Int) -> Int { parts[index].unicodeScalars.count }
    }

    init(_ resolver: Resolver, object: ObjectDescription?, _ query: SOQLQuery) {
        (self.resolver, self.object) = (resolver, object)
        prefixes = SOQLPathPrefixes(query, alsoNamed: object?.name)
        join(query)
    }

    var root: ResolvedRow? { object.map { .from($0) } }

    /// Returns the path without a leading object name or alias.
    func way(_ path: SOQLPath) -> Way { Way(path: path, parts: prefixes.relativeParts(of: path)) }

    /// The field that a path leads to from a row, or `nil` if it is unknown.
    ///
    /// Adds a finding if the name is an error.
    func value(of way: Way, below row: ResolvedRow?) -> ResolvedValue? {
        guard let parent = self.row(way, count: way.parts.count - 1, below: row) else { return nil }
        return field(of: parent, way)
    }

    // MARK: Relationships

    /// The row that the first `count` relationships of a path lead to.
    func row(_ way: Way, count: Int, below row: ResolvedRow?) -> ResolvedRow? {
        guard count <= 5 else {
            resolver.add(
                .limits, "a path leads at most 5 relationships up: '\(way.path.text.shortened)'", at: way.path.position)
            return nil
        }
        return (0..<count).reduce(row) { row, index in row.flatMap { follow(way, index, from: $0) } }
    }

    private func follow(_ way: Way, _ index: Int, from row: ResolvedRow) -> ResolvedRow? {
        let key = "\(row.key).\(way.parts[index].lowercased())"
        if let known = rows[key] { return known }
        let found = parent(way, index, of: row, key)
        rows[key] = .some(found)
        return found
    }

    private func parent(_ way: Way, _ index: Int, of row: ResolvedRow, _ key: String) -> ResolvedRow? {
        let name = way.parts[index]
        // The targets of the relationships of the object Name are not described.
        if row.isName, !resolver.isWhole, ["profile", "userrole"].contains(name.lowercased()) { return nil }
        guard !row.isName, let origin = row.objects.first, let reference = origin.parentField(named: name)
        else {
            unknownRelationship(
                way, index, row.isName ? [] : (row.objects.first?.fields.compactMap(\.relationshipName) ?? []))
            return nil
        }
        followed += 1
        if followed == 56 {
            resolver.add(.limits, "a query follows at most 55 child-to-parent relationships", at: way.path.position)
        }
        let known = reference.referenceTo.compactMap { resolver.schema?.object(named: $0) }
        if resolver.isSecurityEnforced, reference.referenceTo.count > 1 {
            resolver.add(
                .misplaced,
                "WITH SECURITY_ENFORCED does not go through the polymorphic field \(reference.name); use WITH USER_MODE",
                at: way.path.position)
        }
        if known.isEmpty {
            // For several possible objects, it is enough if the schema has one of them.
            if resolver.isWhole { unknownRelationship(way, index, []) }
            for name in reference.referenceTo { _ = resolver.target(name, of: way.path) }
            return nil
        }
        return ResolvedRow(
            origin: .parent(of: row, reference), objects: known, key: key, references: reference.referenceTo,
            isPolymorphic: reference.isPolymorphic)
    }

    private func unknownRelationship(_ way: Way, _ index: Int, _ known: @autoclosure () -> [String]) {
        let name = way.parts[index]
        resolver.add(
            .unknownRelationship, Message.unknownRelationship(name.shortened, in: "field path"),
            at: way.place(of: index), length: way.length(of: index), start: way.path.position, near: name, known())
    }

    // MARK: Fields

    private func field(of row: ResolvedRow, _ way: Way) -> ResolvedValue? {
        let index = way.parts.count - 1
        let name = way.parts[index]
        func value(
            _ source: ResolvedValue.Source, _ name: String, _ kind: ValueKind?, _ references: [String] = []
        ) -> ResolvedValue {
            ResolvedValue(
                source: source, name: name, kind: kind, references: references, position: way.place(of: index),
                length: way.length(of: index), start: way.path.position)
        }
        if row.isPolymorphic, name.lowercased() == "type" { return value(.type(row), "Type", .text) }
        if row.isName {
            guard let spelling = NameFields.spelling(of: name), let kind = NameFields.kind(of: name) else {
                unknownField(way, "Name", NameFields.all)
                return nil
            }
            return value(.name(row), spelling, kind, spelling == "Id" ? row.references : [])
        }
        guard let object = row.objects.first else { return nil }
        guard let field = object[name] else {
            unknownField(way, object.name, object.fields.map(\.name))
            return nil
        }
        return value(
            .field(field, row), field.name, field.valueKind, field.kind == .id ? [object.name] : field.referenceTo)
    }

    /// Adds a finding: the last name of a path is not a field.
    func unknownField(_ way: Way, _ entity: String, _ known: @autoclosure () -> [String]) {
        let index = way.parts.count - 1
        let name = way.parts[index]
        resolver.add(
            .unknownField, Message.unknownField(name.shortened, of: entity), at: way.place(of: index),
            length: way.length(of: index), start: way.path.position, near: name, known())
    }

    // MARK: FROM

    /// Joins the additional sources in FROM: parents with aliases, and children.
    private func join(_ query: SOQLQuery) {
        var aliases = Set([query.from.alias?.text.lowercased()].compactMap(\.self))
        for source in query.joined {
            if let alias = source.alias, !aliases.insert(alias.text.lowercased()).inserted {
                resolver.add(.duplicate, "duplicate alias: \(alias.text.shortened)", at: alias.position)
            }
            if let row = join(source) { joined.append(row) }
        }
    }

    private func join(_ source: SOQLSource) -> ResolvedRow? {
        guard let object, let root else { return nil }
        let way = way(source.path)
        if way.parts.count == 1, object.parentField(named: way.parts[0]) == nil,
            object.childRelationship(named: way.parts[0]) == nil
        {
            resolver.add(
                .misplaced,
                """
                A driving SObject type has already been set, all other entity types in the FROM clause must be \
                relationships to the initial object. The driving object is \(object.name).
                """, at: source.path.position)
            return nil
        }
        let last = way.parts.count - 1
        guard let origin = row(way, count: last, below: root), let parent = origin.objects.first else { return nil }
        guard !origin.isName, let relationship = parent.childRelationship(named: way.parts[last]) else {
            return follow(way, last, from: origin)
        }
        let key = "\(origin.key).\(way.parts[last].lowercased())"
        let row = resolver.target(relationship.object, of: source.path).map {
            ResolvedRow(origin: .child(of: origin, relationship), objects: [$0], key: key)
        }
        rows[key] = .some(row)
        return row
    }
}

/// The fields of the object Name, which represents the targets of a polymorphic reference.
package enum NameFields {
    package static let all = [
        "Id", "Name", "Type", "FirstName", "LastName", "Email", "Phone", "Title", "Alias", "Username", "IsActive",
        "ProfileId", "UserRoleId",
    ]

    /// The name as Salesforce spells it, or `nil` if the field does not exist.
    static func spelling(of name: String) -> String? { all.first { $0.lowercased() == name.lowercased() } }

    /// The kind of a field, or `nil` if the field does not exist.
    static func kind(of name: String) -> ValueKind? {
        guard let field = spelling(of: name) else { return nil }
        return field == "IsActive" ? .boolean : field.hasBytes(suffix: "Id") ? .id : .text
    }
}
