// SPDX-License-Identifier: Apache-2.0

import StoneRuntime
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("Timestamps")
struct TimestampTests {
    private func seconds(_ text: String, _ format: StoneTimestamp) -> Double? {
        let coding = StoneCoding.date(format)
        return try? coding.decode(Array("\"\(text)\"".utf8)).timeIntervalSince1970
    }

    @Test(
        "Texts of the two usual formats",
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("2000-02-29T12:34:56Z", 951_827_696),
            ("0001-01-01T00:00:00Z", -62_135_596_800),
            ("9999-12-31T23:59:59Z", 253_402_300_799), ("2016-12-31T23:59:60Z", 1_483_228_800),
        ] as [(String, Double)])
    func usual(text: String, expected: Double) throws {
        #expect(seconds(text, .seconds) == expected)
        #expect(seconds(String(text.prefix(10)), .day).map { expected >= $0 && expected <= $0 + 86_400 } == true)
    }

    @Test(
        "Texts that are none",
        arguments: [
            "", "2001-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2000-13-01T00:00:00Z", "2000-00-01T00:00:00Z",
            "2000-01-00T00:00:00Z", "2000-04-31T00:00:00Z", "2000-01-01T24:00:00Z", "2000-01-01T00:60:00Z",
            "2000-01-01T00:00:62Z", "2000-01-01T00:00:00", "2000-01-01T00:00:00Z ", "2000-01-01 00:00:00Z",
            "0000-01-01T00:00:00Z", "-001-01-01T00:00:00Z", "٢000-01-01T00:00:00Z", "2000-1-1T00:00:00Z",
        ])
    func none(text: String) {
        #expect(seconds(text, .seconds) == nil)
    }

    @Test("Both formats are written, without the parts of a second")
    func writing() throws {
        let text = { (seconds: Double, format: StoneTimestamp) in
            let date = Date(timeIntervalSince1970: seconds)
            return String(decoding: try StoneCoding.date(format).encode(date), as: UTF8.self)
        }
        #expect(try text(1_772_323_199.75, .seconds) == "\"2026-02-28T23:59:59Z\"")
        #expect(try text(1_772_323_199.75, .day) == "\"2026-02-28\"")
        #expect(try text(-0.25, .seconds) == "\"1969-12-31T23:59:59Z\"")
        #expect(try text(-62_135_596_800, .seconds) == "\"0001-01-01T00:00:00Z\"")
        #expect(try text((253_402_300_800.0 as Double).nextDown, .seconds) == "\"9999-12-31T23:59:59Z\"")
    }
}
