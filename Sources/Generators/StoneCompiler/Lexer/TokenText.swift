// SPDX-License-Identifier: Apache-2.0

/// What tokens of a file mean.
struct TokenText: Sendable {
    let bytes: [UInt8]

    /// The token as it is written.
    func written(_ token: Token) -> String {
        String(decoding: bytes[token.start..<token.end], as: UTF8.self)
    }

    /// The whole number, or nil if it needs more than 128 bits.
    func integer(_ token: Token) -> Int128? { Int128(written(token)) }

    /// The number, or nil if it is out of range.
    func float(_ token: Token) -> Double? {
        // Stone allows a point without digits after it, Swift does not.
        var digits = bytes[token.start..<token.end]
        if let point = digits.firstIndex(of: UInt8(ascii: ".")) {
            let next = point + 1
            if next == digits.endIndex || !Lexer.isDigit(digits[next]) { digits.insert(UInt8(ascii: "0"), at: next) }
        }
        guard let value = Double(String(decoding: digits, as: UTF8.self)), value.isFinite else { return nil }
        return value
    }

    /// A text without quotation marks, escapes and the indentation of its later lines.
    func text(_ token: Token) -> String {
        var text: [UInt8] = []
        var offset = token.start + 1
        let end = max(offset, token.end - 1)
        while offset < end {
            let byte = bytes[offset]
            offset += 1
            if byte == UInt8(ascii: "\\"), offset < end {
                text.append(Self.escaped(bytes[offset]))
                offset += 1
            } else if byte == UInt8(ascii: "\r"), offset < end, bytes[offset] == UInt8(ascii: "\n") {
                continue
            } else {
                text.append(byte)
                if byte == UInt8(ascii: "\n") { offset = skipIndentation(4 * token.level, from: offset, to: end) }
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func escaped(_ byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "n"): UInt8(ascii: "\n")
        case UInt8(ascii: "t"): UInt8(ascii: "\t")
        default: byte
        }
    }

    /// Where the line goes on behind its indentation; a line that has less keeps what it has.
    private func skipIndentation(_ spaces: Int, from start: Int, to end: Int) -> Int {
        guard start + spaces <= end, bytes[start..<start + spaces].allSatisfy({ $0 == UInt8(ascii: " ") }) else {
            return start
        }
        return start + spaces
    }
}
