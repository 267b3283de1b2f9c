// SPDX-License-Identifier: Apache-2.0

import StoneCore

/// Everything that is decided about an interface before a line of it is written.
struct SwiftPlan {
    let api: StoneAPI
    let options: SwiftOptions
    let names: SwiftNames
    let selection: SwiftSelection
    let cycles: SwiftCycles
    /// What can be why a call or a job fails, as a whole or as a part.
    let errors: Set<StoneDeclaration>
    /// What arguments are made of.
    let arguments: Set<StoneDeclaration>
    let jobs: [RouteID: SwiftJob]
    let pagings: [RouteID: SwiftPaging]
    /// The tags of each union that are defaults of fields.
    private let defaultTags: [StoneDeclaration: Set<String>]

    init(_ api: StoneAPI, _ options: SwiftOptions) throws(SwiftEmitterError) {
        self.api = api
        self.options = options
        names = SwiftNames(api, module: options.module)
        selection = SwiftSelection(api, options)
        for case .structure(let id) in selection.declarations {
            for member in api[id].subtypes?.members ?? [] where api[member.type].subtypes != nil {
                throw SwiftEmitterError(api[id].location, "subtypes of subtypes have no form in Swift")
            }
        }
        cycles = SwiftCycles(api, Self.ordered(selection.declarations, api))
        let routes = api.routes.map(\.id).filter(selection.routes.contains)
        jobs = SwiftJob.jobs(api, routes)
        pagings = SwiftPaging.pagings(api, routes)
        var errors = SwiftWalk(api)
        var arguments = SwiftWalk(api)
        for route in routes {
            errors.add(api[route].error)
            arguments.add(api[route].argument)
        }
        for job in jobs.values { for failure in job.failures(api) { errors.add(failure) } }
        defaultTags = api.defaultTags(of: selection.declarations)
        self.errors = errors.declarations
        self.arguments = arguments.declarations
        for declaration in selection.declarations { try checkFormats(of: declaration) }
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

    /// Whether a tag of a union is the default of a field.
    func isDefault(_ tag: String, of union: StoneDeclaration) -> Bool { defaultTags[union]?.contains(tag) ?? false }

    private static func ordered(_ declarations: Set<StoneDeclaration>, _ api: StoneAPI) -> [StoneDeclaration] {
        api.namespaces.flatMap(\.types).filter(declarations.contains)
    }

    private func checkFormats(of declaration: StoneDeclaration) throws(SwiftEmitterError) {
        let typed: [(StoneType, StoneLocation)] =
            switch declaration {
            case .structure(let id): api.allFields(of: id).map { ($0.type, $0.location) }
            case .union(let id): api.allTags(of: id).map { ($0.type, $0.location) }
            case .alias(let id): [(api[id].type, api[id].location)]
            }
        for (type, location) in typed {
            guard let directive = api.unknownDirective(in: type) else { continue }
            throw SwiftEmitterError(location, "timestamps have no directive %\(directive)")
        }
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

    /// The first directive of a timestamp in a type that the runtime does not know.
    fileprivate func unknownDirective(in type: StoneType) -> Character? {
        switch unwrapped(type).type {
        case .timestamp(let format):
            format.split(separator: "%", omittingEmptySubsequences: false).dropFirst().lazy.compactMap(\.first)
                .first { !"YymdjHIMSfpzZaAbB".contains($0) }
        case .list(let list): unknownDirective(in: list.element)
        case .map(_, let value): unknownDirective(in: value)
        default: nil
        }
    }
}
