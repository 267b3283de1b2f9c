// SPDX-License-Identifier: Apache-2.0

/// Finds the opening bracket of one member's array in an object that arrives in pieces.
///
/// It follows strings and brackets only. What it passes over is parsed strictly later, when the page is whole, so a
/// text that is no JSON may be followed wrongly but is never accepted.
struct JSONEnvelopeScanner: Sendable {
    private let member: [UInt8]
    private var depth = 0
    private var inString = false
    private var escaped = false
    /// The bytes of the last string at depth 1 with their escapes.
    private var name: [UInt8] = []
    /// Whether a colon has followed that string, so that it is the name of the value to come.
    private var isNamed = false

    init(member: String) {
        self.member = Array(member.utf8)
    }

    /// The offset after the bracket that opens the member's array, or nil if it is not in these bytes.
    mutating func endOfPrefix(in bytes: [UInt8]) -> Int? {
        for (offset, byte) in bytes.enumerated() {
            if inString {
                takeInsideString(byte)
            } else if take(byte) {
                return offset + 1
            }
        }
        return nil
    }

    private mutating func takeInsideString(_ byte: UInt8) {
        if escaped {
            escaped = false
        } else if byte == UInt8(ascii: "\\") {
            escaped = true
        } else if byte == UInt8(ascii: "\"") {
            inString = false
            return
        }
        // Six bytes per character is the longest way to write the name.
        if depth == 1, name.count <= 6 * member.count { name.append(byte) }
    }

    /// Takes a byte outside of strings; true for the bracket that is looked for.
    private mutating func take(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\""):
            inString = true
            if depth == 1 {
                name = []
                isNamed = false
            }
        case UInt8(ascii: ":"):
            if depth == 1 { isNamed = true }
        case UInt8(ascii: ","):
            if depth == 1 { isNamed = false }
        case UInt8(ascii: "["), UInt8(ascii: "{"):
            if byte == UInt8(ascii: "["), depth == 1, isNamed, isMember { return true }
            // A root array has no members: depth 1 is left out, so that nothing in it can match.
            depth += depth == 0 && byte == UInt8(ascii: "[") ? 2 : 1
        case UInt8(ascii: "]"), UInt8(ascii: "}"):
            depth -= 1
        default: break
        }
        return false
    }

    private var isMember: Bool {
        if name == member { return true }
        guard name.contains(UInt8(ascii: "\\")) else { return false }
        let quoted = [UInt8(ascii: "\"")] + name + [UInt8(ascii: "\"")]
        return (try? JSONValue(parsing: quoted).string).map { Array($0.utf8) == member } ?? false
    }
}
