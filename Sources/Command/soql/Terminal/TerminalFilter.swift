// SPDX-License-Identifier: Apache-2.0

/// Takes out of a command's output what could steer the terminal that shows it.
///
/// A record may hold anything. On a terminal an escape sequence in it could rename the window, answer a question in the
/// user's place or hide what stands beside it. So nothing but line feeds goes to a terminal as a control character.
struct TerminalFilter {
    /// What is shown in the place of a control character.
    enum Replacement {
        /// A blank.
        case blank
        /// The escape of a JSON string (RFC 8259 §7), which keeps the value.
        case jsonEscape
    }

    let replacement: Replacement
    /// Whether anything was replaced so far.
    private(set) var hasReplaced = false

    init(_ replacement: Replacement) {
        self.replacement = replacement
    }

    /// The bytes without control characters; they end at the end of a character.
    mutating func filtered(_ bytes: [UInt8]) -> [UInt8] {
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.unicodeScalars.contains(where: Self.isHarmful) else { return bytes }
        hasReplaced = true
        var shown = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if Self.isHarmful(scalar) { shown += escape(of: scalar).unicodeScalars } else { shown.append(scalar) }
        }
        return Array(String(shown).utf8)
    }

    private func escape(of scalar: Unicode.Scalar) -> String {
        guard case .jsonEscape = replacement else { return " " }
        let digits = String(scalar.value, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }

    private static func isHarmful(_ scalar: Unicode.Scalar) -> Bool { scalar != "\n" && scalar.isControl }
}
