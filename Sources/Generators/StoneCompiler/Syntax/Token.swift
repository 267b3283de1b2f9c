// SPDX-License-Identifier: Apache-2.0

/// A word of a spec.
struct Token: Sendable {
    enum Kind: Sendable {
        case identifier, path, integer, float, string, yes, no, null
        case dot, comma, equals, colon, question, at
        case leftParenthesis, rightParenthesis, leftBracket, rightBracket, leftBrace, rightBrace
        case newline, indent, dedent, end
        case alias, annotation, annotationType, attrs, by, deprecated, doc, example, error, extends, imports, namespace
        case patch, route, structure, union, unionClosed
    }

    let kind: Kind
    /// Where it begins, in bytes.
    let start: Int
    /// Where it ends, in bytes.
    let end: Int
    /// The level of indentation of its line; of the first line if its statement goes on for several.
    let level: Int
}

extension Token.Kind {
    /// The words that cannot be names.
    static let keywords: [String: Token.Kind] = [
        "alias": .alias, "annotation": .annotation, "annotation_type": .annotationType, "attrs": .attrs, "by": .by,
        "deprecated": .deprecated, "doc": .doc, "example": .example, "error": .error, "extends": .extends,
        "import": .imports, "namespace": .namespace, "patch": .patch, "route": .route, "struct": .structure,
        "union": .union, "union_closed": .unionClosed,
    ]

    static let punctuation: [Token.Kind?] = {
        var kinds = [Token.Kind?](repeating: nil, count: 128)
        let marks: [(Unicode.Scalar, Token.Kind)] = [
            (".", .dot), (",", .comma), ("=", .equals), (":", .colon), ("?", .question), ("@", .at),
            ("(", .leftParenthesis), (")", .rightParenthesis), ("[", .leftBracket), ("]", .rightBracket),
            ("{", .leftBrace), ("}", .rightBrace),
        ]
        for (mark, kind) in marks { kinds[Int(UInt8(ascii: mark))] = kind }
        return kinds
    }()

    /// How a message calls it.
    var name: String {
        switch self {
        case .identifier: "a name"
        case .path: "a path"
        case .integer, .float: "a number"
        case .string: "a text"
        case .yes, .no, .null: "a value"
        case .newline: "the end of the line"
        case .indent: "a deeper indentation"
        case .dedent: "the end of the indented block"
        case .end: "the end of the file"
        default: "a word"
        }
    }
}

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
