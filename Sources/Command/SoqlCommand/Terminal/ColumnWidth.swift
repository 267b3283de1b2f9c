// SPDX-License-Identifier: Apache-2.0

extension String {
    /// How many columns of a terminal the text takes.
    var columnWidth: Int {
        utf8.allSatisfy { $0 < 0x80 } ? utf8.count : reduce(0) { $0 + $1.columns }
    }

    /// The text, cut to so many columns; a text that was cut ends in the mark, or as much of it as there is room for.
    func cut(toColumns columns: Int, mark: String = Marks.unicode.ellipsis) -> String {
        // No character takes more columns than bytes.
        guard utf8.count > columns else { return self }
        let room = columns - mark.columnWidth
        var (width, end) = (0, startIndex)
        for index in indices {
            width += self[index].columns
            if width > columns { return String(self[..<end] + mark.prefix(columns)) }
            if width <= room { end = self.index(after: index) }
        }
        return self
    }

    /// The text in pieces of so many columns at most, of at least one character each.
    func wrapped(toColumns columns: Int) -> [Substring] {
        guard utf8.count > columns else { return [self[...]] }
        var pieces: [Substring] = []
        var (width, start) = (0, startIndex)
        for index in indices {
            let next = self[index].columns
            if width + next > columns, index > start {
                pieces.append(self[start..<index])
                (width, start) = (0, index)
            }
            width += next
        }
        return pieces + [self[start...]]
    }
}

// prose: a terminal shows characters
extension Character {
    /// How many columns of a terminal the character takes: two for wide ones and emoji, none for what only changes the
    /// character before it, and one for all others.
    ///
    /// A flag, and emoji that are joined, tinted or chosen by a selector, are one emoji (Unicode Technical Standard
    /// #51). In other characters of several scalars, such as syllables of Indic scripts, each takes its own columns.
    var columns: Int {
        if utf8.count == 1 { return 1 }
        let scalars = unicodeScalars
        guard let first = scalars.first else { return 0 }
        if first.isRegionalIndicator { return 2 }
        guard scalars.dropFirst().first != nil else { return first.columns }
        if first.properties.isEmoji, scalars.contains(where: { $0 == "\u{FE0F}" || $0 == "\u{200D}" }) { return 2 }
        if first.properties.isEmojiPresentation { return 2 }
        return scalars.reduce(0) { $0 + $1.columns }
    }
}

extension Unicode.Scalar {
    fileprivate var isRegionalIndicator: Bool { (0x1F1E6...0x1F1FF).contains(value) }

    /// The columns of a scalar by itself.
    ///
    /// Combining marks and format characters take none. Wide are the ideographs, syllables and signs of East Asia
    /// (Unicode Standard Annex #11) and emoji.
    var columns: Int {
        // Latin letters need no search.
        if value < 0x300 { return 1 }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        switch value {
        // Vowels and final consonants of Hangul, which join the consonant before them.
        case 0x1160...0x11FF, 0xD7B0...0xD7FF: return 0
        case 0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x3247, 0x3250...0x4DBF, 0x4E00...0xA4CF,
            0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60,
            0xFFE0...0xFFE6, 0x16FE0...0x18D08, 0x1AFF0...0x1B2FB, 0x1F200...0x1F265, 0x20000...0x3FFFD:
            return 2
        default: return properties.isEmojiPresentation ? 2 : 1
        }
    }
}
