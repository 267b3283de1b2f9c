// SPDX-License-Identifier: Apache-2.0

import SOQLSyntax

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
