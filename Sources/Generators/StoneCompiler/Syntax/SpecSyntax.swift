// SPDX-License-Identifier: Apache-2.0

/// The syntax tree of a file.
struct SpecSyntax: Sendable {
    let file: Int
    var namespace: NameSyntax?
    var namespaceDoc: DocSyntax?
    var imports: [NameSyntax] = []
    /// The definitions in order, followed by the definitions inside fields.
    var definitions: [DefinitionSyntax] = []
}

enum DefinitionSyntax: Sendable {
    case alias(AliasSyntax)
    case annotation(AnnotationSyntax)
    /// Only the name, because custom annotations do not affect the generated code.
    case annotationType(NameSyntax)
    case structure(StructSyntax)
    case union(UnionSyntax)
    case structPatch(StructSyntax)
    case unionPatch(UnionSyntax)
    case route(RouteSyntax)
}

struct NameSyntax: Hashable, Sendable {
    let text: String
    let mark: Mark
}

struct DocSyntax: Sendable {
    /// The text without trailing whitespace in its lines.
    let raw: String
    let mark: Mark
    /// The end offset of the text in the file.
    let end: Int
}

struct AliasSyntax: Sendable {
    let name: NameSyntax
    let type: TypeSyntax
    var annotations: [ReferenceSyntax] = []
    var doc: DocSyntax?
}

struct AnnotationSyntax: Sendable {
    let name: NameSyntax
    let type: ReferenceSyntax
    let arguments: [ArgumentSyntax]
}

struct StructSyntax: Sendable {
    let name: NameSyntax
    let mark: Mark
    var parent: TypeSyntax?
    var doc: DocSyntax?
    var subtypes: SubtypesSyntax?
    var fields: [FieldSyntax] = []
}

struct SubtypesSyntax: Sendable {
    struct Member: Sendable {
        let tag: NameSyntax
        let type: TypeSyntax
    }

    let members: [Member]
    let isClosed: Bool
}

struct UnionSyntax: Sendable {
    let name: NameSyntax
    let mark: Mark
    let isClosed: Bool
    var parent: TypeSyntax?
    var doc: DocSyntax?
    var tags: [FieldSyntax] = []
}

struct FieldSyntax: Sendable {
    let name: NameSyntax
    /// The type, or `nil` for a tag without payload.
    let type: TypeSyntax?
    let defaultValue: ValueSyntax?
    var annotations: [ReferenceSyntax] = []
    var doc: DocSyntax?
}

struct RouteSyntax: Sendable {
    let name: NameSyntax
    let version: Int
    let argument: TypeSyntax
    let result: TypeSyntax
    let error: TypeSyntax?
    let deprecation: DeprecationSyntax?
    var doc: DocSyntax?
    var attributes: [AssignmentSyntax] = []
}

struct DeprecationSyntax: Sendable {
    let successor: NameSyntax?
    let version: Int
}

struct AssignmentSyntax: Sendable {
    let name: NameSyntax
    let value: ValueSyntax
}

/// A name, optionally qualified with a namespace.
struct ReferenceSyntax: Sendable {
    let namespace: NameSyntax?
    let name: NameSyntax

    var mark: Mark { namespace?.mark ?? name.mark }
}

struct TypeSyntax: Sendable {
    let reference: ReferenceSyntax
    var arguments: [ArgumentSyntax] = []
    var isNullable = false

    var mark: Mark { reference.mark }
    var name: String { reference.name.text }
}

struct ArgumentSyntax: Sendable {
    enum Value: Sendable {
        case literal(StoneLiteral)
        case type(TypeSyntax)
    }

    let keyword: NameSyntax?
    let value: Value
    let mark: Mark
}

struct ValueSyntax: Sendable {
    enum Kind: Sendable {
        case literal(StoneLiteral)
        case name(String)
    }

    let kind: Kind
    let mark: Mark

    /// The kind as written in messages.
    var kindName: String {
        switch kind {
        case .literal(let literal): literal.kindName
        case .name: "a name"
        }
    }
}

extension StoneLiteral {
    /// The kind as written in messages.
    var kindName: String {
        switch self {
        case .null: "null"
        case .boolean: "a Boolean"
        case .integer: "a whole number"
        case .float: "a number with a fraction"
        case .string: "a string"
        case .tag: "a tag"
        }
    }
}

/// A token of a spec.
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
    let start: Int
    let end: Int
    /// The level of indentation of the statement's first line.
    let level: Int
}

extension Token.Kind {
    /// The keywords, which cannot be names.
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

    /// The kind as written in messages.
    var name: String {
        switch self {
        case .identifier: "a name"
        case .path: "a path"
        case .integer, .float: "a number"
        case .string: "a string"
        case .yes, .no, .null: "a value"
        case .newline: "the end of the line"
        case .indent: "a deeper indentation"
        case .dedent: "the end of the indented block"
        case .end: "the end of the file"
        default: "a keyword or sign"
        }
    }
}

/// Decodes the tokens of a file.
struct TokenText: Sendable {
    let bytes: [UInt8]

    func written(_ token: Token) -> String {
        String(decoding: bytes[token.start..<token.end], as: UTF8.self)
    }

    /// Returns the integer, or `nil` if it needs more than 128 bits.
    func integer(_ token: Token) -> Int128? { Int128(written(token)) }

    /// Returns the number, or `nil` if it is out of range.
    func float(_ token: Token) -> Double? {
        // Stone allows a point without digits after it, which Swift does not.
        var digits = bytes[token.start..<token.end]
        if let point = digits.firstIndex(of: UInt8(ascii: ".")) {
            let next = point + 1
            if next == digits.endIndex || !Lexer.isDigit(digits[next]) { digits.insert(UInt8(ascii: "0"), at: next) }
        }
        guard let value = Double(String(decoding: digits, as: UTF8.self)), value.isFinite else { return nil }
        return value
    }

    /// Returns a string without its quotes, escapes and the indentation of further lines.
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

    /// Returns the offset after the indentation of a line, or the start if the indentation is shorter.
    private func skipIndentation(_ spaces: Int, from start: Int, to end: Int) -> Int {
        guard start + spaces <= end, bytes[start..<start + spaces].allSatisfy({ $0 == UInt8(ascii: " ") }) else {
            return start
        }
        return start + spaces
    }
}
