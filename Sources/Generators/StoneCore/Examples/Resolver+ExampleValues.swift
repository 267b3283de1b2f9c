// SPDX-License-Identifier: Apache-2.0

extension Resolver {
    /// The value of an example that a place refers to; nil after a fault.
    ///
    /// The depth tells how many examples refer to each other on the way here.
    mutating func evaluate(_ key: ExampleEvaluation.Key, at mark: Mark, depth: Int) -> SizedJSON? {
        switch evaluation.states[key] {
        case .done(let value, let size): return SizedJSON(value, size: size)
        case .failed: return nil
        case .begun: fault("The example '\(key.label)' contains itself; refer to another one.", at: mark)
        case nil where depth > StoneLimits.exampleDepth:
            fault("More than \(StoneLimits.exampleDepth) examples refer to each other in a row.", at: mark)
        case nil:
            evaluation.states[key] = .begun
            if let value = compute(key, at: mark, depth: depth), isAffordable(value, at: mark) {
                evaluation.states[key] = .done(value.value, size: value.size)
                return value
            }
        }
        evaluation.states[key] = .failed
        return nil
    }

    private mutating func isAffordable(_ value: SizedJSON, at mark: Mark) -> Bool {
        evaluation.total += value.size
        if value.size <= StoneLimits.exampleValues, evaluation.total <= StoneLimits.allExampleValues { return true }
        fault("The example is too large: it has \(value.size) values, those that it refers to included.", at: mark)
        return false
    }

    private mutating func compute(_ key: ExampleEvaluation.Key, at mark: Mark, depth: Int) -> SizedJSON? {
        guard let example = evaluation.written[key] else { return implied(key, at: mark) }
        switch key.type {
        case .structure(let id):
            guard let subtypes = api[id].subtypes else { return flat(example, of: id, depth: depth) }
            return tagged(example, subtypes, depth: depth)
        case .union(let id): return value(of: example, of: id, depth: depth)
        case .alias: return nil
        }
    }

    private mutating func implied(_ key: ExampleEvaluation.Key, at mark: Mark) -> SizedJSON? {
        if case .union(let id) = key.type {
            if members.tag(key.label, of: id, in: api)?.type == .void {
                return SizedJSON(.object([StoneJSON.Member(".tag", .string(key.label))]), size: 2)
            }
            if isDamaged(id) { return nil }
        }
        let name = api.name(of: key.type).name
        fault("'\(name)' has no example '\(key.label)'; write one or correct the label.", at: mark)
        return nil
    }

    private mutating func flat(_ example: ExampleSyntax, of id: StructID, depth: Int) -> SizedJSON? {
        let fields = members.fields(of: id, in: api)
        var given: [Int: ValueSyntax] = [:]
        for assignment in example.fields {
            if let place = fields.places[assignment.name.text] { given[place] = assignment.value }
        }
        var result: [StoneJSON.Member] = []
        var size = 1
        for place in (given.keys + fields.defaulted.filter { given[$0] == nil }).sorted() {
            let field = fields.all[place]
            if let written = given[place] {
                if case .literal(.null) = written.kind { continue }
                guard let value = json(written, as: field.type, depth: depth) else { return nil }
                result.append(StoneJSON.Member(field.name, value.value))
                size += value.size
            } else if let literal = field.defaultValue {
                result.append(StoneJSON.Member(field.name, StoneJSON(literal)))
                size += 1
            }
        }
        return SizedJSON(.object(result), size: size)
    }

    private mutating func tagged(_ example: ExampleSyntax, _ subtypes: StoneSubtypes, depth: Int) -> SizedJSON? {
        guard let field = example.fields.first, case .name(let label) = field.value.kind,
            let member = subtypes.members.first(where: { $0.tag == field.name.text })
        else { return nil }
        let key = ExampleEvaluation.Key(type: .structure(member.type), label: label)
        guard var value = evaluate(key, at: field.value.mark, depth: depth + 1) else { return nil }
        value.value = .object([StoneJSON.Member(".tag", .string(member.tag))] + value.value.members)
        value.size += 1
        return value
    }

    private mutating func value(of example: ExampleSyntax, of id: UnionID, depth: Int) -> SizedJSON? {
        guard let field = example.fields.first,
            let tag = members.tag(field.name.text, of: id, in: api),
            let inner = json(field.value, as: tag.type, depth: depth)
        else { return nil }
        var members = [StoneJSON.Member(".tag", .string(tag.name))]
        if case .structure(let id) = api.unwrapped(tag.type).type, api[id].subtypes == nil {
            members += inner.value.members
        } else if inner.value != .null {
            members.append(StoneJSON.Member(tag.name, inner.value))
        }
        return SizedJSON(.object(members), size: inner.size + 2)
    }

    private mutating func json(_ value: ValueSyntax, as type: StoneType, depth: Int) -> SizedJSON? {
        let plain = api.unwrapped(type).type
        switch (value.kind, plain) {
        case (.literal(let literal), _): return SizedJSON(StoneJSON(literal))
        case (.name(let label), .structure(let id)):
            let key = ExampleEvaluation.Key(type: .structure(id), label: label)
            return evaluate(key, at: value.mark, depth: depth + 1)
        case (.name(let label), .union(let id)):
            return evaluate(ExampleEvaluation.Key(type: .union(id), label: label), at: value.mark, depth: depth + 1)
        case (.list(let items), .list(let list)): return array(items, of: list.element, depth: depth)
        case (.map(let pairs), .map(_, let type)): return object(pairs, of: type, depth: depth)
        default: return nil
        }
    }

    private mutating func array(_ items: [ValueSyntax], of type: StoneType, depth: Int) -> SizedJSON? {
        var values: [StoneJSON] = []
        var size = 1
        for item in items {
            guard let value = json(item, as: type, depth: depth) else { return nil }
            values.append(value.value)
            size += value.size
        }
        return SizedJSON(.array(values), size: size)
    }

    private mutating func object(_ pairs: [ValueSyntax.Pair], of type: StoneType, depth: Int) -> SizedJSON? {
        var members: [StoneJSON.Member] = []
        var places: [String: Int] = [:]
        var size = 1
        for pair in pairs {
            guard case .literal(.string(let key)) = pair.key.kind else { return nil }
            guard let value = json(pair.value, as: type, depth: depth) else { return nil }
            size += value.size
            if let place = places[key] {
                members[place] = StoneJSON.Member(key, value.value)
            } else {
                places[key] = members.count
                members.append(StoneJSON.Member(key, value.value))
            }
        }
        return SizedJSON(.object(members), size: size)
    }
}
