// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestBase
import RestTransport
import Testing

@testable import RestJSON

@Suite("JSON parser")
struct JSONParserTests {
    @Test("Every valid text is accepted and written back in compact form", arguments: JSONTable.valid)
    func accepts(_ row: JSONTable.Valid) throws {
        let value = try JSONValue(parsing: row.text)
        #expect(value.description == row.compact)
    }

    @Test("Every invalid text is rejected with the reason and the offset", arguments: JSONTable.invalid)
    func refuses(_ row: JSONTable.Invalid) {
        let error = #expect(throws: JSONError.self) { try JSONValue(parsing: row.bytes) }
        #expect(error?.reason == row.reason)
        #expect(error?.offset == row.offset)
    }

    @Test func errorsCarryLineAndColumn() throws {
        let error = #expect(throws: JSONError.self) { try JSONValue(parsing: "{\n  \"a\": 1,\n  \"b\": tru\n}") }
        #expect(error?.line == 3)
        #expect(error?.column == 11)
        #expect(error?.expected == "true, false or null")
        #expect(error?.description == "unexpected-byte at line 3, column 11 (byte 22): expected true, false or null")
    }

    @Test func depthIsLimitedAtExactlyTheLimit() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        _ = try JSONValue(parsing: nested(512))
        let error = #expect(throws: JSONError.self) { try JSONValue(parsing: nested(513)) }
        #expect(error?.reason == .tooDeep)
        #expect(error?.offset == 512)
        let raised = JSONDocument.Limits(maximumDepth: 1_000)
        #expect(try JSONValue(parsing: Array(nested(1_000).utf8), limits: raised).bytes().count == 2_000)
        #expect(throws: JSONError.self) { try JSONValue(parsing: String(repeating: "[", count: 100_000)) }
        #expect(throws: JSONError.self) { try JSONValue(parsing: String(repeating: "{\"a\":", count: 100_000)) }
    }

    /// Texts about which RFC 8259 lets the parser decide, and this parser's decision.
    @Test(
        "Texts that RFC 8259 leaves to the implementation are accepted or rejected as documented",
        arguments: [
            // Numbers of any size keep their spelling. Only reading them as a type can fail.
            ("1e400", true), ("-1e400", true), ("1e-400", true), ("123456789012345678901234567890", true),
            ("0.1234567890123456789012345678901234567890", true), ("1e999999999999999999999", true), ("-0", true),
            ("-0.0", true),
            // Names may repeat and may be empty.
            ("{\"a\":1,\"a\":1}", true), ("{\"\":0,\"\":1}", true),
            // Noncharacters and unassigned code points are accepted, and unpaired surrogates are rejected.
            ("\"\\uFFFE\"", true), ("\"\\uFDD0\"", true), ("\"\u{FFFE}\u{10FFFE}\"", true), ("\"\\u0000\"", true),
            ("\"\\uD800\"", false), ("\"\\uDFFF\"", false), ("\"\\uD800\\uD800\"", false),
            ("\"\\uDC00\\uD800\"", false),
            ("\"\\uD800abc\"", false), ("[\"\\uDADA\"]", false), ("\"\\uD888\\u1234\"", false),
            // A byte-order mark is not whitespace.
            ("\u{FEFF}[]", false), ("[]\u{FEFF}", false),
            // Any value can be at the top level, not only containers.
            ("1", true), ("\"x\"", true), ("null", true),
        ])
    func choices(_ text: String, _ accepted: Bool) {
        #expect(((try? JSONValue(parsing: text)) != nil) == accepted)
    }

    @Test(
        "Encodings other than UTF-8 are rejected",
        arguments: [
            [0xFF, 0xFE, 0x5B, 0x00, 0x5D, 0x00], [0xFE, 0xFF, 0x00, 0x5B, 0x00, 0x5D], [0x5B, 0x00, 0x5D, 0x00],
            [0x00, 0x5B, 0x00, 0x5D], [0x22, 0xE9, 0x22], [0x22, 0xA0, 0x22],
            [0x5B, 0x00, 0x00, 0x00, 0x5D, 0x00, 0x00, 0x00],
        ] as [[UInt8]])
    func encodings(_ bytes: [UInt8]) {
        #expect(throws: JSONError.self) { try JSONValue(parsing: bytes) }
    }

    @Test func lengthIsLimited() {
        let error = #expect(throws: JSONError.self) {
            try JSONValue(parsing: Array("[1,2]".utf8), limits: JSONDocument.Limits(maximumBytes: 4))
        }
        #expect(error?.reason == .tooLarge)
    }

    @Test("Strings of every length around the word size are read whole", arguments: 0...40)
    func stringLengths(_ length: Int) throws {
        let plain = String(repeating: "x", count: length)
        #expect(try JSONValue(parsing: "\"\(plain)\"").string == plain)
        for tail in ["é", "\u{1F600}", "\\n", "\\u00e9", "\\ud83d\\ude00"] {
            let value = try JSONValue(parsing: "[\"\(plain)\(tail)\(plain)\", 1]")
            #expect(value[0]?.string?.hasPrefix(plain) == true)
            #expect(value[0]?.string?.hasSuffix(plain) == true)
            #expect(value[1]?.int == 1)
        }
    }

    @Test func tenMegabyteString() throws {
        let text = String(repeating: "0123456789", count: 1_000_000)
        #expect(try JSONValue(parsing: "\"\(text)\"").string == text)
    }

    @Test func tapeGrowsForDenseTexts() throws {
        let text = "[" + Array(repeating: "1", count: 50_000).joined(separator: ",") + "]"
        let array = try #require(JSONValue(parsing: text).array)
        #expect(array.count == 50_000)
        #expect(array.allSatisfy { $0.int == 1 })
        let nested = "[" + Array(repeating: "[{}]", count: 20_000).joined(separator: ",") + "]"
        #expect(try JSONValue(parsing: nested).description == nested)
    }
}

@Suite("The deepest JSON values")
struct JSONDepthTests {
    private struct Nest: Codable, Hashable {
        let inner: [Nest]
    }

    /// Runs `body` on its own thread with the default stack size of threads.
    private static func onThread(_ body: @escaping @Sendable () throws -> Void) async throws {
        try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
            let thread = Thread { done.resume(with: Result { try body() }) }
            thread.stackSize = 8 << 20
            thread.start()
        }
    }

    @Test("a maximum depth above the hard limit becomes the hard limit")
    func bound() throws {
        #expect(JSONDocument.Limits(maximumDepth: .max).maximumDepth == JSONDocument.Limits.hardMaximumDepth)
        var limits = JSONDocument.Limits()
        limits.maximumDepth = JSONDocument.Limits.hardMaximumDepth + 1
        #expect(limits.maximumDepth == JSONDocument.Limits.hardMaximumDepth)
        limits.maximumDepth = 0
        #expect(limits.maximumDepth == 1)
        let depth = JSONDocument.Limits.hardMaximumDepth
        for (open, close) in [("[", "]"), (#"{"a":"#, "}")] {
            func nested(_ depth: Int) -> String {
                String(repeating: open, count: depth - 1) + "[]" + String(repeating: close, count: depth - 1)
            }
            let most = JSONDocument.Limits(maximumDepth: .max)
            _ = try JSONValue(parsing: nested(depth), limits: most)
            let error = #expect(throws: JSONError.self) { try JSONValue(parsing: nested(depth + 1), limits: most) }
            #expect(error?.reason == .tooDeep)
        }
    }

    @Test("values of the maximum depth are compared, hashed, copied, written, decoded and encoded on a plain thread")
    func atTheBound() async throws {
        try await Self.onThread {
            let depth = JSONDocument.Limits.hardMaximumDepth
            // Each level of the type is two containers.
            let text = String(repeating: #"{"inner":["#, count: depth / 2) + String(repeating: "]}", count: depth / 2)
            let limits = JSONDocument.Limits(maximumDepth: depth)
            let (left, right) = (
                try JSONValue(parsing: text, limits: limits), try JSONValue(parsing: text, limits: limits)
            )
            #expect(left == right && left.hashValue == right.hashValue)
            #expect(left.detached() == right && left.description == text)
            let nest = try left.decode(Nest.self)
            #expect(nest == (try right.decode(Nest.self)))
            #expect(String(decoding: try nest.json(), as: UTF8.self) == text)
            #expect(try JSONValue(encoding: nest) == left)
            #expect(String(decoding: try left.json(), as: UTF8.self) == text)
            var owned: JSONValue = []
            for _ in 1..<depth { owned = [owned] }
            var other: JSONValue = []
            for _ in 1..<depth { other = [other] }
            #expect(owned == other && owned.hashValue == other.hashValue && owned.bytes().count == 2 * depth)
        }
    }
}

@Suite("The map of bytes at which plain string scanning stops")
struct JSONStopMapTests {
    /// Finds the byte at which the map must stop by testing each byte.
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

    @Test("the map finds each byte value at each position of a block", arguments: [130, 300])
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

    @Test("the map finds the right byte from each offset, in texts of each length")
    func everyOffset() {
        for length in 0...150 {
            let plain = [UInt8](repeating: UInt8(ascii: "z"), count: length)
            #expect(stops(plain, from: 0...length) == Array(repeating: length, count: length + 1))
            var quoted = plain
            if length > 0 { quoted[length - 1] = UInt8(ascii: "\"") }
            #expect(stops(quoted, from: 0..<length) == Array(repeating: length - 1, count: length))
        }
    }

    @Test("the map is right across window boundaries, forwards and backwards")
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

    @Test("strings with multi-byte characters and escapes at window boundaries are read whole")
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

    @Test("a string with no end or with a control character is rejected at the right offset")
    func rejections() {
        for length in [0, 1, 15, 31, 32, 62, 63, 64, 65, 4_090, 4_096, 9_000] {
            let open = Array((#"""# + String(repeating: "x", count: length)).utf8)
            #expect(throws: JSONError.self) { try JSONValue(parsing: open) }
            let control = open + [0x1F] + Array(#"""#.utf8)
            let error = #expect(throws: JSONError.self) { try JSONValue(parsing: control) }
            #expect(error?.offset == length + 1)
        }
    }
}
