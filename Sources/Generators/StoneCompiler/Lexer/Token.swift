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
