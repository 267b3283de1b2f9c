// SPDX-License-Identifier: Apache-2.0

extension String {
    /// The width of the string in terminal columns.
    var columnWidth: Int {
        utf8.allSatisfy { $0 < 0x80 } ? utf8.count : reduce(0) { $0 + $1.columns }
    }

    /// The string cut to a number of columns, where a string that was cut ends with the mark, as far as it fits.
    func cut(toColumns columns: Int, mark: String = Marks.unicode.ellipsis) -> String {
        // No character has more columns than bytes.
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

    /// The string in parts of at most `columns` columns, but with at least one character each.
    func wrapped(toColumns columns: Int) -> [Substring] {
        guard utf8.count > columns else { return [self[...]] }
        var chunks: [Substring] = []
        var (width, start) = (0, startIndex)
        for index in indices {
            let next = self[index].columns
            if width + next > columns, index > start {
                chunks.append(self[start..<index])
                (width, start) = (0, index)
            }
            width += next
        }
        return chunks + [self[start...]]
    }
}

// prose: a terminal shows characters
extension Character {
    /// The width of the character in terminal columns: two for wide characters and emoji, zero for modifiers, else one.
    ///
    /// A flag or a sequence of emoji with joiners, skin tones or selectors is one emoji (Unicode Technical Standard
    /// #51). In other characters of several scalars, such as syllables of Indic scripts, the columns of all scalars are
    /// added.
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

    /// The width of a single scalar in columns.
    ///
    /// Combining marks and format characters have no width. East Asian ideographs, syllables and signs (Unicode
    /// Standard Annex #11) and emoji are wide.
    var columns: Int {
        // Latin letters need no lookup.
        if value < 0x300 { return 1 }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        switch value {
        // Hangul vowels and final consonants, which join the preceding consonant.
        case 0x1160...0x11FF, 0xD7B0...0xD7FF: return 0
        case 0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x3247, 0x3250...0x4DBF, 0x4E00...0xA4CF,
            0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60,
            0xFFE0...0xFFE6, 0x16FE0...0x18D08, 0x1AFF0...0x1B2FB, 0x1F200...0x1F265, 0x20000...0x3FFFD:
            return 2
        default: return properties.isEmojiPresentation ? 2 : 1
        }
    }
}
