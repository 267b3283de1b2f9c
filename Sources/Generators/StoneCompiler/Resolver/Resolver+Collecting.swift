// SPDX-License-Identifier: Apache-2.0

extension Resolver {
    /// Notes what a file defines.
    mutating func collect(_ spec: SpecSyntax) {
        guard let namespace = spec.namespace else {
            if !spec.definitions.isEmpty || !spec.imports.isEmpty {
                fault(
                    "The file has no namespace; begin it with 'namespace' and a name.",
                    at: Mark(file: spec.file, offset: 0))
            }
            return
        }
        let scope = scope(named: namespace.text)
        if let doc = spec.namespaceDoc { scopes[scope].docs.append(doc) }
        for name in spec.broken where scopes[scope].symbols[name] == nil {
            scopes[scope].symbols[name] = Symbol(kind: .broken, mark: namespace.mark)
        }
        for definition in spec.definitions { collect(definition, in: scope) }
    }

    /// The scope of a namespace, made if there is none yet.
    private mutating func scope(named name: String) -> Int {
        if let index = scopeIndex[name] { return index }
        scopeIndex[name] = scopes.count
        scopes.append(Scope(name: name))
        return scopes.count - 1
    }

    private mutating func collect(_ definition: DefinitionSyntax, in scope: Int) {
        let namespace = scopes[scope].name
        switch definition {
        case .structure(let syntax):
            let id = StructID(index: structs.count)
            guard define(syntax.name, as: .structure(id), in: scope) else { return }
            structs.append(Written(syntax: syntax, scope: scope))
            api.structs.append(
                StoneStruct(
                    id: id, namespace: namespace, name: syntax.name.text, isInline: syntax.isInline,
                    location: location(syntax.mark)))
        case .union(let syntax):
            let id = UnionID(index: unions.count)
            guard define(syntax.name, as: .union(id), in: scope) else { return }
            unions.append(Written(syntax: syntax, scope: scope))
            api.unions.append(
                StoneUnion(
                    id: id, namespace: namespace, name: syntax.name.text, isClosed: syntax.isClosed,
                    isInline: syntax.isInline, location: location(syntax.mark)))
        case .alias(let syntax):
            let id = AliasID(index: aliases.count)
            guard define(syntax.name, as: .alias(id), in: scope) else { return }
            aliases.append(Written(syntax: syntax, scope: scope))
            api.aliases.append(
                StoneAlias(id: id, namespace: namespace, name: syntax.name.text, location: location(syntax.name.mark)))
        case .annotation(let syntax): collect(syntax, in: scope)
        case .annotationType(let name): collect(annotationType: name, in: scope)
        case .route(let syntax): collect(syntax, in: scope)
        case .structPatch, .unionPatch: patches.append((definition, scope))
        }
    }

    private mutating func collect(_ syntax: AnnotationSyntax, in scope: Int) {
        let id = AnnotationID(index: annotations.count)
        guard define(syntax.name, as: .annotation(id), in: scope) else { return }
        annotations.append(Written(syntax: syntax, scope: scope))
        api.annotations.append(
            StoneAnnotation(
                id: id, namespace: scopes[scope].name, name: syntax.name.text, kind: .deprecated,
                location: location(syntax.name.mark)))
    }

    private mutating func collect(annotationType name: NameSyntax, in scope: Int) {
        guard BuiltinAnnotation(rawValue: name.text) == nil else {
            let message = "'\(name.text)' is an annotation type of the language; choose another name."
            return fault(message, at: name.mark)
        }
        _ = define(name, as: .annotationType, in: scope)
    }

    private mutating func collect(_ syntax: RouteSyntax, in scope: Int) {
        let id = RouteID(index: routes.count)
        if case .route(var versions) = scopes[scope].symbols[syntax.name.text]?.kind {
            if let known = versions[syntax.version] {
                let message = "The route '\(syntax.name.text)' has a version \(syntax.version) already"
                return fault("\(message) (\(place(routes[known.index].syntax.name.mark))).", at: syntax.name.mark)
            }
            // Taken out of the scope meanwhile, or every version would copy those before it.
            scopes[scope].symbols[syntax.name.text]?.kind = .broken
            versions[syntax.version] = id
            scopes[scope].symbols[syntax.name.text]?.kind = .route(versions)
        } else {
            guard define(syntax.name, as: .route([syntax.version: id]), in: scope) else { return }
        }
        routes.append(Written(syntax: syntax, scope: scope))
        api.routes.append(
            StoneRoute(
                id: id, namespace: scopes[scope].name, name: syntax.name.text, version: syntax.version,
                location: location(syntax.name.mark)))
    }
}
