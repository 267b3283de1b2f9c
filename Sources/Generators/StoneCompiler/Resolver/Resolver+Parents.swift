// SPDX-License-Identifier: Apache-2.0

extension Resolver {
    /// Resolves what structs and unions extend; a cycle and a too long row are cut.
    mutating func resolveParents() {
        for index in structs.indices {
            guard let parent = structs[index].syntax.parent else { continue }
            switch resolveParent(parent, "struct", in: structs[index].scope) {
            case .structure(let id): api.structs[index].parent = id
            case nil: break
            default: fault("A struct can only extend a struct, and '\(parent.name)' is none.", at: parent.mark)
            }
        }
        for index in unions.indices {
            guard let parent = unions[index].syntax.parent else { continue }
            switch resolveParent(parent, "union", in: unions[index].scope) {
            case .union(let id): api.unions[index].parent = id
            case nil: break
            default: fault("A union can only extend a union, and '\(parent.name)' is none.", at: parent.mark)
            }
        }
        cutStructs()
        cutUnions()
        for structure in api.structs {
            if let parent = structure.parent { api.structs[parent.index].children.append(structure.id) }
        }
    }

    private mutating func resolveParent(_ parent: TypeSyntax, _ kind: String, in scope: Int) -> StoneType? {
        guard let type = resolve(parent, in: scope) else { return nil }
        guard case .alias = type else { return type }
        fault("A \(kind) cannot extend an alias; name the \(kind) itself.", at: parent.mark)
        return nil
    }

    private mutating func cutStructs() {
        let parents = api.structs.map { $0.parent?.index }
        for (index, isCyclic) in Self.endless(parents) {
            guard let parent = structs[index].syntax.parent else { continue }
            fault(Self.message(api.structs[index].name, isCyclic), at: parent.mark)
            api.structs[index].parent = nil
        }
    }

    private mutating func cutUnions() {
        let parents = api.unions.map { $0.parent?.index }
        for (index, isCyclic) in Self.endless(parents) {
            guard let parent = unions[index].syntax.parent else { continue }
            fault(Self.message(api.unions[index].name, isCyclic), at: parent.mark)
            api.unions[index].parent = nil
        }
    }

    private static func message(_ name: String, _ isCyclic: Bool) -> String {
        isCyclic
            ? "'\(name)' extends itself, perhaps through others; remove one 'extends'."
            : "More than \(StoneLimits.lineage) types extend each other in a row."
    }

    /// The places whose row of parents comes back to them or is too long.
    private static func endless(_ parents: [Int?]) -> [(index: Int, isCyclic: Bool)] {
        let cyclic = Set(parents.indices.filter { end(of: $0, parents) == $0 })
        // What extends a member of a cycle is not at fault itself.
        let cut = parents.indices.map { cyclic.contains($0) ? nil : parents[$0] }
        let long = cut.indices.filter { end(of: $0, cut) != nil }
        return cyclic.sorted().map { ($0, true) } + long.map { ($0, false) }
    }

    /// Where the row of parents comes back to its start, or how far it came within the limit; nil if it ends before.
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
    /// Resolves the subtypes that structs enumerate.
    mutating func resolveSubtypes() {
        for index in structs.indices {
            guard let syntax = structs[index].syntax.subtypes else { continue }
            resolve(syntax, of: index)
        }
        // A subtype may only be extended if it enumerates as well, or the wire could not tell what a value is.
        for structure in api.structs {
            for member in structure.subtypes?.members ?? [] {
                let subtype = api[member.type]
                guard subtype.subtypes == nil, !subtype.children.isEmpty else { continue }
                fault(
                    "'\(subtype.name)' is an enumerated subtype, so it cannot be extended.",
                    at: structs[member.type.index].syntax.mark)
            }
        }
    }

    private mutating func resolve(_ syntax: SubtypesSyntax, of index: Int) {
        let structure = api.structs[index]
        let mark = structs[index].syntax.mark
        if structs[index].syntax.parent != nil {
            return fault("'\(structure.name)' enumerates subtypes, so it cannot extend a struct.", at: mark)
        }
        if syntax.members.isEmpty { fault("'\(structure.name)' must enumerate at least one subtype.", at: mark) }
        let fields = Dictionary(structs[index].syntax.fields.map { ($0.name.text, $0.name.mark) }) { first, _ in first }
        var tags: Set<String> = []
        var members: [StoneSubtypes.Member] = []
        var known: Set<StructID> = []
        var isComplete = true
        for member in syntax.members {
            if let field = fields[member.tag.text] {
                fault(
                    "'\(member.tag.text)' is a tag of a subtype already; choose another name for the field.", at: field)
            }
            if !tags.insert(member.tag.text).inserted {
                fault("The tag '\(member.tag.text)' stands twice; choose another one.", at: member.tag.mark)
            }
            guard let id = subtype(member.type, of: structure, in: structs[index].scope) else {
                isComplete = false
                continue
            }
            if !known.insert(id).inserted {
                fault("'\(api[id].name)' stands twice among the subtypes; remove one.", at: member.type.mark)
            }
            members.append(StoneSubtypes.Member(tag: member.tag.text, type: id))
        }
        for child in structure.children where isComplete && !known.contains(child) {
            fault("'\(structure.name)' must enumerate all structs that extend it; add '\(api[child].name)'.", at: mark)
        }
        if !members.isEmpty {
            api.structs[index].subtypes = StoneSubtypes(members: members, isClosed: syntax.isClosed)
        }
    }

    private mutating func subtype(_ type: TypeSyntax, of structure: StoneStruct, in scope: Int) -> StructID? {
        guard let resolved = resolve(type, in: scope) else { return nil }
        guard case .structure(let id) = resolved else {
            fault("A subtype must be a struct, and '\(type.name)' is none.", at: type.mark)
            return nil
        }
        guard api[id].parent == structure.id else {
            let isBroken = structs[id.index].syntax.parent != nil && api[id].parent == nil
            if !isBroken {
                fault("'\(type.name)' must extend '\(structure.name)' to be its subtype.", at: type.mark)
            }
            return nil
        }
        return id
    }
}
