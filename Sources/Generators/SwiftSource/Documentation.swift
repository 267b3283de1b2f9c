// SPDX-License-Identifier: Apache-2.0

import RestText

/// Texts of an org or a spec as documentation comments.
///
/// Labels, help texts and documentation are what somebody typed or pasted: whatever is in them stays a comment that
/// reads as it looks.
package enum Documentation {
    /// The paragraphs of a text; none for an empty one.
    package static func paragraphs(_ text: String) -> [String] {
        text.unicodeScalars.split { isBreak($0) }.map { visible(String.UnicodeScalarView($0)) }.filter { !$0.isEmpty }
    }

    /// A text as one line; another one where it is empty.
    package static func line(_ text: String, else other: String) -> String {
        let line = paragraphs(text).joined(separator: " ")
        return line.isEmpty ? other : line
    }

    /// A name in quotes of code.
    package static func code(_ name: String) -> String { "`" + line(name.without("`"), else: "?") + "`" }

    /// The words of a text, without what a reader does not see.
    private static func visible(_ text: String.UnicodeScalarView) -> String {
        String(String.UnicodeScalarView(text.map { $0.isHarmless ? $0 : " " })).split(byte: " ").joined(separator: " ")
    }

    private static func isBreak(_ scalar: Unicode.Scalar) -> Bool {
        ["\n", "\r", "\u{0B}", "\u{0C}", "\u{85}", "\u{2028}", "\u{2029}"].contains(scalar)
    }
}

extension Unicode.Scalar {
    /// Neither a control character nor one that turns the direction of what follows.
    fileprivate var isHarmless: Bool {
        switch properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }
}
