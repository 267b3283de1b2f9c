// SPDX-License-Identifier: Apache-2.0

extension Lexer {
    /// Cuts one token that is neither blank nor line end.
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

    /// A name, a keyword or one of the words for values.
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
        // This word became a keyword late, so it stays a name where no definition can stand.
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

    /// A text in quotes, perhaps of several lines.
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
        fault("The text that begins here has no closing quotation mark, or a backslash ends its line.", at: start)
        while !isLineEnd(position) { position += 1 }
        append(.string, from: start)
    }

    /// Passes characters that no token has.
    private mutating func skipStranger() {
        let start = position
        position += 1
        while byte(position) & 0xC0 == 0x80 { position += 1 }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        while byte(position) >= 0x80 { position += 1 }
        let scalar = text.unicodeScalars.first ?? "\u{FFFD}"
        let shown = scalar.value < 32 || scalar.value == 127 ? "U+00" + hex(scalar.value) : "'\(text)'"
        let advice = text == "*" ? "; every union is open unless it is a union_closed" : "; remove it"
        fault("The character \(shown) means nothing here\(advice).", at: start)
    }

    private func hex(_ value: UInt32) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 2 - digits.count)) + digits
    }
}
