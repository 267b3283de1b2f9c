// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport

/// A page of records that differ from each other in ways that fast paths could miss, with some damaged bytes.
///
/// Equal seeds result in equal pages.
public struct MutatedPage {
    /// The bytes of the page, which is usually JSON.
    public private(set) var bytes: [UInt8] = []
    private var numbers: SplitMix64
    /// Whether there is whitespace between tokens.
    private let isSpaced: Bool

    private typealias Member = (name: String, value: String)

    /// Creates the page of a seed.
    public init(seed: UInt64) {
        numbers = SplitMix64(seed: seed)
        isSpaced = numbers.next() % 4 == 0
        let count = below(5)
        let first = record(depth: 1)
        let records = (0..<count).map { number in
            var members = number == 0 || below(3) == 0 ? first : record(depth: 1)
            if below(3) == 0 { mutate(&members) }
            return text(of: members)
        }
        let outer: [Member] = [("\"totalSize\"", "\(count)"), ("\"done\"", "true"), ("\"records\"", list(records))]
        bytes = Array(text(of: outer).utf8)
        if below(3) == 0 { for _ in 0...below(2) { damage() } }
    }

    private mutating func below(_ bound: Int) -> Int { Int(numbers.next() % UInt64(bound)) }

    private mutating func pick(_ texts: [String]) -> String { texts[below(texts.count)] }

    private mutating func space() -> String {
        isSpaced ? pick(["", "", " ", "\n  ", "\t", "\r\n", "                    "]) : ""
    }

    private mutating func list(_ texts: [String]) -> String {
        "[" + texts.map { space() + $0 + space() }.joined(separator: ",") + "]"
    }

    private mutating func text(of members: [Member]) -> String {
        let parts = members.map { space() + $0.name + space() + ":" + space() + $0.value + space() }
        return "{" + parts.joined(separator: ",") + "}"
    }
}

extension MutatedPage {
    private mutating func record(depth: Int) -> [Member] {
        let type: [Member] = [("\"type\"", string()), ("\"url\"", string())]
        return [
            ("\"attributes\"", text(of: type)), ("\"Id\"", string()), ("\"Name\"", below(6) == 0 ? "null" : string()),
            ("\"Amount\"", number()), ("\"Count\"", "\(below(100_000))"), ("\"Small\"", "\(below(128))"),
            ("\"Active\"", pick(["true", "false", "null"])), ("\"Owner\"", owner()),
            ("\"Numbers\"", list((0..<below(4)).map { _ in "\(below(1_000))" })),
            ("\"A long name of a field, longer than any word\"", string()),
        ] + (depth > 0 && below(3) == 0 ? [("\"Kids\"", kids())] : [])
    }

    private mutating func owner() -> String {
        if below(3) == 0 { return "null" }
        return text(of: [("\"Id\"", string()), ("\"Name\"", string())])
    }

    private mutating func kids() -> String {
        list((0..<below(3)).map { _ in text(of: record(depth: 0)) })
    }

    private mutating func number() -> String {
        pick([
            "0", "-0", "1.5", "12345678.25", "1e2", "1E+2", "-1.0", "100e-2", "123456789012345678",
            "9223372036854775807",
            "9223372036854775808", "-9223372036854775808", "1e308", "1e309", "0.1", "5e-324", "127", "128",
            "0.30000000000000004", "123456789012345.678",
        ])
    }

    private mutating func string() -> String {
        let chunks = [
            "a", "Acme", "é", "日本", "😀", "\\\"", "\\\\", "\\n", "\\u00e9", "\\ud83d\\ude00", "/", " ", "0123456789",
            "a text of sixteen", "{[,:]}", "\\u0000", "ß",
        ]
        return "\"" + (0..<below(9)).map { _ in pick(chunks) }.joined() + "\""
    }

    /// Makes one change after which the page is still JSON.
    private mutating func mutate(_ members: inout [Member]) {
        let at = below(members.count)
        let other = below(members.count)
        switch below(12) {
        case 0: members.remove(at: at)
        case 1: members.insert((members[at].name, string()), at: other)
        case 2: members.swapAt(at, other)
        case 3: members[at].name = members[other].name
        case 4: members[at].name = escaped(members[at].name)
        case 5: members[at].name = pick(["\"\"", "\"Ид\"", "\"Nam\"", "\"Namf\"", "\"Id \"", "\"e\u{301}\"", "\"é\""])
        case 6: members[at].name = "\"" + String(repeating: "long name ", count: 1 + below(40)) + "\""
        case 7: members[at].value = pick(["null", "{}", "[]", "[[],{}]", "{\"Id\":{\"Id\":null}}", "true", number()])
        case 8: members[at].value = nested(1 + below(40))
        case 9: members[at].value = number()
        case 10: members.insert((string(), string()), at: other)
        default: members = Array(members.shuffled(using: &numbers).prefix(1 + below(members.count)))
        }
    }

    /// Returns a name with one of its letters written as an escape.
    private mutating func escaped(_ name: String) -> String {
        var letters = Array(name.unicodeScalars)
        let at = 1 + below(max(1, letters.count - 2))
        guard letters.indices.contains(at), letters[at].value < 0x80, letters.count > 2 else { return name }
        let digits = String(letters[at].value, radix: 16)
        let escape = "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        letters.replaceSubrange(at...at, with: Array(escape.unicodeScalars))
        return String(String.UnicodeScalarView(letters))
    }

    private func nested(_ depth: Int) -> String {
        String(repeating: "[{\"Id\":", count: depth) + "1" + String(repeating: "}]", count: depth)
    }

    /// Makes one change of the bytes, after which the page may be invalid.
    private mutating func damage() {
        guard !bytes.isEmpty else { return }
        let at = below(bytes.count)
        switch below(7) {
        case 0: bytes[at] ^= 1 << UInt8(below(8))
        case 1: bytes.removeSubrange(at...)
        case 2: bytes.remove(at: at)
        case 3: bytes[at] = UInt8(below(256))
        case 4:
            bytes.insert(contentsOf: Array(pick(["\"", ",", ":", "{", "}", "[", "]", "\\", " ", "0"]).utf8), at: at)
        case 5:
            let broken: [[UInt8]] = [
                [0xC0, 0x80], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xFF], [0x80],
                [0xE2, 0x82],
                [0xF0, 0x9F, 0x98], [0xEF, 0xBB, 0xBF],
            ]
            bytes.insert(contentsOf: broken[below(broken.count)], at: at)
        default: bytes.insert(contentsOf: bytes[at..<min(bytes.count, at + 1 + below(40))], at: below(bytes.count))
        }
    }
}
