// SPDX-License-Identifier: Apache-2.0

extension String {
    /// The text on one line, with control characters shown as blanks so that no cell can steer the terminal.
    var singleLine: String {
        guard unicodeScalars.contains(where: \.isControl) else { return self }
        return String(String.UnicodeScalarView(unicodeScalars.map { $0.isControl ? " " : $0 }))
    }
}

extension Unicode.Scalar {
    /// Whether the scalar can steer a terminal, break a line or turn the order of what is read: the control characters
    /// C0 and C1, separators of lines, and the controls of direction (Unicode Standard Annex #9).
    var isControl: Bool {
        switch value {
        case 0..<0x20, 0x7F...0x9F, 0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
