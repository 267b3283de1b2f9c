// SPDX-License-Identifier: Apache-2.0

import RestText

/// Texts of an org as documentation comments.
///
/// Labels and help texts are what an administrator typed, or what somebody pasted: whatever is in them stays a comment
/// that reads as it looks.
enum Documentation {
    /// The paragraphs of a text; none for an empty one.
    static func paragraphs(_ text: String) -> [String] {
        text.unicodeScalars.split { isBreak($0) }
            .map { line in String(String.UnicodeScalarView(line.map { isHarmless($0) ? $0 : " " })) }
            .map { $0.split(byte: " ").joined(separator: " ") }
            .filter { !$0.isEmpty }
    }

    /// A text as one line; another one where it is empty.
    static func line(_ text: String, else other: String) -> String {
        let line = paragraphs(text).joined(separator: " ")
        return line.isEmpty ? other : line
    }

    /// A name in quotes of code.
    static func code(_ name: String) -> String { "`" + line(name.without("`"), else: "?") + "`" }

    private static func isBreak(_ scalar: Unicode.Scalar) -> Bool {
        ["\n", "\r", "\u{0B}", "\u{0C}", "\u{85}", "\u{2028}", "\u{2029}"].contains(scalar)
    }

    /// Neither a control character nor one that turns the direction of what follows.
    private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned: false
        default: true
        }
    }
}
