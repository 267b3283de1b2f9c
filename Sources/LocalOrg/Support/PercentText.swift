// SPDX-License-Identifier: Apache-2.0

/// Strict percent-decoding of what a client sent (RFC 3986 §2.1, WHATWG URL §5.1 for forms).
enum PercentText {
    /// The decoded text, or `nil` for a broken escape, a control character or bytes that are not UTF-8.
    ///
    /// - Parameter isForm: whether `+` means a space, as in queries and forms.
    static func decode(_ text: Substring, isForm: Bool) -> String? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                    return nil
                }
                bytes.append(high << 4 | low)
            case UInt8(ascii: "+") where isForm: bytes.append(0x20)
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    /// The pairs of a query or form in their order; `nil` when one of them is broken.
    static func pairs(_ text: Substring) -> [(name: String, value: String)]? {
        var pairs: [(name: String, value: String)] = []
        for part in text.utf8.split(separator: UInt8(ascii: "&")) {
            let sides = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = decode(Substring(sides[0]), isForm: true),
                let value = decode(sides.count > 1 ? Substring(sides[1]) : "", isForm: true)
            else { return nil }
            pairs.append((name, value))
        }
        return pairs
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }
}
