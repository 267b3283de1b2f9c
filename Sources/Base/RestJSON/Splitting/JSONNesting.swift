// SPDX-License-Identifier: Apache-2.0

/// Follows strings and brackets of an unfinished value through chunks that are short beside it, so that the value is
/// not parsed again for each of them.
struct JSONNesting: Sendable {
    private var depth = 0
    private var inString = false
    private var escaped = false
    /// The bytes of the value that have been followed.
    private var count = 0

    /// Whether the value, of which `carry` is known, may end in the next bytes.
    ///
    /// No false "no" for valid texts.
    mutating func mayEnd(in bytes: [UInt8], after carry: [UInt8]) -> Bool {
        var ended = false
        for byte in carry[min(count, carry.count)...] { ended = take(byte) || ended }
        for byte in bytes { ended = take(byte) || ended }
        count = carry.count + bytes.count
        return ended
    }

    /// Takes a byte; true where the value, or a faulty one, may have ended.
    private mutating func take(_ byte: UInt8) -> Bool {
        if inString {
            if escaped {
                escaped = false
            } else if byte == UInt8(ascii: "\\") {
                escaped = true
            } else if byte == UInt8(ascii: "\"") {
                inString = false
                return depth == 0
            }
            return false
        }
        switch byte {
        case UInt8(ascii: "\""): inString = true
        case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
        case UInt8(ascii: "]"), UInt8(ascii: "}"):
            depth -= 1
            return depth <= 0
        case UInt8(ascii: ","): return depth <= 0
        default: break
        }
        return false
    }
}
