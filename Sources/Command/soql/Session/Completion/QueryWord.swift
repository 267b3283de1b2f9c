// SPDX-License-Identifier: Apache-2.0

/// One word of a statement that may be unfinished, or wrong.
struct QueryWord: Equatable {
    enum Kind: Equatable {
        /// A name, or a path of names; it may end in a dot.
        case name
        /// A text in quotes; the closing quote may be missing.
        case string(isClosed: Bool)
        case number
        /// One character of another kind: `(`, `,`, `=`.
        case symbol(UInt8)
        /// A comment, whose end may be missing.
        case comment(isClosed: Bool)
    }

    let kind: Kind
    /// Its bytes in the text.
    let range: Range<Int>
    /// What is written, in upper case for a name.
    let upper: String

    /// Cuts a text into words; it never fails.
    static func words(of bytes: [UInt8]) -> [QueryWord] {
        var words: [QueryWord] = []
        var position = 0
        while position < bytes.count {
            let start = position
            guard let kind = kind(in: bytes, &position) else { continue }
            let text = kind == .name ? String(decoding: bytes[start..<position], as: UTF8.self).uppercased() : ""
            words.append(QueryWord(kind: kind, range: start..<position, upper: text))
        }
        return words
    }

    /// Steps over what stands at the position; `nil` for a blank.
    private static func kind(in bytes: [UInt8], _ position: inout Int) -> Kind? {
        let byte = bytes[position]
        switch byte {
        case UInt8(ascii: "'"): return .string(isClosed: skipString(bytes, &position))
        case UInt8(ascii: "0")...UInt8(ascii: "9"):
            skip(bytes, &position) { $0.isNamePart || [0x2D, 0x2B, 0x3A].contains($0) }
            return .number
        case _ where byte.isNamePart:
            skip(bytes, &position, while: \.isNamePart)
            return .name
        case UInt8(ascii: "-"), UInt8(ascii: "/"):
            if let isClosed = skipComment(bytes, &position) { return .comment(isClosed: isClosed) }
        default: break
        }
        position += 1
        return byte <= 0x20 ? nil : .symbol(byte)
    }

    private static func skip(_ bytes: [UInt8], _ position: inout Int, while fits: (UInt8) -> Bool) {
        while position < bytes.count, fits(bytes[position]) { position += 1 }
    }

    /// A quote ends on the line it begins on.
    private static func skipString(_ bytes: [UInt8], _ position: inout Int) -> Bool {
        position += 1
        while position < bytes.count, bytes[position] != UInt8(ascii: "\n") {
            let byte = bytes[position]
            position += byte == UInt8(ascii: "\\") ? 2 : 1
            if byte == UInt8(ascii: "'") { return true }
        }
        position = min(position, bytes.count)
        return false
    }

    private static func skipComment(_ bytes: [UInt8], _ position: inout Int) -> Bool? {
        guard position + 1 < bytes.count else { return nil }
        let (first, second) = (bytes[position], bytes[position + 1])
        if first == second {
            skip(bytes, &position) { $0 != UInt8(ascii: "\n") }
            return position < bytes.count
        }
        guard first == UInt8(ascii: "/"), second == UInt8(ascii: "*") else { return nil }
        let start = position
        position += 2
        while position < bytes.count {
            position += 1
            if bytes[position - 1] == first, bytes[position - 2] == second, position > start + 3 { return true }
        }
        return false
    }
}

extension UInt8 {
    /// Whether a path of names can have the byte: letters of all scripts, digits, `_` and the dot.
    var isNamePart: Bool {
        self >= 0x80 || self == UInt8(ascii: "_") || self == UInt8(ascii: ".")
            || (0x30...0x39).contains(self) || (0x41...0x5A).contains(self & 0xDF)
    }
}
