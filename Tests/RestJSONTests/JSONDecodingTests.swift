// SPDX-License-Identifier: Apache-2.0

import Costs
import RestBase
import RestTransport
import Testing

@testable import RestJSON

@Suite("Decodable")
struct JSONDecodingTests {
    private struct Owner: Decodable, Equatable {
        let name: String
        let age: UInt8?
    }

    private struct Record: Decodable, Equatable {
        let id: String
        let score: Double
        let count: Int
        let active: Bool
        let owner: Owner?
        let tags: [String]
        let limits: [String: Int]?
    }

    private static let text = """
        {"id": "a\\u00e9", "score": 1.5, "count": 9007199254740993, "active": true, "owner": {"name": "x", "age": 200},
         "tags": ["p", "q"], "limits": {"a": 1, "b": 2}}
        """

    private func error<T: Decodable>(_ type: T.Type, _ text: String) throws -> JSONDecodingError? {
        let value = try JSONValue(parsing: text)
        return #expect(throws: JSONDecodingError.self) { try value.decode(T.self) }
    }

    @Test func decodesStructures() throws {
        let record: Record = try JSONValue(parsing: JSONDecodingTests.text).decode()
        #expect(
            record
                == Record(
                    id: "aé", score: 1.5, count: 9_007_199_254_740_993, active: true, owner: Owner(name: "x", age: 200),
                    tags: ["p", "q"], limits: ["a": 1, "b": 2]))
        let owners: [Owner] = try ([["name": "a", "age": nil], ["name": "b"]] as JSONValue).decode()
        #expect(owners == [Owner(name: "a", age: nil), Owner(name: "b", age: nil)])
        #expect(try Int(json: Array("5".utf8)) == 5)
    }

    @Test func codingPathsArePrecise() throws {
        struct Page: Decodable { let records: [Owner] }
        let wrongType = try error(Page.self, #"{"records":[{"name":"a"},{"name":"b"},{"name":[1]}]}"#)
        #expect(wrongType?.path == "records[2].name")
        #expect(wrongType?.reason == .typeMismatch)
        let absent = try error(Page.self, #"{"x":[[],{}],"records":[{"name":"a"},{"age":1}]}"#)
        #expect(absent?.path == "records[1]")
        #expect(absent?.reason == .keyNotFound)
        let null = try error(Page.self, #"{"records":[{"name":null}]}"#)
        #expect(null?.path == "records[0].name")
        #expect(null?.reason == .valueNotFound)
        let range = try error(Page.self, #"{"records":[{"name":"a","age":256}]}"#)
        #expect(range?.path == "records[0].age")
        #expect(range?.reason == .dataCorrupted)
        let root = try error(Page.self, "[]")
        #expect(root?.path == "$")
        let inner = try JSONValue(parsing: #"{"skip":[1,2],"page":{"records":[{"name":7}]}}"#)["page"]
        let nested = #expect(throws: JSONDecodingError.self) { try inner?.decode(Page.self) }
        #expect(nested?.path == "records[0].name")
    }

    @Test(
        "Numbers that are not integers in the type's range are rejected",
        arguments: ["1.5", "128", "-129", "1e400", "\"1\"", "true"])
    func integersNeverWrap(_ text: String) throws {
        #expect(throws: JSONDecodingError.self) { try JSONValue(parsing: text).decode(Int8.self) }
    }

    @Test func numbersOfEveryType() throws {
        let seven = try JSONValue(parsing: "7.0")
        #expect(try seven.decode(Int.self) == 7 && seven.decode(Int8.self) == 7 && seven.decode(Int16.self) == 7)
        #expect(try seven.decode(Int32.self) == 7 && seven.decode(Int64.self) == 7 && seven.decode(UInt.self) == 7)
        #expect(try seven.decode(UInt8.self) == 7 && seven.decode(UInt16.self) == 7 && seven.decode(UInt32.self) == 7)
        #expect(try seven.decode(UInt64.self) == 7 && seven.decode(Float.self) == 7 && seven.decode(Double.self) == 7)
        #expect(throws: JSONDecodingError.self) { try JSONValue(parsing: "1e400").decode(Double.self) }
        #expect(throws: JSONDecodingError.self) { try JSONValue(parsing: "1e39").decode(Float.self) }
        #expect(throws: JSONDecodingError.self) { try JSONValue(parsing: "9007199254740993.5").decode(Int.self) }
    }

    @Test func keyStrategies() throws {
        struct Names: Decodable, Equatable { let firstName: String; let lastName: String?; let _id: Int }
        let text = #"{"first_name":"a","last_name":"b","_id":3}"#
        let value = try JSONValue(parsing: text)
        #expect(
            try value.decode(options: .init(keyStrategy: .convertFromSnakeCase))
                == Names(firstName: "a", lastName: "b", _id: 3))
        let upper = JSONDecodingOptions(keyStrategy: .custom { $0.lowercased() })
        #expect(
            try JSONValue(parsing: #"{"NAME":"x"}"#).decode(Owner.self, options: upper) == Owner(name: "x", age: nil))
        #expect(throws: JSONDecodingError.self) { try value.decode(Names.self) }
    }

    @Test func rulesReadTypesOfTheCaller() throws {
        struct Moment: Decodable, Equatable { let seconds: Double }
        struct Event: Decodable, Equatable { let at: Moment; let ends: Moment?; let all: [Moment] }
        var options = JSONDecodingOptions()
        options.decode(Moment.self) { value in
            value.string.flatMap { JSONTimestamp($0) }.map { Moment(seconds: $0.secondsSince1970) }
        }
        let value = try JSONValue(
            parsing: #"{"at":"2026-01-29T10:11:12.000+0000","ends":null,"all":["1970-01-01","1970-01-01T00:00:01Z"]}"#)
        let event = try value.decode(Event.self, options: options)
        #expect(
            event
                == Event(at: Moment(seconds: 1_769_681_472), ends: nil, all: [Moment(seconds: 0), Moment(seconds: 1)]))
        let bad = try JSONValue(parsing: #"{"at":"x","all":[]}"#)
        let error = #expect(throws: JSONDecodingError.self) { try bad.decode(Event.self, options: options) }
        #expect(error?.path == "at")
        #expect(error?.reason == .dataCorrupted)
    }

    @Test func valuesDecodeAsThemselves() throws {
        struct Loose: Decodable { let id: Int; let rest: JSONValue; let none: JSONValue? }
        let loose = try JSONValue(parsing: #"{"id":1,"rest":{"a":[1.50]},"none":null}"#).decode(Loose.self)
        #expect(loose.rest.description == #"{"a":[1.50]}"#)
        #expect(loose.none == nil)
    }

    @Test func containersOfEveryForm() throws {
        struct Odd: Decodable, Equatable {
            var seen: [String] = []
            enum Key: String, CodingKey { case list, object }
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: Key.self)
                var list = try container.nestedUnkeyedContainer(forKey: .list)
                seen.append("count \(list.count ?? -1)")
                if try list.decodeNil() { seen.append("null") }
                seen.append("first \(try list.decode(Int.self))")
                let inner = try list.nestedContainer(keyedBy: Key.self)
                seen.append("inner \(try inner.decode(String.self, forKey: .object))")
                var deep = try list.nestedUnkeyedContainer()
                seen.append("deep \(try deep.decode(Bool.self)) \(deep.isAtEnd)")
                seen.append("path \(deep.codingPath.map(\.stringValue))")
                do { _ = try list.decode(Int.self) } catch { seen.append("end \(list.isAtEnd)") }
                let nested = try container.nestedContainer(keyedBy: Key.self, forKey: .object)
                seen.append("keys \(nested.allKeys.map(\.rawValue)) \(nested.contains(.list))")
                seen.append(
                    "super \(try String(from: container.superDecoder(forKey: .object).container(keyedBy: Key.self).superDecoder(forKey: .object)))"
                )
            }
        }
        let text = #"{"list":[null,1,{"object":"x"},[true]],"object":{"object":"y","other":0}}"#
        #expect(
            try JSONValue(parsing: text).decode(Odd.self).seen == [
                "count 4", "null", "first 1", "inner x", "deep true true", "path [\"list\", \"3\"]", "end true",
                "keys [\"object\"] false", "super y",
            ])
    }
}

@Suite("Timestamps")
struct JSONTimestampTests {
    @Test(
        "Every timestamp format of the API is read",
        arguments: [
            ("1970-01-01", 0, 0), ("1970-01-01T00:00:00Z", 0, 0), ("2026-01-29T10:11:12.000+0000", 1_769_681_472, 0),
            ("2026-01-29T10:11:12.345Z", 1_769_681_472, 345_000_000), ("2026-01-29T11:11:12+01:00", 1_769_681_472, 0),
            ("2026-01-29T09:11:12-0100", 1_769_681_472, 0), ("2000-02-29T00:00Z", 951_782_400, 0),
            ("1969-12-31T23:59:59.5Z", -1, 500_000_000),
            ("0001-01-01", -62_135_596_800, 0), ("9999-12-31T23:59:59.999999999Z", 253_402_300_799, 999_999_999),
            ("2016-12-31T23:59:60Z", 1_483_228_800, 0), ("2026-01-29t10:11:12z", 1_769_681_472, 0),
            ("2026-01-29T10:11:12.1234567891Z", 1_769_681_472, 123_456_789),
            ("2026-01-29T10:11:12+00", 1_769_681_472, 0),
        ] as [(String, Int64, Int)])
    func reads(_ text: String, _ seconds: Int64, _ nanoseconds: Int) {
        #expect(JSONTimestamp(text) == JSONTimestamp(seconds: seconds, nanoseconds: nanoseconds))
    }

    @Test(
        "Malformed timestamps are rejected",
        arguments: [
            "", "2026", "2026-1-2", "2026-02-30", "2025-02-29", "1900-02-29", "2026-13-01", "2026-00-01", "2026-01-00",
            "2026-01-29T10:11:12", "2026-01-29T24:00:00Z", "2026-01-29T10:60:00Z", "2026-01-29T10:11:61Z",
            "2026-01-29T10:11:12.Z", "2026-01-29T10:11:12Z ", "2026-01-29T", "2026-01-29X10:11:12Z", "20260129",
            "2026-01-29T10:11:12+1", "2026-01-29T10:11:12+01:6", "٢026-01-29",
        ])
    func refuses(_ text: String) {
        #expect(JSONTimestamp(text) == nil)
    }
}

@Suite("Coding paths")
struct JSONPathTests {
    /// Returns the path of every value, found by walking the document from its root.
    private func paths(_ document: JSONDocument, at index: Int, _ path: String = "") -> [(index: Int, path: String)] {
        var all = [(index, path)]
        let entry = document.tape[index]
        guard entry.isContainer else { return all }
        var (child, position) = (index + 1, 0)
        while child < entry.position {
            let name = entry.has(.object) ? document.string(at: child) : String(position)
            let value = entry.has(.object) ? child + 1 : child
            all += paths(document, at: value, path + "/" + name)
            child = document.index(after: value)
            position += 1
        }
        return all
    }

    @Test("the path of a value is the same in whatever order paths are requested", arguments: 0..<20)
    func anyOrder(seed: Int) throws {
        let text =
            #"{"a":[1,{"b":[],"a":[[],[{"x":null,"x":[2]}],3]}],"":{"é":{},"e\u0301":[[[[5]]]]},"z":[{},{},[{}]]}"#
        let document = try JSONDocument(parsing: text)
        var random = SplitMix64(seed: UInt64(seed))
        var all = paths(document, at: JSONDocument.rootIndex)
        if seed > 0 { all.shuffle(using: &random) }
        let context = JSONDecodingContext(document: document, root: JSONDocument.rootIndex, options: .init())
        for (index, path) in all + all.reversed() {
            #expect(context.path(to: index).map { "/" + $0.stringValue }.joined() == path)
        }
    }

    /// A list that skips elements of the wrong type.
    private struct Lossy: Decodable {
        var failures = 0
        var paths: Set<String> = []

        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            while !list.isAtEnd {
                do {
                    _ = try list.decode(Int.self)
                } catch DecodingError.typeMismatch(_, let context) {
                    failures += 1
                    paths.insert((context.codingPath.last?.stringValue ?? "") + "/\(list.codingPath.count)")
                    _ = try list.decode(JSONValue.self)
                }
            }
        }
    }

    private func list(_ count: Int) throws -> JSONValue {
        let text = #"{"list":["# + Array(repeating: #"{"a":[]}"#, count: count).joined(separator: ",") + "]}"
        return try JSONValue(parsing: text)
    }

    private func check(_ list: JSONValue, _ count: Int) throws {
        let lossy = try #require(try list.decode([String: Lossy].self)["list"])
        #expect(lossy.failures == count && lossy.paths.count == count)
    }

    @Test("the cost of a decoding error that a type catches does not grow with the length of the list")
    func linear() throws {
        let (short, long) = (try list(1_000), try list(8_000))
        let ratio = try costRatio(below: 24, short: { try check(short, 1_000) }, long: { try check(long, 8_000) })
        #expect(ratio < 24)
    }
}

@Suite("Cancelling the decoding of a long array")
struct JSONInterruptionTests {
    private struct Row: Decodable {
        let id: Int
    }

    private static let rows = 40_000
    private static let page = Array("[\((0..<rows).map { #"{"id":\#($0)}"# }.joined(separator: ","))]".utf8)

    @Test("decoding a long array stops when its task is cancelled, if the options ask for it")
    func decoding() async throws {
        let value = try JSONValue(parsing: Self.page)
        var options = JSONDecodingOptions()
        options.heedsCancellation = true
        #expect(try value.decode([Row].self, options: options).map(\.id) == Array(0..<Self.rows))
        let heeding = options
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            let error = #expect(throws: JSONDecodingError.self) { try value.decode([Row].self, options: heeding) }
            #expect(error?.reason == .interrupted)
            #expect(throws: Never.self) { try value.decode([Row].self) }
            #expect(throws: Never.self) { try JSONValue(parsing: "[1]").decode([Int].self, options: heeding) }
        }
        task.cancel()
        await task.value
    }
}
