// SPDX-License-Identifier: Apache-2.0

/// XML as the SOAP and bulk APIs write it.
package enum XMLText {
    package static let declaration = #"<?xml version="1.0" encoding="UTF-8"?>"#

    /// An element with a text.
    package static func element(_ name: String, _ text: String) -> String { "<\(name)>\(escaped(text))</\(name)>" }

    /// A text with references in the place of what means something, in XML and in HTML; what XML has no way to write
    /// (``canHold(_:)``) is left out.
    package static func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: mayNeedCare) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            // A reader takes a bare one for the end of a line (XML 1.0 §2.11).
            case "\r": result += "&#13;"
            default: if canHold(scalar) { result.unicodeScalars.append(scalar) }
            }
        }
        return result
    }

    /// Whether a document can hold the character, be it as a reference (XML 1.0 §2.2).
    package static func canHold(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A, 0x0D: true
        case 0..<0x20, 0xFFFE, 0xFFFF: false
        default: true
        }
    }

    /// Quick to ask of each byte: the first byte of U+FFFE and U+FFFF is that of many others too.
    private static func mayNeedCare(_ byte: UInt8) -> Bool {
        switch byte {
        case 0..<0x20, UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""),
            UInt8(ascii: "'"), 0xEF:
            true
        default: false
        }
    }
}
