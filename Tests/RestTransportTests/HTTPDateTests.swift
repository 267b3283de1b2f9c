// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RestTransport

@Suite("Dates of HTTP")
struct HTTPDateTests {
    @Test(
        "are written as they are read",
        arguments: [
            "Thu, 01 Jan 1970 00:00:00 GMT", "Sun, 06 Nov 1994 08:49:37 GMT", "Tue, 29 Feb 2000 23:59:59 GMT",
            "Mon, 01 Mar 2100 00:00:00 GMT", "Wed, 31 Dec 1969 23:59:59 GMT", "Mon, 01 Jan 0001 00:00:00 GMT",
            "Fri, 31 Dec 9999 23:59:59 GMT", "Tue, 29 Feb 1600 12:00:00 GMT",
        ])
    func roundTrip(text: String) throws {
        #expect(try #require(HTTPDate(text)).text == text)
    }

    @Test("every day of eight centuries is the next weekday")
    func days() throws {
        let names = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
        for day in 0..<Int64(146_097 * 2) {
            let text = try #require(HTTPDate(secondsSince1970: day * 86_400 + 5).text)
            try #require(text.hasPrefix(names[Int(day % 7)]))
            try #require(HTTPDate(text)?.secondsSince1970 == day * 86_400 + 5)
        }
    }

    @Test("years that have more or less than four digits have no text")
    func bounds() {
        #expect(HTTPDate(secondsSince1970: 253_402_300_800).text == nil)
        #expect(HTTPDate(secondsSince1970: -62_135_596_801).text == nil)
        #expect(HTTPDate(secondsSince1970: .max).text == nil && HTTPDate(secondsSince1970: .min).text == nil)
    }
}
