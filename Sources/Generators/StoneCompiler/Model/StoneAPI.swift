// SPDX-License-Identifier: Apache-2.0

/// An API as described by its specs, with every namespace, type and route resolved and checked.
///
/// Types refer to each other by identifiers, which are indices into the lists of this value. `api[id]` returns the item
/// of an identifier. An identifier is only valid for the value that it comes from.
package struct StoneAPI: Sendable {
    /// The namespaces, sorted by the bytes of their names, without `stone_cfg`, which only contains `routeSchema`.
    package var namespaces: [StoneNamespace] = []
    /// All structs in the order of the specs, including those of `stone_cfg`.
    package var structs: [StoneStruct] = []
    /// All unions in the order of the specs.
    package var unions: [StoneUnion] = []
    /// All aliases in the order of the specs.
    package var aliases: [StoneAlias] = []
    /// All routes in the order of the specs.
    package var routes: [StoneRoute] = []
    /// The struct `stone_cfg.Route`, whose fields are the attributes of routes, or `nil` if no spec has it.
    package var routeSchema: StructID?
    var files: [SourceLines] = []

    package subscript(id: StructID) -> StoneStruct { structs[id.index] }
    package subscript(id: UnionID) -> StoneUnion { unions[id.index] }
    package subscript(id: AliasID) -> StoneAlias { aliases[id.index] }
    package subscript(id: RouteID) -> StoneRoute { routes[id.index] }

    package func namespace(named name: String) -> StoneNamespace? {
        namespaces.first { $0.name == name }
    }
}

/// The index of a struct in `StoneAPI.structs`.
package struct StructID: Hashable, Sendable { package let index: Int }
/// The index of a union in `StoneAPI.unions`.
package struct UnionID: Hashable, Sendable { package let index: Int }
/// The index of an alias in `StoneAPI.aliases`.
package struct AliasID: Hashable, Sendable { package let index: Int }
/// The index of a route in `StoneAPI.routes`.
package struct RouteID: Hashable, Sendable { package let index: Int }

/// The declaration of a type in a spec.
package enum StoneDeclaration: Hashable, Sendable {
    case structure(StructID)
    case union(UnionID)
    case alias(AliasID)
}

extension StoneAPI {
    /// Returns the struct with all structs that it extends, the topmost first.
    package func lineage(of id: StructID) -> [StructID] {
        var line = [id]
        while let parent = self[line[line.count - 1]].parent { line.append(parent) }
        return line.reversed()
    }

    /// Returns the union with all unions that it extends, the topmost first.
    package func lineage(of id: UnionID) -> [UnionID] {
        var line = [id]
        while let parent = self[line[line.count - 1]].parent { line.append(parent) }
        return line.reversed()
    }

    /// Returns all fields of a struct, including inherited ones: first the required fields, then the others, with those
    /// of the topmost parent first in each group.
    package func allFields(of id: StructID) -> [StoneField] {
        let fields = lineage(of: id).flatMap { self[$0].fields }
        return fields.filter(isRequired) + fields.filter { !isRequired($0) }
    }

    /// Returns whether the field is required: it has no default, and its type is not written as nullable.
    ///
    /// A field whose type is an alias of a nullable type counts as required, as in Stone's own generators.
    /// ``isNullable(_:)`` returns whether null is allowed.
    package func isRequired(_ field: StoneField) -> Bool {
        if case .nullable = field.type { return false }
        return field.defaultValue == nil
    }

    /// Returns all tags of a union, including inherited ones, those of the topmost parent first.
    package func allTags(of id: UnionID) -> [StoneTag] { lineage(of: id).flatMap { self[$0].tags } }
}

extension StoneAPI {
    /// Returns the type with all aliases replaced by their types.
    package func withoutAliases(_ type: StoneType) -> StoneType {
        var type = type
        while case .alias(let id) = type { type = self[id].type }
        return type
    }

    /// Returns the type without aliases and nullability, and whether null is allowed.
    package func unwrapped(_ type: StoneType) -> (type: StoneType, isNullable: Bool) {
        guard case .nullable(let inner) = withoutAliases(type) else { return (withoutAliases(type), false) }
        return (withoutAliases(inner), true)
    }

    /// Returns whether null is allowed, also through aliases.
    package func isNullable(_ type: StoneType) -> Bool { unwrapped(type).isNullable }

    /// Returns the struct or union of a type, through aliases and nullability, or `nil` if it is neither.
    package func declaration(of type: StoneType) -> StoneDeclaration? {
        switch unwrapped(type).type {
        case .structure(let id): .structure(id)
        case .union(let id): .union(id)
        default: nil
        }
    }

    package func name(of declaration: StoneDeclaration) -> (namespace: String, name: String) {
        switch declaration {
        case .structure(let id): (self[id].namespace, self[id].name)
        case .union(let id): (self[id].namespace, self[id].name)
        case .alias(let id): (self[id].namespace, self[id].name)
        }
    }
}

/// A group of types and routes, defined in one or several files.
package struct StoneNamespace: Sendable {
    package let name: String
    /// The documentation of all files, one paragraph each.
    package var doc: StoneDoc?
    /// The structs and unions, sorted together by the bytes of their names.
    package var types: [StoneDeclaration] = []
    /// The aliases, sorted by the bytes of their names.
    package var aliases: [AliasID] = []
    /// The routes, sorted by the bytes of their names and then by version.
    package var routes: [RouteID] = []
}
