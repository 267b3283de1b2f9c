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
        do throws(ParseFailure) { structure.subtypes = try parseSubtypes() } catch {
            recover(to: level)
            guard token.level == level else { throw error }
        }
        structure.fields = try parseMembers()
        return structure
    }

    private mutating func parseUnion(
        named name: NameSyntax, isClosed: Bool, from start: Mark
    ) throws(ParseFailure) -> UnionSyntax {
        var union = UnionSyntax(name: name, mark: start, isClosed: isClosed)
        union.parent = try parseParent()
        union.doc = try beginBody(of: "union")
        union.tags = try parseMembers()
        return union
    }

    private mutating func parseParent() throws(ParseFailure) -> TypeSyntax? {
        let start = mark
        guard take(.extends) else { return nil }
        let parent = try parseType()
        guard parent.isNullable else { return parent }
        diagnostics.add("the extended type cannot be nullable; remove the '?'", at: start)
        return nil
    }

    private mutating func beginBody(of kind: String) throws(ParseFailure) -> DocSyntax? {
        try expect(.newline, "the end of the line")
        try expect(.indent, "the indented body of the \(kind), at least its documentation")
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

    /// Parses the definition in a field of the type that it defines.
    mutating func parseInline(for type: TypeSyntax) throws(ParseFailure) {
        let start = mark
        let kind = token.kind
        advance()
        let name = NameSyntax(text: type.name, mark: start)
        let definition = try nested { parser throws(ParseFailure) -> DefinitionSyntax in
            kind == .structure
                ? .structure(try parser.parseStruct(named: name, from: start))
                : .union(try parser.parseUnion(named: name, isClosed: kind == .unionClosed, from: start))
        }
        inline.append(definition)
    }
}

extension Parser {
    /// Parses the rest of a body: fields, then examples.
    mutating func parseMembers() throws(ParseFailure) -> [FieldSyntax] {
        let fields = try parseFields()
        // Examples do not affect the generated code.
        while token.kind == .example {
            let level = token.level
            advance()
            recover(to: level)
        }
        if token.kind == .identifier { throw failure("a field cannot follow an example; move it up") }
        try endBlock("fields, then examples,")
        return fields
    }

    private mutating func parseFields() throws(ParseFailure) -> [FieldSyntax] {
        var fields: [FieldSyntax] = []
        while token.kind != .dedent, token.kind != .end, token.kind != .example {
            let start = position
            let level = token.kind == .indent ? token.level - 1 : token.level
            do throws(ParseFailure) { fields.append(try parseField()) } catch {
                if position == start { advance() }
                recover(to: level)
                if token.level != level { break }
            }
        }
        return fields
    }

    private mutating func parseField() throws(ParseFailure) -> FieldSyntax {
        let name = try name("a field's name")
        let type = token.kind == .newline ? nil : try parseType()
        let hasDefault = type != nil && take(.equals)
        let value = hasDefault ? try parseLiteralOrName("a default: a value, or the name of a tag") : nil
        var field = FieldSyntax(name: name, type: type, defaultValue: value)
        try expect(.newline, "the end of the line")
        guard take(.indent) else { return field }
        field.annotations = try parseAnnotationReferences()
        field.doc = try parseDoc()
        guard let type else {
            try endBlock("annotations and one documentation string")
            return field
        }
        if [.structure, .union, .unionClosed].contains(token.kind) { try parseInline(for: type) }
        try endBlock("annotations, one documentation string and one definition")
        return field
    }

    mutating func parseLiteralOrName(_ expected: String) throws(ParseFailure) -> ValueSyntax {
        let start = mark
        if let literal = try parseLiteral() { return ValueSyntax(kind: .literal(literal), mark: start) }
        return ValueSyntax(kind: .name(try name(expected).text), mark: start)
    }
}

extension Parser {
    mutating func parseReference(_ role: String) throws(ParseFailure) -> ReferenceSyntax {
        let first = try name(role)
        guard take(.dot) else { return ReferenceSyntax(namespace: nil, name: first) }
        return ReferenceSyntax(namespace: first, name: try name(role))
    }

    mutating func parseType() throws(ParseFailure) -> TypeSyntax {
        var type = TypeSyntax(reference: try parseReference("the name of a type"))
        type.arguments = try nested { parser throws(ParseFailure) in try parser.parseArguments() }
        type.isNullable = take(.question)
        return type
    }

    /// Parses optional arguments in parentheses: first positional arguments, then named arguments.
    mutating func parseArguments() throws(ParseFailure) -> [ArgumentSyntax] {
        guard take(.leftParenthesis) else { return [] }
        var arguments: [ArgumentSyntax] = []
        var names: Set<String> = []
        guard !take(.rightParenthesis) else { return arguments }
        repeat {
            let argument = try parseArgument()
            if let keyword = argument.keyword {
                if !names.insert(keyword.text).inserted {
                    diagnostics.add("the argument '\(keyword.text)' is given twice; remove one", at: keyword.mark)
                }
            } else if !names.isEmpty {
                diagnostics.add("an argument without a name must precede those with names", at: argument.mark)
            }
            arguments.append(argument)
        } while take(.comma)
        try expect(.rightParenthesis, "',' or ')'")
        return arguments
    }

    private mutating func parseArgument() throws(ParseFailure) -> ArgumentSyntax {
        let start = mark
        var keyword: NameSyntax?
        if token.kind == .identifier, position + 1 < tokens.count, tokens[position + 1].kind == .equals {
            keyword = try name("an argument's name")
            advance()
        }
        if let literal = try parseLiteral() {
            return ArgumentSyntax(keyword: keyword, value: .literal(literal), mark: start)
        }
        guard token.kind == .identifier else { throw unexpected("a value or a type's name") }
        return ArgumentSyntax(keyword: keyword, value: .type(try parseType()), mark: start)
    }

    mutating func parseLiteral() throws(ParseFailure) -> StoneLiteral? {
        let literal: StoneLiteral
        switch token.kind {
        case .yes: literal = .boolean(true)
        case .no: literal = .boolean(false)
        case .null: literal = .null
        case .string: literal = .string(text.text(token))
        case .integer:
            guard let number = text.integer(token) else { throw failure("the number needs more than 128 bits") }
            literal = .integer(number)
        case .float:
            guard let number = text.float(token) else { throw failure("the number is too large for a Float64") }
            literal = .float(number)
        default: return nil
        }
        advance()
        return literal
    }

    mutating func parseAnnotationReferences() throws(ParseFailure) -> [ReferenceSyntax] {
        var references: [ReferenceSyntax] = []
        while take(.at) {
            references.append(try parseReference("the name of an annotation"))
            try expect(.newline, "the end of the line")
        }
        return references
    }

    mutating func parseAnnotation() throws(ParseFailure) -> AnnotationSyntax {
        advance()
        let name = try name("the annotation's name")
        try expect(.equals, "'=' and the kind of annotation")
        let type = try parseReference("the name of an annotation type")
        let annotation = AnnotationSyntax(name: name, type: type, arguments: try parseArguments())
        try expect(.newline, "the end of the line")
        return annotation
    }

    /// Parses the name of an annotation type, and skips its documentation and parameters.
    mutating func passAnnotationType() throws(ParseFailure) -> NameSyntax {
        advance()
        let name = try name("the annotation type's name")
        try expect(.newline, "the end of the line")
        recover(to: 0)
        return name
    }
}
