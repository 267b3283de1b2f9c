// SPDX-License-Identifier: Apache-2.0

import RestJSON
import Testing

@Suite("128-bit integers, huge exponents, names compared by bytes, missing super values")
struct JSONWideTypesTests {
    private struct Wide: Codable, Equatable {
        let a: Int128
        let b: UInt128?
        let c: [Int128]
        let d: [String: UInt128]
    }

    @Test("128-bit integers are written and read exactly, in any position")
    func wide() throws {
        let value = Wide(a: .min, b: .max, c: [.max, -1, 0], d: ["x": .max])
        let text = String(decoding: try value.json(), as: UTF8.self)
        #expect(
            text == #"{"a":\#(Int128.min),"b":\#(UInt128.max),"c":[\#(Int128.max),-1,0],"d":{"x":\#(UInt128.max)}}"#)
        #expect(try Wide(json: Array(text.utf8)) == value)
        #expect(try JSONValue(parsing: "\(Int128.min)").decode(Int128.self) == .min)
        #expect(try JSONValue(encoding: UInt128.max).numberText == "\(UInt128.max)")
        #expect(
            try JSONValue(parsing: "1e38").decode(UInt128.self) == 100_000_000_000_000_000_000_000_000_000_000_000_000)
        for text in [
            "170141183460469231731687303715884105728", "1e39", "-170141183460469231731687303715884105729", "0.5",
        ] {
            #expect(throws: JSONDecodingError.self) { try JSONValue(parsing: text).decode(Int128.self) }
        }
        #expect(throws: JSONDecodingError.self) { try JSONValue(parsing: "-1").decode(UInt128.self) }
    }

    @Test(
        "exponents of any size are read, compared or rejected without a trap",
        arguments: [
            "1e9223372036854775807", "1e-9223372036854775808", "1.5e9223372036854775808", "0e9223372036854775807",
            "100e9223372036854775807", "0.01e-9223372036854775808", "-1e99999999999999999999999", "1e+400", "1E-400",
            "12345678901234567890123456789012345678901e-2", "0.0e-0", "1e-2147483649", "1e2147483648",
        ])
    func exponents(text: String) throws {
        let value = try JSONValue(parsing: text)
        let zero = text.hasPrefix("0e") || text.hasPrefix("0.0e")
        #expect(value.int == (zero ? 0 : nil) && value.uint == (zero ? 0 : nil))
        #expect(value.integer(as: Int128.self) == (zero ? 0 : nil))
        _ = value.double
        #expect(value == (try JSONValue(parsing: text)) && value.hashValue == value.detached().hashValue)
        #expect(value.numberText == text && value.description == text)
        #expect((try? value.decode(Int.self)) == (zero ? 0 : nil))
    }

    private struct Names: Decodable {
        let keys: [String]

        private struct Name: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }

            init?(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Name.self)
            keys = try container.allKeys.map {
                "\($0.stringValue.utf8.count)=\(try container.decode(Int.self, forKey: $0))"
            }
        }
    }

    @Test("names that look alike but have different bytes are two keys, with and without a key strategy")
    func names() throws {
        let value = try JSONValue(parsing: "{\"\u{E9}\":1,\"e\u{301}\":2,\"a\":3,\"a\":4}")
        #expect(try value.decode(Names.self).keys == ["2=1", "3=2", "1=4"])
        for strategy in [JSONDecodingOptions.KeyStrategy.convertFromSnakeCase, .custom { $0 }] {
            #expect(
                try value.decode(Names.self, options: JSONDecodingOptions(keyStrategy: strategy)).keys
                    == ["2=1", "3=2", "1=4"])
        }
        #expect(value.object?["\u{E9}"]?.int == 1 && value.object?["e\u{301}"]?.int == 2)
    }

    private class Base: Decodable {
        let isNull: Bool
        let path: String

        required init(from decoder: any Decoder) throws {
            isNull = try decoder.singleValueContainer().decodeNil()
            path = decoder.codingPath.map(\.stringValue).joined(separator: ".")
        }
    }

    private struct Derived: Decodable {
        let named: Base
        let plain: Base

        private enum Key: CodingKey { case base }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            named = try Base(from: container.superDecoder(forKey: .base))
            plain = try Base(from: container.superDecoder())
        }
    }

    @Test("a missing super value is null and has the path of its key")
    func absentSuper() throws {
        let absent = try JSONValue(parsing: #"{"o":{}}"#).decode([String: Derived].self)["o"]
        #expect(absent?.named.isNull == true && absent?.named.path == "o.base")
        #expect(absent?.plain.isNull == true && absent?.plain.path == "o.super")
        let there = try JSONValue(parsing: #"{"base":1,"super":null}"#).decode(Derived.self)
        #expect(!there.named.isNull && there.plain.isNull)
    }
}

@Suite("Rows decoded with the key positions of the previous row")
struct JSONKeyPlanTests {
    private struct Row: Decodable, Equatable {
        var id: Int
        var name: String?
        var parent: [Row]?
    }

    private struct Keeper: Decodable {
        let decoder: any Decoder
        let container: KeyedDecodingContainer<Keys>

        enum Keys: String, CodingKey {
            case id, name
        }

        init(from decoder: any Decoder) throws {
            self.decoder = decoder
            container = try decoder.container(keyedBy: Keys.self)
        }
    }

    /// Returns records with the same names, and `odd` in the middle.
    private func page(_ odd: String) -> [UInt8] {
        let plain = (0..<40).map { #"{"id":\#($0),"name":"n\#($0)"}"# }
        return Array(("[" + (plain[..<20] + [odd] + plain[20...]).joined(separator: ",") + "]").utf8)
    }

    @Test(
        "a record with other keys, and the records after it, are decoded correctly",
        arguments: [
            (#"{"name":"a","id":7}"#, Row(id: 7, name: "a")), (#"{"id":7}"#, Row(id: 7)),
            (#"{"id":7,"name":"a","name":"b"}"#, Row(id: 7, name: "b")), (#"{"id":1,"id":7}"#, Row(id: 7)),
            (#"{"\u0069d":7,"name":"a"}"#, Row(id: 7, name: "a")), (#"{"id":1,"\u0069d":7}"#, Row(id: 7)),
            (#"{"id" : 7 , "name" : null}"#, Row(id: 7)), (#"{"":1,"id":7}"#, Row(id: 7)),
            (#"{"id":7,"namf":"a"}"#, Row(id: 7)),
            (
                #"{"id":7,"parent":[{"id":8,"name":"p"},{"name":"q","id":9}],"name":"a"}"#,
                Row(id: 7, name: "a", parent: [Row(id: 8, name: "p"), Row(id: 9, name: "q")])
            ),
            ("{" + (0..<70).map { #""a\#($0)":0,"# }.joined() + #""id":7}"#, Row(id: 7)),
        ])
    private func readsOddRows(odd: String, row: Row) throws {
        var expected = (0..<40).map { Row(id: $0, name: "n\($0)") }
        expected.insert(row, at: 20)
        #expect(try [Row](json: page(odd)) == expected)
        let value = try JSONValue(parsing: page(odd))
        var decoder = JSONRowDecoder(options: .init())
        #expect(try (value.array ?? []).map { try decoder.decode(Row.self, from: $0) } == expected)
        var sent: [UInt8] = []
        value.appendAsSent(to: &sent)
        #expect(sent == page(odd.replacing(" ", with: "")))
    }

    @Test("an error has the path of its own record")
    func placesFaults() throws {
        let value = try JSONValue(parsing: page(#"{"id":"seven"}"#))
        let error = #expect(throws: JSONDecodingError.self) { try value.decode([Row].self) }
        #expect(error?.path == "[20].id")
        var decoder = JSONRowDecoder(options: .init())
        let paths =
            (value.array ?? []).compactMap { record in
                do throws(JSONDecodingError) {
                    _ = try decoder.decode(Row.self, from: record)
                    return nil
                } catch {
                    return error.path
                }
            } as [String]
        #expect(paths == ["id"])
    }

    @Test("a decoder and a container still work after the call has returned")
    func readsLater() throws {
        let kept = try [Keeper](json: page("{}"))
        #expect(try kept[3].container.decode(String.self, forKey: .name) == "n3")
        #expect(try Row(from: kept[30].decoder) == Row(id: 29, name: "n29"))
        #expect(try kept[20].container.decodeIfPresent(Int.self, forKey: .id) == nil)
        #expect(try kept[4].container.decode(Int.self, forKey: .id) == 4)
    }
}
