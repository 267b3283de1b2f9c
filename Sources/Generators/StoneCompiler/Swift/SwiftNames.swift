// SPDX-License-Identifier: Apache-2.0

import RestBase
import SwiftSource

/// The Swift names of all items of an API.
///
/// Names depend on the whole API, not on the selection that is written. A name that Swift or the runtime needs gets an
/// underscore at its end. If two names are spelled alike, the second in the order of the specs' names gets `_2`.
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
            let named = (namespace.types + aliases).map { ($0, Self.typeName(api.name(of: $0).name)) }
            let own = SwiftIdentifiers.distinct(named, reserved: reserved)
            types.merge(own) { first, _ in first }
            let bases = namespace.types.compactMap { type -> (StructID, String)? in
                guard case .structure(let id) = type, api[id].subtypes != nil else { return nil }
                return (id, (own[type] ?? "") + "Base")
            }
            self.bases.merge(SwiftIdentifiers.distinct(bases, reserved: reserved.union(own.values))) { first, _ in first
            }
            let routes = namespace.routes.map { ($0, Self.routeName(api[$0])) }
            self.routes.merge(SwiftIdentifiers.distinct(routes, reserved: Self.routes)) { first, _ in first }
        }
    }

    subscript(namespace name: String) -> String { namespaces[name] ?? SwiftWords(name).upper }

    /// The client's property for the routes of a namespace.
    subscript(member namespace: String) -> String { clientMembers[namespace] ?? SwiftWords(namespace).lower }

    /// The name inside its namespace.
    subscript(type type: StoneDeclaration) -> String { types[type] ?? "_" }

    /// The struct of the common fields of all subtypes.
    subscript(base id: StructID) -> String { bases[id] ?? "_" }

    /// The name of the route's value and of its method.
    subscript(route route: RouteID) -> String { routes[route] ?? "_" }

    /// Returns the names of a type's members, by the names in the spec.
    static func members(_ names: [String]) -> [String: String] {
        SwiftIdentifiers.distinct(names.map { ($0, SwiftWords($0).lower) }, reserved: members)
    }

    /// Returns the name of a type, which is unchanged if it is a valid name of a type in Swift.
    private static func typeName(_ name: String) -> String {
        // prose: names that people read
        let isPlain = name.allSatisfy { $0.isLetter || $0.isNumber } && name.first?.isUppercase == true
        return isPlain ? name : upper(name)
    }

    /// A type name that began with an underscore, such as `_1`, could be equal to the name of a member.
    private static func upper(_ name: String) -> String {
        let upper = SwiftWords(name).upper
        return upper.removing(prefix: "_").map { "Unnamed\($0)" } ?? upper
    }

    /// For example, `delete:2` becomes `deleteV2`, as in URLs, and `delete_2` becomes `delete2`.
    private static func routeName(_ route: StoneRoute) -> String {
        SwiftWords(route.name).lower + (route.version == 1 ? "" : "V\(route.version)")
    }
}

extension SwiftNames {
    /// The names of members that are used by Swift, the runtime or generated code.
    private static let members: Set = [
        "allCases", "check", "hash", "hashValue", "init", "innerErrors", "jobState", "json", "none", "replacing",
        "self", "some", "validate", "write",
    ]

    /// The names of routes that are members of their group or list.
    private static let routes = members.union(["all", "client"])

    private static let clientMembers: Set = ["call", "client", "init", "self", "settings"]

    /// The names that no namespace can have, because they are visible in the module and in its importers.
    private static let namespaces = RuntimeNames.stoneRuntime.union(RuntimeNames.restSDK).union(RuntimeNames.swift)

    /// The names of types that generated code uses without a module name.
    static let types = runtimeTypes.union(RuntimeNames.swift).union(["CallError", "HTTPBody", "Routes"])

    /// The types of the runtime that generated code uses.
    static let runtimeTypes = RuntimeNames.stoneRuntime.subtracting(unwritten)

    /// The types of the runtime that generated code does not use, so that a spec can define types with these names.
    private static let unwritten: Set = [
        "DownloadEndpoint", "JobError", "PageError", "RouteEndpoint", "RouteStyle", "StoneTag",
    ]

    /// Returns the names of an enum's cases by tags, where `other` is reserved for unknown tags.
    static func cases(_ tags: [String]) -> [String: String] {
        SwiftIdentifiers.distinct(
            tags.map { ($0, SwiftWords($0).lower) },
            reserved: members.union(["other", "description"]).subtracting([
                "check", "hash", "write", "validate", "description", "replacing",
            ]))
    }
}

/// The members of structs and unions with their Swift names, computed once for each type.
///
/// Without these tables, every default, reference and page would search all members of a type, at a cost of O(n²).
final class SwiftMembers {
    private let api: StoneAPI
    private var structs: [StructID: SwiftFields] = [:]
    private var unions: [UnionID: SwiftTags] = [:]
    private var lists: [StructID: StoneField?] = [:]

    init(_ api: StoneAPI) { self.api = api }

    func fields(of id: StructID) -> SwiftFields {
        if let known = structs[id] { return known }
        let made = SwiftFields(api.allFields(of: id))
        structs[id] = made
        return made
    }

    /// Returns the list field of a struct that has exactly one list.
    func onlyList(of id: StructID) -> StoneField? {
        if let known = lists[id] { return known }
        let found = fields(of: id).all.filter {
            if case .list = api.withoutAliases($0.type) { true } else { false }
        }
        let made = found.count == 1 ? found[0] : nil
        lists[id] = .some(made)
        return made
    }

    func tags(of id: UnionID) -> SwiftTags {
        if let known = unions[id] { return known }
        let made = SwiftTags(api.allTags(of: id))
        unions[id] = made
        return made
    }
}

/// The fields of a struct in generated code, including inherited fields.
struct SwiftFields {
    /// The fields in the order of the initializer.
    let all: [StoneField]
    /// The Swift names by the names in the spec.
    let names: [String: String]
    private let places: [String: Int]

    init(_ fields: [StoneField]) {
        all = fields.filter { $0.annotations.omittedCaller == nil }
        names = SwiftNames.members(all.map(\.name))
        places = Dictionary(all.enumerated().map { ($1.name, $0) }) { first, _ in first }
    }

    subscript(name: String) -> StoneField? { places[name].map { all[$0] } }
}

/// The tags of a union, including inherited tags.
struct SwiftTags {
    /// The tags that generated code knows, in order.
    let known: [StoneTag]
    /// The Swift names of the cases by the names in the spec.
    let names: [String: String]
    let catchAll: String?
    private let places: [String: Int]

    init(_ tags: [StoneTag]) {
        known = tags.filter { !$0.isCatchAll && $0.annotations.omittedCaller == nil }
        names = SwiftNames.cases(known.map(\.name))
        catchAll = tags.first(where: \.isCatchAll)?.name
        places = Dictionary(known.enumerated().map { ($1.name, $0) }) { first, _ in first }
    }

    subscript(name: String) -> StoneTag? { places[name].map { known[$0] } }
}

/// The types whose values contain values of the same type directly, without a list or map in between.
///
/// A union on such a cycle is `indirect`. A field on a cycle of structs only is stored in an array.
struct SwiftCycles {
    private(set) var indirect: Set<StoneDeclaration> = []
    private var groups: [StoneDeclaration: Int] = [:]

    init(_ api: StoneAPI, _ declarations: [StoneDeclaration]) {
        let edges = Dictionary(uniqueKeysWithValues: declarations.map { ($0, api.directParts(of: $0)) })
        for group in Self.components(declarations, edges) {
            indirect.formUnion(group.filter { api.isEnum($0) })
        }
        let structs = declarations.filter { !indirect.contains($0) }
        let rest = Self.components(structs, edges.mapValues { $0.filter { !indirect.contains($0) } })
        for (number, group) in rest.enumerated() { for member in group { groups[member] = number } }
    }

    /// Returns whether a field of a struct leads back to the struct.
    func isOnCycle(_ field: StoneDeclaration?, of owner: StoneDeclaration) -> Bool {
        guard let field, let group = groups[field] else { return false }
        return group == groups[owner]
    }

    /// Returns the strongly connected components that are cycles (Tarjan's algorithm), without recursion.
    private static func components(
        _ nodes: [StoneDeclaration], _ edges: [StoneDeclaration: [StoneDeclaration]]
    ) -> [[StoneDeclaration]] {
        var index: [StoneDeclaration: Int] = [:]
        var low: [StoneDeclaration: Int] = [:]
        var stack: [StoneDeclaration] = []
        var onStack: Set<StoneDeclaration> = []
        var found: [[StoneDeclaration]] = []
        for root in nodes where index[root] == nil {
            var work: [(node: StoneDeclaration, next: Int)] = [(root, 0)]
            while let (node, next) = work.last {
                if next == 0 {
                    index[node] = index.count
                    low[node] = index[node]
                    stack.append(node)
                    onStack.insert(node)
                }
                let targets = edges[node] ?? []
                if next < targets.count {
                    work[work.count - 1].next += 1
                    let target = targets[next]
                    if index[target] == nil {
                        work.append((target, 0))
                    } else if onStack.contains(target) {
                        low[node] = min(low[node] ?? 0, index[target] ?? 0)
                    }
                    continue
                }
                work.removeLast()
                if let parent = work.last?.node { low[parent] = min(low[parent] ?? 0, low[node] ?? 0) }
                guard low[node] == index[node] else { continue }
                var group: [StoneDeclaration] = []
                while let top = stack.popLast() {
                    onStack.remove(top)
                    group.append(top)
                    if top == node { break }
                }
                if group.count > 1 || targets.contains(node) { found.append(group) }
            }
        }
        return found
    }
}

extension StoneAPI {
    /// Returns whether a declaration is an enum in Swift: a union, or a struct that enumerates its subtypes.
    func isEnum(_ declaration: StoneDeclaration) -> Bool {
        switch declaration {
        case .union: true
        case .structure(let id): self[id].subtypes != nil
        case .alias: false
        }
    }

    /// Returns the structs and unions that values of a declaration contain directly.
    fileprivate func directParts(of declaration: StoneDeclaration) -> [StoneDeclaration] {
        switch declaration {
        case .structure(let id):
            (self[id].subtypes?.members.map { .structure($0.type) } ?? [])
                + allFields(of: id).compactMap { self.declaration(of: $0.type) }
        case .union(let id): allTags(of: id).compactMap { self.declaration(of: $0.type) }
        case .alias: []
        }
    }
}
