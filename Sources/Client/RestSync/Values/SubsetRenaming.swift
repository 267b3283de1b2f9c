// SPDX-License-Identifier: Apache-2.0

import RestBase
import SOQLStore
import SOQLSyntax

/// Writes the query of a subset with the names of a migrated schema.
///
/// Fields, parents and lists of children that the new schema lacks leave the select list and the order. A condition
/// needs all of its fields.
struct SubsetRenaming {
    private let steps: SchemaMigration

    init(_ steps: SchemaMigration) { self.steps = steps }

    /// Returns the canonical text of a subset, or `nil` if the new schema lacks its object or a part of a condition.
    func query(_ text: String) -> String? {
        guard let query = try? SOQLQuery(parsing: text) else { return nil }
        return renamed(query).map { $0.orID.text }
    }

    /// Returns the canonical query of the records of a part.
    func query(of object: String, _ condition: String?) -> String? {
        query("SELECT Id FROM \(object)\(condition.map { " WHERE \($0)" } ?? "")")
    }

    /// Renames a query whose source is an object.
    private func renamed(_ query: SOQLQuery) -> SOQLQuery? {
        guard let object = steps.old.object(named: query.from.path.last),
            let next = steps.object(replacing: object.name), var copy = renamed(query, of: object, next)
        else { return nil }
        copy.from.path.parts = [Self.spelled(next.name, as: query.from.path.last)]
        return copy
    }

    /// Returns a name as the query spells it, unless it is another name.
    private static func spelled(_ name: String, as old: String) -> String {
        name.lowercased() == old.lowercased() ? old : name
    }

    private func renamed(_ query: SOQLQuery, of object: SObjectSchema, _ next: SObjectSchema) -> SOQLQuery? {
        var copy = query
        if let condition = query.where {
            guard let condition = renamed(condition, object) else { return nil }
            copy.where = condition
        }
        copy.orderBy = query.orderBy.compactMap { order in
            renamed(order.expression, object).map {
                SOQLOrdering($0, isDescending: order.isDescending, nulls: order.nulls)
            }
        }
        copy.select = []
        for item in query.select {
            switch item {
            case .field(let expression, let alias):
                if let next = renamed(expression, object) { copy.select.append(.field(next, alias: alias)) }
            case .children(let children, let alias):
                guard let (name, child, nextChild) = relationship(children.query.from.path.last, object, next) else {
                    continue
                }
                guard var query = renamed(children.query, of: child, nextChild) else { return nil }
                query.from.path.parts = [Self.spelled(name, as: children.query.from.path.last)]
                copy.select.append(.children(SOQLChildQuery(query.orID), alias: alias))
            default: copy.select.append(item)
            }
        }
        return copy
    }

    /// Returns the new name of a list of children, and the children's object before and after.
    private func relationship(
        _ name: String, _ object: SObjectSchema, _ next: SObjectSchema
    ) -> (String, SObjectSchema, SObjectSchema)? {
        guard let known = object.childRelationship(named: name), let child = steps.old.object(named: known.object),
            let nextChild = steps.object(replacing: child.name),
            let field = steps.name(replacing: known.field, of: child.name)
        else { return nil }
        let others = next.childRelationships.filter { $0.object == nextChild.name && $0.field == field }
        return others.first?.name.map { ($0, child, nextChild) }
    }

    private func renamed(_ condition: SOQLCondition, _ object: SObjectSchema) -> SOQLCondition? {
        switch condition {
        case .not(let inner): return renamed(inner, object).map { .not($0) }
        case .and(let list): return renamed(list, object).map { .and($0) }
        case .or(let list): return renamed(list, object).map { .or($0) }
        case .comparison(var comparison):
            guard let left = renamed(comparison.left, object) else { return nil }
            comparison.left = left
            if case .query(let inner) = comparison.right {
                guard let query = renamed(inner.query), query.select.count == inner.query.select.count else {
                    return nil
                }
                comparison.right = .query(SOQLChildQuery(query))
            }
            return .comparison(comparison)
        }
    }

    private func renamed(_ list: [SOQLCondition], _ object: SObjectSchema) -> [SOQLCondition]? {
        let next = list.compactMap { renamed($0, object) }
        return next.count == list.count ? next : nil
    }

    private func renamed(_ expression: SOQLExpression, _ object: SObjectSchema) -> SOQLExpression? {
        switch expression {
        case .path(let path): return renamed(path.parts[...], object).map { .path(SOQLPath($0)) }
        case .call(var call):
            guard let argument = call.argument, let next = renamed(argument, object) else { return nil }
            call.argument = next
            return .call(call)
        case .distance(var distance):
            guard let parts = renamed(distance.field.parts[...], object) else { return nil }
            distance.field.parts = parts
            return .distance(distance)
        }
    }

    private func renamed(_ parts: ArraySlice<String>, _ object: SObjectSchema) -> [String]? {
        guard let first = parts.first else { return nil }
        let (rest, next) = (parts.dropFirst(), steps.object(replacing: object.name))
        if rest.isEmpty { return steps.name(replacing: first, of: object.name).map { [Self.spelled($0, as: first)] } }
        guard let reference = object.referenceField(ofRelationship: first) else {
            // The path begins with the name of its own object.
            guard first.lowercased() == object.name.lowercased(), let next else { return nil }
            return renamed(rest, object).map { [Self.spelled(next.name, as: first)] + $0 }
        }
        guard let name = steps.name(replacing: reference.name, of: object.name),
            let relationship = next?.field(named: name)?.relationshipName
        else { return nil }
        let parents = reference.referenceTo.lazy.compactMap { steps.old.object(named: $0) }
        return parents.compactMap { renamed(rest, $0) }.first.map { [Self.spelled(relationship, as: first)] + $0 }
    }
}

extension SOQLQuery {
    /// The same query, or one of the ids if nothing of its select list is left.
    fileprivate var orID: SOQLQuery {
        guard select.isEmpty else { return self }
        var query = self
        query.select = [.field(.path(SOQLPath(["Id"])), alias: nil)]
        return query
    }
}
