// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestJSON
import RestSDK
import Testing

@Suite("Foundation's types and plain collections")
struct FoundationBridgeTests {
    private struct Row: Decodable, Equatable {
        let CreatedDate: Date
        let Amount: Decimal
    }

    private func row(_ date: String, _ options: JSONDecodingOptions) throws -> Row {
        let text = #"{"CreatedDate":\#(date),"Amount":12345678901234567890.123456789}"#
        return try JSONValue(parsing: Array(text.utf8)).decode(Row.self, options: options)
    }

    @Test(
        "dates in the forms people send; decimals digit for digit",
        arguments: [
            #""2026-01-29T10:11:12.000+0000""#, #""2026-01-29T10:11:12Z""#, #""2026-01-29T11:11:12+01:00""#,
        ])
    func text(date: String) throws {
        let row = try row(date, .foundation())
        #expect(row.CreatedDate == Date(timeIntervalSince1970: 1_769_681_472))
        #expect(row.Amount == Decimal(string: "12345678901234567890.123456789"))
    }

    @Test("dates as numbers and by a function")
    func numbers() throws {
        let expected = Date(timeIntervalSince1970: 1_769_681_472)
        #expect(try row("1769681472", .foundation(dates: .secondsSince1970)).CreatedDate == expected)
        #expect(try row("1769681472000", .foundation(dates: .millisecondsSince1970)).CreatedDate == expected)
        #expect(try row("null", .foundation(dates: .custom { _ in expected })).CreatedDate == expected)
        #expect(throws: JSONDecodingError.self) { try row(#""soon""#, .foundation()) }
    }

    private struct Whole: Codable, Equatable {
        var date: Date
        var dates: [Date?]
        var amount: Decimal
        var byName: [String: Decimal]
        var page: URL
        var picture: Data
    }

    private let whole = Whole(
        date: Date(timeIntervalSince1970: 1_769_681_472.345),
        dates: [Date(timeIntervalSince1970: -62_135_596_800), nil],
        amount: Decimal(string: "-12345678901234567890.123456789") ?? 0, byName: ["x": 0.1],
        page: URL(fileURLWithPath: "/a b"), picture: Data([0, 255, 128]))

    @Test("what is written is read back the same: dates, decimals, addresses, data")
    func writing() throws {
        let text = String(decoding: try whole.json(options: .foundation()), as: UTF8.self)
        #expect(
            text == #"""
                {"date":"2026-01-29T10:11:12.345Z","dates":["0001-01-01T00:00:00.000Z",null],\#
                "amount":-12345678901234567890.123456789,"byName":{"x":0.1},"page":"file:///a%20b","picture":"AP+A"}
                """#)
        for form in [JSONEncodingOptions.DateForm.text, .secondsSince1970, .millisecondsSince1970] {
            let bytes = try whole.json(options: .foundation(dates: form))
            let back = try JSONValue(parsing: bytes).decode(Whole.self, options: .foundation(dates: form))
            #expect(abs(back.date.timeIntervalSince(whole.date)) < 0.000_001)
            var same = back
            same.date = whole.date
            #expect(same == whole)
        }
        let days = JSONEncodingOptions.DateForm.custom(
            { _ in nil }, write: { JSONValue(Int($0.timeIntervalSince1970) / 86_400) })
        #expect(try Date(timeIntervalSince1970: 864_000).json(options: .foundation(dates: days)) == Array("10".utf8))
    }

    @Test("what has no form in JSON is refused with its place")
    func unwritable() throws {
        var (endless, ancient, noNumber) = (whole, whole, whole)
        endless.date = Date(timeIntervalSince1970: .infinity)
        ancient.dates = [whole.date, Date(timeIntervalSince1970: -1e12)]
        noNumber.byName = ["y": .nan]
        for (value, path) in [(endless, "date"), (ancient, "dates[1]"), (noNumber, "byName.y")] {
            let error = #expect(throws: JSONEncodingError.self) { try value.json(options: .foundation()) }
            #expect(error?.path == path)
        }
        let error = #expect(throws: JSONEncodingError.self) {
            try endless.json(options: .foundation(dates: .secondsSince1970))
        }
        #expect(error?.path == "date")
        #expect(throws: JSONEncodingError.self) { try whole.json(options: .foundation(dates: .custom { _ in nil })) }
    }

    @Test("dates of every year are written so that they are read as the same millisecond")
    func everyYear() throws {
        for day in stride(from: -719_162, to: 2_932_896, by: 97) {
            let date = Date(timeIntervalSince1970: Double(day) * 86_400 + 86_399.999)
            let bytes = try date.json(options: .foundation())
            let back = try JSONValue(parsing: bytes).decode(Date.self, options: .foundation())
            try #require(abs(back.timeIntervalSince(date)) < 0.000_5, "\(String(decoding: bytes, as: UTF8.self))")
        }
    }

    @Test(
        "a decimal with an exponent of any size is a number or refused, never a trap",
        arguments: [
            "1e127", "1e128", "1e400", "1e-127", "1e-400", "1e9223372036854775807", "1e-9223372036854775808",
            "1e99999999999999999999", "0e99999999999999999999", "1e2147483648", "1e32768", "1e-32769",
        ])
    func hugeDecimals(text: String) throws {
        _ = try? JSONValue(parsing: text).decode(Decimal.self, options: .foundation())
        _ = try? JSONValue(parsing: String(repeating: "9", count: 5_000) + text.dropFirst()).decode(
            Decimal.self, options: .foundation())
        for wrong in [#""x""#, "null", "{}"] {
            #expect(throws: JSONDecodingError.self) {
                try JSONValue(parsing: wrong).decode(Decimal.self, options: .foundation())
            }
        }
        #expect(throws: JSONDecodingError.self) {
            try JSONValue(parsing: #""*""#).decode(Data.self, options: .foundation())
        }
    }

    @Test("a payload as a plain dictionary loses nothing")
    func dictionary() throws {
        let text =
            #"{"s":"x","i":9007199254740993,"d":0.1,"big":18446744073709551616,"b":true,"n":null,"a":[1,{"k":"v"}]}"#
        let object = try #require(JSONValue(parsing: Array(text.utf8)).object)
        let plain = object.dictionary
        #expect(plain["s"] as? String == "x")
        #expect(plain["i"] as? Int == 9_007_199_254_740_993)
        #expect(plain["d"] as? Double == 0.1)
        #expect(plain["big"] as? Decimal == Decimal(string: "18446744073709551616"))
        #expect(plain["b"] as? Bool == true)
        #expect((plain["n"] as? JSONValue)?.isNull == true)
        let array = try #require(plain["a"] as? [any Sendable])
        #expect(array[0] as? Int == 1)
        #expect((array[1] as? [String: any Sendable])?["k"] as? String == "v")
        #expect(object["a"]?.array?.array.count == 2)
    }
}
