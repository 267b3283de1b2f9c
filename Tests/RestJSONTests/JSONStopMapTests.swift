// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport
import Testing

@testable import RestJSON

@Suite("Where the fast way through a string ends")
struct JSONStopMapTests {
    /// What the map has to tell, by a look at each byte.
    private func plainStop(_ text: [UInt8], from start: Int) -> Int {
        text[start...].firstIndex { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") || $0 >= 0x80 }
            ?? text.count
    }

    private func withMap<Result>(of text: [UInt8], _ body: (inout JSONStopMap) -> Result) -> Result {
        unsafe text.withUnsafeBytes { text in
            JSONStopMap.of(unsafe JSONSource(text)) { map in
                var map = map
                return body(&map)
            }
        }
    }

    private func stops(_ text: [UInt8], from starts: some Sequence<Int>) -> [Int] {
        withMap(of: text) { map in starts.map { map.firstStop(from: $0) } }
    }

    @Test("each byte, at each place of a block", arguments: [130, 300])
    func everyByte(length: Int) {
        let plain = [UInt8](repeating: UInt8(ascii: "a"), count: length)
        for byte in UInt8.min...UInt8.max {
            for place in 0..<130 {
                var text = plain
                text[place] = byte
                let expected = plainStop(text, from: 0)
                guard stops(text, from: [0]) != [expected] else { continue }
                Issue.record("byte \(byte) at \(place): \(stops(text, from: [0])), not \(expected)")
            }
        }
    }

    @Test("from each offset, and up to the end of a text of each length")
    func everyOffset() {
        for length in 0...150 {
            let plain = [UInt8](repeating: UInt8(ascii: "z"), count: length)
            #expect(stops(plain, from: 0...length) == Array(repeating: length, count: length + 1))
            var quoted = plain
            if length > 0 { quoted[length - 1] = UInt8(ascii: "\"") }
            #expect(stops(quoted, from: 0..<length) == Array(repeating: length - 1, count: length))
        }
    }

    @Test("over the edges of windows, forwards and backwards")
    func windows() {
        var random = SplitMix64(seed: 22)
        let bytes = Array("abcdefghijklmnopqrstuvwxyz 0123456789,:{}[]!~".utf8)
        for gap in [1, 7, 60, 500] {
            let text = (0..<9_000).map { _ -> UInt8 in
                Int.random(in: 0..<gap, using: &random) == 0
                    ? UInt8(ascii: "\"") : bytes[Int.random(in: bytes.indices, using: &random)]
            }
            let expected = text.indices.map { plainStop(text, from: $0) }
            #expect(stops(text, from: text.indices) == expected)
            let back = Array(stride(from: text.count - 1, through: 0, by: -61))
            #expect(stops(text, from: back) == back.map { expected[$0] })
        }
    }

    @Test("strings that go over the edges of windows, with characters of several bytes and escapes there")
    func strings() throws {
        for length in 4_000..<4_200 {
            for (part, character) in [("é", "é"), ("\\n", "\n"), ("😀", "😀"), ("\\ud83d\\ude00", "😀")] {
                let start = String(repeating: "x", count: length)
                let value = try JSONValue(parsing: #"["\#(start)\#(part)y","next"]"#)
                #expect(value[0]?.string == start + character + "y")
                #expect(value[1]?.string == "next")
            }
        }
    }

    @Test("a string that does not end, or has a control character, is refused at its place")
    func refusals() {
        for length in [0, 1, 15, 31, 32, 62, 63, 64, 65, 4_090, 4_096, 9_000] {
            let open = Array((#"""# + String(repeating: "x", count: length)).utf8)
            #expect(throws: JSONError.self) { try JSONValue(parsing: open) }
            let control = open + [0x1F] + Array(#"""#.utf8)
            let error = #expect(throws: JSONError.self) { try JSONValue(parsing: control) }
            #expect(error?.offset == length + 1)
        }
    }
}
