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
