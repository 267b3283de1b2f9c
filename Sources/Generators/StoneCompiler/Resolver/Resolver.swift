// SPDX-License-Identifier: Apache-2.0
extension StoneAPI {
    /// Compiles specs to a resolved and checked API.
    ///
    /// - Parameter sources: all files of the specs. Their order only determines the order of definitions and patches.
    /// - Throws: all errors of the first failing stage: syntax, definitions, types and members, or further rules.
    package init(compiling sources: [StoneSource]) throws(StoneError) {
        let files = sources.prefix(StoneLimits.files).map { SourceLines($0) }
        var diagnostics = Diagnostics()
        if sources.count > files.count {
            diagnostics.add("there are more than \(StoneLimits.files) files", at: Mark(file: 0, offset: 0))
        }
        var specs: [SpecSyntax] = []
        for (index, file) in files.enumerated() {
            var parser = Parser(file.source, file: index)
            specs.append(parser.parse())
            diagnostics.add(parser.diagnostics)
        }
        try diagnostics.check(in: files)
        var resolver = Resolver(specs, files: files)
        self = try resolver.resolve()
    }
}

/// Resolves the names in specs, and checks all rules of the language.
///
/// It works in stages. A stage reports all of its errors, and each stage can rely on the stages before it.
struct Resolver {
    let files: [SourceLines]
    var diagnostics = Diagnostics()
    var api = StoneAPI()
    var scopes: [Scope] = []
    var scopeIndex: [String: Int] = [:]
    // The syntax of each struct, union and so on of `api`, at the same index.
    var structs: [Written<StructSyntax>] = []
    var unions: [Written<UnionSyntax>] = []
    var aliases: [Written<AliasSyntax>] = []
    var annotations: [Written<AnnotationSyntax>] = []
    /// The effect of each annotation, after it is resolved.
    var annotationKinds: [AnnotationKind] = []
    var routes: [Written<RouteSyntax>] = []
    var patches: [(patch: DefinitionSyntax, scope: Int)] = []
    /// The nullable types with their positions, without the nullability.
    var nullables: [(type: StoneType, mark: Mark)] = []
    var members = MemberTables()

    struct Written<Syntax: Sendable>: Sendable {
        var syntax: Syntax
        let scope: Int
    }

    init(_ specs: [SpecSyntax], files: [SourceLines]) {
        self.files = files
        for spec in specs { collect(spec) }
        for spec in specs { addImports(of: spec) }
    }

    /// Resolves the API, or throws all errors of the first failing stage.
    mutating func resolve() throws(StoneError) -> StoneAPI {
        mergePatches()
        resolveAnnotations()
        try diagnostics.check(in: files)
        resolveAliases()
        resolveParents()
        try diagnostics.check(in: files)
        resolveMembers()
        try diagnostics.check(in: files)
        checkNullables()
        checkMemberNames()
        resolveSubtypes()
        resolveDefaults()
        resolveSchema()
        resolveRoutes()
        resolveDocs()
        try diagnostics.check(in: files)
        makeNamespaces()
        api.files = files
        return api
    }

    mutating func fault(_ message: String, at mark: Mark) { diagnostics.add(message, at: mark) }

    /// Returns a position as written in messages: `file:line`.
    func place(_ mark: Mark) -> String {
        "\(files[mark.file].source.path):\(files[mark.file].line(at: mark.offset) + 1)"
    }
}

/// The meaning of a name in a namespace.
struct Symbol: Sendable {
    enum Kind: Sendable {
        case structure(StructID)
        case union(UnionID)
        case alias(AliasID)
        /// An annotation, by its index in `Resolver.annotations`.
        case annotation(Int)
        case annotationType
        case route([Int: RouteID])
    }

    var kind: Kind
    let mark: Mark

    /// The kind as written in messages.
    var kindName: String {
        switch kind {
        case .structure: "a struct"
        case .union: "a union"
        case .alias: "an alias"
        case .annotation: "an annotation"
        case .annotationType: "an annotation type"
        case .route: "a route"
        }
    }
}

struct Scope: Sendable {
    let name: String
    var symbols: [String: Symbol] = [:]
    /// The names without case, underscores and slashes, which generated names do not distinguish.
    var likenesses: [String: (symbol: Symbol, name: String)] = [:]
    /// The namespaces that the files of this namespace import, by name.
    var imports: [String: Int] = [:]
    var docs: [DocSyntax] = []
}

/// The predefined types of Stone.
enum BuiltinType: String, CaseIterable {
    case bytes = "Bytes"
    case boolean = "Boolean"
    case float32 = "Float32"
    case float64 = "Float64"
    case int32 = "Int32"
    case int64 = "Int64"
    case list = "List"
    case map = "Map"
    case string = "String"
    case timestamp = "Timestamp"
    case uint32 = "UInt32"
    case uint64 = "UInt64"
    case void = "Void"
}

extension String {
    /// The name without the differences that generated names do not preserve.
    var likeness: String {
        String(
            decoding: utf8.lazy.filter { $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: "/") }.map { byte in
                byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
            }, as: UTF8.self)
    }
}

extension Resolver {
    /// Fills the lists of each namespace.
    mutating func makeNamespaces() {
        var namespaces = scopes.map { StoneNamespace(name: $0.name) }
        let types =
            api.structs.map { (StoneDeclaration.structure($0.id), structs[$0.id.index].scope) }
            + api.unions.map { (.union($0.id), unions[$0.id.index].scope) }
        for place in Self.order(types.map { api.name(of: $0.0).name }) {
            namespaces[types[place].1].types.append(types[place].0)
        }
        for index in Self.order(api.aliases.map(\.name)) {
            namespaces[aliases[index].scope].aliases.append(AliasID(index: index))
        }
        let byVersion = api.routes.indices.sorted { api.routes[$0].version < api.routes[$1].version }
        for place in Self.order(byVersion.map { api.routes[$0].name }) {
            let index = byVersion[place]
            namespaces[routes[index].scope].routes.append(RouteID(index: index))
        }
        for index in namespaces.indices {
            namespaces[index].doc = namespaceDoc(scopes[index].docs, in: index)
        }
        api.namespaces = namespaces.filter { $0.name != Self.schemaNamespace }
        api.namespaces.sort { Self.precedes($0.name, $1.name) }
    }

    private static func precedes(_ one: String, _ other: String) -> Bool {
        one.utf8.lexicographicallyPrecedes(other.utf8)
    }

    /// Returns the indices of names, sorted by their bytes, with equal names in their original order.
    private static func order(_ names: [String]) -> [Int] {
        names.indices.sorted { one, other in
            if names[one] == names[other] { return one < other }
            return precedes(names[one], names[other])
        }
    }
}

extension Resolver {
    /// The namespace that describes the attributes of routes and is not part of the API.
    static let schemaNamespace = "stone_cfg"

    mutating func resolveSchema() {
        guard let scope = scopeIndex[Self.schemaNamespace] else { return }
        for route in routes where route.scope == scope {
            fault("the namespace stone_cfg cannot have routes; move this one", at: route.syntax.name.mark)
        }
        for index in structs.indices where structs[index].scope == scope {
            guard structs[index].syntax.name.text != "Route" else {
                api.routeSchema = StructID(index: index)
                continue
            }
            fault(
                "the namespace stone_cfg can only have a struct Route; move this one", at: structs[index].syntax.mark)
        }
        for index in unions.indices where unions[index].scope == scope {
            fault(
                "the namespace stone_cfg can only have a struct Route; move this union", at: unions[index].syntax.mark)
        }
    }

    mutating func resolveRoutes() {
        let schema = api.routeSchema.map { api.allFields(of: $0) } ?? []
        for index in routes.indices {
            let (syntax, scope) = (routes[index].syntax, routes[index].scope)
            api.routes[index].argument = resolve(syntax.argument, in: scope) ?? .void
            api.routes[index].result = resolve(syntax.result, in: scope) ?? .void
            api.routes[index].error = syntax.error.flatMap { resolve($0, in: scope) } ?? .void
            api.routes[index].deprecation = deprecation(syntax.deprecation, in: scope)
            if scope != scopeIndex[Self.schemaNamespace] {
                api.routes[index].attributes = attributes(of: syntax, schema)
            }
        }
    }

    private mutating func deprecation(_ syntax: DeprecationSyntax?, in scope: Int) -> StoneDeprecation? {
        guard let syntax else { return nil }
        guard let name = syntax.successor else { return StoneDeprecation() }
        switch scopes[scope].symbols[name.text]?.kind {
        case .route(let versions):
            if let id = versions[syntax.version] { return StoneDeprecation(successor: id) }
            fault("the route '\(name.text)' has no version \(syntax.version)", at: name.mark)
        case nil: fault("this namespace has no route '\(name.text)'; correct the name", at: name.mark)
        default: fault("'\(name.text)' is not a route, and only a route can replace one", at: name.mark)
        }
        return StoneDeprecation()
    }

    private mutating func attributes(of route: RouteSyntax, _ schema: [StoneField]) -> [StoneAttribute] {
        var given = Dictionary(route.attributes.map { ($0.name.text, $0) }) { first, _ in first }
        var attributes: [StoneAttribute] = []
        for field in schema {
            let written = given.removeValue(forKey: field.name)
            guard let value = value(written, of: field, route) else { continue }
            attributes.append(StoneAttribute(name: field.name, value: value))
        }
        for attribute in route.attributes where given[attribute.name.text] != nil {
            let advice = "remove it, or add it to the struct Route of the namespace stone_cfg"
            fault("unknown attribute '\(attribute.name.text)'; \(advice)", at: attribute.name.mark)
        }
        return attributes
    }

    private mutating func value(
        _ attribute: AssignmentSyntax?, of field: StoneField, _ route: RouteSyntax
    ) -> StoneLiteral? {
        if let attribute {
            let role = "the attribute '\(field.name)'"
            return literal(attribute.value, as: field.type, role, at: attribute.name.mark)
        }
        if let value = field.defaultValue { return value }
        if api.isNullable(field.type) { return .null }
        fault("the route needs a value for the attribute '\(field.name)'", at: route.name.mark)
        return nil
    }
}
