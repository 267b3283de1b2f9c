// SPDX-License-Identifier: Apache-2.0

import Costs
import EventWire
import RestBase
import Testing

@testable import RestJSON

@Suite("Reading Avro")
struct AvroReaderTests {
    private func read(_ schema: String, _ hex: String, timesAsText: Bool = false) throws -> String {
        try AvroReader(AvroSchema(parsing: schema), timesAsText: timesAsText).read(bytes(hex)).description
    }

    private func failure(_ schema: String, _ hex: String, limits: AvroLimits = AvroLimits()) throws -> AvroError? {
        let reader = try AvroReader(AvroSchema(parsing: schema), limits: limits)
        let input = try bytes(hex)
        return thrown(AvroError.self) { try reader.read(input) }
    }

    @Test(
        "Scalars by the examples of the specification and its limits",
        arguments: [
            (#""null""#, "", "null"), (#""boolean""#, "01", "true"), (#""boolean""#, "00", "false"),
            (#""int""#, "00", "0"), (#""int""#, "01", "-1"), (#""int""#, "7f", "-64"), (#""int""#, "8001", "64"),
            (#""int""#, "feffffff0f", "2147483647"), (#""int""#, "ffffffff0f", "-2147483648"),
            (#""long""#, "feffffffffffffffff01", "9223372036854775807"),
            (#""long""#, "ffffffffffffffffff01", "-9223372036854775808"),
            (#""float""#, "cdcccc3d", "0.1"), (#""float""#, "0000c07f", #""NaN""#),
            (#""double""#, "000000000000f83f", "1.5"), (#""double""#, "000000000000f0ff", #""-Infinity""#),
            (#""double""#, "0000000000000080", "-0.0"), (#""double""#, "0000000000000000", "0.0"),
            (#""string""#, "06666f6f", #""foo""#), (#""string""#, "00", #""""#),
            (#""string""#, "0822225c0a", #""\"\"\\\n""#), (#""bytes""#, "0600ff22", "\"\\u0000ÿ\\\"\""),
            (#"{"type":"fixed","name":"F","size":2}"#, "6162", #""ab""#),
            (#"{"type":"enum","name":"E","symbols":["A","B"]}"#, "02", #""B""#),
            (#"["null","string"]"#, "00", "null"), (#"["null","string"]"#, "020261", #""a""#),
            (#"["string","null"]"#, "02", "null"), (#"["int","string","null"]"#, "0006", "3"),
            (#"{"type":"array","items":"long"}"#, "04063600", "[3,27]"),
            (#"{"type":"array","items":"long"}"#, "00", "[]"),
            (#"{"type":"array","items":"long"}"#, "0304063600", "[3,27]"),
            (#"{"type":"array","items":"long"}"#, "0206023600", "[3,27]"),
            (#"{"type":"map","values":"long"}"#, "0202610600", #"{"a":3}"#),
        ])
    func scalars(schema: String, hex: String, text: String) throws {
        #expect(try read(schema, hex) == text)
    }

    @Test("Dates and times are numbers, or ISO 8601 strings on request")
    func times() throws {
        let date = #"{"type":"int","logicalType":"date"}"#
        let millis = #"{"type":"long","logicalType":"timestamp-millis"}"#
        let micros = #"{"type":"long","logicalType":"timestamp-micros"}"#
        for (schema, value, text) in [
            (date, 20_482, "2026-01-29"), (date, -1, "1969-12-31"),
            (millis, 1_769_681_472_345, "2026-01-29T10:11:12.345Z"), (millis, -1, "1969-12-31T23:59:59.999Z"),
            (micros, 1_769_681_472_345_000, "2026-01-29T10:11:12.345Z"),
        ] {
            let parsed = try AvroSchema(parsing: schema)
            let written = try AvroWriter(parsed).bytes(of: JSONValue(value))
            #expect(try AvroReader(parsed).read(written).int == value)
            #expect(try AvroReader(parsed, timesAsText: true).read(written).string == text)
            #expect(try AvroWriter(parsed).bytes(of: JSONValue(text)) == written)
        }
        // An org marks times in the documentation alone.
        let event = try AvroSchema(
            parsing: #"""
                {"type":"record","name":"E","fields":[{"name":"CreatedDate","type":"long","doc":"CreatedDate:DateTime"},
                {"name":"Due__c","type":["null","long"],"doc":"Data:DateTime:00N"},
                {"name":"N","type":"long","doc":"Data:Long"},
                {"name":"Day__c","type":["null","long"],"doc":"Data:DateOnly:00N"},
                {"name":"At__c","type":["null","long"],"doc":"Data:TimeOnly"}]}
                """#)
        let text: JSONValue = [
            "CreatedDate": "2026-01-29T10:11:12.345Z", "Due__c": "1970-01-01T00:00:00.000Z", "N": 5,
            "Day__c": "2026-01-29", "At__c": "10:11:12.345Z",
        ]
        let written = try AvroWriter(event).bytes(of: text)
        #expect(try AvroReader(event, timesAsText: true).read(written) == text)
        let numbers: JSONValue = [
            "CreatedDate": 1_769_681_472_345, "Due__c": 0, "N": 5, "Day__c": 1_769_644_800_000, "At__c": 36_672_345,
        ]
        #expect(try AvroReader(event).read(written) == numbers)
        // A date with a time, and a time of another day, stay numbers.
        let odd = try AvroWriter(event).bytes(
            of: ["CreatedDate": 0, "Due__c": 0, "N": 5, "Day__c": 1_769_644_800_001, "At__c": 86_400_000])
        let kept = try AvroReader(event, timesAsText: true).read(odd)
        #expect(kept["Day__c"]?.int == 1_769_644_800_001 && kept["At__c"]?.int == 86_400_000)
        // A number without a year of four digits stays a number.
        #expect(try read(millis, "feffffffffffffffff01", timesAsText: true) == "9223372036854775807")
        #expect(try read(date, "ffffffff0f", timesAsText: true) == "-2147483648")
    }

    @Test(
        "Invalid bytes are typed errors with an offset",
        arguments: [
            (#""null""#, "00", .trailingBytes, 0), (#""boolean""#, "02", .invalidBoolean, 0),
            (#""boolean""#, "", .endOfInput, 0), (#""int""#, "80", .endOfInput, 1),
            (#""int""#, "8080808010", .invalidNumber, 0), (#""int""#, "feffffffffffffffff01", .invalidNumber, 0),
            (#""long""#, "ffffffffffffffffff02", .invalidNumber, 0),
            (#""long""#, "8080808080808080808080", .invalidNumber, 0),
            (#""double""#, "00000000000000", .endOfInput, 7), (#""string""#, "01", .invalidLength, 0),
            (#""string""#, "0461", .endOfInput, 2), (#""string""#, "feffffffffffffffff01", .endOfInput, 10),
            (#""string""#, "02ff", .invalidUTF8, 1), (#""string""#, "06eda080", .invalidUTF8, 1),
            (#""string""#, "04c080", .invalidUTF8, 1), (#""string""#, "02c3a9", .invalidUTF8, 1),
            (#""bytes""#, "0461", .endOfInput, 2),
            (#"{"type":"fixed","name":"F","size":1000000000}"#, "00", .endOfInput, 1),
            (#"{"type":"enum","name":"E","symbols":["A"]}"#, "02", .invalidIndex, 0),
            (#"{"type":"enum","name":"E","symbols":["A"]}"#, "01", .invalidIndex, 0),
            (#"["null","int"]"#, "04", .invalidIndex, 0), (#"["null","int","string"]"#, "03", .invalidIndex, 0),
            (#"{"type":"array","items":"null"}"#, "feffffffffffffffff01", .tooLarge, 0),
            (#"{"type":"array","items":"null"}"#, "ffffffffffffffffff01", .endOfInput, 10),
            (#"{"type":"array","items":"null"}"#, "ffffffffffffffffff0100", .invalidLength, 0),
            (#"{"type":"array","items":"long"}"#, "0306063600", .invalidLength, 0),
            (#"{"type":"array","items":"long"}"#, "0301063600", .invalidLength, 1),
            (#"{"type":"array","items":"long"}"#, "040636", .endOfInput, 3),
            (#"{"type":"map","values":"long"}"#, "0202ff0600", .invalidUTF8, 2),
        ] as [(String, String, AvroError.Reason, Int)])
    func invalid(schema: String, hex: String, reason: AvroError.Reason, offset: Int) throws {
        let error = try #require(try failure(schema, hex))
        #expect(error.reason == reason && error.offset == offset, "\(error)")
    }

    @Test("Sizes and depths are bounded")
    func bounds() throws {
        let list = #"{"type":"record","name":"L","fields":[{"name":"next","type":["null","L"]}]}"#
        #expect(try failure(list, String(repeating: "02", count: 100) + "00")?.reason == .tooDeep)
        #expect(try failure(list, String(repeating: "02", count: 60) + "00") == nil)
        // A record that always contains itself.
        let endless = #"{"type":"record","name":"R","fields":[{"name":"a","type":"R"}]}"#
        #expect(try failure(endless, "")?.reason == .tooDeep)
        #expect(thrown(AvroError.self) { try AvroWriter(AvroSchema(parsing: endless)).bytes(of: [:]) } != nil)
        #expect(try failure(#""bytes""#, "0461 62", limits: AvroLimits(bytes: 2))?.reason == .tooLarge)
        // A million records of nothing in three bytes, with a name of 500 bytes each.
        let name = String(repeating: "n", count: 500)
        let nothing =
            #"{"type":"array","items":{"type":"record","name":"R","fields":[{"name":"\#(name)","type":"null"}]}}"#
        #expect(try failure(nothing, "808001 00", limits: AvroLimits(textBytes: 100_000))?.reason == .tooLarge)
        #expect(try failure(nothing, "808001 00", limits: AvroLimits(values: 10_000))?.reason == .tooLarge)
        #expect(try failure(nothing, "808001 00") == nil)
        #expect(try failure(nothing, "80808001 00")?.reason == .tooLarge)
    }

    @Test("The cost of reading grows with the length of the bytes")
    func cost() throws {
        let schema = try AvroSchema(
            parsing: #"{"type":"array","items":["null","string",{"type":"map","values":"bytes"}]}"#)
        let (reader, writer) = (AvroReader(schema), AvroWriter(schema))
        func input(_ count: Int) throws -> [UInt8] {
            let item: JSONValue = [nil, "a \"quote\" in 日本語", ["key": "\u{FF}\u{0}"]]
            return try writer.bytes(of: JSONValue(JSONArray((0..<count).flatMap { _ in item.array ?? [] })))
        }
        let (short, long) = (try input(300), try input(3_000))
        let ratio = try costRatio(below: 40) {
            _ = try reader.read(short)
        } long: {
            _ = try reader.read(long)
        }
        #expect(ratio < 40)
    }

    @Test("A document equals the document that the parser makes of its text")
    func document() throws {
        let schema = try AvroSchema(parsing: changeSchema)
        let texts = ["", "plain", "quote \" \\ \n", "é日本😀", String(repeating: "long ", count: 50) + "\u{1}ü"]
        for text in texts {
            let value: JSONValue = [
                "ChangeEventHeader": [
                    "entityName": JSONValue(text), "recordIds": [JSONValue(text), "b"], "changeType": "UPDATE",
                    "commitTimestamp": 1_769_681_472_345, "changedFields": [],
                ],
                "Name": JSONValue(text), "Phone": nil, "BillingAddress": ["Street": nil, "City": JSONValue(text)],
                "AnnualRevenue": 15_000.25, "LastModifiedDate": -7,
            ]
            let read = try AvroReader(schema).read(try AvroWriter(schema).bytes(of: value))
            #expect(read == value)
            let document = try read.placed().document
            let parsed = try JSONDocument(parsing: document.bytes)
            #expect(parsed.tape.count == document.tape.count)
            for (ours, theirs) in zip(document.tape, parsed.tape) {
                #expect(ours.kind == theirs.kind && ours.length == theirs.length)
                // The parser points repeated names to their first place.
                let isString = ours.kind == .string || ours.kind == .escapedString
                #expect(
                    isString
                        ? Array(document.bytes[ours.range]) == Array(parsed.bytes[theirs.range])
                        : ours.position == theirs.position)
            }
        }
    }

    @Test("No cut and no changed byte does more than throw")
    func damage() throws {
        let schema = try AvroSchema(parsing: changeSchema)
        let value: JSONValue = [
            "ChangeEventHeader": [
                "entityName": "Account", "recordIds": ["001A", "001B"], "changeType": "CREATE",
                "commitTimestamp": 1_769_681_472_345, "changedFields": ["0x1F", "3-0x2"],
            ],
            "Name": "日本 \"quoted\"", "BillingAddress": ["Street": "a\nb", "City": "Austin"], "AnnualRevenue": 1e20,
        ]
        let good = try AvroWriter(schema).bytes(of: value)
        let reader = AvroReader(schema)
        for count in good.indices {
            #expect(thrown(AvroError.self) { try reader.read(Array(good[..<count])) }?.reason == .endOfInput)
        }
        var random = SplitMix64(seed: 7)
        var read = 0
        for _ in 0..<5_000 {
            var damaged = good
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                damaged[Int.random(in: damaged.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            if let error = thrown(AvroError.self, { try reader.read(damaged) }) {
                #expect(error.offset.map { $0 <= damaged.count } ?? false)
                continue
            }
            // What is read is valid JSON, and written to the same value.
            let value = try reader.read(damaged)
            #expect(try JSONValue(parsing: value.placed().document.bytes) == value)
            #expect(try reader.read(AvroWriter(schema).bytes(of: value)) == value)
            read += 1
        }
        #expect(read > 200)
    }
}
