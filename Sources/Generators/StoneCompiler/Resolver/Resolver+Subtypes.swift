// SPDX-License-Identifier: Apache-2.0

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
