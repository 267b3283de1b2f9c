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
        guard let problem = literal.problem(as: type) else { return true }
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

extension StoneLiteral {
    /// Why the literal is no value of a primitive type; nil if it is one.
    ///
    /// A pattern is not tried: that is for `validate()`.
    fileprivate func problem(as type: StoneType) -> String? {
        switch (type, self) {
        case (.boolean, .boolean), (.bytes, .string), (.timestamp, .string): nil
        case (.boolean, _): "it must be true or false, not \(kindName)"
        case (.bytes, _): "bytes are written as a text, not as \(kindName)"
        case (.integer(let type), .integer(let number)): Self.problem(with: number, as: type)
        case (.integer, _): "it must be a whole number, not \(kindName)"
        case (.float(let type), .integer(let number)): Self.problem(with: Double(number), as: type)
        case (.float(let type), .float(let number)): Self.problem(with: number, as: type)
        case (.float, _): "it must be a number, not \(kindName)"
        case (.string(let type), .string(let text)): Self.problem(with: text, as: type)
        case (.string, _): "it must be a text, not \(kindName)"
        case (.timestamp, _): "a timestamp is written as a text, not as \(kindName)"
        default: "there is no such value"
        }
    }

    private static func problem(with number: Int128, as type: StoneIntegerType) -> String? {
        let low = type.minimum ?? type.size.range.lowerBound
        let high = type.maximum ?? type.size.range.upperBound
        if number < low { return "\(number) is less than \(low)" }
        return number > high ? "\(number) is greater than \(high)" : nil
    }

    private static func problem(with number: Double, as type: StoneFloatType) -> String? {
        guard type.size.range.contains(number) else { return "\(number) is out of the range of \(type.size.rawValue)" }
        if let low = type.minimum, number < low { return "\(number) is less than \(low)" }
        if let high = type.maximum, number > high { return "\(number) is greater than \(high)" }
        return nil
    }

    private static func problem(with text: String, as type: StoneStringType) -> String? {
        let count = text.unicodeScalars.count
        if let most = type.maximumLength, count > most { return "the text has more than \(most) characters" }
        if let least = type.minimumLength, count < least { return "the text has fewer than \(least) characters" }
        return nil
    }
}
