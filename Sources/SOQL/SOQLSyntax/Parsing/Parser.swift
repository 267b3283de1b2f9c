// SPDX-License-Identifier: Apache-2.0

/// Builds the tree of a query by recursive descent with one word of look-ahead.
struct Parser {
    private var lexer: Lexer
    /// The word not yet taken.
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

    /// Takes the word if it is of this kind.
    mutating func take(_ kind: Token.Kind) throws(SOQLSyntaxError) -> Bool {
        guard token.kind == kind else { return false }
        try advance()
        return true
    }

    mutating func expect(_ kind: Token.Kind, _ expected: String) throws(SOQLSyntaxError) {
        guard try take(kind) else { throw unexpected(expected) }
    }

    /// Takes the word if it is this keyword.
    mutating func take(keyword: StaticString) throws(SOQLSyntaxError) -> Bool {
        guard isAt(keyword) else { return false }
        try advance()
        return true
    }

    mutating func expect(keyword: StaticString) throws(SOQLSyntaxError) {
        guard try take(keyword: keyword) else { throw unexpected(keyword.description) }
    }

    /// Takes one of the words of a kind; `nil`, and nothing taken, when another word stands here.
    mutating func take<Word: CaseIterable & RawRepresentable<String>>(
        _ words: Word.Type
    ) throws(SOQLSyntaxError) -> Word? {
        guard token.kind == .name, let word = Word(rawValue: text.uppercased()) else { return nil }
        try advance()
        return word
    }

    /// Whether the word is this keyword (upper case), in any case.
    func isAt(_ keyword: StaticString) -> Bool {
        guard token.kind == .name, token.range.count == keyword.utf8CodeUnitCount else { return false }
        var place = token.range.lowerBound
        for expected in keyword.description.utf8 {
            let byte = lexer.bytes[place]
            guard byte == expected || (byte.isASCIILetter && byte & 0xDF == expected) else { return false }
            place += 1
        }
        return true
    }

    func isAt(anyOf keywords: [StaticString]) -> Bool {
        keywords.contains { isAt($0) }
    }

    /// The parser so many words further on; `nil` when one of them is no word.
    func ahead(_ count: Int = 1) -> Parser? {
        var parser = self
        for _ in 0..<count {
            guard (try? parser.advance()) != nil else { return nil }
        }
        return parser
    }

    /// The text of the word.
    var text: String { lexer.text(token.range) }

    func bytes(of token: Token) -> ArraySlice<UInt8> { lexer.bytes[token.range] }

    /// Goes one level deeper for as long as `body` runs.
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

    /// An error at the word not yet taken.
    func error(_ message: String) -> SOQLSyntaxError {
        SOQLSyntaxError(message: message, position: token.position, token: text)
    }

    func unexpected(_ expected: String) -> SOQLSyntaxError {
        error("unexpected token: \(shownToken) (expected \(expected))")
    }

    /// The platform's error for `:name` outside of Apex.
    func bindVariable() -> SOQLSyntaxError { error("Bind variables only allowed in Apex code") }

    func unsupported(_ construct: String) -> SOQLSyntaxError {
        SOQLSyntaxError(
            .unsupported, message: "\(construct) is not supported here", position: token.position, token: text)
    }

    /// The word for a message; what a terminal would not show is written as a code point.
    private var shownToken: String {
        guard token.kind != .end else { return "<EOF>" }
        let scalars = text.unicodeScalars
        guard scalars.count == 1, let scalar = scalars.first, scalar.value < 0x20 || scalar.value > 0x7E else {
            return "'\(text)'"
        }
        return scalar.properties.isAlphabetic ? "'\(text)'" : "U+" + scalar.value.hexadecimal(width: 4).uppercased()
    }

    /// The error when a query goes on after its last clause.
    func endExpected() -> SOQLSyntaxError {
        isAt("BIND") ? unsupported("the BIND clause") : unexpected("a later clause or the end of the query")
    }
}
