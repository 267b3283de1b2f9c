// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RestJSON

@Suite("JSON writer")
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

    @Test func refusesWhatJSONCannotWrite() {
        var writer = JSONWriter()
        writer.beginArray()
        #expect(throws: JSONError.self) { try writer.number(.nan) }
        #expect(throws: JSONError.self) { try writer.number(-.infinity) }
        #expect(throws: JSONError.self) { try writer.numberText("01") }
        #expect(throws: JSONError.self) { try writer.numberText("1,2") }
        writer.endArray()
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

@Suite("JSON copied as it was sent, and shapes of objects")
struct JSONTranscriptTests {
    private func asSent(_ value: JSONValue) -> String {
        var output: [UInt8] = Array("=".utf8)
        value.appendAsSent(to: &output)
        return String(decoding: output.dropFirst(), as: UTF8.self)
    }

    @Test(
        "whitespace between tokens is removed, and everything else is copied as it was sent",
        arguments: [
            ("{}", "{}"), (" [ ] ", "[]"), ("[[],{},[ {} ]]", "[[],{},[{}]]"), ("1", "1"), (#""a b""#, #""a b""#),
            (
                "{ \"a\" : [ 1 , 2.50e0 , { \"b\" : null } ] , \"a\" : \"\\u00e9\\/ \\n\" }\n",
                #"{"a":[1,2.50e0,{"b":null}],"a":"\u00e9\/ \n"}"#
            ),
            (#"{"a":{"b":{"c":[true,false]}},"d":-0.0}"#, #"{"a":{"b":{"c":[true,false]}},"d":-0.0}"#),
            ("[\"\",\"]\", \"{\" ,\t\"\\\"\"]", #"["","]","{","\""]"#),
        ])
    func texts(text: String, copy: String) throws {
        let value = try JSONValue(parsing: text)
        #expect(asSent(value) == copy)
        // Nested values are copied in the same way.
        #expect(try asSent(#require(JSONValue(parsing: "[ \(text) ,1]")[0])) == copy)
        #expect(try asSent(#require(JSONValue(parsing: "{\"x\":\(text)}")["x"])) == copy)
    }

    @Test("a thousand random values, compact, pretty and in memory, are copied in compact form")
    func random() throws {
        var random = JSONRandom(seed: 7)
        for _ in 0..<1_000 {
            let value = random.value(depth: 4)
            let compact = value.description
            #expect(try asSent(JSONValue(parsing: compact)) == compact)
            #expect(try asSent(JSONValue(parsing: value.bytes(pretty: true))) == compact)
            #expect(asSent(value) == compact)
        }
    }

    private func places(_ shape: inout JSONShape, _ text: String) throws -> [Int: String]? {
        var found: [Int: String] = [:]
        let isKnown = try shape.forEachPlace(of: JSONValue(parsing: text)) { number, document, place in
            found[number] = document.value(at: place).description
        }
        return isKnown ? found : nil
    }

    @Test("a shape fits only objects with exactly its names in its order")
    func shape() throws {
        var shape = try #require(JSONShape(names: ["Id", "AVeryLongName__c", "Name"], wanted: [2, 0]))
        #expect(try places(&shape, #"{"Id":1,"AVeryLongName__c":{"Name":5},"Name":[3]}"#) == [0: "[3]", 1: "1"])
        for other in [
            #"{"Id":1,"Name":[3],"AVeryLongName__c":2}"#, #"{"Id":1,"AVeryLongName__d":2,"Name":3}"#,
            #"{"Id":1,"AVeryLongName__c":2,"Name":3,"x":4}"#, #"{"Id":1,"AVeryLongName__c":2}"#,
            #"{"Id":1,"AVeryLongName__c":2,"name":3}"#, #"{"Id":1,"AVeryLongName__c":2,"Id":3}"#,
            #"["Id",1,"AVeryLongName__c"]"#, "{}", "3",
        ] {
            #expect(try places(&shape, other) == nil, "\(other)")
        }
        #expect(try places(&shape, #"{"\u0049d":1,"AVeryLongName__c":2,"Name":3}"#) == [0: "3", 1: "1"])
        #expect(JSONShape(names: ["a", "a"], wanted: [0]) == nil)
        #expect(JSONShape(names: ["a"], wanted: [1]) == nil)
        #expect(JSONShape(names: [], wanted: []) == nil)
    }
}

@Suite("Encoded doubles")
struct JSONNumberTextTests {
    private func text(_ value: Double) throws -> String {
        String(decoding: try [value].json().dropFirst().dropLast(), as: UTF8.self)
    }

    @Test("doubles are written as in the standard library: amounts of money, their neighbours and random values")
    func likeDescription() throws {
        var values: [Double] = [
            0, -0.0, 0.01, 0.1, 0.99, 1, 10, 99.99, 0.1 + 0.2, 0.005, 0.001, 1.005, 4.35, 1.1, 2.675, 1e2, 1e13, 1e14,
            1e15, 1e16, 9_999_999_999_999.99, 10_000_000_000_000.01, 99_999_999_999_999.98, 70_368_744_177_664.01,
            1e21, 1e22, 1e300, .leastNonzeroMagnitude, .leastNormalMagnitude, .greatestFiniteMagnitude,
            .pi, 9_007_199_254_740_992,
        ]
        var random = JSONRandom(seed: 22)
        for exponent in 1...18 {
            for _ in 0..<500 {
                let count = Double(random.next(below: powerOfTen(exponent)))
                values += [count / 100, count / 10, count / 1_000, count * 0.01, count]
            }
        }
        for _ in 0..<10_000 { values.append(Double(bitPattern: UInt64(random.next(below: Int.max)))) }
        for value in values where value.isFinite {
            for near in [value, value.nextUp, value.nextDown] where near.isFinite {
                #expect(try text(near) == near.description)
                #expect(try text(-near) == (-near).description)
            }
        }
    }

    private func powerOfTen(_ exponent: Int) -> Int { (0..<exponent).reduce(1) { power, _ in power * 10 } }
}
