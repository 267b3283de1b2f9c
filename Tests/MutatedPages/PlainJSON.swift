// SPDX-License-Identifier: Apache-2.0

/// A JSON value as the plainest of parsers reads it, byte by byte, to compare the library's fast ways with.
///
/// It shares no code with the library.
public indirect enum PlainJSON {
    case null
    case bool(Bool)
    /// A number, as it is spelt.
    case number([UInt8])
    /// A string: the token with its quotes, and its characters in UTF-8.
    case string(token: [UInt8], characters: [UInt8])
    case array([PlainJSON])
    case object([Member])

    /// A member of an object; its name is a string.
    public typealias Member = (name: PlainJSON, value: PlainJSON)

    /// The characters of a string.
    public var characters: [UInt8]? {
        if case .string(_, let characters) = self { return characters }
        return nil
    }

    /// The text with its tokens as they were, and no white space between them.
    public var asSent: [UInt8] {
        switch self {
        case .null: Array("null".utf8)
        case .bool(let flag): Array((flag ? "true" : "false").utf8)
        case .number(let text): text
        case .string(let token, _): token
        case .array(let elements): [0x5B] + elements.map(\.asSent).joined(separator: [0x2C]) + [0x5D]
        case .object(let members):
            [0x7B] + members.map { $0.name.asSent + [0x3A] + $0.value.asSent }.joined(separator: [0x2C]) + [0x7D]
        }
    }

    /// The last value of a name.
    public subscript(_ name: String) -> PlainJSON? {
        guard case .object(let members) = self else { return nil }
        return members.last { $0.name.characters == Array(name.utf8) }?.value
    }
}
