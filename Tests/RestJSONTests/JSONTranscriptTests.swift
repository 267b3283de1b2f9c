// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RestJSON

/// Copies of what was sent, and members found by the shape of a record.
@Suite("JSON as it was sent, and shapes of objects")
struct JSONTranscriptTests {
    private func asSent(_ value: JSONValue) -> String {
        var output: [UInt8] = Array("=".utf8)
        value.appendAsSent(to: &output)
        return String(decoding: output.dropFirst(), as: UTF8.self)
    }

    @Test(
        "white space between tokens goes, everything else stays",
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
        // Within something else it is the same.
        #expect(try asSent(#require(JSONValue(parsing: "[ \(text) ,1]")[0])) == copy)
        #expect(try asSent(#require(JSONValue(parsing: "{\"x\":\(text)}")["x"])) == copy)
    }

    @Test("of a thousand random values, compact, pretty and in memory")
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

    @Test("a shape fits objects with just its names in its order")
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
