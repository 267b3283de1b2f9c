// SPDX-License-Identifier: Apache-2.0

import RestBase
import SwiftSource

/// The Swift name of everything in an interface.
///
/// Names depend on the whole interface, not on what is written of it. A name that Swift or the runtime needs gets an
/// underscore at its end; of names that are spelt alike, the second gets `_2`, in the order of the specs' names.
struct SwiftNames {
    private var namespaces: [String: String] = [:]
    private var clientMembers: [String: String] = [:]
    private var types: [StoneDeclaration: String] = [:]
    private var bases: [StructID: String] = [:]
    private var routes: [RouteID: String] = [:]

    init(_ api: StoneAPI, _ options: SwiftOptions) {
        let names = api.namespaces.map(\.name)
        namespaces = SwiftIdentifiers.distinct(
            names.map { ($0, Self.upper($0)) },
            reserved: Self.namespaces.union([options.module, options.registry, options.typeTable]), ignoringCase: true)
        clientMembers = SwiftIdentifiers.distinct(
            names.map { ($0, SwiftWords($0).lower) }, reserved: Self.clientMembers)
        let reserved = Self.types.union(namespaces.values)
        for namespace in api.namespaces {
            let aliases = namespace.aliases.map { StoneDeclaration.alias($0) }
            let named = (namespace.types + aliases).map { ($0, Self.typeName(api.declaredName(of: $0))) }
            let own = SwiftIdentifiers.distinct(named, reserved: reserved)
            types.merge(own) { first, _ in first }
            let bases = namespace.structs.filter { api[$0].subtypes != nil }
                .map { ($0, (own[.structure($0)] ?? "") + "Base") }
            self.bases.merge(SwiftIdentifiers.distinct(bases, reserved: reserved.union(own.values))) { first, _ in first
            }
            let routes = namespace.routes.map { ($0, Self.routeName(api[$0])) }
            self.routes.merge(SwiftIdentifiers.distinct(routes, reserved: Self.routes)) { first, _ in first }
        }
    }

    subscript(namespace name: String) -> String { namespaces[name] ?? SwiftWords(name).upper }

    /// The property of the client that has a namespace's routes.
    subscript(member namespace: String) -> String { clientMembers[namespace] ?? SwiftWords(namespace).lower }

    /// The name inside its namespace.
    subscript(type type: StoneDeclaration) -> String { types[type] ?? "_" }

    /// The struct of the fields that all subtypes of a struct have.
    subscript(base id: StructID) -> String { bases[id] ?? "_" }

    /// The name of the route's value and of its method.
    subscript(route route: RouteID) -> String { routes[route] ?? "_" }

    /// The names of a type's own members by the names of a spec.
    static func members(_ names: [String]) -> [String: String] {
        SwiftIdentifiers.distinct(names.map { ($0, SwiftWords($0).lower) }, reserved: members)
    }

    /// Types keep their spelling where it is one of Swift's: only the first letter and separators are changed.
    private static func typeName(_ name: String) -> String {
        // prose: names that people read
        let isPlain = name.allSatisfy { $0.isLetter || $0.isNumber } && name.first?.isUppercase == true
        return isPlain ? name : upper(name)
    }

    /// A type that began with an underscore, such as `_1`, could be called as a member is.
    private static func upper(_ name: String) -> String {
        let upper = SwiftWords(name).upper
        return upper.removing(prefix: "_").map { "Unnamed\($0)" } ?? upper
    }

    /// `delete:2` is `deleteV2`, as in URLs; `delete_2` is `delete2`.
    private static func routeName(_ route: StoneRoute) -> String {
        SwiftWords(route.name).lower + (route.version == 1 ? "" : "V\(route.version)")
    }
}

extension StoneAPI {
    /// The name that a spec gives a declaration.
    func declaredName(of declaration: StoneDeclaration) -> String { name(of: declaration).name }
}

extension SwiftNames {
    /// Names of members that Swift, the runtime or generated code needs itself.
    private static let members: Set = [
        "allCases", "check", "hash", "hashValue", "init", "innerErrors", "jobState", "json", "none", "replacing",
        "self", "some", "validate", "write",
    ]

    /// Names of routes that their group or their list has itself.
    private static let routes = members.union(["all", "client"])

    /// Names of members that the client has itself.
    private static let clientMembers: Set = ["call", "client", "init", "self", "settings"]

    /// Names that no namespace may have: their types are seen by the whole module, and by those that import it.
    private static let namespaces = RuntimeNames.stoneRuntime.union(RuntimeNames.restSDK).union(RuntimeNames.swift)

    /// Names of types that generated code writes without a module before them.
    static let types = runtimeTypes.union(RuntimeNames.swift).union(["CallError", "HTTPBody", "Routes"])

    /// Those of the runtime among them.
    static let runtimeTypes = RuntimeNames.stoneRuntime.subtracting(unwritten)

    /// Types of the runtime that generated code does not write, so that a spec can have its own.
    private static let unwritten: Set = [
        "DownloadEndpoint", "JobError", "PageError", "RouteEndpoint", "RouteStyle", "StoneTag",
    ]
}

extension SwiftNames {
    /// The names of an enum's cases by tags; `other` is for those that are not known.
    static func cases(_ tags: [String]) -> [String: String] {
        SwiftIdentifiers.distinct(
            tags.map { ($0, SwiftWords($0).lower) },
            reserved: members.union(["other", "description"]).subtracting([
                "check", "hash", "write", "validate", "description", "replacing",
            ]))
    }
}
