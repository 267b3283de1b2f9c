// SPDX-License-Identifier: Apache-2.0

/// A JSON value as the simplest possible parser reads it, byte by byte, for comparison with the library's fast paths.
///
/// It shares no code with the library.
public indirect enum PlainJSON {
    case null
    case bool(Bool)
    /// A number as it was written.
    case number([UInt8])
    /// A string: the token with its quotes, and its characters in UTF-8.
    case string(token: [UInt8], characters: [UInt8])
    case array([PlainJSON])
    case object([Member])

    /// A member of an object, whose name is a string.
    public typealias Member = (name: PlainJSON, value: PlainJSON)

    /// The characters of a string, or `nil` for another value.
    public var characters: [UInt8]? {
        if case .string(_, let characters) = self { return characters }
        return nil
    }

    /// The text with unchanged tokens and no whitespace between them.
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

    /// Returns the last value of a name.
    public subscript(_ name: String) -> PlainJSON? {
        guard case .object(let members) = self else { return nil }
        return members.last { $0.name.characters == Array(name.utf8) }?.value
    }
}

/// A recursive parser for RFC 8259 that reads one byte at a time.
struct PlainParser {
    /// The error of a text that is not JSON.
    struct Refused: Error {}

    private let bytes: [UInt8]
    private let maximumDepth: Int
    private var at = 0

    /// Parses a whole text, or returns `nil` if it is not JSON or nested too deeply.
    static func value(of bytes: [UInt8], maximumDepth: Int) -> PlainJSON? {
        var parser = PlainParser(bytes: bytes, maximumDepth: maximumDepth)
        guard let value = try? parser.value(depth: 0) else { return nil }
        parser.skipSpace()
        return parser.at == bytes.count ? value : nil
    }

    private init(bytes: [UInt8], maximumDepth: Int) {
        (self.bytes, self.maximumDepth) = (bytes, maximumDepth)
    }

    private var byte: UInt8? { at < bytes.count ? bytes[at] : nil }

    private mutating func skipSpace() {
        while let byte, [0x20, 0x0A, 0x0D, 0x09].contains(byte) { at += 1 }
    }

    private mutating func takes(_ character: Unicode.Scalar) -> Bool {
        guard byte == UInt8(ascii: character) else { return false }
        at += 1
        return true
    }

    private mutating func need(_ character: Unicode.Scalar) throws {
        guard takes(character) else { throw Refused() }
    }

    private mutating func value(depth: Int) throws -> PlainJSON {
        skipSpace()
        switch byte {
        case UInt8(ascii: "{"): return try object(depth: depth + 1)
        case UInt8(ascii: "["): return try array(depth: depth + 1)
        case UInt8(ascii: "\""): return try string()
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return try number()
        }
    }

    private mutating func word(_ text: String, _ value: PlainJSON) throws -> PlainJSON {
        for character in text.unicodeScalars { try need(character) }
        return value
    }

    private mutating func object(depth: Int) throws -> PlainJSON {
        guard depth <= maximumDepth else { throw Refused() }
        try need("{")
        skipSpace()
        var members: [PlainJSON.Member] = []
        if takes("}") { return .object(members) }
        repeat {
            skipSpace()
            let name = try string()
            skipSpace()
            try need(":")
            members.append((name, try value(depth: depth)))
            skipSpace()
        } while takes(",")
        try need("}")
        return .object(members)
    }

    private mutating func array(depth: Int) throws -> PlainJSON {
        guard depth <= maximumDepth else { throw Refused() }
        try need("[")
        skipSpace()
        var elements: [PlainJSON] = []
        if takes("]") { return .array(elements) }
        repeat {
            elements.append(try value(depth: depth))
            skipSpace()
        } while takes(",")
        try need("]")
        return .array(elements)
    }

    private mutating func digits() throws {
        let start = at
        while let byte, (0x30...0x39).contains(byte) { at += 1 }
        guard at > start else { throw Refused() }
    }

    private mutating func number() throws -> PlainJSON {
        let start = at
        _ = takes("-")
        if !takes("0") { try digits() }
        if takes(".") { try digits() }
        if takes("e") || takes("E") {
            if !takes("+") { _ = takes("-") }
            try digits()
        }
        return .number(Array(bytes[start..<at]))
    }

    private mutating func string() throws -> PlainJSON {
        let start = at
        var units: [UInt8] = []
        try need("\"")
        while !takes("\"") {
            guard let byte, byte >= 0x20 else { throw Refused() }
            at += 1
            if byte == UInt8(ascii: "\\") { units += try escape() } else { units.append(byte) }
        }
        // The standard library validates the token as a whole.
        guard String(validating: bytes[start..<at], as: UTF8.self) != nil else { throw Refused() }
        return .string(token: Array(bytes[start..<at]), characters: units)
    }

    private mutating func escape() throws -> [UInt8] {
        guard let letter = byte else { throw Refused() }
        at += 1
        let plain: [UInt8: UInt8] = [
            0x22: 0x22, 0x5C: 0x5C, 0x2F: 0x2F, 0x62: 0x08, 0x66: 0x0C, 0x6E: 0x0A, 0x72: 0x0D, 0x74: 0x09,
        ]
        if let character = plain[letter] { return [character] }
        guard letter == UInt8(ascii: "u") else { throw Refused() }
        var units = [try unit()]
        if (0xD800...0xDBFF).contains(units[0]), takes("\\") {
            try need("u")
            units.append(try unit())
        }
        guard let text = String(validating: units, as: UTF16.self) else { throw Refused() }
        return Array(text.utf8)
    }

    private mutating func unit() throws -> UInt16 {
        guard at + 4 <= bytes.count, bytes[at..<at + 4].allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let unit = UInt16(String(decoding: bytes[at..<at + 4], as: UTF8.self), radix: 16)
        else { throw Refused() }
        at += 4
        return unit
    }
}
