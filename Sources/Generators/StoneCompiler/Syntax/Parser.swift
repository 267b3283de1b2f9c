// SPDX-License-Identifier: Apache-2.0

/// That a rule cannot be read on; the fault has been noted.
struct ParseFailure: Error {}

/// Makes the syntax tree of one file.
///
/// A fault ends the field or the definition that has it; parsing goes on with the next one.
struct Parser {
    let file: Int
    let tokens: [Token]
    let text: TokenText
    var position = 0
    var diagnostics: Diagnostics
    /// Where the lexer has found faults.
    private let lexicalFaults: [Int]
    /// How deep types, lists or inline definitions are nested at this place.
    var nesting = 0
    /// Definitions found inside fields.
    var inline: [DefinitionSyntax] = []

    init(_ source: StoneSource, file: Int) {
        var lexer = Lexer(source, file: file)
        self.file = file
        self.tokens = lexer.lex()
        self.text = TokenText(bytes: source.bytes)
        self.diagnostics = lexer.diagnostics
        self.lexicalFaults = lexer.diagnostics.offsets
    }

    /// The token to read next; the last one is `end` and stays.
    var token: Token { tokens[position] }

    var mark: Mark { Mark(file: file, offset: token.start) }

    mutating func advance() {
        if position + 1 < tokens.count { position += 1 }
    }

    /// Reads a token if it is of this kind.
    mutating func take(_ kind: Token.Kind) -> Bool {
        guard token.kind == kind else { return false }
        advance()
        return true
    }

    /// Reads a token that must be of this kind.
    mutating func expect(_ kind: Token.Kind, _ expected: String) throws(ParseFailure) {
        guard take(kind) else { throw unexpected(expected) }
    }

    mutating func name(_ role: String) throws(ParseFailure) -> NameSyntax {
        guard token.kind == .identifier else { throw unexpected(role) }
        let name = NameSyntax(text: text.written(token), mark: mark)
        advance()
        return name
    }

    /// Notes that something else should stand here.
    mutating func unexpected(_ expected: String) -> ParseFailure {
        let word = text.written(token)
        if Token.Kind.keywords[word] == token.kind, expected.contains("name") {
            return failure("'\(word)' is a word of the language and cannot be a name; expected \(expected).")
        }
        let isWord = token.end > token.start && token.kind != .newline && token.kind != .string
        return failure("Expected \(expected), but here is \(isWord ? "'\(word.prefix(40))'" : token.kind.name).")
    }

    mutating func failure(_ message: String) -> ParseFailure {
        if !followsLexicalFault { diagnostics.add(message, at: mark) }
        return ParseFailure()
    }

    /// Whether the lexer has found a fault near here, so that another one would be its consequence.
    private var followsLexicalFault: Bool {
        guard let last = lexicalFaults.last(where: { $0 <= tokens[min(position + 1, tokens.count - 1)].start }) else {
            return false
        }
        var lines = 0
        var offset = token.start
        while offset > last {
            offset -= 1
            if offset < text.bytes.count, text.bytes[offset] == UInt8(ascii: "\n") { lines += 1 }
            if lines > 2 { return false }
        }
        return true
    }

    /// Passes everything up to the next line of a level, or to the end of the block that this level makes.
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

    /// Whether the token is the first of a line.
    var beginsLine: Bool {
        guard position > 0 else { return true }
        switch tokens[position - 1].kind {
        case .newline, .indent, .dedent: return true
        default: return false
        }
    }

    /// Runs a rule one nesting deeper.
    mutating func nested<Value>(
        _ rule: (inout Parser) throws(ParseFailure) -> Value
    ) throws(ParseFailure) -> Value {
        guard nesting < StoneLimits.nesting else {
            throw failure("This is nested more than \(StoneLimits.nesting) levels deep; give the inner part a name.")
        }
        nesting += 1
        defer { nesting -= 1 }
        return try rule(&self)
    }
}
