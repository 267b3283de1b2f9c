// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport

/// Names of schemas and specs that generated code could confuse with other names.
///
/// They are Swift's keywords, names that the generated files use themselves, and the public names of the modules that
/// these files import. The public names are read from the sources, so a new public name is tested without a change
/// here.
struct HostileNames {
    let all: [String]

    init(_ sources: PublicNames) {
        all = (Self.keywords + Self.used + sources.types.sorted() + sources.members.sorted()).filter { name in
            name.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) || $0 == 0x5F }
        }
    }

    /// Swift's keywords, including contextual keywords.
    static let keywords = """
        Any Protocol Self Type actor any as associatedtype async await borrowing break case catch class consume consuming \
        continue convenience copy default defer deinit didSet discard distributed do dynamic each else enum extension \
        fallthrough false fileprivate final for func get guard if import in indirect infix init inout internal is \
        isolated lazy left let macro mutating nil none nonisolated nonmutating open operator optional override package \
        postfix precedence precedencegroup prefix private protocol public repeat required rethrows return right self \
        sending set some static struct subscript super switch then throw throws transferring true try typealias unowned \
        unsafe var weak where while willSet yield
        """.split(separator: " ").map(String.init)

    /// Names of the parameters, variables and types in generated files, and other names that are likely to conflict.
    private static let used = """
        ID Id id Fields Model RawValue CodingKeys Element Index Iterator fill model path _path record json value values \
        row reader writer checks check tag slot key name names list page argument body client all base other unlisted \
        listed rawValue allCases description debugDescription customMirror hash hashValue encode decode shape changes has \
        objectName objectname newValue oldValue jobState innerErrors replacing validate write content following start \
        state count records query send String Int Double Date Decimal Array Bool Error Result Void Never Optional Data \
        Encoder Decoder Codable Hashable Sendable Identifiable Equatable Sequence Collection Mirror Swift Foundation \
        FoundationEssentials Account Contact AccountRow Owner Name Routes Types Queries QueryObjects OtherObjects \
        JobError Base Registry UnknownTag ModelPath ModelChildren StoneValue other_base otherBase error cursor has_more \
        async_job_id in_progress complete failed page_size Row OtherRow MultiPicklist SOQLDate SOQLTime
        """.split(separator: " ").map(String.init)
}

extension HostileNames {
    func next(_ chance: inout Chance) -> String {
        switch chance.number(0...9) {
        case 0...3: spelled(chance.pick(all), &chance)
        case 4...6: parts(&chance)
        case 7: parts(&chance) + "_" + chance.pick(all)
        case 8:
            chance.pick(["a", "A", "aa", "AA", "a_b", "A_B", "a__b", "aB", "Ab", "a1", "a_1", "A1b2", "x2nd", "X_2nd"])
        default: chance.pick(["_", "__", "_a", "a_", "_1", "__a", "a___b", "_A_"])
        }
    }

    /// Returns a name of a few parts, so that names are often similar.
    private func parts(_ chance: inout Chance) -> String {
        let first = chance.pick(["a", "b", "A", "Id", "ID", "url", "Url", "x", "order", "Order", "is", "Class"])
        let rest = chance.make(0...2) { chance in
            chance.pick(["", "_", "_", "__"]) + chance.pick(["a", "B", "Id", "id", "1", "2nd", "name", "Name", "URL"])
        }
        return first + rest.joined()
    }

    private func spelled(_ name: String, _ chance: inout Chance) -> String {
        switch chance.number(0...5) {
        case 0: name.lowercased()
        case 1: name.uppercased()
        case 2: name.prefix(1).uppercased() + name.dropFirst()
        case 3: snake(name)
        default: name
        }
    }

    /// Returns a name in snake case: `ModelPath` becomes `model_path`.
    private func snake(_ name: String) -> String {
        name.reduce(into: "") { text, character in
            if character.isUppercase, let last = text.last, last.isLowercase { text += "_" }
            text += character.lowercased()
        }
    }
}

/// Strings that administrators or specs can contain, and that could break out of a comment, a literal or a name.
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

    /// Ranges of scalars that include letters, marks and digits of which Swift's grammar accepts only some.
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

/// The random choices of a seed, so that equal seeds result in equal sources.
struct Chance {
    private var numbers: SplitMix64

    init(seed: UInt64) {
        numbers = SplitMix64(seed: seed)
    }

    mutating func percent(_ share: Int) -> Bool { number(1...100) <= share }

    mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &numbers) }

    mutating func pick<Element>(_ list: [Element]) -> Element { list[number(0...list.count - 1)] }

    mutating func some<Element>(_ list: [Element], _ count: Int) -> [Element] {
        Array(list.shuffled(using: &numbers).prefix(count))
    }

    mutating func make<Value>(_ range: ClosedRange<Int>, _ value: (inout Chance) -> Value) -> [Value] {
        (0..<number(range)).map { _ in value(&self) }
    }
}
