// SPDX-License-Identifier: Apache-2.0

extension RandomSpec {
    func reference(_ id: Int, from namespace: Int) -> String {
        let definition = definitions[id]
        return definition.namespace == namespace
            ? definition.name : "\(namespaces[definition.namespace]).\(definition.name)"
    }

    /// Returns the definitions that a namespace can name: its own, and those of earlier namespaces.
    private func known(from namespace: Int, _ isWanted: (Definition) -> Bool) -> [Int] {
        definitions.indices.filter { definitions[$0].namespace <= namespace && isWanted(definitions[$0]) }
    }

    private static let primitives = [
        "String", "String(min_length=1, max_length=9)", "String(pattern=\"^[a-z\\\"]+$\")", "Boolean", "Bytes", "Int32",
        "Int64(min_value=-9223372036854775808, max_value=9223372036854775807)", "UInt32(min_value=1)",
        "UInt64(max_value=18446744073709551615)", "Float32(min_value=-1.5, max_value=1e3)", "Float64",
        "Float64(min_value=0)", "Float64(min_value=5e-324)",
        "Timestamp(\"%Y-%m-%dT%H:%M:%SZ\")", "Timestamp(\"%Y-%m-%d\")",
    ]

    mutating func type(in namespace: Int, depth: Int = 0) -> (text: String, isNullable: Bool) {
        var (text, isNullable) = plainType(in: namespace, depth)
        if !isNullable, chance.percent(30) {
            text += "?"
            isNullable = true
        }
        return (text, isNullable)
    }

    private mutating func plainType(in namespace: Int, _ depth: Int) -> (String, Bool) {
        let named = known(from: namespace) { !$0.isVoid }
        switch chance.number(0...9) {
        case 0...4 where !named.isEmpty:
            let id = chance.pick(named)
            return (reference(id, from: namespace), definitions[id].isNullable)
        case 5 where depth < 3:
            let limits = chance.pick(["", "", ", min_items=1", ", max_items=3"])
            return ("List(\(type(in: namespace, depth: depth + 1).text)\(limits))", false)
        case 6 where depth < 3:
            let key = chance.pick(["String", "String(min_length=1)", "String(pattern=\"^a$\")"])
            return ("Map(\(key), \(type(in: namespace, depth: depth + 1).text))", false)
        default: return (chance.pick(Self.primitives), false)
        }
    }

    /// Returns the text of a definition, which includes the subtypes of a parent.
    mutating func body(of id: Int) -> [String] {
        let definition = definitions[id]
        switch definition.kind {
        case .structure: return [structure(id)]
        case .parent: return parent(id)
        case .subtype: return []
        case .union, .closedUnion: return [union(id)]
        case .alias: return [alias(id)]
        }
    }

    private mutating func alias(_ id: Int) -> String {
        let namespace = definitions[id].namespace
        if chance.percent(10) {
            definitions[id].isVoid = true
            return "alias \(definitions[id].name) = Void"
        }
        // An alias refers only to earlier definitions, so that it never refers to itself.
        let named = (0..<id).filter { definitions[$0].namespace <= namespace && !definitions[$0].isVoid }
        var text = chance.pick(Self.primitives)
        if !named.isEmpty, chance.percent(60) {
            let target = chance.pick(named)
            let name = reference(target, from: namespace)
            let isNullable = definitions[target].isNullable
            text = chance.pick([name, name, "List(\(name))", "Map(String, \(name))"])
            definitions[id].isNullable = isNullable && text == name
        }
        if !definitions[id].isNullable, chance.percent(25) {
            text += "?"
            definitions[id].isNullable = true
        }
        return "alias \(definitions[id].name) = \(text)" + doc(4)
    }

    private mutating func structure(_ id: Int) -> String {
        let namespace = definitions[id].namespace
        var head = "struct \(definitions[id].name)"
        let parents = (0..<id).filter { definitions[$0].namespace <= namespace && definitions[$0].kind == .structure }
        if !parents.isEmpty, chance.percent(30) {
            let parent = chance.pick(parents)
            head += " extends " + reference(parent, from: namespace)
            definitions[id].members = definitions[parent].members
        }
        return head + "\n    \"" + Self.escaped(HostileText.next(&chance)) + "\"" + fields(0...7, id)
    }

    private mutating func fields(_ count: ClosedRange<Int>, _ id: Int) -> String {
        let namespace = definitions[id].namespace
        let names = memberNames(count, without: definitions[id].members)
        definitions[id].members.formUnion(names)
        return names.map { name in
            let (text, isNullable) = chance.percent(25) ? valued(in: namespace) : type(in: namespace)
            return "\n    \(name) \(text)" + annotation(text, isNullable, namespace) + doc(8, [":field:`\(name)`"])
        }.joined()
    }

    private static let defaults = [
        "String = \"a \\\"b\\\" \\\\(x)\"", "Boolean = true", "Bytes = \"AA==\"", "Int32 = -2147483648",
        "Int64 = -9223372036854775808", "UInt64 = 18446744073709551615", "Float64 = 1e308", "Float64 = 5",
        "Float32 = 0.1", "Float32 = 1e-40", "Float32 = -1e-60", "Float64 = -0.0", "Float64 = 5e-324",
        "String = \"\"",
    ]

    private mutating func valued(in namespace: Int) -> (String, Bool) {
        let unions = known(from: namespace) { !$0.tags.isEmpty && ($0.kind == .union || $0.kind == .closedUnion) }
        guard !unions.isEmpty, chance.percent(50) else { return (chance.pick(Self.defaults), true) }
        let union = chance.pick(unions)
        let other = definitions[union].kind == .union ? ["other"] : []
        return ("\(reference(union, from: namespace)) = \(chance.pick(definitions[union].tags + other))", true)
    }

    private mutating func annotation(_ type: String, _ isNullable: Bool, _ namespace: Int) -> String {
        guard chance.percent(30) else { return "" }
        var all = ["Old", "Early", "Metre"]
        if type.hasPrefix("String") || type.hasPrefix("UInt") { all += ["Hidden", "Hash"] }
        if isNullable || type.contains(" = ") { all.append("Internal") }
        return "\n        @N\(namespace)\(chance.pick(all))"
    }

    private mutating func union(_ id: Int) -> String {
        let namespace = definitions[id].namespace
        let isClosed = definitions[id].kind == .closedUnion
        var head = "\(isClosed ? "union_closed" : "union") \(definitions[id].name)"
        let parents = (0..<id).filter {
            definitions[$0].namespace <= namespace
                && (definitions[$0].kind == .closedUnion || !isClosed && definitions[$0].kind == .union)
        }
        if !parents.isEmpty, chance.percent(25) {
            let parent = chance.pick(parents)
            head += " extends " + reference(parent, from: namespace)
            definitions[id].members = definitions[parent].members
            definitions[id].tags = definitions[parent].tags
        }
        // With more than 600 cases, the compiler does not detect that a switch is exhaustive.
        let count = chance.percent(1) ? 650...660 : 0...9
        let names = memberNames(count, without: definitions[id].members.union(["other"]))
        definitions[id].members.formUnion(names)
        let tags = names.map { tag($0, id) }.joined()
        return head + "\n    \"" + Self.escaped(HostileText.next(&chance)) + "\"" + tags
    }

    private mutating func tag(_ name: String, _ id: Int) -> String {
        let namespace = definitions[id].namespace
        guard chance.percent(55) else {
            definitions[id].tags.append(name)
            return "\n    \(name)"
                + (chance.percent(20) ? "\n        @N\(namespace)\(chance.pick(["Old", "Early"]))" : "")
                + doc(8)
        }
        let (text, _) = type(in: namespace)
        return "\n    \(name) \(text)" + (chance.percent(15) ? "\n        @N\(namespace)Old" : "") + doc(8)
    }

    private mutating func parent(_ id: Int) -> [String] {
        let definition = definitions[id]
        var tags = memberNames(1...4)
        // The only name may have been invalid here, and a list of subtypes must not be empty.
        if tags.isEmpty { tags = ["only"] }
        let isClosed = chance.percent(40)
        definitions[id].members = Set(tags)
        let own = fields(0...3, id)
        let children = tags.map { tag in
            let name = definitionName(in: definition.namespace)
            definitions.append(
                Definition(
                    namespace: definition.namespace, name: name, kind: .subtype, members: definitions[id].members))
            return (tag: tag, id: definitions.count - 1)
        }
        let list = children.map { "\n        \($0.tag) \(definitions[$0.id].name)" }.joined()
        let text = "struct \(definition.name)" + doc(4) + "\n    \(isClosed ? "union_closed" : "union")" + list + own
        return [text]
            + children.map { child in
                "struct \(definitions[child.id].name) extends \(definition.name)\n    \"A subtype.\""
                    + fields(0...3, child.id)
            }
    }
}
