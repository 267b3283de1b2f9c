// SPDX-License-Identifier: Apache-2.0

import Costs
import EventWire
import RestJSON
import Testing

@Suite("Avro schemas")
struct AvroSchemaTests {
    @Test("A record keeps its fields, defaults and documentation")
    func record() throws {
        let schema = try AvroSchema(parsing: changeSchema)
        let record = try #require(schema.record(of: schema.root))
        #expect(
            record.fields.map(\.name)
                == ["ChangeEventHeader", "Name", "Phone", "BillingAddress", "AnnualRevenue", "LastModifiedDate"])
        #expect(record.fields[1].defaultValue?.isNull == true)
        #expect(record.fields[0].defaultValue == nil)
        #expect(schema.record(of: record.fields[3].type)?.fields.map(\.name) == ["Street", "City"])
    }

    @Test("Names are found in their namespace, in the root, and by their full name")
    func names() throws {
        let schema = try AvroSchema(
            parsing: #"""
                {"type":"record","name":"a.b.Outer","aliases":["Old"],"fields":[
                  {"name":"one","type":{"type":"fixed","name":"F","size":2}},
                  {"name":"two","type":"F"},{"name":"three","type":"a.b.F"},
                  {"name":"four","type":{"type":"enum","name":"E","namespace":"c","symbols":["X"]}},
                  {"name":"five","type":"c.E"},
                  {"name":"six","type":{"type":{"type":"array","items":["null","Outer"]}}}]}
                """#)
        let fields = try #require(schema.record(of: schema.root)).fields
        #expect(fields[0].type == fields[1].type && fields[1].type == fields[2].type)
        #expect(fields[3].type == fields[4].type)
        let array = schema.types[fields[5].type]
        #expect(array.form == .array && schema.types[array.inner].form == .nullable)
        #expect(schema.types[array.inner].inner == schema.root)
    }

    @Test("A logical type counts only for its own type")
    func logical() throws {
        func form(_ text: String) throws -> AvroSchema.Form {
            let schema = try AvroSchema(parsing: text)
            return schema.types[schema.root].form
        }
        #expect(try form(#"{"type":"int","logicalType":"date"}"#) == .date)
        #expect(try form(#"{"type":"long","logicalType":"timestamp-millis"}"#) == .timestampMillis)
        #expect(try form(#"{"type":"long","logicalType":"timestamp-micros"}"#) == .timestampMicros)
        #expect(try form(#"{"type":"long","logicalType":"date"}"#) == .long)
        #expect(try form(#"{"type":"string","logicalType":"uuid"}"#) == .string)
        // The names of the forms are no names of types.
        for name in ["date", "record", "union", "nullable", "DateOnly"] {
            #expect(thrown(AvroError.self) { try form("\"\(name)\"") }?.reason == .unknownType)
        }
    }

    @Test(
        "An invalid schema is a typed error with the path",
        arguments: [
            ("", .invalidJSON, ""), ("{", .invalidJSON, ""), ("1", .invalidSchema, ""), ("{}", .invalidSchema, ""),
            (#""str""#, .unknownType, ""), ("[]", .invalidSchema, ""), (#"["int",["int"]]"#, .invalidSchema, ""),
            (#"["int","int"]"#, .repeatedName, ""),
            (#"[{"type":"map","values":"int"},{"type":"map","values":"long"}]"#, .repeatedName, ""),
            (#"{"type":"array"}"#, .invalidSchema, ""), (#"{"type":"fixed","name":"F","size":-1}"#, .invalidSchema, ""),
            (#"{"type":"fixed","name":"F","size":1e300}"#, .invalidSchema, ""),
            (#"{"type":"enum","name":"E","symbols":[]}"#, .invalidSchema, ""),
            (#"{"type":"enum","name":"E","symbols":["A","A"]}"#, .repeatedName, ""),
            (#"{"type":"enum","name":"E","symbols":["a b"]}"#, .invalidSchema, ""),
            (#"{"type":"record","name":"R"}"#, .invalidSchema, ""),
            (#"{"type":"record","name":"string","fields":[]}"#, .invalidSchema, ""),
            (#"{"type":"record","name":"R\"","fields":[]}"#, .invalidSchema, ""),
            (#"{"type":"record","name":"R","namespace":"a..b","fields":[]}"#, .invalidSchema, ""),
            (#"{"type":"record","name":"R","fields":[{"name":"1","type":"int"}]}"#, .invalidSchema, ""),
            (#"{"type":"record","name":"R","fields":[{"name":"é","type":"int"}]}"#, .invalidSchema, ""),
            (
                #"{"type":"record","name":"R","fields":[{"name":"a","type":{"type":"array","items":"X"}}]}"#,
                .unknownType, "a"
            ),
            (
                #"{"type":"record","name":"R","fields":[{"name":"a","type":"int"},{"name":"a","type":"int"}]}"#,
                .repeatedName, "a"
            ),
            (
                #"{"type":"record","name":"R","fields":[{"name":"a","type":{"type":"record","name":"R","fields":[]}}]}"#,
                .repeatedName, "a"
            ),
        ] as [(String, AvroError.Reason, String)])
    func invalid(text: String, reason: AvroError.Reason, path: String) throws {
        let error = try #require(thrown(AvroError.self) { try AvroSchema(parsing: text) })
        #expect(error.reason == reason && error.path == path, "\(error)")
    }

    @Test("Large, deep and wide schemas end at their limits")
    func bombs() {
        let deep =
            String(repeating: #"{"type":"array","items":"#, count: 5_000) + "1" + String(repeating: "}", count: 5_000)
        let levels =
            String(repeating: #"{"type":"array","items":"#, count: 70) + "\"int\"" + String(repeating: "}", count: 70)
        let union = (0..<100).map { #"{"type":"fixed","name":"F\#($0)","size":1}"# }.joined(separator: ",")
        let fields = (0..<30_000).map { #"{"name":"f\#($0)","type":"int"}"# }.joined(separator: ",")
        let symbols = (0..<30_000).map { "\"S\($0)\"" }.joined(separator: ",")
        let long = String(repeating: "n", count: 600)
        for (text, reason) in [
            (deep, .tooDeep), (levels, .tooDeep), ("[\(union)]", .tooLarge),
            (#"{"type":"record","name":"R","fields":[\#(fields)]}"#, .tooLarge),
            (#"{"type":"enum","name":"E","symbols":[\#(symbols)]}"#, .tooLarge),
            (#"{"type":"fixed","size":1,"name":"\#(long)"}"#, .tooLarge),
            (#"{"type":"enum","name":"E","symbols":["\#(long)"]}"#, .invalidSchema),
            (String(repeating: " ", count: 5 << 20), .tooLarge),
        ] as [(String, AvroError.Reason)] {
            #expect(thrown(AvroError.self) { try AvroSchema(parsing: text) }?.reason == reason)
        }
    }

    @Test("Records that contain each other twice do not multiply when they are parsed")
    func doubling() throws {
        var inner = #"{"type":"record","name":"R0","fields":[{"name":"a","type":"null"}]}"#
        for level in 1...15 {
            inner =
                #"{"type":"record","name":"R\#(level)","fields":[{"name":"a","type":\#(inner)},{"name":"b","type":"R\#(level - 1)"}]}"#
        }
        let schema = try AvroSchema(parsing: inner)
        #expect(schema.types.count < 100)
        // No byte is a whole value of 65,535 records, so the values are counted.
        let limits = AvroLimits(values: 60_000)
        #expect(thrown(AvroError.self) { try AvroReader(schema, limits: limits).read([]) }?.reason == .tooLarge)
        #expect(try AvroReader(schema).read([])["b"]?["a"]?["b"] != nil)
    }

    @Test("The cost of parsing grows with the length of the schema")
    func cost() throws {
        func schema(_ count: Int) -> String {
            let fields = (0..<count).map { #"{"name":"field\#($0)","type":["null","string"],"default":null}"# }
            return #"{"type":"record","name":"R","fields":[\#(fields.joined(separator: ","))]}"#
        }
        let (short, long) = (schema(300), schema(3_000))
        let ratio = try costRatio(below: 40) {
            _ = try AvroSchema(parsing: short)
        } long: {
            _ = try AvroSchema(parsing: long)
        }
        #expect(ratio < 40)
    }
}
