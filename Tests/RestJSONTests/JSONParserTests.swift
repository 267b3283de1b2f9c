// SPDX-License-Identifier: Apache-2.0

import RestJSON
import Testing

@Suite("Parser")
struct JSONParserTests {
    @Test("Accepts every valid text and writes it back in compact form", arguments: JSONTable.valid)
    func accepts(_ row: JSONTable.Valid) throws {
        let value = try JSONValue(parsing: row.text)
        #expect(value.description == row.compact)
    }

    @Test("Refuses every invalid text with the reason and the place", arguments: JSONTable.invalid)
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
        let raised = JSONLimits(maximumDepth: 1_000)
        #expect(try JSONValue(parsing: Array(nested(1_000).utf8), limits: raised).bytes().count == 2_000)
        #expect(throws: JSONError.self) { try JSONValue(parsing: String(repeating: "[", count: 100_000)) }
        #expect(throws: JSONError.self) { try JSONValue(parsing: String(repeating: "{\"a\":", count: 100_000)) }
    }

    /// Where RFC 8259 leaves the choice to the parser, this is ours.
    @Test(
        "Implementation-defined texts",
        arguments: [
            // Numbers of any size are kept as they are spelt; only reading one as a type can fail.
            ("1e400", true), ("-1e400", true), ("1e-400", true), ("123456789012345678901234567890", true),
            ("0.1234567890123456789012345678901234567890", true), ("1e999999999999999999999", true), ("-0", true),
            ("-0.0", true),
            // Names may repeat and be empty.
            ("{\"a\":1,\"a\":1}", true), ("{\"\":0,\"\":1}", true),
            // Noncharacters and unassigned code points are characters; halves of surrogate pairs are not.
            ("\"\\uFFFE\"", true), ("\"\\uFDD0\"", true), ("\"\u{FFFE}\u{10FFFE}\"", true), ("\"\\u0000\"", true),
            ("\"\\uD800\"", false), ("\"\\uDFFF\"", false), ("\"\\uD800\\uD800\"", false),
            ("\"\\uDC00\\uD800\"", false),
            ("\"\\uD800abc\"", false), ("[\"\\uDADA\"]", false), ("\"\\uD888\\u1234\"", false),
            // A byte-order mark is no white space.
            ("\u{FEFF}[]", false), ("[]\u{FEFF}", false),
            // Any value is a text, not only containers.
            ("1", true), ("\"x\"", true), ("null", true),
        ])
    func choices(_ text: String, _ accepted: Bool) {
        #expect(((try? JSONValue(parsing: text)) != nil) == accepted)
    }

    @Test(
        "Encodings other than UTF-8 are refused",
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
            try JSONValue(parsing: Array("[1,2]".utf8), limits: JSONLimits(maximumBytes: 4))
        }
        #expect(error?.reason == .tooLarge)
    }

    @Test("Strings of every length around the word size stay whole", arguments: 0...40)
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
