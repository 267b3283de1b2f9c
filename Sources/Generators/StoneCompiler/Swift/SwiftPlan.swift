// SPDX-License-Identifier: Apache-2.0

import SwiftSource

/// All decisions about an API that are made before code is written.
struct SwiftPlan {
    let api: StoneAPI
    let options: SwiftOptions
    let names: SwiftNames
    let members: SwiftMembers
    let selection: SwiftSelection
    let cycles: SwiftCycles
    /// The errors of calls and jobs, and the types in them.
    let errors: Set<StoneDeclaration>
    /// The types of arguments, and the types in them.
    let arguments: Set<StoneDeclaration>
    let jobs: [RouteID: SwiftJob]
    /// The results of job routes with the jobs' outputs, by namespace.
    let jobResponses: [String: [StoneDeclaration: StoneType]]
    let pagings: [RouteID: SwiftPaging]
    let attributeDefaults: [String: StoneLiteral]
    private let defaultTags: [StoneDeclaration: Set<String>]

    init(_ api: StoneAPI, _ options: SwiftOptions) throws(StoneError) {
        self.api = api
        self.options = options
        names = SwiftNames(api, options)
        members = SwiftMembers(api)
        selection = SwiftSelection(api, options)
        let routes = api.routes.map(\.id).filter(selection.routes.contains)
        let written = api.namespaces.flatMap { $0.types + $0.aliases.map { .alias($0) } }
            .filter(selection.declarations.contains)
        try SwiftForms(api: api).check(written, routes)
        cycles = SwiftCycles(api, written)
        jobs = SwiftJobs(api, members, routes).jobs
        jobResponses = jobs.values.reduce(into: [:]) { responses, job in
            for response in [job.launch, .union(job.status)] {
                responses[api.name(of: response).namespace, default: [:]][response] = job.output
            }
        }
        pagings = SwiftPaging.pagings(api, members, routes)
        let attributes = api.routeSchema.map { api.allFields(of: $0) } ?? []
        attributeDefaults = attributes.reduce(into: [:]) { $0[$1.name] = $1.defaultValue }
        var errors = SwiftWalk(api: api)
        var arguments = SwiftWalk(api: api)
        for route in routes {
            errors.add(api[route].error)
            arguments.add(api[route].argument)
        }
        for job in jobs.values { if let failure = job.failure { errors.add(failure) } }
        defaultTags = api.defaultTags(of: selection.declarations)
        self.errors = errors.declarations
        self.arguments = arguments.declarations
    }

    /// The namespaces with items that are written.
    var namespaces: [StoneNamespace] {
        api.namespaces.filter { namespace in
            !declarations(of: namespace).isEmpty || namespace.routes.contains(where: selection.routes.contains)
        }
    }

    /// Returns the structs and unions of a namespace that are written, sorted by name.
    func declarations(of namespace: StoneNamespace) -> [StoneDeclaration] {
        namespace.types.filter(selection.declarations.contains)
    }

    /// Returns the qualified name of a struct or union.
    func name(_ declaration: StoneDeclaration) -> String {
        names[namespace: api.name(of: declaration).namespace] + "." + names[type: declaration]
    }

    /// Returns the qualified name of the struct of the common fields of all subtypes.
    func baseName(_ id: StructID) -> String { names[namespace: api[id].namespace] + "." + names[base: id] }

    func isDefault(_ tag: String, of union: StoneDeclaration) -> Bool { defaultTags[union]?.contains(tag) ?? false }
}

extension StoneAPI {
    /// Returns the tags that are defaults of fields, by their unions.
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

/// The selected routes, and the types with all types that they refer to.
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
        var walk = SwiftWalk(api: api)
        for route in routes.lazy.map({ api[$0] }) {
            for type in [route.argument, route.result, route.error] { walk.add(type) }
        }
        if options.routes == nil {
            for type in namespaces.flatMap(\.types) { walk.add(type) }
            for alias in namespaces.flatMap(\.aliases) { walk.add(api[alias].type) }
        }
        declarations = walk.declarations
        if options.routes == nil { declarations.formUnion(namespaces.flatMap(\.aliases).map { .alias($0) }) }
    }
}

/// Collects the structs and unions that types refer to, directly and indirectly.
struct SwiftWalk {
    let api: StoneAPI
    private(set) var declarations: Set<StoneDeclaration> = []

    mutating func add(_ type: StoneType) {
        for declaration in api.declarations(in: type) { add(declaration) }
    }

    mutating func add(_ declaration: StoneDeclaration) {
        var open = [declaration]
        while let next = open.popLast() {
            guard declarations.insert(next).inserted else { continue }
            open += api.parts(of: next)
        }
    }
}

extension StoneAPI {
    /// Returns the structs and unions that a type refers to, through aliases, lists and maps.
    func declarations(in type: StoneType) -> [StoneDeclaration] {
        switch unwrapped(type).type {
        case .structure(let id): [.structure(id)]
        case .union(let id): [.union(id)]
        case .list(let list): declarations(in: list.element)
        case .map(_, let value): declarations(in: value)
        default: []
        }
    }

    /// Returns the structs and unions that a declaration refers to.
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

/// Checks that all selected items can be expressed in Swift.
struct SwiftForms {
    let api: StoneAPI

    /// Checks types and routes, and throws all errors with their positions.
    func check(_ declarations: [StoneDeclaration], _ routes: [RouteID]) throws(StoneError) {
        var faults = Diagnostics()
        for declaration in declarations {
            for (type, mark, hasDefault) in parts(of: declaration) {
                check(type, mark, hasDefault: hasDefault, &faults)
            }
        }
        for route in routes.lazy.map({ api[$0] }) {
            for type in [route.argument, route.result, route.error] { check(type, route.mark, &faults) }
        }
        try faults.check(in: api.files)
    }

    /// The timestamp formats that the runtime supports, with their names there.
    static let timestamps = ["%Y-%m-%dT%H:%M:%SZ": ".seconds", "%Y-%m-%d": ".day"]

    /// Returns the types of all fields or tags with their positions and whether they have a default.
    private func parts(of declaration: StoneDeclaration) -> [(StoneType, Mark, hasDefault: Bool)] {
        switch declaration {
        case .structure(let id): api.allFields(of: id).map { ($0.type, $0.mark, $0.defaultValue != nil) }
        case .union(let id): api.allTags(of: id).map { ($0.type, $0.mark, false) }
        case .alias(let id): [(api[id].type, api[id].mark, false)]
        }
    }

    private func check(
        _ type: StoneType, _ mark: Mark, hasDefault: Bool = false, _ faults: inout Diagnostics
    ) {
        switch api.unwrapped(type).type {
        case .timestamp(let format):
            if Self.timestamps[format] == nil {
                let known = Self.timestamps.keys.sorted().joined(separator: " and ")
                faults.add("unsupported timestamp format '\(format)'; use \(known)", at: mark)
            } else if hasDefault {
                faults.add("a timestamp cannot have a default; make the field nullable", at: mark)
            }
        case .list(let list): check(list.element, mark, &faults)
        case .map(_, let value): check(value, mark, &faults)
        default: break
        }
    }
}

/// Converts types of a spec to Swift types, and to expressions that decode and encode values.
extension SwiftPlan {
    /// Returns the Swift type, which is optional for a type that allows null.
    func swiftType(_ type: StoneType) -> String {
        let (inner, isNullable) = api.unwrapped(type)
        return plainType(inner) + (isNullable ? "?" : "")
    }

    /// Returns the Swift type of a type without aliases and nullability.
    func plainType(_ type: StoneType) -> String {
        switch type {
        case .void: "Void"
        case .boolean: "Bool"
        case .bytes: "[UInt8]"
        case .integer(let integer): integer.size.rawValue
        case .float(let float): float.size == .float32 ? "Float" : "Double"
        case .string: "String"
        case .timestamp: "Date"
        case .list(let list): "[\(swiftType(list.element))]"
        case .map(_, let value): "[String: \(swiftType(value))]"
        case .structure(let id): name(.structure(id))
        case .union(let id): name(.union(id))
        case .nullable(let inner): swiftType(inner) + "?"
        case .alias(let id): swiftType(api[id].type)
        }
    }

    /// Returns the `StoneCoding` of a type.
    func coding(_ type: StoneType) -> String {
        let (inner, isNullable) = api.unwrapped(type)
        let plain =
            switch inner {
            case .void, .nullable, .alias: ".void"
            case .boolean: ".bool"
            case .bytes: ".bytes"
            case .integer(let integer): ".\(integer.size.rawValue.lowercased())"
            case .float(let float): ".\(float.size.rawValue.lowercased())"
            case .string: ".string"
            case .timestamp(let format): ".date(\(timestamp(format)))"
            case .list(let list): ".list(\(coding(list.element)))"
            case .map(_, let value): ".map(\(coding(value)))"
            case .structure, .union: ".type"
            }
        return isNullable ? ".nullable(\(plain))" : plain
    }

    /// Returns the runtime's name of a timestamp format that ``SwiftForms`` accepts.
    private func timestamp(_ format: String) -> String { SwiftForms.timestamps[format] ?? ".seconds" }

    /// Returns the reader's and writer's method for a type, with the arguments after the slot or the value.
    func access(_ type: StoneType) -> (method: String, arguments: String) {
        let inner = api.unwrapped(type).type
        switch inner {
        case .boolean: return ("bool", "")
        case .bytes: return ("bytes", "")
        case .integer(let integer): return (integer.size.rawValue.lowercased(), "")
        case .float(let float): return (float.size.rawValue.lowercased(), "")
        case .string: return ("string", "")
        case .timestamp(let format): return ("date", ", " + timestamp(format))
        case .structure, .union: return ("value", "")
        case .list(let list):
            if api.isNullable(list.element) { break }
            if api.declaration(of: list.element) != nil { return ("list", "") }
            if case .string = api.withoutAliases(list.element) { return ("strings", "") }
        default: break
        }
        return ("coded", ", " + coding(inner))
    }

    /// Returns an expression that decodes the value of a slot.
    func read(_ type: StoneType, _ slot: String, default value: StoneLiteral? = nil) -> String {
        let (method, arguments) = access(type)
        let isOptional = api.isNullable(type) || value != nil
        let name = isOptional ? "optional" + method.prefix(1).uppercased() + method.dropFirst() : method
        let fallback = value.map { " ?? \(literal($0, of: type))" } ?? ""
        return "try reader.\(Self.readerNames[name] ?? name)(\(slot)\(arguments))\(fallback)"
    }

    /// The methods with irregular capital letters.
    private static let readerNames = ["optionalUint32": "optionalUInt32", "optionalUint64": "optionalUInt64"]

    /// Returns a statement that encodes a member.
    func write(_ type: StoneType, _ name: String, _ value: String) -> String {
        let (method, arguments) = access(type)
        return "writer.\(method)(\(name.swiftLiteral), \(value)\(arguments))"
    }

    /// Returns a default value as a Swift literal.
    func literal(_ literal: StoneLiteral, of type: StoneType) -> String {
        switch literal {
        case .null: "nil"
        case .boolean(let flag): "\(flag)"
        case .integer(let number): "\(number)"
        case .float(let number):
            if case .float(let float) = api.unwrapped(type).type { float.size.literal(number) } else { "\(number)" }
        case .string(let text):
            api.unwrapped(type).type == .bytes ? "Array(\(text.swiftLiteral).utf8)" : text.swiftLiteral
        case .tag(let union, let tag): tagLiteral(tag, of: api.declaration(of: type) ?? .union(union), union)
        }
    }

    private func tagLiteral(_ tag: String, of declaration: StoneDeclaration, _ union: UnionID) -> String {
        let tags = members.tags(of: union)
        guard tags.catchAll != tag else { return "\(name(declaration)).other(UnknownTag(\"other\"))" }
        return "\(name(declaration)).\(SwiftIdentifiers.escaped(tags.names[tag] ?? tag))"
    }
}

extension StoneFloatType.Size {
    /// Returns a number as a literal.
    ///
    /// Subnormal numbers are hexadecimal to avoid warnings about lost digits.
    func literal(_ number: Double) -> String {
        let isNarrow = self == .float32
        let isSmall = isNarrow ? abs(number) < Double(Float.leastNormalMagnitude) : number.isSubnormal
        guard isSmall, number != 0 else { return "\(number)" }
        let bits = isNarrow ? UInt64(Float(abs(number)).bitPattern) : abs(number).bitPattern
        return (number < 0 ? "-" : "") + "0x\(String(bits, radix: 16))p" + (isNarrow ? "-149" : "-1074")
    }
}
