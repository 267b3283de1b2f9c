// SPDX-License-Identifier: Apache-2.0

/// A whole interface as its specs describe it: every namespace, type and route, resolved and checked.
///
/// Types refer to each other by identifiers, which are places in the lists of this value; `api[id]` gives what an
/// identifier names. An identifier belongs to the value that gave it.
package struct StoneAPI: Sendable {
    /// The namespaces in the order of their names' bytes, without `stone_cfg`, which only holds `routeSchema`.
    package var namespaces: [StoneNamespace] = []
    /// All structs in the order in which they were written, those of `stone_cfg` included.
    package var structs: [StoneStruct] = []
    /// All unions in the order in which they were written.
    package var unions: [StoneUnion] = []
    /// All aliases in the order in which they were written.
    package var aliases: [StoneAlias] = []
    /// All routes in the order in which they were written.
    package var routes: [StoneRoute] = []
    /// The struct `stone_cfg.Route`, whose fields are the attributes that routes have; nil if no spec has it.
    package var routeSchema: StructID?
    /// The files of the specs, for messages.
    var files: [SourceLines] = []

    package subscript(id: StructID) -> StoneStruct { structs[id.index] }
    package subscript(id: UnionID) -> StoneUnion { unions[id.index] }
    package subscript(id: AliasID) -> StoneAlias { aliases[id.index] }
    package subscript(id: RouteID) -> StoneRoute { routes[id.index] }

    /// The namespace of this name, if there is one.
    package func namespace(named name: String) -> StoneNamespace? {
        namespaces.first { $0.name == name }
    }
}

/// Which struct, as a place in `StoneAPI.structs`.
package struct StructID: Hashable, Sendable { package let index: Int }
/// Which union, as a place in `StoneAPI.unions`.
package struct UnionID: Hashable, Sendable { package let index: Int }
/// Which alias, as a place in `StoneAPI.aliases`.
package struct AliasID: Hashable, Sendable { package let index: Int }
/// Which route, as a place in `StoneAPI.routes`.
package struct RouteID: Hashable, Sendable { package let index: Int }

/// What a name of a user's own type can stand for.
package enum StoneDeclaration: Hashable, Sendable {
    case structure(StructID)
    case union(UnionID)
    case alias(AliasID)
}

extension StoneAPI {
    /// The struct and those that it extends, the topmost first.
    package func lineage(of id: StructID) -> [StructID] {
        var line = [id]
        while let parent = self[line[line.count - 1]].parent { line.append(parent) }
        return line.reversed()
    }

    /// The union and those that it extends, the topmost first.
    package func lineage(of id: UnionID) -> [UnionID] {
        var line = [id]
        while let parent = self[line[line.count - 1]].parent { line.append(parent) }
        return line.reversed()
    }

    /// All fields of a struct, the inherited ones too: first those which a value must have, then the others; in each
    /// group the topmost parent's first.
    package func allFields(of id: StructID) -> [StoneField] {
        let fields = lineage(of: id).flatMap { self[$0].fields }
        return fields.filter(isRequired) + fields.filter { !isRequired($0) }
    }

    /// Whether a value must have the field: it has no default, and its type is not written as nullable.
    ///
    /// A field whose type is an alias of a nullable type counts as required here, as for Stone's own generators;
    /// `isNullable(_:)` tells that null is allowed.
    package func isRequired(_ field: StoneField) -> Bool {
        if case .nullable = field.type { return false }
        return field.defaultValue == nil
    }

    /// All tags of a union, the inherited ones too, the topmost parent's first.
    package func allTags(of id: UnionID) -> [StoneTag] {
        lineage(of: id).flatMap { self[$0].tags }
    }
}

extension StoneAPI {
    /// The type that an alias stands for, through any number of aliases; another type as it is.
    package func withoutAliases(_ type: StoneType) -> StoneType {
        var type = type
        while case .alias(let id) = type { type = self[id].type }
        return type
    }

    /// The type without aliases and without nullability, and whether null is allowed.
    package func unwrapped(_ type: StoneType) -> (type: StoneType, isNullable: Bool) {
        guard case .nullable(let inner) = withoutAliases(type) else { return (withoutAliases(type), false) }
        return (withoutAliases(inner), true)
    }

    /// Whether null is allowed, perhaps through aliases.
    package func isNullable(_ type: StoneType) -> Bool { unwrapped(type).isNullable }

    /// The struct or union that a type is, through aliases and nullability; nil if it is neither.
    package func declaration(of type: StoneType) -> StoneDeclaration? {
        switch unwrapped(type).type {
        case .structure(let id): .structure(id)
        case .union(let id): .union(id)
        default: nil
        }
    }

    /// The name and the namespace of a declaration.
    package func name(of declaration: StoneDeclaration) -> (namespace: String, name: String) {
        switch declaration {
        case .structure(let id): (self[id].namespace, self[id].name)
        case .union(let id): (self[id].namespace, self[id].name)
        case .alias(let id): (self[id].namespace, self[id].name)
        }
    }
}

/// A group of types and routes, from one file or several.
package struct StoneNamespace: Sendable {
    package let name: String
    /// The documentation of all its files, one paragraph each.
    package var doc: StoneDoc?
    /// Structs and unions together, in the order of their names' bytes.
    package var types: [StoneDeclaration] = []
    /// The aliases, in the order of their names' bytes.
    package var aliases: [AliasID] = []
    /// The routes, in the order of their names' bytes, then of their versions.
    package var routes: [RouteID] = []
}
