// SPDX-License-Identifier: Apache-2.0

extension Parser {
    mutating func parseStruct() throws(ParseFailure) -> StructSyntax {
        let start = mark
        advance()
        return try parseStruct(named: try name("the struct's name"), from: start)
    }

    mutating func parseUnion() throws(ParseFailure) -> UnionSyntax {
        let start = mark
        let isClosed = token.kind == .unionClosed
        advance()
        return try parseUnion(named: try name("the union's name"), isClosed: isClosed, from: start)
    }

    private mutating func parseStruct(named name: NameSyntax, from start: Mark) throws(ParseFailure) -> StructSyntax {
        var structure = StructSyntax(name: name, mark: start)
        structure.parent = try parseParent()
        structure.doc = try beginBody(of: "struct")
        let level = token.level
        do throws(ParseFailure) {
            structure.subtypes = try parseSubtypes()
        } catch {
            recover(to: level)
            guard token.level == level else { throw error }
            structure.isDamaged = true
        }
        structure.add(try parseMembers())
        return structure
    }

    private mutating func parseUnion(
        named name: NameSyntax, isClosed: Bool, from start: Mark
    ) throws(ParseFailure) -> UnionSyntax {
        var union = UnionSyntax(name: name, mark: start, isClosed: isClosed)
        union.parent = try parseParent()
        union.doc = try beginBody(of: "union")
        union.add(try parseMembers())
        return union
    }

    private mutating func parseParent() throws(ParseFailure) -> TypeSyntax? {
        let start = mark
        guard take(.extends) else { return nil }
        let parent = try parseType()
        guard parent.isNullable else { return parent }
        diagnostics.add("What is extended cannot be nullable; remove the '?'.", at: start)
        return nil
    }

    private mutating func beginBody(of kind: String) throws(ParseFailure) -> DocSyntax? {
        try expect(.newline, "the end of the line")
        try expect(.indent, "the indented body of the \(kind), at least a documentation text")
        return try parseDoc()
    }

    private mutating func parseSubtypes() throws(ParseFailure) -> SubtypesSyntax? {
        guard token.kind == .union || token.kind == .unionClosed else { return nil }
        let isClosed = token.kind == .unionClosed
        advance()
        try expect(.newline, "the end of the line")
        try expect(.indent, "an indented tag and its subtype")
        var members: [SubtypesSyntax.Member] = []
        while token.kind == .identifier {
            let tag = try name("a tag's name")
            members.append(SubtypesSyntax.Member(tag: tag, type: try parseType()))
            try expect(.newline, "the end of the line")
        }
        try endBlock("tags, each with its subtype")
        return SubtypesSyntax(members: members, isClosed: isClosed)
    }

    /// A definition inside the field whose type it is.
    mutating func parseInline(for type: TypeSyntax) throws(ParseFailure) {
        let start = mark
        let kind = token.kind
        advance()
        let name = NameSyntax(text: type.name, mark: start)
        let definition = try nested { parser throws(ParseFailure) -> DefinitionSyntax in
            if kind == .structure {
                var structure = try parser.parseStruct(named: name, from: start)
                structure.isInline = true
                return .structure(structure)
            }
            let isClosed = kind == .unionClosed
            var union = try parser.parseUnion(named: name, isClosed: isClosed, from: start)
            union.isInline = true
            return .union(union)
        }
        inline.append(definition)
    }
}

extension StructSyntax {
    mutating func add(_ members: Parser.Members) {
        fields = members.fields
        isDamaged = isDamaged || members.isDamaged
    }
}

extension UnionSyntax {
    mutating func add(_ members: Parser.Members) {
        tags = members.fields
        isDamaged = isDamaged || members.isDamaged
    }
}
