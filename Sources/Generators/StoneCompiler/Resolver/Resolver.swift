// SPDX-License-Identifier: Apache-2.0

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
