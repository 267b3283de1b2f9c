// SPDX-License-Identifier: Apache-2.0

/// Everything that is decided about an interface before a line of it is written.
struct SwiftPlan {
    let api: StoneAPI
    let options: SwiftOptions
    let names: SwiftNames
    let members: SwiftMembers
    let selection: SwiftSelection
    let cycles: SwiftCycles
    /// What can be why a call or a job fails, as a whole or as a part.
    let errors: Set<StoneDeclaration>
    /// What arguments are made of.
    let arguments: Set<StoneDeclaration>
    let jobs: [RouteID: SwiftJob]
    /// The answers about jobs, with the jobs' results, by their namespaces.
    let jobAnswers: [String: [StoneDeclaration: StoneType]]
    let pagings: [RouteID: SwiftPaging]
    /// The defaults of the routes' attributes.
    let attributeDefaults: [String: StoneLiteral]
    /// The tags of each union that are defaults of fields.
    private let defaultTags: [StoneDeclaration: Set<String>]

    init(_ api: StoneAPI, _ options: SwiftOptions) throws(StoneError) {
        self.api = api
        self.options = options
        names = SwiftNames(api, options)
        members = SwiftMembers(api)
        selection = SwiftSelection(api, options)
        let routes = api.routes.map(\.id).filter(selection.routes.contains)
        let written = Self.ordered(selection.declarations, api)
        try SwiftForms(api).check(written, routes)
        cycles = SwiftCycles(api, written)
        jobs = SwiftJobs(api, members, routes).jobs
        jobAnswers = jobs.values.reduce(into: [:]) { answers, job in
            for answer in [job.launch, .union(job.status)] {
                answers[api.name(of: answer).namespace, default: [:]][answer] = job.output
            }
        }
        pagings = SwiftPaging.pagings(api, members, routes)
        let attributes = api.routeSchema.map { api.allFields(of: $0) } ?? []
        attributeDefaults = attributes.reduce(into: [:]) { $0[$1.name] = $1.defaultValue }
        var errors = SwiftWalk(api)
        var arguments = SwiftWalk(api)
        for route in routes {
            errors.add(api[route].error)
            arguments.add(api[route].argument)
        }
        for job in jobs.values { if let failure = job.failure { errors.add(failure) } }
        defaultTags = api.defaultTags(of: selection.declarations)
        self.errors = errors.declarations
        self.arguments = arguments.declarations
    }

    /// The namespaces of which something is written.
    var namespaces: [StoneNamespace] {
        api.namespaces.filter { namespace in
            !declarations(of: namespace).isEmpty || namespace.routes.contains(where: selection.routes.contains)
        }
    }

    /// The structs and unions of a namespace that are written, in the order of their names.
    func declarations(of namespace: StoneNamespace) -> [StoneDeclaration] {
        namespace.types.filter(selection.declarations.contains)
    }

    /// The name of a struct or union with its namespace.
    func name(_ declaration: StoneDeclaration) -> String {
        names[namespace: api.name(of: declaration).namespace] + "." + names[type: declaration]
    }

    /// The name of the struct of the fields that all subtypes have, with its namespace.
    func baseName(_ id: StructID) -> String { names[namespace: api[id].namespace] + "." + names[base: id] }

    /// Whether a tag of a union is the default of a field.
    func isDefault(_ tag: String, of union: StoneDeclaration) -> Bool { defaultTags[union]?.contains(tag) ?? false }

    private static func ordered(_ declarations: Set<StoneDeclaration>, _ api: StoneAPI) -> [StoneDeclaration] {
        api.namespaces.flatMap { $0.types + $0.aliases.map { .alias($0) } }.filter(declarations.contains)
    }
}

extension StoneAPI {
    /// The tags that are defaults of the structs' fields, by their unions.
    fileprivate func defaultTags(of declarations: Set<StoneDeclaration>) -> [StoneDeclaration: Set<String>] {
        var tags: [StoneDeclaration: Set<String>] = [:]
        for case .structure(let id) in declarations {
            for field in allFields(of: id) {
                guard case .tag(let union, let tag) = field.defaultValue else { continue }
                tags[declaration(of: field.type) ?? .union(union), default: []].insert(tag)
            }
        }
        return tags
    }
}

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

/// Whether all that is to be written has a form in Swift.
struct SwiftForms {
    private let api: StoneAPI

    init(_ api: StoneAPI) {
        self.api = api
    }

    /// Checks types and routes.
    ///
    /// - Throws: All that has no form, each with its place.
    func check(_ declarations: [StoneDeclaration], _ routes: [RouteID]) throws(StoneError) {
        var faults = StoneFaults(in: api)
        for declaration in declarations {
            for (type, location, hasDefault) in parts(of: declaration) {
                check(type, location, hasDefault: hasDefault, &faults)
            }
        }
        for route in routes.lazy.map({ api[$0] }) {
            for type in [route.argument, route.result, route.error] { check(type, route.location, &faults) }
        }
        try faults.check()
    }

    /// The formats of timestamps that the runtime knows, with their names there.
    static let timestamps = ["%Y-%m-%dT%H:%M:%SZ": ".seconds", "%Y-%m-%d": ".day"]

    /// The types of fields and tags, the inherited ones too, with their places, and whether there is a default.
    private func parts(of declaration: StoneDeclaration) -> [(StoneType, StoneLocation, hasDefault: Bool)] {
        switch declaration {
        case .structure(let id): api.allFields(of: id).map { ($0.type, $0.location, $0.defaultValue != nil) }
        case .union(let id): api.allTags(of: id).map { ($0.type, $0.location, false) }
        case .alias(let id): [(api[id].type, api[id].location, false)]
        }
    }

    private func check(
        _ type: StoneType, _ location: StoneLocation, hasDefault: Bool = false, _ faults: inout StoneFaults
    ) {
        switch api.unwrapped(type).type {
        case .timestamp(let format):
            if Self.timestamps[format] == nil {
                let known = Self.timestamps.keys.sorted().joined(separator: " and ")
                faults.add("The format '\(format)' has no form in Swift; timestamps are \(known).", at: location)
            } else if hasDefault {
                faults.add("The default of a timestamp has no form in Swift; make the field nullable.", at: location)
            }
        case .list(let list): check(list.element, location, &faults)
        case .map(_, let value): check(value, location, &faults)
        default: break
        }
    }
}
