// SPDX-License-Identifier: Apache-2.0

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

    /// Arguments in parentheses, if there are any: first those by place, then those by name.
    mutating func parseArguments() throws(ParseFailure) -> [ArgumentSyntax] {
        guard take(.leftParenthesis) else { return [] }
        var arguments: [ArgumentSyntax] = []
        var names: Set<String> = []
        guard !take(.rightParenthesis) else { return arguments }
        repeat {
            let argument = try parseArgument()
            if let keyword = argument.keyword {
                if !names.insert(keyword.text).inserted {
                    diagnostics.add("The argument '\(keyword.text)' is given twice; remove one.", at: keyword.mark)
                }
            } else if !names.isEmpty {
                diagnostics.add("An argument without a name must stand before those with names.", at: argument.mark)
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

    /// A literal, if one stands here.
    mutating func parseLiteral() throws(ParseFailure) -> StoneLiteral? {
        let literal: StoneLiteral
        switch token.kind {
        case .yes: literal = .boolean(true)
        case .no: literal = .boolean(false)
        case .null: literal = .null
        case .string: literal = .string(text.text(token))
        case .integer:
            guard let number = text.integer(token) else { throw failure("The number needs more than 128 bits.") }
            literal = .integer(number)
        case .float:
            guard let number = text.float(token) else { throw failure("The number is too large for a Float64.") }
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

    /// The name of an annotation type, whose documentation and parameters are passed.
    mutating func passAnnotationType() throws(ParseFailure) -> NameSyntax {
        advance()
        let name = try name("the annotation type's name")
        try expect(.newline, "the end of the line")
        recover(to: 0)
        return name
    }
}
