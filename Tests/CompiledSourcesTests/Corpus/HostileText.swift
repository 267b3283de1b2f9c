// SPDX-License-Identifier: Apache-2.0

/// Text that administrators type and specs hold, and that could leave its comment, literal or name.
enum HostileText {
    private static let texts = [
        "", " ", "  x  ", "New Customer", "new customer", "New-Customer", "None", "none", "some", "self", "Self",
        "init",
        "default", "unlisted", "Unlisted", "rawValue", "listed", "hash", "1-10", "110", "<5", ">5", "+", "-", "1", "01",
        "*/ }", "/* x", "// x", "\"", "\"\"\"", "\\", "\\(x)", "#\"", "`", "``x``", "```", "a\nimport Evil", "a\rb",
        "a\r\nb", "a\u{2028}b", "a\u{85}b", "a\u{0B}b", "a\u{0}b", "\u{FEFF}a", "\u{202E}abc", "é", "e\u{301}", "É",
        "\u{301}a", "a\u{200D}b", "👩‍👩‍👧", "🇩🇪", "❤️", "x\u{20E3}", "日本", "Größe", "GRÖSSE", "ß", "ŉ", "ﬁx", "ǰ",
        "İstanbul", "ΑΣ", "½", "²", "①", "٣", "٣a", "\u{363}x", "\u{1DD9}x", "\u{93E}a", "\u{E33}", "𝒜bc", "𝟙", "ª",
        "A;B", "$0", "#if", "@main", "'", "a'b", "\t", "\u{7F}", "\u{A0}", "\u{AD}soft", "\u{115F}", "\u{3164}",
        "\u{1BC9D}a", "\u{F900}", "_", "__", "a_b", "aB", "a b", "A B",
    ]

    /// Ranges of scalars whose letters, marks and digits differ from those of Swift's grammar.
    private static let ranges: [ClosedRange<UInt32>] = [
        0x20...0x7E, 0xA0...0xFF, 0x2B0...0x36F, 0x600...0x6FF, 0x900...0x9FF, 0xE00...0xE7F, 0x1680...0x1820,
        0x1DC0...0x1E00, 0x2000...0x206F, 0x2070...0x20FF, 0x2150...0x218F, 0x2460...0x24FF, 0x2C00...0x2DFF,
        0x3000...0x30FF, 0xA640...0xA6FF, 0xFB00...0xFB4F, 0xFE00...0xFE4F, 0xFF00...0xFFEF, 0x1D400...0x1D4FF,
        0x1F100...0x1F1FF, 0x1F600...0x1F64F, 0xE0000...0xE01EF,
    ]

    static func next(_ chance: inout Chance) -> String {
        switch chance.number(0...9) {
        case 0...4: chance.pick(texts)
        case 5, 6: chance.pick(texts) + chance.pick([" ", "", "-", "_"]) + chance.pick(texts)
        case 7: chance.make(1...6) { scalar(&$0) }.joined()
        case 8:
            chance.pick(["Long", "x", "é", "1"]) + String(repeating: chance.pick(["y", "Ab", " a", "1"]), count: 200)
        default: HostileNames.keywords[chance.number(0...HostileNames.keywords.count - 1)]
        }
    }

    private static func scalar(_ chance: inout Chance) -> String {
        let range = chance.pick(ranges)
        // bounded: by the ranges
        let value = UInt32(chance.number(Int(range.lowerBound)...Int(range.upperBound)))
        return Unicode.Scalar(value).map { String($0) } ?? ""
    }
}
