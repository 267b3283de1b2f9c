// SPDX-License-Identifier: Apache-2.0

/// What is wrong with a value of an example, and where.
struct ExampleProblem {
    let text: String
    let mark: Mark
}

extension Resolver {
    /// Refuses an example; it is then not evaluated.
    private mutating func refuse(_ message: String, at mark: Mark, _ label: String, of type: StoneDeclaration) {
        fault(message, at: mark)
        evaluation.states[ExampleEvaluation.Key(type: type, label: label)] = .failed
    }

    mutating func check(_ example: ExampleSyntax, of id: StructID) {
        let type = StoneDeclaration.structure(id)
        let label = example.label.text
        if isDamaged(id) || structs[id.index].syntax.subtypes != nil && api[id].subtypes == nil {
            evaluation.states[ExampleEvaluation.Key(type: type, label: label)] = .failed
            return
        }
        if let subtypes = api[id].subtypes { return check(example, of: id, subtypes) }
        let fields = members.fields(of: id, in: api)
        var given: Set<Int> = []
        for assignment in example.fields {
            let name = assignment.name.text
            guard let place = fields.places[name] else {
                let message = "'\(api[id].name)' has no field '\(name)'; correct the name or remove the line."
                refuse(message, at: assignment.name.mark, label, of: type)
                continue
            }
            given.insert(place)
            guard let problem = problem(with: assignment.value, as: fields.all[place].type) else { continue }
            refuse("The value of '\(name)' does not fit: \(problem.text).", at: problem.mark, label, of: type)
        }
        for place in fields.required where !given.contains(place) && !isBroken(fields.all[place]) {
            let message = "The example needs a value for '\(fields.all[place].name)'."
            refuse(message, at: example.mark, label, of: type)
            if diagnostics.isFull { return }
        }
    }

    private func isBroken(_ field: StoneField) -> Bool { field.type == .void }

    private mutating func check(_ example: ExampleSyntax, of id: StructID, _ subtypes: StoneSubtypes) {
        let type = StoneDeclaration.structure(id)
        let label = example.label.text
        guard let field = example.fields.first, example.fields.count == 1 else {
            let message = "The example must name one subtype: its tag, '=' and the label of one of its examples."
            return refuse(message, at: example.mark, label, of: type)
        }
        guard case .name = field.value.kind else {
            let message = "The value must be the label of one of the subtype's examples."
            return refuse(message, at: field.value.mark, label, of: type)
        }
        if !subtypes.members.contains(where: { $0.tag == field.name.text }) {
            let message = "'\(api[id].name)' has no subtype with the tag '\(field.name.text)'."
            refuse(message, at: field.name.mark, label, of: type)
        }
    }

    mutating func check(_ example: ExampleSyntax, of id: UnionID) {
        let type = StoneDeclaration.union(id)
        let label = example.label.text
        if isDamaged(id) {
            evaluation.states[ExampleEvaluation.Key(type: type, label: label)] = .failed
            return
        }
        guard let field = example.fields.first, example.fields.count == 1 else {
            return refuse("The example must give a value to one tag.", at: example.mark, label, of: type)
        }
        guard let tag = members.tag(field.name.text, of: id, in: api) else {
            return refuse("'\(api[id].name)' has no tag '\(field.name.text)'.", at: example.mark, label, of: type)
        }
        guard let problem = problem(with: field.value, as: tag.type) else { return }
        refuse("The value of '\(tag.name)' does not fit: \(problem.text).", at: problem.mark, label, of: type)
    }

    /// Why a value of an example does not fit a type; nil if it does.
    private mutating func problem(with value: ValueSyntax, as type: StoneType) -> ExampleProblem? {
        let (plain, isNullable) = api.unwrapped(type)
        if case .literal(.null) = value.kind, isNullable || plain == .void { return nil }
        func problem(_ text: String) -> ExampleProblem { ExampleProblem(text: text, mark: value.mark) }
        switch (plain, value.kind) {
        case (.void, _): return problem("a tag without payload has the value null")
        case (.structure, .name), (.union, .name): return nil
        case (.structure(let id), _): return problem("it must be the label of an example of '\(api[id].name)'")
        case (.union(let id), _): return problem("it must be the label of an example of '\(api[id].name)'")
        case (.list(let list), .list(let items)): return self.problem(with: items, as: list, at: value.mark)
        case (.list, _): return problem("it must be a list, not \(value.kindName)")
        case (.map(let key, let type), .map(let pairs)): return self.problem(with: pairs, key, type)
        case (.map, _): return problem("it must be a map, not \(value.kindName)")
        case (_, .literal(let literal)): return patterns.problem(with: literal, as: plain).map(problem)
        case (_, .name): return problem("a name stands for an example, so put a text in quotation marks")
        default: return problem("it cannot be \(value.kindName)")
        }
    }

    private mutating func problem(
        with items: [ValueSyntax], as list: StoneListType, at mark: Mark
    ) -> ExampleProblem? {
        if let most = list.maximumItems, items.count > most {
            return ExampleProblem(text: "the list has more than \(most) items", mark: mark)
        }
        if let least = list.minimumItems, items.count < least {
            return ExampleProblem(text: "the list has fewer than \(least) items", mark: mark)
        }
        for item in items {
            if let problem = problem(with: item, as: list.element) { return problem }
        }
        return nil
    }

    private mutating func problem(
        with pairs: [ValueSyntax.Pair], _ key: StoneStringType, _ type: StoneType
    ) -> ExampleProblem? {
        for pair in pairs {
            if let problem = problem(with: pair.key, as: .string(key)) { return problem }
            if let problem = problem(with: pair.value, as: type) { return problem }
        }
        return nil
    }
}
