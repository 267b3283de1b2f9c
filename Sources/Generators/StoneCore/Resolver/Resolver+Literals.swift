// SPDX-License-Identifier: Apache-2.0

extension Resolver {
    /// A written value as a literal of a type; nil after a fault, which is noted where the value is used.
    mutating func literal(_ value: ValueSyntax, as type: StoneType, _ role: String, at mark: Mark) -> StoneLiteral? {
        let (plain, isNullable) = api.unwrapped(type)
        if case .literal(.null) = value.kind, isNullable { return .null }
        switch (plain, value.kind) {
        case (.union(let id), .name(let tag)):
            return self.tag(tag, of: id, role, at: mark)
        case (.union(let id), _):
            fault("\(role) must be the name of a tag of '\(api[id].name)'.", at: mark)
        case (.structure, _), (.list, _), (.map, _), (.void, _):
            fault("\(role) cannot be given: only primitive types and unions can have one.", at: mark)
        case (.float, .literal(.integer(let number))):
            if accept(.float(Double(number)), as: plain, role, at: mark) { return .float(Double(number)) }
        case (_, .literal(let literal)):
            if accept(literal, as: plain, role, at: mark) { return literal }
        default:
            fault("\(role) must be a value, not \(value.kindName).", at: mark)
        }
        return nil
    }

    private mutating func tag(_ name: String, of id: UnionID, _ role: String, at mark: Mark) -> StoneLiteral? {
        guard let tag = members.tag(name, of: id, in: api) else {
            if !isDamaged(id) { fault("\(role) must be a tag of '\(api[id].name)', which has no '\(name)'.", at: mark) }
            return nil
        }
        guard tag.type == .void else {
            fault("\(role) must be a tag without payload, and '\(name)' has one.", at: mark)
            return nil
        }
        return .tag(id, name)
    }

    /// Whether a literal is a value of a primitive type; if not, that is noted.
    private mutating func accept(_ literal: StoneLiteral, as type: StoneType, _ role: String, at mark: Mark) -> Bool {
        guard let problem = patterns.problem(with: literal, as: type) else { return true }
        fault("\(role) does not fit: \(problem).", at: mark)
        return false
    }

    /// Whether some of the tags, own or inherited, are unknown because of a fault.
    func isDamaged(_ id: UnionID) -> Bool {
        api.lineage(of: id).contains {
            unions[$0.index].syntax.isDamaged || (unions[$0.index].syntax.parent != nil && api[$0].parent == nil)
        }
    }

    /// Whether some of the fields, own or inherited, are unknown because of a fault.
    func isDamaged(_ id: StructID) -> Bool {
        api.lineage(of: id).contains {
            structs[$0.index].syntax.isDamaged || (structs[$0.index].syntax.parent != nil && api[$0].parent == nil)
        }
    }

    /// Resolves the defaults of fields.
    mutating func resolveDefaults() {
        for index in structs.indices {
            for (place, syntax) in structs[index].syntax.fields.enumerated() {
                guard let value = syntax.defaultValue, !brokenTypes.contains(syntax.name.mark) else { continue }
                let type = api.structs[index].fields[place].type
                if case .nullable = type { continue }
                let role = "The default of '\(syntax.name.text)'"
                api.structs[index].fields[place].defaultValue = literal(value, as: type, role, at: syntax.name.mark)
            }
        }
    }
}
