// SPDX-License-Identifier: Apache-2.0

import RestJSON
import Testing

@Suite("Encodable")
struct JSONEncodingTests {
    private struct Owner: Codable, Equatable {
        var name: String
        var age: UInt8?
    }

    private struct Record: Codable, Equatable {
        var id = "a\"\\\u{1}é"
        var score = 1.5
        var count = Int.max
        var active = true
        var owner: Owner? = Owner(name: "x", age: nil)
        var tags = ["p", "q"]
        var nested: [[Int]] = [[], [1], [1, 2]]
        var limits = ["a": 1]
        var small: Float = 0.1
        var big = UInt64.max
        var none: Int?
    }

    private func text(_ value: some Encodable, _ options: JSONEncodingOptions = .init()) throws -> String {
        String(decoding: try value.json(options: options), as: UTF8.self)
    }

    @Test func writesStructures() throws {
        #expect(
            try text(Record()) == #"{"id":"a\"\\\u0001é","score":1.5,"count":9223372036854775807,"active":true,"#
                + #""owner":{"name":"x"},"tags":["p","q"],"nested":[[],[1],[1,2]],"limits":{"a":1},"#
                + #""small":0.1,"big":18446744073709551615}"#)
        #expect(try Record(json: Record().json()) == Record())
        #expect(try text([Int?.none, 1]) == "[null,1]")
        #expect(try text("x") == "\"x\"")
        #expect(try text(Int?.none) == "null")
        #expect(try text([String: Int]()) == "{}")
    }

    @Test(
        "Integers of every width are written in full",
        arguments: [0, 1, -1, 9, 10, 99, 100, -100, 1_000_000_007, Int.min, Int.max])
    func integers(_ value: Int) throws {
        #expect(try text(value) == String(value))
        #expect(try text(Int8(truncatingIfNeeded: value)) == String(Int8(truncatingIfNeeded: value)))
        #expect(try text(UInt64(truncatingIfNeeded: value)) == String(UInt64(truncatingIfNeeded: value)))
        #expect(try text(["k": UInt16(truncatingIfNeeded: value)]) == "{\"k\":\(UInt16(truncatingIfNeeded: value))}")
    }

    @Test("Strings of every length around the word size are written whole", arguments: 0...40)
    func strings(_ length: Int) throws {
        let plain = String(repeating: "x", count: length)
        for tail in ["", "\"", "\\", "\u{0}", "\u{1F}é", "日本\n語", "\u{10FFFF}"] {
            let value = plain + tail + plain
            #expect(try JSONValue(parsing: value.json()).string == value)
            #expect(try value.json() == JSONValue(value).bytes())
        }
    }

    @Test func nonFiniteNumbersAreRefusedWithTheirPlace() throws {
        struct Outer: Encodable { let list: [[String: Double]] }
        let error = #expect(throws: JSONEncodingError.self) { try Outer(list: [[:], ["x": .nan]]).json() }
        #expect(error?.path == "list[1].x")
        #expect(error?.reason == .invalidValue)
        #expect(throws: JSONEncodingError.self) { try [Float.infinity].json() }
        #expect(throws: JSONEncodingError.self) { try Double.infinity.json() }
    }

    @Test func optionsChangeTheLayout() throws {
        struct Names: Encodable { let userName = 1, aURLPath = 2, z = [3], b = [Int]() }
        #expect(
            try text(Names(), .init(keyStrategy: .convertToSnakeCase, sortedKeys: true))
                == #"{"a_url_path":2,"b":[],"user_name":1,"z":[3]}"#)
        #expect(try text(Names(), .init(keyStrategy: .custom { "_" + $0 })).hasPrefix(#"{"_userName":1,"#))
        #expect(try text(["a": [1]], .init(pretty: true)) == "{\n  \"a\": [\n    1\n  ]\n}")
    }

    @Test func rulesWriteTypesOfTheCaller() throws {
        struct Early: Error {}
        struct Moment: Encodable { let seconds: Int }
        struct Event: Encodable { let at: Moment; let all: [Moment?] }
        var options = JSONEncodingOptions()
        options.encode(Moment.self) { moment in
            guard moment.seconds >= 0 else { throw Early() }
            return JSONValue("t\(moment.seconds)")
        }
        #expect(
            try text(Event(at: Moment(seconds: 1), all: [nil, Moment(seconds: 2)]), options)
                == #"{"at":"t1","all":[null,"t2"]}"#)
        let error = #expect(throws: JSONEncodingError.self) {
            try Event(at: Moment(seconds: 1), all: [Moment(seconds: -1)]).json(options: options)
        }
        #expect(error?.path == "all[0]")
        #expect(error?.underlying is Early)
    }

    @Test func valuesAreWrittenAsTheyStand() throws {
        struct Loose: Encodable { let rest: JSONValue }
        #expect(try text(Loose(rest: JSONValue(parsing: "{\"a\": [1.50, 1e400]}"))) == #"{"rest":{"a":[1.50,1e400]}}"#)
        #expect(try JSONValue(encoding: ["a": [1, 2]]) == ["a": [1, 2]])
        #expect(try JSONValue(encoding: JSONValue.null).isNull)
    }

    /// Fills several containers alternately, so that the values do not arrive in document order.
    private struct Interleaved: Encodable {
        enum Key: String, CodingKey { case a, b, c, d }

        func encode(to encoder: any Encoder) throws {
            var root = encoder.container(keyedBy: Key.self)
            var first = root.nestedContainer(keyedBy: Key.self, forKey: .a)
            var list = root.nestedUnkeyedContainer(forKey: .b)
            try root.encode(1, forKey: .c)
            try list.encode("x")
            try first.encode(2, forKey: .a)
            var inner = list.nestedUnkeyedContainer()
            try list.encodeNil()
            try inner.encode(true)
            try first.encode([3], forKey: .b)
            var again = encoder.container(keyedBy: Key.self)
            try again.encode("late", forKey: .d)
            try Super().encode(to: root.superEncoder())
            #expect(list.count == 3)
        }

        struct Super: Encodable { let s = 1 }
    }

    @Test func containersMayBeFilledInAnyOrder() throws {
        #expect(
            try text(Interleaved()) == #"{"a":{"a":2,"b":[3]},"b":["x",[true],null],"c":1,"d":"late","super":{"s":1}}"#)
        #expect(
            try text([Interleaved(), Interleaved()]) == "[" + (try text(Interleaved())) + ","
                + (try text(Interleaved())) + "]")
    }

    @Test func failedMembersLeaveNothingBehind() throws {
        struct Lenient: Encodable {
            enum Key: String, CodingKey { case a, b, c }
            func encode(to encoder: any Encoder) throws {
                var root = encoder.container(keyedBy: Key.self)
                try root.encode(1, forKey: .a)
                try? root.encode([1, Double.nan], forKey: .b)
                try? root.encode(Double.nan, forKey: .b)
                var list = root.nestedUnkeyedContainer(forKey: .c)
                try? list.encode(Double.nan)
                try? list.encode([Double.nan])
                try list.encode(2)
            }
        }
        #expect(try text(Lenient()) == #"{"a":1,"c":[2]}"#)
    }

    @Test func misusedContainersThrowAndNeverBreakTheText() throws {
        struct Twice: Encodable {
            func encode(to encoder: any Encoder) throws {
                var single = encoder.singleValueContainer()
                try single.encode(1)
                #expect(throws: EncodingError.self) { try single.encode(2) }
                var list = encoder.unkeyedContainer()
                #expect(throws: EncodingError.self) { try list.encode(3) }
                var nested = list.nestedUnkeyedContainer()
                try nested.encode(4)
            }
        }
        struct Empty: Encodable { func encode(to encoder: any Encoder) throws {} }
        #expect(try text([Twice(), Twice()]) == "[1,1]")
        #expect(try text(["e": Empty()]) == "{\"e\":{}}")
    }
}
