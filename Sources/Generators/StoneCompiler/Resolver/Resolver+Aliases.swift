// SPDX-License-Identifier: Apache-2.0

extension Resolver {
    mutating func resolveAliases() {
        for index in aliases.indices {
            let written = aliases[index]
            if let type = resolve(written.syntax.type, in: written.scope) {
                api.aliases[index].type = type
            } else {
                brokenTypes.insert(written.syntax.name.mark)
            }
            let annotations = resolve(written.syntax.annotations, of: written.syntax.name, in: written.scope)
            if annotations != StoneAnnotations() {
                fault("An alias cannot be Deprecated, Preview or Omitted.", at: written.syntax.name.mark)
            }
        }
        breakCycles()
    }

    /// Finds aliases that stand for themselves, also inside lists, and too long chains; they become `void`.
    private mutating func breakCycles() {
        let chains = aliases.indices.map { chain(from: $0) }
        let cyclic = Set(chains.indices.filter { chains[$0] == .cyclic })
        for index in cyclic.sorted() {
            let name = aliases[index].syntax.name
            fault("The alias '\(name.text)' stands for itself; give it another type.", at: name.mark)
        }
        // What stands for a cyclic alias is not at fault itself.
        for index in chains.indices where chains[index] == .tooLong && chain(from: index, endingAt: cyclic) == .tooLong
        {
            let message = "More than \(StoneLimits.lineage) aliases or lists stand for each other in a row."
            fault(message, at: aliases[index].syntax.name.mark)
        }
        for index in chains.indices where chains[index] != .fine {
            api.aliases[index].type = .void
            brokenTypes.insert(aliases[index].syntax.name.mark)
        }
    }

    private enum Chain {
        case fine, cyclic, tooLong
    }

    private func chain(from index: Int, endingAt ends: Set<Int> = []) -> Chain {
        var type = api.aliases[index].type
        for _ in 0..<4 * StoneLimits.lineage {
            switch type {
            case .alias(let id):
                if id.index == index || ends.contains(id.index) { return .cyclic }
                type = api[id].type
            case .nullable(let inner): type = inner
            case .list(let list): type = list.element
            case .map(_, let value): type = value
            default: return .fine
            }
        }
        return .tooLong
    }

    /// Whether a type depends on an alias that has no meaning.
    func isBroken(_ type: StoneType) -> Bool {
        var type = type
        while true {
            switch type {
            case .alias(let id):
                if brokenTypes.contains(aliases[id.index].syntax.name.mark) { return true }
                type = api[id].type
            case .nullable(let inner): type = inner
            case .list(let list): type = list.element
            case .map(_, let value): type = value
            default: return false
            }
        }
    }
}

/// The annotation types that Stone has by itself.
enum BuiltinAnnotation: String {
    case deprecated = "Deprecated"
    case omitted = "Omitted"
    case preview = "Preview"
    case redactedBlot = "RedactedBlot"
    case redactedHash = "RedactedHash"
}

extension Resolver {
    mutating func resolveAnnotations() {
        for index in annotations.indices {
            let written = annotations[index]
            if let kind = resolveKind(written.syntax, in: written.scope) { api.annotations[index].kind = kind }
        }
    }

    private mutating func resolveKind(_ annotation: AnnotationSyntax, in scope: Int) -> StoneAnnotation.Kind? {
        if annotation.type.namespace == nil, let builtin = BuiltinAnnotation(rawValue: annotation.type.name.text) {
            return resolveKind(builtin, annotation)
        }
        guard let symbol = look(up: annotation.type, in: scope, "annotation type") else { return nil }
        switch symbol.kind {
        case .annotationType, .broken: return .ignored
        default:
            fault(
                "'\(annotation.type.name.text)' is \(symbol.kindName), not an annotation type.",
                at: annotation.type.mark)
            return nil
        }
    }

    private mutating func resolveKind(
        _ builtin: BuiltinAnnotation, _ annotation: AnnotationSyntax
    ) -> StoneAnnotation.Kind? {
        switch builtin {
        case .deprecated, .preview:
            if let extra = annotation.arguments.first {
                fault("\(builtin.rawValue) has no arguments; remove them.", at: extra.mark)
            }
            return builtin == .deprecated ? .deprecated : .preview
        case .omitted:
            guard let caller = text(of: annotation, named: "omitted_caller") else {
                fault("Omitted needs the caller, such as Omitted(\"internal\").", at: annotation.name.mark)
                return nil
            }
            return .omitted(caller: caller)
        case .redactedBlot, .redactedHash:
            _ = text(of: annotation, named: "regex")
            return .ignored
        }
    }

    /// The only argument of an annotation, a text; nil if there is none.
    private mutating func text(of annotation: AnnotationSyntax, named name: String) -> String? {
        guard let argument = annotation.arguments.first else { return nil }
        if annotation.arguments.count > 1 {
            fault("\(annotation.type.name.text) has one argument only.", at: annotation.arguments[1].mark)
        }
        if let keyword = argument.keyword, keyword.text != name {
            fault("\(annotation.type.name.text) has no argument '\(keyword.text)', only '\(name)'.", at: argument.mark)
        }
        guard case .literal(.string(let text)) = argument.value else {
            fault("The argument must be a text.", at: argument.mark)
            return ""
        }
        return text
    }

    /// What the annotations of a field, a tag or an alias of this name say together.
    mutating func resolve(_ references: [ReferenceSyntax], of name: NameSyntax, in scope: Int) -> StoneAnnotations {
        var result = StoneAnnotations()
        for reference in references {
            guard let symbol = look(up: reference, in: scope, "annotation") else { continue }
            switch symbol.kind {
            case .annotation(let id): add(id, to: &result, at: name)
            case .broken: break
            default: fault("'\(reference.name.text)' is \(symbol.kindName), not an annotation.", at: reference.mark)
            }
        }
        return result
    }

    private mutating func add(_ id: AnnotationID, to result: inout StoneAnnotations, at name: NameSyntax) {
        let exclusive = "'\(name.text)' can be Deprecated or Preview, not both, and only once; remove an annotation."
        switch api[id].kind {
        case .deprecated:
            if result.isDeprecated || result.isPreview { fault(exclusive, at: name.mark) }
            result.isDeprecated = true
        case .preview:
            if result.isDeprecated || result.isPreview { fault(exclusive, at: name.mark) }
            result.isPreview = true
        case .omitted(let caller):
            if result.omittedCaller != nil {
                fault("'\(name.text)' can have only one Omitted; remove the others.", at: name.mark)
            }
            result.omittedCaller = caller
        case .ignored: break
        }
    }
}
