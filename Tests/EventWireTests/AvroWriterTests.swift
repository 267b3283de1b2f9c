// SPDX-License-Identifier: Apache-2.0

import EventWire
import RestJSON
import Testing

@Suite("Writing Avro")
struct AvroWriterTests {
    private func write(_ schema: String, _ value: JSONValue) throws -> String {
        try hex(AvroWriter(AvroSchema(parsing: schema)).bytes(of: value))
    }

    @Test("Missing fields get their default, or null if their type has null")
    func defaults() throws {
        let schema = #"""
            {"type":"record","name":"R","fields":[
              {"name":"a","type":"int","default":7},
              {"name":"b","type":["string","null"],"default":"x"},
              {"name":"c","type":["string","null"]},
              {"name":"d","type":{"type":"array","items":"int"},"default":[1]},
              {"name":"e","type":{"type":"record","name":"S","fields":[{"name":"f","type":"boolean","default":true}]},
               "default":{}},
              {"name":"g","type":"bytes","default":"\u00ff"}]}
            """#
        #expect(try write(schema, [:]) == "0e 0002 78 02 0202 00 01 02ff".filter { $0 != " " })
        #expect(
            try write(schema, ["a": 1, "c": "y", "b": nil]) == "02 02 0002 79 0202 00 01 02ff".filter { $0 != " " })
    }

    private static let schema = #"""
        {"type":"record","name":"Order","fields":[
          {"name":"Id","type":"string"},{"name":"Count","type":"int"},{"name":"Price","type":["null","float"]},
          {"name":"State","type":{"type":"enum","name":"State","symbols":["NEW","DONE"]},"default":"NEW"},
          {"name":"Hash","type":["null",{"type":"fixed","name":"Hash","size":2}]},
          {"name":"Lines","type":{"type":"array","items":{"type":"record","name":"Line","fields":[
            {"name":"Prices","type":{"type":"map","values":"double"}}]}},"default":[]},
          {"name":"Any","type":["null","string","boolean",{"type":"array","items":"int"}]},
          {"name":"Day","type":["null",{"type":"int","logicalType":"date"}]}]}
        """#

    @Test(
        "A value that does not fit is a typed error with the path of the field",
        arguments: [
            ([:], .missingField, "Id"), ([], .wrongType, ""), (["Id": "a"], .missingField, "Count"),
            (["Id": 1, "Count": 1], .wrongType, "Id"), (["Id": "a", "Count": "1"], .wrongType, "Count"),
            (["Id": "a", "Count": 2_147_483_648], .outOfRange, "Count"),
            (["Id": "a", "Count": 1.5], .outOfRange, "Count"),
            (["Id": "a", "Count": nil], .wrongType, "Count"), (["Id": "a", "Count": 1, "id": 2], .unknownField, "id"),
            (["Id": "a", "Count": 1, "Price": 1e300], .outOfRange, "Price"),
            (["Id": "a", "Count": 1, "Price": "1"], .wrongType, "Price"),
            (["Id": "a", "Count": 1, "State": "OLD"], .unknownSymbol, "State"),
            (["Id": "a", "Count": 1, "Hash": "abc"], .outOfRange, "Hash"),
            (["Id": "a", "Count": 1, "Hash": "日本"], .outOfRange, "Hash"),
            (
                ["Id": "a", "Count": 1, "Lines": [["Prices": [:]], ["Prices": ["x": "y"]]]], .wrongType,
                "Lines[1].Prices.x"
            ),
            (["Id": "a", "Count": 1, "Lines": [["Price": 1]]], .unknownField, "Lines[0].Price"),
            (["Id": "a", "Count": 1, "Any": 5], .noBranch, "Any"),
            (["Id": "a", "Count": 1, "Any": [1, "x"]], .wrongType, "Any[1]"),
            (["Id": "a", "Count": 1, "Day": "2026-02-30"], .wrongType, "Day"),
            (["Id": "a", "Count": 1, "Day": "2026-01-29T10:00:00Z"], .wrongType, "Day"),
        ] as [(JSONValue, AvroError.Reason, String)])
    func errors(value: JSONValue, reason: AvroError.Reason, path: String) throws {
        let writer = try AvroWriter(AvroSchema(parsing: Self.schema))
        let error = try #require(thrown(AvroError.self) { try writer.bytes(of: value) })
        #expect(error.reason == reason && error.path == path, "\(error)")
        #expect(error.description.contains(path))
    }

    @Test("Members in any order have the same bytes, of which none is counted twice, and the last of a name counts")
    func orders() throws {
        let schema = #"""
            {"type":"record","name":"R","fields":[
              {"name":"a","type":["null","int"]},
              {"name":"b","type":["null",{"type":"record","name":"S","fields":[
                {"name":"c","type":"int"},{"name":"d","type":"int","default":5},{"name":"e","type":["null","R"]}]}]},
              {"name":"f","type":"string"}]}
            """#
        let texts = [
            #"{"a":1,"b":{"c":2,"e":{"f":"y"}},"f":"x"}"#, #"{"f":"x","b":{"e":{"f":"y"},"c":2},"a":1}"#,
            #"{"a":1,"b":{"e":{"f":"y"},"d":5,"c":2},"f":"x"}"#,
            #"{"a":0,"f":"z","b":null,"a":1,"b":{"c":2,"e":{"f":"y","f":"y"}},"f":"x"}"#,
            #"{"b":{"c":2,"c":2,"e":{"f":"y"}},"f":"x","a":1}"#,
        ]
        for text in texts {
            let written = try AvroWriter(AvroSchema(parsing: schema), limits: AvroLimits(values: 13)).bytes(
                of: JSONValue(parsing: text))
            #expect(hex(written) == "0202 02040a 020000 0279 0278".filter { $0 != " " }, "\(text)")
        }
        let unknown = try JSONValue(parsing: #"{"a":1,"f":"x","g":1}"#)
        #expect(thrown(AvroError.self) { try write(schema, unknown) }?.reason == .unknownField)
    }

    @Test("The Kelvin sign is not a K")
    func spelling() throws {
        let schema = #"{"type":"record","name":"R","fields":[{"name":"K","type":"int","default":1}]}"#
        #expect(try write(schema, ["K": 2]) == "04")
        #expect(thrown(AvroError.self) { try write(schema, ["\u{212A}": 2]) }?.reason == .unknownField)
    }

    @Test("A value of a union is written as the type that keeps all of it")
    func unions() throws {
        let number = #"["float","double","int","long"]"#
        #expect(try write(number, 1) == "0402")
        #expect(try write(number, 5_000_000_000) == "0680c8afa025")
        #expect(try write(number, 0.1) == "029a9999999999b93f")
        #expect(try write(#"["bytes","string"]"#, "a") == "020261")
        #expect(try write(#"["bytes","int"]"#, "a") == "000261")
        #expect(try write(#"["string",{"type":"enum","name":"E","symbols":["A"]}]"#, "A") == "000241")
        let objects = #"""
            ["null",{"type":"record","name":"A","fields":[{"name":"x","type":"int"}]},
             {"type":"record","name":"B","fields":[{"name":"x","type":"string"}]},{"type":"map","values":"boolean"}]
            """#
        #expect(try write(objects, ["x": 1]) == "0202")
        #expect(try write(objects, ["x": "a"]) == "040261")
        #expect(try write(objects, ["x": true]) == "060202780100")
        #expect(try write(objects, [:]) == "0600")
    }

    @Test("Defaults that contain themselves, unions of unions of records, and large values end at a limit")
    func bounds() throws {
        let endless =
            #"{"type":"record","name":"R","fields":[{"name":"a","type":{"type":"array","items":"R"},"default":[{}]}]}"#
        func failure(_ schema: String, _ value: JSONValue, _ limits: AvroLimits = AvroLimits()) throws -> AvroError? {
            let writer = try AvroWriter(AvroSchema(parsing: schema), limits: limits)
            return thrown(AvroError.self) { try writer.bytes(of: value) }
        }
        #expect(try failure(endless, [:])?.reason == .tooDeep)
        let double =
            #"{"type":"record","name":"R","fields":[{"name":"a","type":{"type":"array","items":"R"},"default":[{},{}]}]}"#
        #expect(try failure(double, [:])?.reason == .tooDeep)
        // Each level has two records that fit until the innermost value.
        let branches = (0..<2).map {
            #"{"type":"record","name":"R\#($0)","fields":[{"name":"a","type":["null","int","R"]}]}"#
        }
        let trap =
            #"{"type":"record","name":"R","fields":[{"name":"a","type":[\#(branches.joined(separator: ",")),"int"]}]}"#
        var value: JSONValue = "x"
        for _ in 0..<40 { value = ["a": value] }
        #expect(try failure(trap, value, AvroLimits(values: 5_000))?.reason == .tooLarge)
        let text = JSONValue(String(repeating: "x", count: 100))
        #expect(try failure(#""string""#, text, AvroLimits(bytes: 50))?.reason == .tooLarge)
    }
}
