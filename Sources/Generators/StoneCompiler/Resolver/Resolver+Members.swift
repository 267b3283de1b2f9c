// SPDX-License-Identifier: Apache-2.0

extension Resolver {
    /// Resolves the fields of structs and the tags of unions.
    mutating func resolveMembers() {
        for index in structs.indices {
            let written = structs[index]
            for field in written.syntax.fields {
                api.structs[index].fields.append(resolve(field, of: StructID(index: index), in: written.scope))
            }
        }
        for index in unions.indices {
            let written = unions[index]
            for tag in written.syntax.tags {
                api.unions[index].tags.append(resolve(tag, of: UnionID(index: index), in: written.scope))
            }
        }
        for index in unions.indices { addCatchAll(to: index) }
    }

    private mutating func resolve(_ field: FieldSyntax, of owner: StructID, in scope: Int) -> StoneField {
        var type = field.type.flatMap { resolve($0, in: scope) }
        if field.type == nil || type.map({ api.withoutAliases($0) == .void && !isBroken($0) }) == true {
            fault("The field '\(field.name.text)' needs a type other than Void.", at: field.name.mark)
            type = nil
        }
        if type == nil || type.map(isBroken) == true { brokenTypes.insert(field.name.mark) }
        if case .nullable = type, field.defaultValue != nil {
            fault("A nullable field cannot have a default; remove the '?' or the default.", at: field.name.mark)
        }
        return StoneField(
            name: field.name.text, type: type ?? .void,
            annotations: resolve(field.annotations, of: field.name, in: scope),
            owner: owner,
            location: location(field.name.mark))
    }

    private mutating func resolve(_ tag: FieldSyntax, of owner: UnionID, in scope: Int) -> StoneTag {
        var type: StoneType = .void
        if let written = tag.type {
            let resolved = resolve(written, in: scope)
            type = resolved ?? .void
            if resolved == nil || isBroken(type) {
                brokenTypes.insert(tag.name.mark)
            } else if api.withoutAliases(type) == .void {
                fault("A tag without payload is written without a type; remove Void.", at: written.mark)
            }
        }
        if tag.name.text == "other" {
            fault("'other' is the tag of open unions for unknown values; choose another name.", at: tag.name.mark)
        }
        return StoneTag(
            name: tag.name.text, type: type, isCatchAll: false,
            annotations: resolve(tag.annotations, of: tag.name, in: scope),
            owner: owner, location: location(tag.name.mark))
    }

    /// Gives an open union its tag `other`, unless it inherits one.
    private mutating func addCatchAll(to index: Int) {
        let union = api.unions[index]
        let parent = union.parent.map { api[$0] }
        if union.isClosed {
            guard let parent, !parent.isClosed else { return }
            return fault(
                "A closed union cannot extend the open union '\(parent.name)'; open it or close that one.",
                at: unions[index].syntax.mark)
        }
        if let parent, !parent.isClosed { return }
        api.unions[index].tags.append(
            StoneTag(name: "other", type: .void, isCatchAll: true, owner: union.id, location: union.location))
    }

    /// Refuses names that stand twice in a struct or a union, the inherited ones included.
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
                fault("'\(name.text)' is defined already (\(place(known))); choose another name.", at: name.mark)
                continue
            }
            own[name.text] = name.mark
            for parent in parents {
                guard let known = names[parent.index][name.text] else { continue }
                let message = "'\(name.text)' hides a field of '\(parent.name)' (\(place(known)))"
                fault("\(message); choose another name.", at: name.mark)
            }
        }
    }
}
