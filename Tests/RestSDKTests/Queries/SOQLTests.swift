// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestSDK
import Testing

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
        let query: SOQL = "\(value)"
        #expect(query.text == text)
    }

    @Test("a point in time is bound in UTC, a day as a day")
    func dates() {
        let query: SOQL = "\(Date(timeIntervalSince1970: 1_700_000_000.25)) \(SOQLDate(year: 2024, month: 2, day: 29))"
        #expect(query.text == "2023-11-14T22:13:20.25Z 2024-02-29")
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
        let query: SOQL = "Name LIKE \(like: "100%_'", suffix: "%")"
        #expect(query.text == #"Name LIKE '100\%\_\'%'"#)
    }

    @Test("raw text stands as it is")
    func raw() {
        let field = "Name"
        let query: SOQL = "SELECT \(raw: field) FROM A"
        #expect(query.text == "SELECT Name FROM A")
    }
}
