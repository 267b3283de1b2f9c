// SPDX-License-Identifier: Apache-2.0
/// Parses a query to a tree by recursive descent, with one token of look-ahead.
struct Parser {
    private var lexer: Lexer
    private(set) var token: Token
    private var depth = 0

    init(_ text: String) throws(SOQLSyntaxError) {
        guard text.utf8.count <= SOQLQuery.maximumLength else {
            throw SOQLSyntaxError(
                message: "the query is longer than \(SOQLQuery.maximumLength) characters", position: .start, token: "")
        }
        lexer = Lexer(text)
        token = try lexer.next()
    }

    mutating func parseWholeQuery() throws(SOQLSyntaxError) -> SOQLQuery {
        let query = try parseQuery()
        guard token.kind == .end else { throw endExpected() }
        return query
    }

    // MARK: Taking words

    mutating func advance() throws(SOQLSyntaxError) {
        token = try lexer.next()
    }

    mutating func take(_ kind: Token.Kind) throws(SOQLSyntaxError) -> Bool {
        guard token.kind == kind else { return false }
        try advance()
        return true
    }

    mutating func expect(_ kind: Token.Kind, _ expected: String) throws(SOQLSyntaxError) {
        guard try take(kind) else { throw unexpected(expected) }
    }

    /// Takes the token if it is this keyword.
    mutating func take(keyword: StaticString) throws(SOQLSyntaxError) -> Bool {
        guard isAt(keyword) else { return false }
        try advance()
        return true
    }

    mutating func expect(keyword: StaticString) throws(SOQLSyntaxError) {
        guard try take(keyword: keyword) else { throw unexpected(keyword.description) }
    }

    /// Takes one of the words of an enum, or returns `nil` without taking the token.
    mutating func take<Word: CaseIterable & RawRepresentable<String>>(
        _ words: Word.Type
    ) throws(SOQLSyntaxError) -> Word? {
        guard token.kind == .name, let word = Word(rawValue: text.uppercased()) else { return nil }
        try advance()
        return word
    }

    /// Whether the token is this keyword, given in upper case.
    func isAt(_ keyword: StaticString) -> Bool {
        token.kind == .name && lexer.bytes[token.range].isKeyword(keyword)
    }

    func isAt(anyOf keywords: [StaticString]) -> Bool {
        keywords.contains { isAt($0) }
    }

    /// Returns the parser after `count` more tokens, or `nil` if one of them is invalid.
    func ahead(_ count: Int = 1) -> Parser? {
        var parser = self
        for _ in 0..<count {
            guard (try? parser.advance()) != nil else { return nil }
        }
        return parser
    }

    var text: String { lexer.text(token.range) }

    func bytes(of token: Token) -> ArraySlice<UInt8> { lexer.bytes[token.range] }

    /// Runs `body` one nesting level deeper.
    mutating func nested<Node>(
        _ body: (inout Parser) throws(SOQLSyntaxError) -> Node
    ) throws(SOQLSyntaxError) -> Node {
        guard depth < SOQLQuery.maximumDepth else {
            throw error("nested more than \(SOQLQuery.maximumDepth) levels deep")
        }
        depth += 1
        let node = try body(&self)
        depth -= 1
        return node
    }

    // MARK: Errors

    /// Returns an error at the next token.
    func error(_ message: String) -> SOQLSyntaxError {
        SOQLSyntaxError(message: message, position: token.position, token: text)
    }

    func unexpected(_ expected: String) -> SOQLSyntaxError {
        error("unexpected token: \(shownToken) (expected \(expected))")
    }

    /// Salesforce's error for `:name` outside of Apex.
    func bindVariable() -> SOQLSyntaxError { error("Bind variables only allowed in Apex code") }

    func unsupported(_ construct: String) -> SOQLSyntaxError {
        SOQLSyntaxError(
            .unsupported, message: "\(construct) is not supported here", position: token.position, token: text)
    }

    /// The token for a message, with invisible characters as code points.
    private var shownToken: String {
        guard token.kind != .end else { return "<EOF>" }
        let scalars = text.unicodeScalars
        guard scalars.count == 1, let scalar = scalars.first, scalar.value < 0x20 || scalar.value > 0x7E else {
            return "'\(text)'"
        }
        return scalar.properties.isAlphabetic ? "'\(text)'" : "U+" + scalar.value.hexadecimal(width: 4).uppercased()
    }

    /// The error for text after the last clause.
    func endExpected() -> SOQLSyntaxError {
        isAt("BIND") ? unsupported("the BIND clause") : unexpected("a later clause or the end of the query")
    }
}

extension Parser {
    /// Parses `NOT term`, or terms joined by AND, or terms joined by OR.
    mutating func parseCondition() throws(SOQLSyntaxError) -> SOQLCondition {
        if try take(keyword: "NOT") {
            let condition = SOQLCondition.not(try parseTerm())
            guard !isAt("AND"), !isAt("OR") else {
                throw error("unexpected token: '\(text)' (put NOT and its condition in parentheses)")
            }
            return condition
        }
        let first = try parseTerm()
        if isAt("AND") { return .and(try parseTerms(after: first, joinedBy: "AND", notBy: "OR")) }
        if isAt("OR") { return .or(try parseTerms(after: first, joinedBy: "OR", notBy: "AND")) }
        return first
    }

    private mutating func parseTerms(
        after first: SOQLCondition, joinedBy keyword: StaticString, notBy other: StaticString
    ) throws(SOQLSyntaxError) -> [SOQLCondition] {
        var terms = [first]
        while try take(keyword: keyword) { terms.append(try parseTerm()) }
        guard !isAt(other) else {
            throw error("unexpected token: '\(text)' (AND and OR cannot be mixed without parentheses)")
        }
        return terms
    }

    private mutating func parseTerm() throws(SOQLSyntaxError) -> SOQLCondition {
        guard token.kind == .leftParenthesis else { return .comparison(try parseComparison()) }
        try advance()
        let condition = try nested { parser throws(SOQLSyntaxError) in try parser.parseCondition() }
        try expect(.rightParenthesis, "')'")
        return condition
    }

    private mutating func parseComparison() throws(SOQLSyntaxError) -> SOQLComparison {
        let left = try parseExpression()
        let position = token.position
        let comparison = try parseOperator()
        let right = try parseOperand(of: comparison)
        return SOQLComparison(left, comparison, right, operatorPosition: position)
    }

    private mutating func parseOperator() throws(SOQLSyntaxError) -> SOQLOperator {
        if case .comparison(let comparison) = token.kind {
            try advance()
            return comparison
        }
        for (keyword, comparison) in Parser.wordOperators where isAt(keyword) {
            try advance()
            return comparison
        }
        guard token.kind != .plus, token.kind != .minus else { throw unsupported("arithmetic in a condition") }
        guard try take(keyword: "NOT") else { throw unexpected("an operator") }
        try expect(keyword: "IN")
        return .notIn
    }

    private static let wordOperators: [(StaticString, SOQLOperator)] = [
        ("LIKE", .like), ("IN", .in), ("INCLUDES", .includes), ("EXCLUDES", .excludes),
    ]

    private mutating func parseOperand(of comparison: SOQLOperator) throws(SOQLSyntaxError) -> SOQLOperand {
        switch comparison {
        case .like: return .pattern(try parsePattern())
        case .in, .notIn: return try parseListOrQuery()
        case .includes, .excludes:
            try expectListStart()
            return .list(try parseList(ofStringsOnly: true))
        default: return .literal(try parseLiteral())
        }
    }

    private mutating func parseListOrQuery() throws(SOQLSyntaxError) -> SOQLOperand {
        let position = token.position
        try expectListStart()
        guard isAt("SELECT") else { return .list(try parseList(ofStringsOnly: false)) }
        let query = try nested { parser throws(SOQLSyntaxError) in try parser.parseSemiJoin() }
        return .query(SOQLChildQuery(query, position: position))
    }

    private mutating func expectListStart() throws(SOQLSyntaxError) {
        if token.kind == .colon { throw bindVariable() }
        try expect(.leftParenthesis, "'('")
    }

    private mutating func parseList(ofStringsOnly: Bool) throws(SOQLSyntaxError) -> [SOQLValue] {
        var values: [SOQLValue] = []
        repeat {
            guard !ofStringsOnly || token.kind == .string else { throw unexpected("a string") }
            values.append(try parseLiteral())
        } while try take(.comma)
        try expect(.rightParenthesis, "',' or ')'")
        return values
    }

    /// Parses `SELECT field FROM object [WHERE …] [WITH …] )`, without other clauses.
    private mutating func parseSemiJoin() throws(SOQLSyntaxError) -> SOQLQuery {
        let query = try parseQuery()
        let selected = query.select[0]
        guard query.select.count == 1, case .field(.path, nil) = selected else {
            throw SOQLSyntaxError(
                message: "a semi-join selects exactly one field", position: selected.position, token: "")
        }
        if let position = query.joined.first?.path.position ?? query.scope?.position {
            throw SOQLSyntaxError(message: "a semi-join reads one object", position: position, token: "")
        }
        if let position = query.positionBehindWith {
            throw SOQLSyntaxError(message: "a semi-join has no clause after WHERE", position: position, token: "")
        }
        guard token.kind == .rightParenthesis else { throw token.kind == .end ? unexpected("')'") : endExpected() }
        try advance()
        return query
    }
}

extension SOQLQuery {
    /// The position of the content of the first clause after WHERE and WITH.
    fileprivate var positionBehindWith: SOQLPosition? {
        groupBy.first?.position ?? orderBy.first?.expression.position ?? limit?.position ?? offset?.position
            ?? usage?.position ?? statistics.first?.position ?? apexClauses.first?.position
    }
}

extension Parser {
    /// Parses the content of a WITH clause.
    mutating func parseWith() throws(SOQLSyntaxError) -> SOQLWith {
        let position = token.position
        if isAt("DATA"), ahead()?.isAt("CATEGORY") == true {
            self = ahead(2) ?? self
            return .dataCategories(try parseDataCategories())
        }
        if let access = try take(SOQLAccess.self) { return .access(SOQLPlaced(access, position: position)) }
        var setting = SOQLSetting(
            try parseName("SECURITY_ENFORCED, USER_MODE, SYSTEM_MODE, DATA CATEGORY or the name of a setting"))
        if try take(.comparison(.equal)) {
            setting.value = try parseLiteral()
        } else if try take(.leftParenthesis) {
            repeat {
                let name = try parseName("the name of an option")
                try expect(.comparison(.equal), "'='")
                setting.options.append(SOQLSetting.Option(name, try parseLiteral()))
            } while try take(.comma)
            try expect(.rightParenthesis, "',' or ')'")
        }
        return .setting(setting)
    }

    private mutating func parseDataCategories() throws(SOQLSyntaxError) -> [SOQLDataCategory] {
        var tests: [SOQLDataCategory] = []
        repeat {
            let group = try parseName("a category group")
            guard let selector = try take(SOQLDataCategory.Selector.self) else {
                throw unexpected("AT, ABOVE, BELOW or ABOVE_OR_BELOW")
            }
            tests.append(SOQLDataCategory(group, selector, try parseCategories()))
        } while try take(keyword: "AND")
        return tests
    }

    private mutating func parseCategories() throws(SOQLSyntaxError) -> [SOQLName] {
        guard try take(.leftParenthesis) else { return [try parseName("a category or '('")] }
        var categories: [SOQLName] = []
        repeat {
            categories.append(try parseName("a category"))
        } while try take(.comma)
        try expect(.rightParenthesis, "',' or ')'")
        return categories
    }
}
