// SPDX-License-Identifier: Apache-2.0
extension Resolver {
    mutating func resolveAliases() {
        for index in aliases.indices {
            let (syntax, scope) = (aliases[index].syntax, aliases[index].scope)
            api.aliases[index].type = resolve(syntax.type, in: scope) ?? .void
            if resolve(syntax.annotations, of: syntax.name, in: scope) != StoneAnnotations() {
                fault("an alias cannot be Deprecated, Preview or Omitted", at: syntax.name.mark)
            }
        }
        // An alias must not refer to itself, not even in lists and maps.
        for (index, isCyclic) in Self.endless(api.aliases.map { Self.alias(in: $0.type)?.index }) {
            let name = aliases[index].syntax.name
            fault(
                isCyclic
                    ? "the alias '\(name.text)' refers to itself; give it another type"
                    : "the chain of aliases is longer than \(StoneLimits.lineage); shorten it", at: name.mark)
        }
    }

    private static func alias(in type: StoneType) -> AliasID? {
        switch type {
        case .alias(let id): id
        case .nullable(let inner): alias(in: inner)
        case .list(let list): alias(in: list.element)
        case .map(_, let value): alias(in: value)
        default: nil
        }
    }
}

/// The predefined annotation types of Stone.
enum BuiltinAnnotation: String {
    case deprecated = "Deprecated"
    case omitted = "Omitted"
    case preview = "Preview"
    case redactedBlot = "RedactedBlot"
    case redactedHash = "RedactedHash"
}

/// The effect of an annotation on fields and tags.
enum AnnotationKind {
    case deprecated
    case preview
    case omitted(caller: String)
    /// A redaction or a custom annotation, which has no effect.
    case ignored
}

extension Resolver {
    mutating func resolveAnnotations() {
        for written in annotations {
            annotationKinds.append(resolveKind(written.syntax, in: written.scope) ?? .ignored)
        }
    }

    private mutating func resolveKind(_ annotation: AnnotationSyntax, in scope: Int) -> AnnotationKind? {
        if annotation.type.namespace == nil, let builtin = BuiltinAnnotation(rawValue: annotation.type.name.text) {
            return resolveKind(builtin, annotation)
        }
        guard let symbol = look(up: annotation.type, in: scope, "annotation type") else { return nil }
        if case .annotationType = symbol.kind { return .ignored }
        fault(
            "'\(annotation.type.name.text)' is \(symbol.kindName), not an annotation type", at: annotation.type.mark)
        return nil
    }

    private mutating func resolveKind(
        _ builtin: BuiltinAnnotation, _ annotation: AnnotationSyntax
    ) -> AnnotationKind? {
        switch builtin {
        case .deprecated, .preview:
            if let extra = annotation.arguments.first {
                fault("\(builtin.rawValue) has no arguments; remove them", at: extra.mark)
            }
            return builtin == .deprecated ? .deprecated : .preview
        case .omitted:
            guard let caller = text(of: annotation, named: "omitted_caller") else {
                fault("Omitted needs the caller, such as Omitted(\"internal\")", at: annotation.name.mark)
                return nil
            }
            return .omitted(caller: caller)
        case .redactedBlot, .redactedHash:
            _ = text(of: annotation, named: "regex")
            return .ignored
        }
    }

    /// Returns the only argument of an annotation, which must be a string, or `nil` if there is none.
    private mutating func text(of annotation: AnnotationSyntax, named name: String) -> String? {
        guard let argument = annotation.arguments.first else { return nil }
        if annotation.arguments.count > 1 {
            fault("\(annotation.type.name.text) has one argument only", at: annotation.arguments[1].mark)
        }
        if let keyword = argument.keyword, keyword.text != name {
            fault("\(annotation.type.name.text) has no argument '\(keyword.text)', only '\(name)'", at: argument.mark)
        }
        guard case .literal(.string(let text)) = argument.value else {
            fault("the argument must be a string", at: argument.mark)
            return ""
        }
        return text
    }

    /// Combines the annotations of a field, a tag or an alias.
    mutating func resolve(_ references: [ReferenceSyntax], of name: NameSyntax, in scope: Int) -> StoneAnnotations {
        var result = StoneAnnotations()
        for reference in references {
            guard let symbol = look(up: reference, in: scope, "annotation") else { continue }
            guard case .annotation(let index) = symbol.kind else {
                fault("'\(reference.name.text)' is \(symbol.kindName), not an annotation", at: reference.mark)
                continue
            }
            add(annotationKinds[index], to: &result, at: name)
        }
        return result
    }

    private mutating func add(_ kind: AnnotationKind, to result: inout StoneAnnotations, at name: NameSyntax) {
        let exclusive = "'\(name.text)' can be Deprecated or Preview, not both, and only once; remove an annotation"
        switch kind {
        case .deprecated:
            if result.isDeprecated || result.isPreview { fault(exclusive, at: name.mark) }
            result.isDeprecated = true
        case .preview:
            if result.isDeprecated || result.isPreview { fault(exclusive, at: name.mark) }
            result.isPreview = true
        case .omitted(let caller):
            if result.omittedCaller != nil {
                fault("'\(name.text)' can have only one Omitted; remove the others", at: name.mark)
            }
            result.omittedCaller = caller
        case .ignored: break
        }
    }
}

extension Resolver {
    /// Resolves the parents of structs and unions.
    mutating func resolveParents() {
        for index in structs.indices {
            guard let parent = structs[index].syntax.parent else { continue }
            switch resolveParent(parent, "struct", in: structs[index].scope) {
            case .structure(let id): api.structs[index].parent = id
            case nil: break
            default: fault("a struct can only extend a struct, and '\(parent.name)' is not one", at: parent.mark)
            }
        }
        for index in unions.indices {
            guard let parent = unions[index].syntax.parent else { continue }
            switch resolveParent(parent, "union", in: unions[index].scope) {
            case .union(let id): api.unions[index].parent = id
            case nil: break
            default: fault("a union can only extend a union, and '\(parent.name)' is not one", at: parent.mark)
            }
        }
        for (index, isCyclic) in Self.endless(api.structs.map { $0.parent?.index }) {
            let syntax = structs[index].syntax
            fault(Self.message(syntax.name, isCyclic), at: syntax.parent?.mark ?? syntax.mark)
        }
        for (index, isCyclic) in Self.endless(api.unions.map { $0.parent?.index }) {
            let syntax = unions[index].syntax
            fault(Self.message(syntax.name, isCyclic), at: syntax.parent?.mark ?? syntax.mark)
        }
        for structure in api.structs {
            if let parent = structure.parent { api.structs[parent.index].children.append(structure.id) }
        }
    }

    private mutating func resolveParent(_ parent: TypeSyntax, _ kind: String, in scope: Int) -> StoneType? {
        guard let type = resolve(parent, in: scope) else { return nil }
        guard case .alias = type else { return type }
        fault("a \(kind) cannot extend an alias; name the \(kind) itself", at: parent.mark)
        return nil
    }

    private static func message(_ name: NameSyntax, _ isCyclic: Bool) -> String {
        isCyclic
            ? "'\(name.text)' extends itself, perhaps indirectly; remove one 'extends'"
            : "the chain of types that extend each other is longer than \(StoneLimits.lineage); shorten it"
    }

    /// Returns the items whose chain of parents or aliases is cyclic or too long.
    private static func endless(_ parents: [Int?]) -> [(index: Int, isCyclic: Bool)] {
        let cyclic = Set(parents.indices.filter { end(of: $0, parents) == $0 })
        // Items that extend a member of a cycle are not reported themselves.
        let cut = parents.indices.map { cyclic.contains($0) ? nil : parents[$0] }
        let long = cut.indices.filter { end(of: $0, cut) != nil }
        return cyclic.sorted().map { ($0, true) } + long.map { ($0, false) }
    }

    /// Returns the index where a chain ends up at its start or at the limit, or `nil` if the chain ends before.
    private static func end(of start: Int, _ parents: [Int?]) -> Int? {
        var current = parents[start]
        for _ in 0...StoneLimits.lineage {
            guard let index = current, index != start else { return current }
            current = parents[index]
        }
        return current
    }
}

extension Resolver {
    /// Resolves the enumerated subtypes of structs.
    mutating func resolveSubtypes() {
        for index in structs.indices {
            guard let syntax = structs[index].syntax.subtypes else { continue }
            resolve(syntax, of: index)
        }
        // A subtype can only be extended if it enumerates its subtypes, because `.tag` identifies the type of a value.
        for structure in api.structs {
            for member in structure.subtypes?.members ?? [] {
                let subtype = api[member.type]
                guard subtype.subtypes == nil, !subtype.children.isEmpty else { continue }
                fault(
                    "'\(subtype.name)' is an enumerated subtype, so it cannot be extended",
                    at: structs[member.type.index].syntax.mark)
            }
        }
    }

    private mutating func resolve(_ syntax: SubtypesSyntax, of index: Int) {
        let structure = api.structs[index]
        let mark = structs[index].syntax.mark
        if structs[index].syntax.parent != nil {
            return fault("'\(structure.name)' enumerates subtypes, so it cannot extend a struct", at: mark)
        }
        if syntax.members.isEmpty { fault("'\(structure.name)' must enumerate at least one subtype", at: mark) }
        let fields = Dictionary(structs[index].syntax.fields.map { ($0.name.text, $0.name.mark) }) { first, _ in first }
        var tags: Set<String> = []
        var members: [StoneSubtypes.Member] = []
        var known: Set<StructID> = []
        var isComplete = true
        for member in syntax.members {
            if let field = fields[member.tag.text] {
                fault(
                    "'\(member.tag.text)' is already a tag of a subtype; choose another name for the field", at: field)
            }
            if !tags.insert(member.tag.text).inserted {
                fault("the tag '\(member.tag.text)' is used twice; choose another name", at: member.tag.mark)
            }
            guard let id = subtype(member.type, of: structure, in: structs[index].scope) else {
                isComplete = false
                continue
            }
            if !known.insert(id).inserted {
                fault("'\(api[id].name)' is listed twice among the subtypes; remove one", at: member.type.mark)
            }
            members.append(StoneSubtypes.Member(tag: member.tag.text, type: id))
        }
        for child in structure.children where isComplete && !known.contains(child) {
            fault("'\(structure.name)' must enumerate all structs that extend it; add '\(api[child].name)'", at: mark)
        }
        if !members.isEmpty {
            api.structs[index].subtypes = StoneSubtypes(members: members, isClosed: syntax.isClosed)
        }
    }

    private mutating func subtype(_ type: TypeSyntax, of structure: StoneStruct, in scope: Int) -> StructID? {
        guard let resolved = resolve(type, in: scope) else { return nil }
        guard case .structure(let id) = resolved else {
            fault("a subtype must be a struct, and '\(type.name)' is not one", at: type.mark)
            return nil
        }
        guard api[id].parent == structure.id else {
            fault("'\(type.name)' must extend '\(structure.name)' to be its subtype", at: type.mark)
            return nil
        }
        return id
    }
}
