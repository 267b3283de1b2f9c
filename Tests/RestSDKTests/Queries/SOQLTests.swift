// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestTesting
import SOQLSyntax
import Testing

@testable import RestSDK

@Suite("Binding values into queries")
struct SOQLTests {
    @Test(
        "a text is quoted and cannot end its literal",
        arguments: [
            ("Acme", "'Acme'"), ("D'Arcy", #"'D\'Arcy'"#), (#"a\' OR Name != '"#, #"'a\\\' OR Name != \''"#),
            ("a\nb\r\tc", #"'a\nb\r\tc'"#), ("\u{0C}", #"'\u000C'"#), ("", "''"), ("Zoë 日本", "'Zoë 日本'"),
        ])
    func text(value: String, literal: String) {
        let query: SOQL = "SELECT Id FROM A WHERE Name = \(value)"
        #expect(query.text.lowercased() == "SELECT Id FROM A WHERE Name = \(literal)".lowercased())
    }

    @Test("numbers, truth values, null and lists have their literals")
    func literals() {
        let none: String? = nil
        let query: SOQL = "A = \(1) B = \(-2.5) C = \(true) D = \(none) E IN \(["x", "y'"]) F IN \([1, 2])"
        #expect(query.text == #"A = 1 B = -2.5 C = true D = null E IN ('x','y\'') F IN (1,2)"#)
    }

    @Test(
        "a double has no exponent, whatever its size",
        arguments: [(1e21, "1000000000000000000000"), (1e-7, "0.0000001")])
    func exponents(value: Double, text: String) {
        let query: SOQL = "N = \(value)"
        #expect(query.text == "N = " + text && query.problem == nil)
    }

    @Test("a point in time is bound in UTC, a day as a day")
    func dates() {
        let (date, day) = (Date(timeIntervalSince1970: 1_700_000_000.25), SOQLDate(year: 2024, month: 2, day: 29))
        let query: SOQL = "A = \(date) AND B = \(day)"
        #expect(query.text == "A = 2023-11-14T22:13:20.25Z AND B = 2024-02-29")
    }

    @Test(
        "a point in time is bound by the Gregorian calendar, as records are read, also before 1582",
        arguments: [
            (-14_000_000_000, "1526-05-11T23:06:40Z"), (-12_219_292_801, "1582-10-14T23:59:59Z"),
            (-12_219_292_800, "1582-10-15T00:00:00Z"), (-62_135_596_800, "0001-01-01T00:00:00Z"),
            (253_402_300_798, "9999-12-31T23:59:58Z"), (-0.001, "1969-12-31T23:59:59.999Z"),
        ] as [(Double, String)])
    func oldDates(seconds: Double, text: String) {
        let query: SOQL = "A = \(Date(timeIntervalSince1970: seconds))"
        #expect(query.text == "A = " + text && query.problem == nil)
        #expect(JSONTimestamp(text).map { abs($0.secondsSince1970 - seconds) < 0.000_1 } == true)
    }

    @Test("a day that does not exist cannot be bound")
    func noSuchDay() async throws {
        let client = try RestClient(instanceURL: "https://example.my.salesforce.com", accessToken: "t")
        let query: SOQL = "SELECT Id FROM A WHERE D = \(SOQLDate(year: 2023, month: 2, day: 29))"
        let error = await #expect(throws: RestError.self) { try await client.send(.query(query)) }
        #expect(error?.code == .invalidRequest)
    }

    @Test("in a pattern the value's own wildcards are escaped, and those beside it are not")
    func like() {
        let query: SOQL = "Name LIKE \(like: "100%_'", suffix: .anyRun)"
        #expect(query.text == #"Name LIKE '100\%\_\'%'"#)
        let pattern = SOQLPattern([.text("a_"), .anyOne, .text("'"), .anyRun])
        #expect(("N LIKE \(like: pattern)" as SOQL).text == #"N LIKE 'a\__\'%'"#)
        #expect(("N LIKE \(like: "", prefix: .anyOne, suffix: .anyOne)" as SOQL).text == "N LIKE '__'")
    }

    enum Stage: String, SOQL.Bindable {
        case won = "Closed 'Won'"
    }

    enum Level: Int16, SOQL.Bindable {
        case high = 3
    }

    @Test("integers of every width, enumerations and parts of texts have their literals")
    func kinds() {
        let narrow: SOQL = "A IN (\(Int8.min), \(UInt8.max), \(Int16.min), \(UInt16.max), \(Int32.min), \(UInt32.max))"
        #expect(narrow.text == "A IN (-128, 255, -32768, 65535, -2147483648, 4294967295)")
        let wide: SOQL = "A IN (\(Int64.min), \(UInt64.max), \(UInt.max), \(Int128.min), \(UInt128.max))"
        #expect(wide.text == "A IN (\(Int64.min), \(UInt64.max), \(UInt.max), \(Int128.min), \(UInt128.max))")
        let enums: SOQL = "A = \(Stage.won) AND B IN \([Level.high]) AND C = \("it's".dropFirst(2))"
        #expect(enums.text == #"A = 'Closed \'Won\'' AND B IN (3) AND C = '\'s'"#)
        #expect(
            ("A = \(Float(0.1)) AND B = \(-Float.greatestFiniteMagnitude)" as SOQL).text.hasPrefix(
                "A = 0.1 AND B = -340282"))
        #expect([narrow, wide, enums].allSatisfy { $0.problem == nil })
        #expect(("A = \(Float.nan)" as SOQL).problem != nil)
    }

    @Test("a value without a literal is named, with what can be bound")
    func withoutLiteral() {
        let rule = "has no literal; bind a finite number, or a date in the calendar from 0001-01-01 to 9999-12-31"
        let none: Date? = .distantPast
        for (query, value) in [
            ("A > \(Date.distantPast)", "Date.distantPast"), ("A > \(none)", "Date.distantPast"),
            ("A IN \([Date.now, .distantPast])", "Date.distantPast"), ("A > \(Double.infinity)", "the number inf"),
            ("A > \(SOQLDate(year: 2024, month: 2, day: 30))", "the date 2024-02-30"),
        ] as [(SOQL, String)] {
            #expect(query.problem == "value 1: \(value) \(rule)")
        }
    }

    @Test("floating-point numbers of every size are read back as themselves, or refused")
    func floats() throws {
        var random = SeededGenerator(seed: 5)
        for _ in 0..<2_000 {
            let value = Double(bitPattern: random.next())
            let query: SOQL = "SELECT Id FROM A WHERE N = \(value)"
            guard query.problem == nil else { continue }
            guard case .comparison(let comparison)? = try SOQLQuery(parsing: query.text).where,
                case .literal(let literal) = comparison.right, case .number(let number) = literal.literal
            else {
                Issue.record("\(query.text) is not a comparison with a number")
                return
            }
            #expect(number.double == value)
        }
    }

    @Test("the description shows no value; the text is what is sent")
    func description() {
        let query: SOQL =
            "SELECT Id FROM A WHERE Name = \("secret") AND B IN \(["secret"]) AND C LIKE \(like: "secret")"
        #expect("\(query)" == "SELECT Id FROM A WHERE Name = ? AND B IN ? AND C LIKE ?")
        #expect(String(reflecting: query) == query.description)
        #expect(query.text.contains("secret"))
        #expect(query == SOQL(raw: query.text))
    }

    @Test("raw text stands as it is")
    func raw() {
        let field = "Name"
        let query: SOQL = "SELECT \(raw: field) FROM A"
        #expect(query.text == "SELECT Name FROM A")
    }
}
