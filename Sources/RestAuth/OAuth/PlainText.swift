// SPDX-License-Identifier: Apache-2.0

/// Texts of a server that people will see.
enum PlainText {
    /// The text as one line that cannot steer a terminal: no control characters, and no more than `limit` characters.
    static func line(_ text: String, limit: Int = 300) -> String {
        let visible = text.unicodeScalars.prefix(limit + 1).map { isControl($0) ? " " : Character($0) }
        return visible.count > limit ? String(visible.prefix(limit)) + "…" : String(visible)
    }

    /// Whether the text has characters that could steer a terminal or turn the direction of what follows.
    static func steersTerminal(_ text: String) -> Bool { text.unicodeScalars.contains(where: isControl) }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
