// SPDX-License-Identifier: Apache-2.0

extension Resolver {
    mutating func resolveMembers() {
        for index in structs.indices {
            let written = structs[index]
            for field in written.syntax.fields {
                api.structs[index].fields.append(resolve(field, in: written.scope))
            }
        }
        for index in unions.indices {
            let written = unions[index]
            for tag in written.syntax.tags {
                api.unions[index].tags.append(resolve(tag: tag, in: written.scope))
            }
        }
        for index in unions.indices { addCatchAll(to: index) }
    }

    private mutating func resolve(_ field: FieldSyntax, in scope: Int) -> StoneField {
        let type = field.type.flatMap { resolve($0, in: scope) }
        if field.type == nil || type.map({ api.withoutAliases($0) == .void }) == true {
            fault("the field '\(field.name.text)' needs a type other than Void", at: field.name.mark)
        }
        if case .nullable = type, field.defaultValue != nil {
            fault("a nullable field cannot have a default; remove the '?' or the default", at: field.name.mark)
        }
        return StoneField(
            name: field.name.text, type: type ?? .void,
            annotations: resolve(field.annotations, of: field.name, in: scope), mark: field.name.mark)
    }

    private mutating func resolve(tag: FieldSyntax, in scope: Int) -> StoneTag {
        var type: StoneType = .void
        if let written = tag.type {
            let resolved = resolve(written, in: scope)
            type = resolved ?? .void
            if resolved != nil, api.withoutAliases(type) == .void {
                fault("a tag without payload is written without a type; remove Void", at: written.mark)
            }
        }
        if tag.name.text == "other" {
            fault("'other' is the tag of open unions for unknown values; choose another name", at: tag.name.mark)
        }
        return StoneTag(
            name: tag.name.text, type: type, isCatchAll: false,
            annotations: resolve(tag.annotations, of: tag.name, in: scope), mark: tag.name.mark)
    }

    /// Adds the tag `other` to an open union, unless it inherits the tag.
    private mutating func addCatchAll(to index: Int) {
        let union = api.unions[index]
        let parent = union.parent.map { api[$0] }
        if union.isClosed {
            guard let parent, !parent.isClosed else { return }
            return fault(
                "a closed union cannot extend the open union '\(parent.name)'; open it or close that one",
                at: unions[index].syntax.mark)
        }
        if let parent, !parent.isClosed { return }
        api.unions[index].tags.append(
            StoneTag(name: "other", type: .void, isCatchAll: true, mark: union.mark))
    }

    /// Reports duplicate names in structs and unions, including inherited names.
    mutating func checkMemberNames() {
        let fieldNames = structs.map { Self.names($0.syntax.fields) }
        for index in structs.indices {
            let parents = api.lineage(of: StructID(index: index)).dropLast()
            check(structs[index].syntax.fields, against: parents.map { ($0.index, api[$0].name) }, fieldNames)
        }
        let tagNames = unions.map { Self.names($0.syntax.tags) }
        for index in unions.indices {
            let parents = api.lineage(of: UnionID(index: index)).dropLast()
            check(unions[index].syntax.tags, against: parents.map { ($0.index, api[$0].name) }, tagNames)
        }
    }

    static func names(_ fields: [FieldSyntax]) -> [String: Mark] {
        Dictionary(fields.map { ($0.name.text, $0.name.mark) }) { first, _ in first }
    }

    private mutating func check(
        _ fields: [FieldSyntax], against parents: [(index: Int, name: String)], _ names: [[String: Mark]]
    ) {
        var own: [String: Mark] = [:]
        for field in fields {
            let name = field.name
            if let known = own[name.text] {
                fault("'\(name.text)' is already defined (\(place(known))); choose another name", at: name.mark)
                continue
            }
            own[name.text] = name.mark
            for parent in parents {
                guard let known = names[parent.index][name.text] else { continue }
                let message = "'\(name.text)' hides a field of '\(parent.name)' (\(place(known)))"
                fault("\(message); choose another name", at: name.mark)
            }
        }
    }
}

extension Resolver {
    /// Converts a value to a literal of a type, or reports an error and returns `nil`.
    mutating func literal(_ value: ValueSyntax, as type: StoneType, _ role: String, at mark: Mark) -> StoneLiteral? {
        let (plain, isNullable) = api.unwrapped(type)
        if case .literal(.null) = value.kind, isNullable { return .null }
        switch (plain, value.kind) {
        case (.union(let id), .name(let tag)):
            return self.tag(tag, of: id, role, at: mark)
        case (.union(let id), _):
            fault("\(role) must be the name of a tag of '\(api[id].name)'", at: mark)
        case (.structure, _), (.list, _), (.map, _), (.void, _):
            fault("\(role) is not allowed: only primitive types and unions can have one", at: mark)
        case (.float, .literal(.integer(let number))):
            if accept(.float(Double(number)), as: plain, role, at: mark) { return .float(Double(number)) }
        case (_, .literal(let literal)):
            if accept(literal, as: plain, role, at: mark) { return literal }
        default:
            fault("\(role) must be a value, not \(value.kindName)", at: mark)
        }
        return nil
    }

    private mutating func tag(_ name: String, of id: UnionID, _ role: String, at mark: Mark) -> StoneLiteral? {
        guard let tag = members.tag(name, of: id, in: api) else {
            fault("\(role) must be a tag of '\(api[id].name)', which has no '\(name)'", at: mark)
            return nil
        }
        guard tag.type == .void else {
            fault("\(role) must be a tag without payload, and '\(name)' has one", at: mark)
            return nil
        }
        return .tag(id, name)
    }

    /// Returns whether a literal is valid for a primitive type, and reports an error if it is not.
    private mutating func accept(_ literal: StoneLiteral, as type: StoneType, _ role: String, at mark: Mark) -> Bool {
        guard let problem = literal.problem(as: type) else { return true }
        fault("\(role) is invalid: \(problem)", at: mark)
        return false
    }

    mutating func resolveDefaults() {
        for index in structs.indices {
            for (place, syntax) in structs[index].syntax.fields.enumerated() {
                guard let value = syntax.defaultValue else { continue }
                let type = api.structs[index].fields[place].type
                let role = "the default of '\(syntax.name.text)'"
                api.structs[index].fields[place].defaultValue = literal(value, as: type, role, at: syntax.name.mark)
            }
        }
    }
}

extension StoneLiteral {
    /// Returns the reason why the literal is invalid for a primitive type, apart from patterns, or `nil` if it is
    /// valid.
    fileprivate func problem(as type: StoneType) -> String? {
        switch (type, self) {
        case (.boolean, .boolean), (.bytes, .string), (.timestamp, .string): nil
        case (.boolean, _): "it must be true or false, not \(kindName)"
        case (.bytes, _): "write bytes as a string, not as \(kindName)"
        case (.integer(let type), .integer(let number)): Self.problem(with: number, as: type)
        case (.integer, _): "it must be a whole number, not \(kindName)"
        case (.float(let type), .integer(let number)): Self.problem(with: Double(number), as: type)
        case (.float(let type), .float(let number)): Self.problem(with: number, as: type)
        case (.float, _): "it must be a number, not \(kindName)"
        case (.string(let type), .string(let text)): Self.problem(with: text, as: type)
        case (.string, _): "it must be a string, not \(kindName)"
        case (.timestamp, _): "write a timestamp as a string, not as \(kindName)"
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
        if let most = type.maximumLength, count > most { return "the string has more than \(most) characters" }
        if let least = type.minimumLength, count < least { return "the string has fewer than \(least) characters" }
        return nil
    }
}

/// The names of fields and tags, indexed when they are first needed.
///
/// Without these tables, every default and reference would search all members of its type, at a cost of O(n²).
struct MemberTables: Sendable {
    private var fields: [StructID: Set<String>] = [:]
    private var tags: [UnionID: [String: StoneTag]] = [:]

    mutating func hasField(_ name: String, in id: StructID, of api: StoneAPI) -> Bool {
        if fields[id] == nil { fields[id] = Set(api.lineage(of: id).flatMap { api[$0].fields.map(\.name) }) }
        return fields[id]?.contains(name) ?? false
    }

    mutating func tag(_ name: String, of id: UnionID, in api: StoneAPI) -> StoneTag? {
        if tags[id] == nil { tags[id] = Dictionary(api.allTags(of: id).map { ($0.name, $0) }) { first, _ in first } }
        return tags[id]?[name]
    }
}
