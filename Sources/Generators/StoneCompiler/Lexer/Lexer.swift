// SPDX-License-Identifier: Apache-2.0

/// Cuts a file into tokens.
///
/// A level of indentation is four spaces. Inside parentheses lines go on, one level deeper than the statement.
struct Lexer {
    let bytes: [UInt8]
    let file: Int
    var position = 0
    var level = 0
    /// How many parentheses are open.
    var depth = 0
    var tokens: [Token] = []
    var diagnostics = Diagnostics()

    init(_ source: StoneSource, file: Int) {
        self.bytes = source.bytes
        self.file = file
        tokens.reserveCapacity(bytes.count / 6)
    }

    /// The tokens of the whole file; `end` is the last one.
    mutating func lex() -> [Token] {
        guard isReadable() else { return [Token(kind: .end, start: 0, end: 0, level: 0)] }
        while position < bytes.count {
            if startLine() { lexLine() }
        }
        if depth > 0, diagnostics.count == 0 { fault("The parenthesis is not closed; add ')'.", at: bytes.count) }
        endLine()
        change(to: 0, at: bytes.count)
        append(.end, from: bytes.count)
        return tokens
    }

    mutating func fault(_ message: String, at offset: Int) {
        diagnostics.add(message, at: Mark(file: file, offset: offset))
    }

    mutating func append(_ kind: Token.Kind, from start: Int) {
        tokens.append(Token(kind: kind, start: start, end: max(start, position), level: level))
    }

    /// Ends the statement, if one has begun.
    mutating func endLine() {
        switch tokens.last?.kind {
        case nil, .newline, .indent, .dedent: return
        default: append(.newline, from: position)
        }
    }

    /// The byte at a place; past the end a line feed, as if the last line were ended.
    func byte(_ offset: Int) -> UInt8 { offset < bytes.count ? bytes[offset] : UInt8(ascii: "\n") }

    /// Whether a line ends at a place.
    func isLineEnd(_ offset: Int) -> Bool {
        let byte = byte(offset)
        return byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") && self.byte(offset + 1) == UInt8(ascii: "\n")
    }

    /// Goes to the beginning of the next line.
    mutating func skipLine() {
        while position < bytes.count, bytes[position] != UInt8(ascii: "\n") { position += 1 }
        position = min(position + 1, bytes.count)
    }

    /// Tokens to the end of the statement's line, or lines.
    private mutating func lexLine() {
        while true {
            let byte = byte(position)
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\t"):
                position += 1
            case UInt8(ascii: "#"):
                while !isLineEnd(position) { position += 1 }
            case UInt8(ascii: "\n"),
                UInt8(ascii: "\r") where isLineEnd(position):
                if depth == 0 || !continueLine() { return finishLine() }
            default:
                lexToken(byte)
            }
        }
    }

    private mutating func finishLine() {
        endLine()
        skipLine()
    }
}
