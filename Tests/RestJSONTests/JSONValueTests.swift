// SPDX-License-Identifier: Apache-2.0

import RestJSON
import Testing

@Suite("JSON values")
struct JSONValueTests {
    private static let page = """
        {"totalSize": 2, "done": true, "next": null, "records": [
          {"Id": "001", "Name": "Ada \\"L\\"", "Score": 12.50, "Owner": {"Name": "é"}, "Tags": ["x", "y"]},
          {"Id": "002", "Name": null, "Big": 12345678901234567890, "Id": "003"}]}
        """

    @Test("a string is compared with a text byte for byte, after resolving its escapes")
    func isString() throws {
        let list = try JSONValue(parsing: #"["/event/Order__e","\u002fevent\/Order__e","é",1,null,["a"],""]"#)
        let elements = try #require(list.array)
        #expect(elements.map { $0.isString("/event/Order__e") } == [true, true, false, false, false, false, false])
        #expect(elements.map { $0.isString("") } == [false, false, false, false, false, false, true])
        // The other form of the letter has other bytes.
        #expect(elements[2].isString("\u{E9}") && !elements[2].isString("e\u{301}"))
        #expect(JSONValue("é").isString("\u{E9}") && !JSONValue("é").isString("e\u{301}"))
        #expect(try JSONValue(parsing: "-9007199254740993").int64 == -9_007_199_254_740_993)
    }

    @Test func readsAPage() throws {
        let page = try JSONValue(parsing: JSONValueTests.page)
        #expect(page.kind == .object)
        #expect(page["totalSize"]?.int == 2)
        #expect(page["done"]?.bool == true)
        #expect(page["next"]?.isNull == true)
        #expect(page["absent"] == nil)
        #expect(page["records"]?[0]?["Name"]?.string == "Ada \"L\"")
        #expect(page["records"]?[0]?["Score"]?.numberText == "12.50")
        #expect(page["records"]?[0]?["Score"]?.double == 12.5)
        #expect(page["records"]?[0]?["Owner"]?["Name"]?.string == "é")
        #expect(page["records"]?[0]?["Tags"]?[1]?.string == "y")
        #expect(page["records"]?[1]?["Big"]?.uint == 12_345_678_901_234_567_890)
        #expect(page["records"]?[1]?["Big"]?.int == nil)
        #expect(page["records"]?[2] == nil)
        #expect(page["records"]?[-1] == nil)
        #expect(page[0] == nil)
        #expect(page["done"]?["x"] == nil)
    }

    @Test func duplicateNamesKeepTheLastOnLookupAndAllInIteration() throws {
        let parsed = try #require(JSONValue(parsing: JSONValueTests.page)["records"]?[1]?.object)
        let members: [JSONObject.Element] = [("Id", "002"), ("Name", nil), ("Big", 1), ("Id", "003")]
        for record in [parsed, JSONObject(members: members)] {
            #expect(record["Id"]?.string == "003")
            #expect(record["Name"]?.isNull == true)
            #expect(record["Id"]?.string == "003")
            #expect(record.keys == ["Id", "Name", "Big", "Id"])
            #expect(record.count == 4)
        }
    }

    @Test func literalsBuildValues() throws {
        let value: JSONValue = ["a": 1, "b": [true, nil, "x", 1.5], "c": ["d": [:]], "e": []]
        #expect(value.description == "{\"a\":1,\"b\":[true,null,\"x\",1.5],\"c\":{\"d\":{}},\"e\":[]}")
        #expect(try JSONValue(parsing: value.bytes()) == value)
        #expect(value["b"]?[3]?.double == 1.5)
        #expect(value["b"]?[4] == nil)
    }

    @Test func objectsCanBeChanged() throws {
        var object = try #require(JSONValue(parsing: "{\"a\":1,\"b\":2,\"a\":3}").object)
        object["a"] = 4
        #expect(object.description == "{\"b\":2,\"a\":4}")
        object["c"] = "x"
        object["b"] = nil
        #expect(object.description == "{\"a\":4,\"c\":\"x\"}")
        object["none"] = nil
        #expect(object.keys == ["a", "c"])
        for index in 0..<40 { object["k\(index)"] = JSONValue(index) }
        object["k7"] = nil
        #expect(object.count == 41)
        #expect(object["k39"]?.int == 39)
        #expect(object["k7"] == nil)
        #expect(object["k8"]?.int == 8)
    }

    @Test func arraysAreCollections() throws {
        var array = try #require(JSONValue(parsing: "[1,{\"a\":[1,2]},[3,[4]],\"x\"]").array)
        #expect(array.count == 4)
        #expect(array[2].description == "[3,[4]]")
        #expect(array.last?.string == "x")
        #expect(array.reversed().map(\.description) == ["\"x\"", "[3,[4]]", "{\"a\":[1,2]}", "1"])
        array.append(nil)
        #expect(array.description == "[1,{\"a\":[1,2]},[3,[4]],\"x\",null]")
        #expect(JSONArray().isEmpty)
    }

    @Test(
        "Integers are read exactly or not at all",
        arguments: [
            ("0", 0), ("-0", 0), ("1.0", 1), ("1e2", 100), ("1.5e1", 15), ("1.5", nil), ("1e-1", nil), ("10e-1", 1),
            ("9007199254740993", 9_007_199_254_740_993), ("9223372036854775807", Int.max), ("9223372036854775808", nil),
            ("-9223372036854775808", Int.min), ("-9223372036854775809", nil), ("1e18", 1_000_000_000_000_000_000),
            ("1e19", nil), ("1e400", nil), ("0e999999999999999999999", 0), ("1e999999999999999999999", nil),
            ("12345678901234567890", nil), ("0.00", 0), ("-0.0", 0), ("100e-2", 1), ("1e-999999999999999999999", nil),
        ] as [(String, Int?)])
    func integers(_ text: String, _ expected: Int?) throws {
        #expect(try JSONValue(parsing: text).int == expected)
        #expect(JSONValue(numberText: text)?.int == expected)
        #expect(JSONValue(numberText: text)?.numberText == text)
    }

    @Test(
        "Doubles are the nearest value, or nil outside the range",
        arguments: [
            ("0", 0), ("1", 1), ("0.1", 0.1), ("123456.789", 123456.789), ("1e22", 1e22), ("1e23", 1e23),
            ("5e-324", Double.leastNonzeroMagnitude),
            ("1e-400", 0), ("1e400", nil), ("-1e400", nil), ("9007199254740993", 9_007_199_254_740_992),
            ("179769313486231570000000000000000000000", 1.7976931348623157e38),
            ("0.30000000000000004", 0.30000000000000004),
            ("2.2250738585072011e-308", Double.leastNormalMagnitude.nextDown), ("000", nil),
            ("123456789012345", 123456789012345),
            ("0.000000000000000000000001", 1e-24), ("-1.5", -1.5),
        ] as [(String, Double?)])
    func doubles(_ text: String, _ expected: Double?) {
        #expect(JSONValue(numberText: text)?.double == expected)
    }

    @Test func negativeZeroStaysNegative() throws {
        #expect(try JSONValue(parsing: "-0").double?.sign == .minus)
        #expect(try JSONValue(parsing: "-0").description == "-0")
    }

    @Test func otherIntegerWidths() throws {
        #expect(try JSONValue(parsing: "18446744073709551615").uint == UInt64.max)
        #expect(try JSONValue(parsing: "18446744073709551616").uint == nil)
        #expect(try JSONValue(parsing: "-1").uint == nil)
        #expect(try JSONValue(parsing: "128").integer(as: Int8.self) == nil)
        #expect(try JSONValue(parsing: "-128").integer(as: Int8.self) == -128)
        #expect(JSONValue(UInt64.max).description == "18446744073709551615")
        #expect(JSONValue(Double.nan) == nil)
        #expect(JSONValue(Double.infinity) == nil)
        #expect(JSONValue(1e300).description == "1e+300")
        for text in ["", " 1", "1 ", "01", "1.", "abc", "\"1\"", "[1]", "+1"] {
            #expect(JSONValue(numberText: text) == nil)
        }
    }

    @Test(
        "Values are equal if they mean the same",
        arguments: [
            ("1", "1.0", true), ("100", "1e2", true), ("1", "2", false), ("0", "-0", true), ("1e400", "10e399", true),
            ("\"a\"", "\"\\u0061\"", true), ("\"é\"", "\"e\u{301}\"", false),
            ("{\"a\":1,\"b\":2}", "{\"b\":2,\"a\":1}", true),
            ("{\"a\":1,\"a\":2}", "{\"a\":2}", true), ("{\"a\":1}", "{\"a\":1,\"b\":null}", false),
            ("[1,2]", "[2,1]", false),
            ("[1,[2,{}]]", " [ 1.0 , [2, { }] ]", true), ("null", "false", false), ("[]", "{}", false),
            ("1", "\"1\"", false),
            ("1e99999999999999999999", "1e99999999999999999999", true), ("0.10", "0.1", true), ("-1", "1", false),
        ] as [(String, String, Bool)])
    func equality(_ left: String, _ right: String, _ expected: Bool) throws {
        let (left, right) = (try JSONValue(parsing: left), try JSONValue(parsing: right))
        #expect((left == right) == expected)
        if expected { #expect(left.hashValue == right.hashValue) }
        let members = left.object.map { JSONValue(JSONObject(members: $0)) } ?? left
        #expect((members == right) == expected)
    }

    @Test func detachedValuesAreEqual() throws {
        let page = try JSONValue(parsing: JSONValueTests.page)
        let record = try #require(page["records"]?[1])
        #expect(record.detached() == record)
        #expect(record.detached().description == record.description)
    }

    @Test func sortedAndPretty() throws {
        let value = try JSONValue(parsing: "{\"b\":[1,{}],\"a\":{\"d\":[],\"c\":null}}")
        #expect(
            String(decoding: value.bytes(sortedKeys: true), as: UTF8.self)
                == "{\"a\":{\"c\":null,\"d\":[]},\"b\":[1,{}]}")
        #expect(
            String(decoding: value.bytes(pretty: true), as: UTF8.self) == """
                {
                  "b": [
                    1,
                    {}
                  ],
                  "a": {
                    "d": [],
                    "c": null
                  }
                }
                """)
    }
}
