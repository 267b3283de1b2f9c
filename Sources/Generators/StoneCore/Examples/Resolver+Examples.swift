// SPDX-License-Identifier: Apache-2.0

extension Resolver {
    /// Checks all examples, then evaluates them.
    mutating func resolveExamples() {
        noteExamples()
        for index in structs.indices where structs[index].scope != scopeIndex[Self.schemaNamespace] {
            for example in structs[index].syntax.examples { check(example, of: StructID(index: index)) }
        }
        for index in unions.indices {
            for example in unions[index].syntax.examples { check(example, of: UnionID(index: index)) }
        }
        for index in structs.indices {
            let examples = structs[index].syntax.examples
            api.structs[index].examples = examples.compactMap { evaluated($0, of: .structure(StructID(index: index))) }
        }
        for index in unions.indices {
            let id = UnionID(index: index)
            let examples = unions[index].syntax.examples
            api.unions[index].examples = examples.compactMap { evaluated($0, of: .union(id)) }
            addImplied(to: id)
        }
    }

    private mutating func noteExamples() {
        for index in structs.indices {
            for example in structs[index].syntax.examples {
                note(example, of: .structure(StructID(index: index)))
            }
        }
        for index in unions.indices {
            for example in unions[index].syntax.examples { note(example, of: .union(UnionID(index: index))) }
        }
    }

    private mutating func note(_ example: ExampleSyntax, of type: StoneDeclaration) {
        evaluation.written[ExampleEvaluation.Key(type: type, label: example.label.text)] = example
    }

    private mutating func evaluated(_ example: ExampleSyntax, of type: StoneDeclaration) -> StoneExample? {
        let key = ExampleEvaluation.Key(type: type, label: example.label.text)
        guard let value = evaluate(key, at: example.mark, depth: 0)?.value else { return nil }
        return StoneExample(
            label: example.label.text, doc: looseDoc(example.doc, in: scope(of: type)), value: value, isImplied: false,
            location: location(example.mark))
    }

    func scope(of type: StoneDeclaration) -> Int {
        switch type {
        case .structure(let id): structs[id.index].scope
        case .union(let id): unions[id.index].scope
        case .alias(let id): aliases[id.index].scope
        }
    }

    /// Adds the example that each tag without payload has; a written one of that label gets its value.
    private mutating func addImplied(to id: UnionID) {
        var examples = api[id].examples
        var places = Dictionary(examples.enumerated().map { ($1.label, $0) }) { first, _ in first }
        for tag in api.allTags(of: id) where api.unwrapped(tag.type).type == .void {
            let value = StoneJSON.object([StoneJSON.Member(".tag", .string(tag.name))])
            let example = StoneExample(label: tag.name, value: value, isImplied: true, location: tag.location)
            if let place = places[tag.name] {
                examples[place].value = value
            } else {
                places[tag.name] = examples.count
                examples.append(example)
            }
        }
        api.unions[id.index].examples = examples
    }
}
