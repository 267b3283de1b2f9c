// SPDX-License-Identifier: Apache-2.0

extension StoneAPI {
    /// The interface that specs describe, resolved and checked.
    ///
    /// - Parameter sources: All files of the specs. Their order tells in which order definitions are listed and patches
    ///   are added, nothing else.
    /// - Throws: All faults of the specs together.
    package init(compiling sources: [StoneSource]) throws(StoneError) {
        let files = sources.prefix(StoneLimits.files).map { SourceLines($0) }
        var diagnostics = Diagnostics()
        if sources.count > files.count {
            diagnostics.add("These are more than \(StoneLimits.files) files.", at: Mark(file: 0, offset: 0))
        }
        var specs: [SpecSyntax] = []
        for (index, file) in files.enumerated() {
            var parser = Parser(file.source, file: index)
            specs.append(parser.parse())
            diagnostics.add(parser.diagnostics)
        }
        var resolver = Resolver(specs, files: files, diagnostics: diagnostics)
        self = resolver.resolve()
        if let error = resolver.diagnostics.error(in: files) { throw error }
    }
}

/// Finds out what the names of specs stand for, and checks all rules of the language.
///
/// A fault leaves something out, and the work goes on, so that one run tells of all faults. What depends on something
/// left out is not complained about.
struct Resolver {
    let files: [SourceLines]
    var diagnostics: Diagnostics
    var api = StoneAPI()
    var scopes: [Scope] = []
    var scopeIndex: [String: Int] = [:]
    // What is written for each struct, union and so on of `api`, at the same index.
    var structs: [Written<StructSyntax>] = []
    var unions: [Written<UnionSyntax>] = []
    var aliases: [Written<AliasSyntax>] = []
    var annotations: [Written<AnnotationSyntax>] = []
    var routes: [Written<RouteSyntax>] = []
    var patches: [(patch: DefinitionSyntax, scope: Int)] = []
    /// Where a type could not be resolved; the fields and tags there have the type `void` for want of a better one.
    var brokenTypes: Set<Mark> = []
    /// Places where a type is marked as nullable, and the type without that.
    var nullables: [(type: StoneType, mark: Mark)] = []
    var members = MemberTables()

    struct Written<Syntax: Sendable>: Sendable {
        var syntax: Syntax
        let scope: Int
    }

    init(_ specs: [SpecSyntax], files: [SourceLines], diagnostics: Diagnostics) {
        self.files = files
        self.diagnostics = diagnostics
        for spec in specs { collect(spec) }
        for spec in specs { addImports(of: spec) }
    }

    /// The interface; complete only if there are no faults.
    mutating func resolve() -> StoneAPI {
        mergePatches()
        resolveAnnotations()
        resolveAliases()
        resolveParents()
        resolveMembers()
        checkNullables()
        checkMemberNames()
        resolveSubtypes()
        resolveDefaults()
        resolveSchema()
        resolveRoutes()
        resolveDocs()
        makeNamespaces()
        api.files = files
        return api
    }

    mutating func fault(_ message: String, at mark: Mark) {
        diagnostics.add(message, at: mark)
    }

    func location(_ mark: Mark) -> StoneLocation {
        files[mark.file].location(at: mark)
    }

    /// A place as a message names it: `file:line`.
    func place(_ mark: Mark) -> String {
        "\(files[mark.file].source.path):\(files[mark.file].line(at: mark.offset) + 1)"
    }
}

/// What a name of a namespace stands for.
struct Symbol: Sendable {
    enum Kind: Sendable {
        case structure(StructID)
        case union(UnionID)
        case alias(AliasID)
        case annotation(AnnotationID)
        case annotationType
        /// The versions of a route.
        case route([Int: RouteID])
        /// A definition that could not be read, about which nothing more is said.
        case broken
    }

    var kind: Kind
    let mark: Mark

    /// How a message calls it.
    var kindName: String {
        switch kind {
        case .structure: "a struct"
        case .union: "a union"
        case .alias: "an alias"
        case .annotation: "an annotation"
        case .annotationType: "an annotation type"
        case .route: "a route"
        case .broken: "a definition"
        }
    }
}

/// The names of a namespace.
struct Scope: Sendable {
    let name: String
    var symbols: [String: Symbol] = [:]
    /// Names that differ only in case, underscores or slashes count as one, because generated names would be.
    var likenesses: [String: (symbol: Symbol, name: String)] = [:]
    /// The namespaces that a file of this one imports, by name.
    var imports: [String: Int] = [:]
    var uses: Set<String> = []
    var docs: [DocSyntax] = []
}

/// The types that Stone has by itself.
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
    /// The name without what generated names do not keep apart.
    var likeness: String {
        String(
            decoding: utf8.lazy.filter { $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: "/") }.map { byte in
                byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
            }, as: UTF8.self)
    }
}

extension Resolver {
    /// Lists what each namespace has.
    mutating func makeNamespaces() {
        var namespaces = scopes.map { scope in
            StoneNamespace(name: scope.name, imports: Self.sorted(scope.imports.keys), uses: Self.sorted(scope.uses))
        }
        for index in Self.order(api.structs.map(\.name)) {
            namespaces[structs[index].scope].structs.append(StructID(index: index))
        }
        for index in Self.order(api.unions.map(\.name)) {
            namespaces[unions[index].scope].unions.append(UnionID(index: index))
        }
        for index in Self.order(api.aliases.map(\.name)) {
            namespaces[aliases[index].scope].aliases.append(AliasID(index: index))
        }
        for index in Self.order(api.annotations.map(\.name)) {
            namespaces[annotations[index].scope].annotations.append(AnnotationID(index: index))
        }
        let byVersion = api.routes.indices.sorted { api.routes[$0].version < api.routes[$1].version }
        for place in Self.order(byVersion.map { api.routes[$0].name }) {
            let index = byVersion[place]
            namespaces[routes[index].scope].routes.append(RouteID(index: index))
        }
        for index in namespaces.indices {
            namespaces[index].types = types(of: namespaces[index])
            namespaces[index].doc = namespaceDoc(scopes[index].docs, in: index)
        }
        api.namespaces = namespaces.filter { $0.name != Self.schemaNamespace }
        api.namespaces.sort { Self.precedes($0.name, $1.name) }
    }

    private func types(of namespace: StoneNamespace) -> [StoneDeclaration] {
        let all = namespace.structs.map { StoneDeclaration.structure($0) } + namespace.unions.map { .union($0) }
        return Self.order(all.map { api.name(of: $0).name }).map { all[$0] }
    }

    private static func precedes(_ one: String, _ other: String) -> Bool {
        one.utf8.lexicographicallyPrecedes(other.utf8)
    }

    private static func sorted(_ names: some Collection<String>) -> [String] { names.sorted(by: precedes) }

    /// The places of names in the order of the names' bytes; equal ones as they stand.
    private static func order(_ names: [String]) -> [Int] {
        names.indices.sorted { one, other in
            if names[one] == names[other] { return one < other }
            return precedes(names[one], names[other])
        }
    }
}
