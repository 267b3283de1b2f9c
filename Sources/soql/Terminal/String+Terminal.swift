// SPDX-License-Identifier: Apache-2.0

extension String {
    /// How many terminal columns the text takes: two for East Asian wide characters and emoji, one for others
    /// (Unicode Standard Annex #11).
    var columnWidth: Int {
        utf8.allSatisfy { $0 < 0x80 } ? utf8.count : reduce(0) { $0 + $1.columns }
    }

    /// The text on one line, with control characters shown as blanks so that no cell can steer the terminal.
    var singleLine: String {
        guard unicodeScalars.contains(where: \.isControl) else { return self }
        return String(String.UnicodeScalarView(unicodeScalars.map { $0.isControl ? " " : $0 }))
    }

    /// The text, cut to so many columns, at least one; a text that was cut ends in an ellipsis.
    func cut(toColumns columns: Int) -> String {
        var room = columns - 1
        var index = startIndex
        while index < endIndex, self[index].columns <= room {
            room -= self[index].columns
            formIndex(after: &index)
        }
        let rest = self[index...]
        // What is left is one character at most when it still fits in the place of the ellipsis.
        let fits = rest.isEmpty || (rest.dropFirst().isEmpty && rest[index].columns <= room + 1)
        return fits ? self : self[..<index] + "…"
    }

    /// The text without blanks and line ends around it.
    var trimmingBlanks: String {
        let start = drop(while: \.isWhitespace)
        return String(start[..<(start.lastIndex { !$0.isWhitespace }.map(start.index(after:)) ?? start.startIndex)])
    }

    /// The text without blanks at its end.
    var trimmingTrailingBlanks: String {
        String(self[..<(lastIndex { $0 != " " }.map(index(after:)) ?? startIndex)])
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

extension Character {
    private static let wideRanges: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
        0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1F9FF, 0x20000...0x3FFFD,
    ]

    /// How many columns of a terminal the character takes.
    fileprivate var columns: Int {
        guard let first = unicodeScalars.first, first.value >= 0x1100 else { return 1 }
        return Self.wideRanges.contains { $0.contains(first.value) } ? 2 : 1
    }
}
