// SPDX-License-Identifier: Apache-2.0
/// The error that ends a rule, after the message was added.
struct ParseFailure: Error {}

/// Parses one file to a syntax tree.
///
/// An error ends the field or definition that contains it. Parsing continues with the next one.
struct Parser {
    let file: Int
    let tokens: [Token]
    let text: TokenText
    var position = 0
    var diagnostics: Diagnostics
    /// The nesting depth of types, lists or inline definitions.
    var nesting = 0
    /// The definitions inside fields.
    var inline: [DefinitionSyntax] = []

    init(_ source: StoneSource, file: Int) {
        var lexer = Lexer(source, file: file)
        self.file = file
        self.tokens = lexer.lex()
        self.text = TokenText(bytes: source.bytes)
        self.diagnostics = lexer.diagnostics
    }

    /// The next token, which is `end` at the end of the file.
    var token: Token { tokens[position] }

    var mark: Mark { Mark(file: file, offset: token.start) }

    mutating func advance() {
        if position + 1 < tokens.count { position += 1 }
    }

    mutating func take(_ kind: Token.Kind) -> Bool {
        guard token.kind == kind else { return false }
        advance()
        return true
    }

    /// Takes a token that must have this kind.
    mutating func expect(_ kind: Token.Kind, _ expected: String) throws(ParseFailure) {
        guard take(kind) else { throw unexpected(expected) }
    }

    mutating func name(_ role: String) throws(ParseFailure) -> NameSyntax {
        guard token.kind == .identifier else { throw unexpected(role) }
        let name = NameSyntax(text: text.written(token), mark: mark)
        advance()
        return name
    }

    /// Adds an error for an unexpected token.
    mutating func unexpected(_ expected: String) -> ParseFailure {
        let word = text.written(token)
        if Token.Kind.keywords[word] == token.kind, expected.contains("name") {
            return failure("'\(word)' is a keyword and cannot be a name; expected \(expected)")
        }
        let isWord = token.end > token.start && token.kind != .newline && token.kind != .string
        return failure("expected \(expected), found \(isWord ? "'\(word.prefix(40))'" : token.kind.name)")
    }

    mutating func failure(_ message: String) -> ParseFailure {
        diagnostics.add(message, at: mark)
        return ParseFailure()
    }

    /// Skips to the next line of a level, or to the end of its block.
    mutating func recover(to level: Int) {
        if token.kind == .end { return }
        while token.kind != .end {
            if token.kind == .dedent {
                if token.level < level { return }
            } else if beginsLine, token.kind != .indent, token.level <= level {
                return
            }
            advance()
        }
    }

    var beginsLine: Bool {
        guard position > 0 else { return true }
        switch tokens[position - 1].kind {
        case .newline, .indent, .dedent: return true
        default: return false
        }
    }

    /// Runs a rule one nesting level deeper.
    mutating func nested<Value>(
        _ rule: (inout Parser) throws(ParseFailure) -> Value
    ) throws(ParseFailure) -> Value {
        guard nesting < StoneLimits.nesting else {
            throw failure("the spec is nested more than \(StoneLimits.nesting) levels deep; give the inner part a name")
        }
        nesting += 1
        defer { nesting -= 1 }
        return try rule(&self)
    }
}

extension Parser {
    /// Parses the whole file, unless it has invalid tokens, whose errors would cause further ones.
    mutating func parse() -> SpecSyntax {
        var spec = SpecSyntax(file: file)
        guard diagnostics.count == 0 else { return spec }
        while token.kind != .end {
            let start = position
            do throws(ParseFailure) { try parseDefinition(into: &spec) } catch {
                // Skip tokens that do not begin a definition.
                if position == start { advance() }
                recover(to: 0)
            }
        }
        spec.definitions += inline
        return spec
    }

    private mutating func parseDefinition(into spec: inout SpecSyntax) throws(ParseFailure) {
        switch token.kind {
        case .newline, .dedent: advance()
        case .namespace: try parseNamespace(into: &spec)
        case .imports:
            advance()
            spec.imports.append(try name("the name of a namespace"))
            try expect(.newline, "the end of the line")
        case .alias: spec.definitions.append(.alias(try parseAlias()))
        case .annotation: spec.definitions.append(.annotation(try parseAnnotation()))
        case .annotationType: spec.definitions.append(.annotationType(try passAnnotationType()))
        case .structure: spec.definitions.append(.structure(try parseStruct()))
        case .union, .unionClosed: spec.definitions.append(.union(try parseUnion()))
        case .patch: spec.definitions.append(try parsePatch())
        case .route: spec.definitions.append(.route(try parseRoute()))
        case .indent: throw failure("the line cannot be indented here; remove the indentation")
        default:
            throw unexpected("a definition: alias, annotation, annotation_type, import, patch, route, struct or union")
        }
    }

    private mutating func parseNamespace(into spec: inout SpecSyntax) throws(ParseFailure) {
        guard spec.namespace == nil else {
            throw failure("the file already has a namespace; it can have only one")
        }
        if !spec.imports.isEmpty || !spec.definitions.isEmpty {
            diagnostics.add("the namespace must be the first definition of the file; move it up", at: mark)
        }
        advance()
        spec.namespace = try name("the namespace's name")
        try expect(.newline, "the end of the line")
        guard take(.indent) else { return }
        spec.namespaceDoc = try parseDoc()
        try endBlock("the namespace's documentation")
    }

    private mutating func parseAlias() throws(ParseFailure) -> AliasSyntax {
        advance()
        let name = try name("the alias's name")
        try expect(.equals, "'=' and a type")
        var alias = AliasSyntax(name: name, type: try parseType())
        try expect(.newline, "the end of the line")
        guard take(.indent) else { return alias }
        alias.annotations = try parseAnnotationReferences()
        alias.doc = try parseDoc()
        try endBlock("annotations and one documentation string")
        return alias
    }

    private mutating func parsePatch() throws(ParseFailure) -> DefinitionSyntax {
        let start = mark
        advance()
        switch token.kind {
        case .structure:
            var patch = StructSyntax(name: try patchedName(), mark: start)
            patch.fields = try parseMembers()
            return .structPatch(patch)
        case .union, .unionClosed:
            let isClosed = token.kind == .unionClosed
            var patch = UnionSyntax(name: try patchedName(), mark: start, isClosed: isClosed)
            patch.tags = try parseMembers()
            return .unionPatch(patch)
        default:
            throw unexpected("struct, union or union_closed")
        }
    }

    private mutating func patchedName() throws(ParseFailure) -> NameSyntax {
        advance()
        let name = try name("the name of the definition to patch")
        try expect(.newline, "the end of the line")
        try expect(.indent, "an indented field")
        return name
    }

    /// Ends an indented block, or throws if there is more in the block.
    mutating func endBlock(_ allowed: String) throws(ParseFailure) {
        guard take(.dedent) || token.kind == .end else { throw unexpected("only \(allowed) here") }
    }

    mutating func parseDoc() throws(ParseFailure) -> DocSyntax? {
        guard token.kind == .string else { return nil }
        let doc = DocSyntax(raw: DocText.trimmingLines(text.text(token)), mark: mark, end: token.end)
        advance()
        try expect(.newline, "the end of the line")
        return doc
    }
}

extension Parser {
    mutating func parseRoute() throws(ParseFailure) -> RouteSyntax {
        advance()
        let name = try routeName()
        let version = try parseVersion()
        try expect(.leftParenthesis, "'(' and the types of argument, result and error")
        let argument = try parseType()
        try expect(.comma, "',' and the type of the result")
        let result = try parseType()
        let error = take(.comma) ? try parseType() : nil
        try expect(.rightParenthesis, "')'")
        let deprecation = try parseDeprecation()
        try expect(.newline, "the end of the line")
        var route = RouteSyntax(
            name: name, version: version, argument: argument, result: result, error: error, deprecation: deprecation)
        guard take(.indent) else { return route }
        route.doc = try parseDoc()
        route.attributes = try parseAttributes()
        try endBlock("one documentation string and the attributes")
        return route
    }

    /// Parses a name, optionally followed by a path.
    private mutating func routeName() throws(ParseFailure) -> NameSyntax {
        let first = try name("the route's name")
        guard token.kind == .path else { return first }
        let path = text.written(token)
        advance()
        return NameSyntax(text: first.text + path, mark: first.mark)
    }

    private mutating func parseVersion() throws(ParseFailure) -> Int {
        guard take(.colon) else { return 1 }
        guard token.kind == .integer else { throw unexpected("a version, a whole number from 1") }
        let number = text.integer(token).flatMap { Int32(exactly: $0) }.map(Int.init)
        if number ?? 0 < 1 {
            diagnostics.add("a version must be a whole number from 1 to \(Int32.max)", at: mark)
        }
        advance()
        return max(1, number ?? 1)
    }

    private mutating func parseDeprecation() throws(ParseFailure) -> DeprecationSyntax? {
        guard take(.deprecated) else { return nil }
        guard take(.by) else { return DeprecationSyntax(successor: nil, version: 1) }
        let successor = try routeName()
        return DeprecationSyntax(successor: successor, version: try parseVersion())
    }

    private mutating func parseAttributes() throws(ParseFailure) -> [AssignmentSyntax] {
        guard take(.attrs) else { return [] }
        try expect(.newline, "the end of the line")
        try expect(.indent, "an indented attribute: name = value")
        var attributes: [AssignmentSyntax] = []
        var names: Set<String> = []
        repeat {
            let name = try name("the name of an attribute")
            try expect(.equals, "'=' and a value")
            attributes.append(AssignmentSyntax(name: name, value: try parseLiteralOrName("a value or a tag's name")))
            try expect(.newline, "the end of the line")
            if !names.insert(name.text).inserted {
                diagnostics.add("the attribute '\(name.text)' is given twice; remove one", at: name.mark)
            }
        } while token.kind == .identifier
        try endBlock("attributes")
        return attributes
    }
}
