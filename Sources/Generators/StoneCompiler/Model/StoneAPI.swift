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
    /// All annotations in the order in which they were written.
    package var annotations: [StoneAnnotation] = []
    /// All routes in the order in which they were written.
    package var routes: [StoneRoute] = []
    /// The struct `stone_cfg.Route`, whose fields are the attributes that routes have; nil if no spec has it.
    package var routeSchema: StructID?
    /// The files of the specs, for messages.
    var files: [SourceLines] = []

    package subscript(id: StructID) -> StoneStruct { structs[id.index] }
    package subscript(id: UnionID) -> StoneUnion { unions[id.index] }
    package subscript(id: AliasID) -> StoneAlias { aliases[id.index] }
    package subscript(id: AnnotationID) -> StoneAnnotation { annotations[id.index] }
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
/// Which annotation, as a place in `StoneAPI.annotations`.
package struct AnnotationID: Hashable, Sendable { package let index: Int }
/// Which route, as a place in `StoneAPI.routes`.
package struct RouteID: Hashable, Sendable { package let index: Int }

/// What a name of a user's own type can stand for.
package enum StoneDeclaration: Hashable, Sendable {
    case structure(StructID)
    case union(UnionID)
    case alias(AliasID)
}
