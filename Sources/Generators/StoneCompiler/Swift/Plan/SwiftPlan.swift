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
