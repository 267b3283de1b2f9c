// SPDX-License-Identifier: Apache-2.0

import RestBase
import Testing

@Suite("Text by its bytes")
struct StringBytesTests {
    @Test("A mark after a separator, a quote or a line feed does not hide it")
    func marks() {
        #expect("a:\u{301}b".split(byte: ":").map { String($0).hex } == ["a".hex, "\u{301}b".hex])
        #expect("a\r\n\u{301}b\n".split(byte: "\n", omittingEmptySubsequences: false).count == 3)
        #expect("x=\u{200D}y".cut(byte: "=").map { [String($0).hex, String($1).hex] } == ["x".hex, "\u{200D}y".hex])
        #expect("a/b/\u{301}c".cut(lastByte: "/")?.before == "a/b")
        #expect(
            "a@{\u{301}b".hasBytes("@{") && "@{\u{301}".hasBytes(prefix: "@{") && "a\u{600}.x".hasBytes(suffix: ".x"))
        #expect("it'\u{301}s".doubled("'").hex == "it''\u{301}s".hex)
        #expect("a'\u{301}b".shellQuoted.hex == "'a'\\''\u{301}b'".hex)
        #expect("a \u{301}b".words.count == 2 && " \r\n\u{301} ".trimmingBlanks.hex == "\u{301}".hex)
        #expect("a,\u{301}".without(",").hex == "a\u{301}".hex && "-\u{301}".drop(anyOf: "-").utf8.count == 2)
    }

    @Test("Two spellings of a letter are two texts")
    func spellings() {
        #expect("\u{E9}" == "e\u{301}" && !"\u{E9}".hasSameBytes(as: "e\u{301}"))
        #expect(!"caf\u{E9}".hasBytes("e\u{301}") && !"caf\u{E9}".hasBytes(suffix: "e\u{301}"))
        #expect(!"e\u{301}a".hasBytes(prefix: "\u{E9}") && "e\u{301}a".removing(prefix: "e")?.utf8.count == 3)
    }

    @Test("Lines end with LF, CR or CR LF, and with nothing else")
    func lines() {
        #expect("a\r\nb\n\nc\rd\u{2028}e\u{85}f\u{0B}".lines == ["a", "b", "", "c", "d\u{2028}e\u{85}f\u{0B}"])
        #expect("".lines == [""] && "\n\r".lines.count == 3 && "\r\n".lines.count == 2 && "a".lines == ["a"])
        #expect("a\n\u{301}b".lines.map { String($0).hex } == ["a".hex, "\u{301}b".hex])
    }

    @Test("What is found and cut is what stands there")
    func cutting() {
        #expect("aXXbXX".replacing(bytes: "XX", with: "Y") == "aYbY" && "aaa".replacing(bytes: "aa", with: "b") == "ba")
        #expect("abab".ranges(bytes: "ab").count == 2 && "a".firstRange(bytes: "ab") == nil && "".hasBytes(""))
        #expect("aab".firstRange(bytes: "ab").map { "aab"[$0] } == "ab" && "a.b".removing(suffix: ".b") == "a")
        #expect(
            "a=b=c".cut(byte: "=")?.after == "b=c" && "a=b=c".cut(lastByte: "=")?.after == "c"
                && "a".cut(byte: "=") == nil)
        #expect(
            "a?b#c".prefix(beforeAny: "#?") == "a" && "ab".prefix(before: "?") == "ab"
                && "a, b".split(anyOf: ", ") == ["a", "b"])
        #expect("a:b:c".split(byte: ":", maxSplits: 1) == ["a", "b:c"] && "b".removing(prefix: "a") == nil)
        #expect("plain-1/2.x_Y".shellWord == "plain-1/2.x_Y" && "".shellWord == "''" && "a b".shellWord == "'a b'")
        #expect(" \t\n".isBlank && "".isBlank && !" a ".isBlank)
    }
}
