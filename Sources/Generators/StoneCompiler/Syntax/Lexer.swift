// SPDX-License-Identifier: Apache-2.0

import RestBase

/// Splits a file into tokens.
///
/// A level is four spaces. A statement continues inside its parentheses, indented by one more level.
struct Lexer {
    let bytes: [UInt8]
    let file: Int
    var position = 0
    var level = 0
    /// The number of open parentheses.
    var depth = 0
    var tokens: [Token] = []
    var diagnostics = Diagnostics()

    init(_ source: StoneSource, file: Int) {
        self.bytes = source.bytes
        self.file = file
        tokens.reserveCapacity(bytes.count / 6)
    }

    /// Returns the tokens of the whole file, of which `end` is the last.
    mutating func lex() -> [Token] {
        guard isReadable() else { return [Token(kind: .end, start: 0, end: 0, level: 0)] }
        while position < bytes.count {
            if startLine() { lexLine() }
        }
        if depth > 0, diagnostics.count == 0 { fault("the parenthesis is not closed; add ')'", at: bytes.count) }
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

    /// Ends the current statement, if there is one.
    mutating func endLine() {
        switch tokens.last?.kind {
        case nil, .newline, .indent, .dedent: return
        default: append(.newline, from: position)
        }
    }

    /// Returns the byte at an offset, or a line feed after the end.
    func byte(_ offset: Int) -> UInt8 { offset < bytes.count ? bytes[offset] : UInt8(ascii: "\n") }

    func isLineEnd(_ offset: Int) -> Bool {
        let byte = byte(offset)
        return byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") && self.byte(offset + 1) == UInt8(ascii: "\n")
    }

    mutating func skipLine() {
        while position < bytes.count, bytes[position] != UInt8(ascii: "\n") { position += 1 }
        position = min(position + 1, bytes.count)
    }

    /// Adds the tokens of a statement, which can have several lines.
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
                if depth == 0 || !continueLine() {
                    endLine()
                    return skipLine()
                }
            default:
                lexToken(byte)
            }
        }
    }
}

extension Lexer {
    /// Checks the size and the encoding of the file.
    mutating func isReadable() -> Bool {
        if bytes.count > StoneLimits.fileBytes {
            fault("the file is larger than \(StoneLimits.fileBytes >> 20) MiB; split it", at: 0)
        } else if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            fault("the file begins with a byte order mark; save it without one", at: 0)
        } else if let offset = firstLongLine() {
            fault("the line is longer than \(StoneLimits.lineBytes) bytes; break it", at: offset)
        } else if let offset = firstInvalidByte() {
            fault("the file is not UTF-8; save it in that encoding", at: offset)
        } else {
            return true
        }
        return false
    }

    private func firstLongLine() -> Int? {
        var start = 0
        var offset = 0
        while offset < bytes.count {
            if bytes[offset] == UInt8(ascii: "\n") { start = offset + 1 }
            if offset - start > StoneLimits.lineBytes { return start }
            offset += 1
        }
        return nil
    }

    private func firstInvalidByte() -> Int? {
        if String(validating: bytes, as: UTF8.self) != nil { return nil }
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        var offset = 0
        while true {
            switch decoder.decode(&iterator) {
            case .scalarValue(let scalar): offset += UTF8.width(scalar)
            case .emptyInput, .error: return min(offset, max(0, bytes.count - 1))
            }
        }
    }

    /// Reads the indentation of a line, or skips an empty line or comment and returns `false`.
    mutating func startLine() -> Bool {
        let start = position
        guard let first = firstWord() else {
            skipLine()
            return false
        }
        position = first
        change(to: indentation(from: start, to: first), at: first)
        return true
    }

    /// Returns the offset of the first word in the line, or `nil` if there is none.
    private func firstWord() -> Int? {
        var offset = position
        while byte(offset) == UInt8(ascii: " ") || byte(offset) == UInt8(ascii: "\t") { offset += 1 }
        return isLineEnd(offset) || byte(offset) == UInt8(ascii: "#") ? nil : offset
    }

    /// Returns the level of an indentation, or the nearest level if it is invalid.
    private mutating func indentation(from start: Int, to end: Int) -> Int {
        let indentation = bytes[start..<end]
        let tabs = indentation.count { $0 == UInt8(ascii: "\t") }
        let spaces = indentation.count - tabs
        if let tab = indentation.firstIndex(of: UInt8(ascii: "\t")) {
            fault("the line is indented with a tab; use four spaces for each level", at: tab)
        } else if spaces % 4 != 0 {
            fault("the indentation, \(spaces) spaces, is not divisible by 4; use four for each level", at: end)
        }
        let level = tabs + (spaces + 2) / 4
        if level > StoneLimits.indentation {
            fault("the line is indented by more than \(StoneLimits.indentation) levels", at: end)
        }
        return min(level, StoneLimits.indentation)
    }

    /// Changes the level of indentation, with a token for each step.
    mutating func change(to new: Int, at offset: Int) {
        while level < new {
            level += 1
            append(.indent, from: offset)
        }
        while level > new {
            level -= 1
            append(.dedent, from: offset)
        }
    }

    /// Continues the statement in the next line, or returns `false` if that line begins another statement.
    mutating func continueLine() -> Bool {
        var start = position
        while true {
            skipLine()
            if position >= bytes.count { return false }
            start = position
            if let first = firstWord() {
                position = first
                break
            }
        }
        let found = indentation(from: start, to: position)
        if found == level + 1 { return true }
        let advice = "a line that continues a parenthesis is indented by one level more than its statement"
        fault("\(advice); here that is \(4 * (level + 1)) spaces", at: position)
        if found > level { return true }
        // The parenthesis is not closed, and another statement follows.
        depth = 0
        endLine()
        position = start
        if startLine() { return true }
        return false
    }
}

extension Lexer {
    /// Adds one token other than whitespace and line ends.
    mutating func lexToken(_ byte: UInt8) {
        let start = position
        if byte < 128, let kind = Token.Kind.punctuation[Int(byte)] {
            position += 1
            if kind == .leftParenthesis { depth += 1 }
            if kind == .rightParenthesis { depth = max(0, depth - 1) }
            append(kind, from: start)
        } else if Self.isLetter(byte) {
            lexName()
        } else if byte == UInt8(ascii: "\"") {
            lexText()
        } else if Self.isDigit(byte) || byte == UInt8(ascii: "-") && Self.isDigit(self.byte(position + 1)) {
            lexNumber()
        } else if byte == UInt8(ascii: "/") {
            position += 1
            while Self.isNamePart(self.byte(position)) || self.byte(position) == UInt8(ascii: "/") { position += 1 }
            append(.path, from: start)
        } else {
            skipStranger()
        }
    }

    static func isLetter(_ byte: UInt8) -> Bool {
        (byte | 0x20) >= UInt8(ascii: "a") && (byte | 0x20) <= UInt8(ascii: "z") || byte == UInt8(ascii: "_")
    }

    static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

    static func isNamePart(_ byte: UInt8) -> Bool { isLetter(byte) || isDigit(byte) || byte == UInt8(ascii: "-") }

    /// Adds a name, a keyword or a literal word.
    private mutating func lexName() {
        let start = position
        while Self.isNamePart(byte(position)), byte(position) != UInt8(ascii: "-") { position += 1 }
        switch String(decoding: bytes[start..<position], as: UTF8.self) {
        case "true": return append(.yes, from: start)
        case "false": return append(.no, from: start)
        case "null": return append(.null, from: start)
        default: break
        }
        while Self.isNamePart(byte(position)) { position += 1 }
        let kind = Token.Kind.keywords[String(decoding: bytes[start..<position], as: UTF8.self)] ?? .identifier
        // This word became a keyword later, so it is a name where no definition is allowed.
        append(kind == .annotationType && level > 0 ? .identifier : kind, from: start)
    }

    private mutating func lexNumber() {
        let start = position
        position += 1
        skipDigits()
        var kind = Token.Kind.integer
        if byte(position) == UInt8(ascii: ".") {
            kind = .float
            position += 1
            skipDigits()
        }
        if byte(position) == UInt8(ascii: "e") {
            let sign = byte(position + 1) == UInt8(ascii: "-") ? 1 : 0
            if Self.isDigit(byte(position + 1 + sign)) {
                kind = .float
                position += 1 + sign
                skipDigits()
            }
        }
        append(kind, from: start)
    }

    private mutating func skipDigits() {
        while Self.isDigit(byte(position)) { position += 1 }
    }

    /// Adds a quoted string, which can have several lines.
    private mutating func lexText() {
        let start = position
        var end = position + 1
        while end < bytes.count {
            let byte = bytes[end]
            if byte == UInt8(ascii: "\"") {
                position = end + 1
                return append(.string, from: start)
            }
            if byte == UInt8(ascii: "\\") {
                end += 1
                if isLineEnd(end) { break }
            }
            end += 1
        }
        fault("the string that begins here has no closing quotation mark, or its line ends with a backslash", at: start)
        while !isLineEnd(position) { position += 1 }
        append(.string, from: start)
    }

    /// Skips characters that no token contains.
    private mutating func skipStranger() {
        let start = position
        position += 1
        while byte(position) & 0xC0 == 0x80 { position += 1 }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        while byte(position) >= 0x80 { position += 1 }
        let digits = String(decoding: Hexadecimal.encode([bytes[start]]), as: UTF8.self).uppercased()
        let shown = bytes[start] < 32 || bytes[start] == 127 ? "U+00" + digits : "'\(text)'"
        let advice = text == "*" ? "; every union is open unless it is a union_closed" : "; remove it"
        fault("unexpected character \(shown)\(advice)", at: start)
    }
}
