// SPDX-License-Identifier: Apache-2.0

extension Resolver {
    /// Collects the definitions of a file.
    mutating func collect(_ spec: SpecSyntax) {
        guard let namespace = spec.namespace else {
            if !spec.definitions.isEmpty || !spec.imports.isEmpty {
                fault(
                    "the file has no namespace; begin it with 'namespace' and a name",
                    at: Mark(file: spec.file, offset: 0))
            }
            return
        }
        let scope = scope(named: namespace.text)
        if let doc = spec.namespaceDoc { scopes[scope].docs.append(doc) }
        for definition in spec.definitions { collect(definition, in: scope) }
    }

    /// Returns the scope of a namespace, which is created if it does not exist.
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
                StoneStruct(id: id, namespace: namespace, name: syntax.name.text, mark: syntax.mark))
        case .union(let syntax):
            let id = UnionID(index: unions.count)
            guard define(syntax.name, as: .union(id), in: scope) else { return }
            unions.append(Written(syntax: syntax, scope: scope))
            api.unions.append(
                StoneUnion(
                    id: id, namespace: namespace, name: syntax.name.text, isClosed: syntax.isClosed,
                    mark: syntax.mark))
        case .alias(let syntax):
            let id = AliasID(index: aliases.count)
            guard define(syntax.name, as: .alias(id), in: scope) else { return }
            aliases.append(Written(syntax: syntax, scope: scope))
            api.aliases.append(
                StoneAlias(id: id, namespace: namespace, name: syntax.name.text, mark: syntax.name.mark))
        case .annotation(let syntax):
            guard define(syntax.name, as: .annotation(annotations.count), in: scope) else { return }
            annotations.append(Written(syntax: syntax, scope: scope))
        case .annotationType(let name):
            guard BuiltinAnnotation(rawValue: name.text) == nil else {
                return fault("'\(name.text)' is a built-in annotation type; choose another name", at: name.mark)
            }
            _ = define(name, as: .annotationType, in: scope)
        case .route(let syntax): collect(syntax, in: scope)
        case .structPatch, .unionPatch: patches.append((definition, scope))
        }
    }

    private mutating func collect(_ syntax: RouteSyntax, in scope: Int) {
        let id = RouteID(index: routes.count)
        if case .route(var versions) = scopes[scope].symbols[syntax.name.text]?.kind {
            if let known = versions[syntax.version] {
                let message = "the route '\(syntax.name.text)' already has a version \(syntax.version)"
                return fault("\(message) (\(place(routes[known.index].syntax.name.mark)))", at: syntax.name.mark)
            }
            // Remove the versions from the scope while they change, so that they are not copied every time.
            scopes[scope].symbols[syntax.name.text]?.kind = .route([:])
            versions[syntax.version] = id
            scopes[scope].symbols[syntax.name.text]?.kind = .route(versions)
        } else {
            guard define(syntax.name, as: .route([syntax.version: id]), in: scope) else { return }
        }
        routes.append(Written(syntax: syntax, scope: scope))
        api.routes.append(
            StoneRoute(
                id: id, namespace: scopes[scope].name, name: syntax.name.text, version: syntax.version,
                mark: syntax.name.mark))
    }
}

extension Resolver {
    /// Defines a name, or reports an error and returns `false` if it is already defined.
    mutating func define(_ name: NameSyntax, as kind: Symbol.Kind, in scope: Int) -> Bool {
        guard BuiltinType(rawValue: name.text) == nil else {
            fault("'\(name.text)' is a built-in type; choose another name", at: name.mark)
            return false
        }
        if let known = scopes[scope].symbols[name.text] {
            fault("'\(name.text)' is already defined (\(place(known.mark)))", at: name.mark)
            return false
        }
        let symbol = Symbol(kind: kind, mark: name.mark)
        scopes[scope].symbols[name.text] = symbol
        checkLikeness(of: name, symbol, in: scope)
        return true
    }

    /// Reports names that would be equal in generated code.
    private mutating func checkLikeness(of name: NameSyntax, _ symbol: Symbol, in scope: Int) {
        let likeness = name.text.likeness
        if likeness == scopes[scope].name.likeness {
            return fault(
                "the name '\(name.text)' is too similar to that of its namespace; choose another name", at: name.mark)
        }
        guard let known = scopes[scope].likenesses[likeness] else {
            scopes[scope].likenesses[likeness] = (symbol, name.text)
            return
        }
        if case .route = known.symbol.kind, case .route = symbol.kind { return }
        let other = "that of \(known.symbol.kindName), '\(known.name)' (\(place(known.symbol.mark)))"
        fault("the name '\(name.text)' is too similar to \(other); choose another name", at: name.mark)
    }

    /// Adds the imports of a file to its namespace.
    mutating func addImports(of spec: SpecSyntax) {
        guard let namespace = spec.namespace?.text, let scope = scopeIndex[namespace] else { return }
        for target in spec.imports {
            guard target.text != namespace else {
                fault("a namespace cannot import itself; remove the line", at: target.mark)
                continue
            }
            guard let other = scopeIndex[target.text] else {
                fault("no file defines the namespace '\(target.text)'; add it to the specs", at: target.mark)
                continue
            }
            if scopes[other].imports[namespace] != nil {
                let cycle = "'\(namespace)' and '\(target.text)' import each other"
                fault("\(cycle); move what both need to a third namespace", at: target.mark)
            }
            scopes[scope].imports[target.text] = other
        }
    }

    /// Returns the symbol of a reference, or reports an error and returns `nil`.
    mutating func look(up reference: ReferenceSyntax, in scope: Int, _ role: String) -> Symbol? {
        guard let namespace = reference.namespace else {
            return look(up: reference.name, in: scope, "\(role) '\(reference.name.text)'", from: scope)
        }
        guard let other = scopes[scope].imports[namespace.text] else {
            let advice = scopeIndex[namespace.text] == nil ? "no file defines it" : "add 'import \(namespace.text)'"
            fault("the namespace '\(namespace.text)' is not imported; \(advice)", at: namespace.mark)
            return nil
        }
        return look(up: reference.name, in: other, "\(role) '\(namespace.text).\(reference.name.text)'", from: scope)
    }

    private mutating func look(up name: NameSyntax, in scope: Int, _ what: String, from: Int) -> Symbol? {
        if let symbol = scopes[scope].symbols[name.text] { return symbol }
        let homes = scopes[from].imports.filter { scopes[$0.value].symbols[name.text] != nil }.keys.sorted()
        let advice = homes.first.map { "; '\($0).\(name.text)' exists" } ?? "; define it or correct the name"
        fault("unknown \(what)\(scope == from ? advice : "")", at: name.mark)
        return nil
    }
}

extension Resolver {
    /// Adds the fields of patches to their types.
    mutating func mergePatches() {
        var tables: [Mark: [String: Mark]] = [:]
        for (patch, scope) in patches {
            switch patch {
            case .structPatch(let patch): merge(patch, in: scope, &tables)
            case .unionPatch(let patch): merge(patch, in: scope, &tables)
            default: break
            }
        }
    }

    private mutating func merge(_ patch: StructSyntax, in scope: Int, _ tables: inout [Mark: [String: Mark]]) {
        guard let target = patched(patch.name, in: scope) else { return }
        guard case .structure(let id) = target.kind else { return mismatch(patch.name, target, "struct", patch.mark) }
        // Swap the list out and back in. Copying the list for each patch would cost O(n²).
        var fields: [FieldSyntax] = []
        swap(&fields, &structs[id.index].syntax.fields)
        merge(patch.fields, into: &fields, of: patch.name, &tables[target.mark])
        swap(&fields, &structs[id.index].syntax.fields)
    }

    private mutating func merge(_ patch: UnionSyntax, in scope: Int, _ tables: inout [Mark: [String: Mark]]) {
        guard let target = patched(patch.name, in: scope) else { return }
        let kind = patch.isClosed ? "union_closed" : "union"
        guard case .union(let id) = target.kind, unions[id.index].syntax.isClosed == patch.isClosed else {
            return mismatch(patch.name, target, kind, patch.mark)
        }
        var tags: [FieldSyntax] = []
        swap(&tags, &unions[id.index].syntax.tags)
        merge(patch.tags, into: &tags, of: patch.name, &tables[target.mark])
        swap(&tags, &unions[id.index].syntax.tags)
    }

    private mutating func patched(_ name: NameSyntax, in scope: Int) -> Symbol? {
        if let symbol = scopes[scope].symbols[name.text] { return symbol }
        fault("this namespace has no '\(name.text)' to patch; correct the name", at: name.mark)
        return nil
    }

    private mutating func mismatch(_ name: NameSyntax, _ target: Symbol, _ kind: String, _ mark: Mark) {
        let message = "'\(name.text)' (\(place(target.mark))) is not a \(kind)"
        fault("\(message); a patch must name the same kind as the definition", at: mark)
    }

    /// Adds fields to a type.
    ///
    /// The table maps the names of existing fields to their positions. It is created for the first patch of a type.
    private mutating func merge(
        _ added: [FieldSyntax], into fields: inout [FieldSyntax], of name: NameSyntax, _ table: inout [String: Mark]?
    ) {
        // Duplicate names in a patch are reported when all names are checked.
        var known = table ?? Self.names(fields)
        table = nil
        for field in added {
            if let mark = known[field.name.text] {
                let message = "'\(name.text)' already has a field '\(field.name.text)' (\(place(mark)))"
                fault("\(message); a patch can only add fields", at: field.name.mark)
            } else {
                fields.append(field)
            }
        }
        known.merge(Self.names(added)) { first, _ in first }
        table = known
    }
}
