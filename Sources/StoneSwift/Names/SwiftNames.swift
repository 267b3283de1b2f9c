// SPDX-License-Identifier: Apache-2.0

import StoneCore
import SwiftSource

/// The Swift name of everything in an interface.
///
/// Names depend on the whole interface, not on what is written of it. A name that Swift or the runtime needs gets an
/// underscore at its end; of names that are spelt alike, the second gets `_2`, in the order of the specs' names.
struct SwiftNames {
    private var namespaces: [String: String] = [:]
    private var types: [StoneDeclaration: String] = [:]
    private var routes: [RouteID: String] = [:]

    init(_ api: StoneAPI, module: String) {
        namespaces = SwiftIdentifiers.distinct(
            api.namespaces.map { ($0.name, SwiftWords($0.name).upper) }, reserved: Self.types.union([module]))
        let reserved = Self.types.union(namespaces.values)
        for namespace in api.namespaces {
            let aliases = namespace.aliases.map { StoneDeclaration.alias($0) }
            let named = (namespace.types + aliases).map { ($0, Self.typeName(api.declaredName(of: $0))) }
            types.merge(SwiftIdentifiers.distinct(named, reserved: reserved)) { first, _ in first }
            let routes = namespace.routes.map { ($0, Self.routeName(api[$0])) }
            self.routes.merge(SwiftIdentifiers.distinct(routes, reserved: Self.members)) { first, _ in first }
        }
    }

    subscript(namespace name: String) -> String { namespaces[name] ?? SwiftWords(name).upper }

    /// The name inside its namespace.
    subscript(type type: StoneDeclaration) -> String { types[type] ?? "_" }

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
        return isPlain ? name : SwiftWords(name).upper
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

    /// Names of types that generated code writes without a module before them.
    private static let types: Set = [
        "Any", "Array", "Bool", "CallError", "CaseIterable", "Data", "Date", "DescribedStoneError",
        "DescribedStoneValue",
        "Dictionary", "Double",
        "Download", "DownloadCall", "Error", "Float", "HTTPBody", "Int", "Int32", "Int64", "JobCall", "JobFailure",
        "JobState", "Never", "Optional", "PagedCall", "Protocol", "RPC", "Result", "Route", "RouteCall", "RouteGroup",
        "RouteInfo", "Routes", "Self", "StoneChecks", "StoneClient", "StoneCoding", "StoneError", "StoneFailure",
        "StoneReader", "StoneTimestamp", "StoneType", "StoneValidated", "StoneValue", "StoneWriter", "String", "Swift",
        "Type", "UInt32", "UInt64", "UInt8", "UnknownTag", "Upload", "ValidationFailure", "Void",
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
