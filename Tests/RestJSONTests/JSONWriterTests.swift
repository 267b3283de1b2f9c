// SPDX-License-Identifier: Apache-2.0

import RestJSON
import Testing

@Suite("Writer")
struct JSONWriterTests {
    @Test func writesEveryKind() throws {
        var writer = JSONWriter(reservingCapacity: 64)
        writer.beginObject()
        writer.key("s")
        writer.string("a\"\\\u{1}\n/é")
        writer.key("n")
        writer.beginArray()
        writer.number(-12)
        try writer.number(0.1)
        try writer.numberText("1.500")
        writer.number(Int.min)
        writer.number(integer: UInt64.max)
        writer.endArray()
        writer.key("o")
        writer.beginObject()
        writer.endObject()
        writer.key("v")
        writer.value(["x": [1, nil]])
        writer.key("r")
        writer.raw(Array("[0]".utf8))
        writer.key("b")
        writer.bool(false)
        writer.key("z")
        writer.null()
        writer.endObject()
        #expect(
            String(decoding: writer.bytes, as: UTF8.self)
                == #"{"s":"a\"\\\u0001\n/é","n":[-12,0.1,1.500,-9223372036854775808,18446744073709551615],"#
                + #""o":{},"v":{"x":[1,null]},"r":[0],"b":false,"z":null}"#)
    }

    @Test func outputIsValidAtEveryMoment() throws {
        var writer = JSONWriter()
        writer.beginArray()
        #expect(writer.bytes == Array("[]".utf8))
        writer.beginObject()
        writer.key("a")
        #expect(writer.bytes == Array("[{\"a\":null}]".utf8))
        writer.beginArray()
        writer.number(1)
        #expect(writer.bytes == Array("[{\"a\":[1]}]".utf8))
        writer.endArray()
        writer.endObject()
        writer.endArray()
        #expect(writer.bytes == Array("[{\"a\":[1]}]".utf8))
    }

    @Test func refusesWhatJSONCannotWrite() {
        var writer = JSONWriter()
        writer.beginArray()
        #expect(throws: JSONError.self) { try writer.number(.nan) }
        #expect(throws: JSONError.self) { try writer.number(-.infinity) }
        #expect(throws: JSONError.self) { try writer.numberText("01") }
        #expect(throws: JSONError.self) { try writer.numberText("1,2") }
        #expect(writer.bytes == Array("[]".utf8))
    }

    @Test func everyScalarBelow0x300SurvivesARoundTrip() throws {
        let text = String(String.UnicodeScalarView((0..<0x300).compactMap { Unicode.Scalar($0) }))
        let bytes = JSONValue(text).bytes()
        #expect(!bytes.contains { $0 < 0x20 })
        #expect(try JSONValue(parsing: bytes).string == text)
    }

    @Test func integersInAllWidths() throws {
        for value in [0, 1, 9, 10, 99, 100, 12345, Int.max, Int.min, -1, -9, -10] {
            #expect(JSONValue(value).description == String(value))
        }
    }
}
