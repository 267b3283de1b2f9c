// SPDX-License-Identifier: Apache-2.0

/// What is written of an interface: routes, and types with all that they refer to.
struct SwiftSelection {
    private(set) var declarations: Set<StoneDeclaration> = []
    let routes: Set<RouteID>

    init(_ api: StoneAPI, _ options: SwiftOptions) {
        let namespaces = api.namespaces.filter { options.namespaces?.contains($0.name) ?? true }
        let all = namespaces.flatMap(\.routes)
        routes = Set(
            options.routes.map { wanted in
                all.filter { wanted.contains("\(api[$0].namespace)/\(api[$0].wireName)") }
            } ?? all)
        var walk = SwiftWalk(api)
        for route in routes { walk.add(api[route]) }
        if options.routes == nil {
            for namespace in namespaces {
                for type in namespace.types { walk.add(type) }
                for alias in namespace.aliases { walk.add(api[alias].type) }
            }
        }
        declarations = walk.declarations
        let reached = Set(namespaces.map(\.name))
        guard options.routes == nil else { return }
        for namespace in api.namespaces where reached.contains(namespace.name) {
            declarations.formUnion(namespace.aliases.map { .alias($0) })
        }
    }
}

/// Collects structs and unions that types refer to, one layer after the other.
struct SwiftWalk {
    private let api: StoneAPI
    private(set) var declarations: Set<StoneDeclaration> = []

    init(_ api: StoneAPI) {
        self.api = api
    }

    mutating func add(_ route: StoneRoute) {
        add(route.argument)
        add(route.result)
        add(route.error)
    }

    mutating func add(_ type: StoneType) {
        for declaration in api.declarations(in: type) { add(declaration) }
    }

    /// Adds a declaration and all that it leads to.
    mutating func add(_ declaration: StoneDeclaration) {
        var open = [declaration]
        while let next = open.popLast() {
            guard declarations.insert(next).inserted else { continue }
            open += api.parts(of: next)
        }
    }
}

extension StoneAPI {
    /// The structs and unions that a type names, through aliases, lists and maps.
    func declarations(in type: StoneType) -> [StoneDeclaration] {
        switch unwrapped(type).type {
        case .structure(let id): [.structure(id)]
        case .union(let id): [.union(id)]
        case .list(let list): declarations(in: list.element)
        case .map(_, let value): declarations(in: value)
        default: []
        }
    }

    /// The structs and unions that a declaration is made of.
    func parts(of declaration: StoneDeclaration) -> [StoneDeclaration] {
        switch declaration {
        case .structure(let id):
            (self[id].subtypes?.members.map { .structure($0.type) } ?? [])
                + allFields(of: id).flatMap { declarations(in: $0.type) }
        case .union(let id): allTags(of: id).flatMap { declarations(in: $0.type) }
        case .alias(let id): declarations(in: self[id].type)
        }
    }
}
