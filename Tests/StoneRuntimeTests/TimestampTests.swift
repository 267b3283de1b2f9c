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

    @Test(
        "Other formats are read and written",
        arguments: [
            ("%a, %d %b %Y %H:%M:%S", "Sat, 28 Feb 2026 23:59:59"),
            ("%Y-%m-%dT%H:%M:%S.%fZ", "2026-02-28T23:59:59.250000Z"),
            ("%Y-%m-%d %I:%M:%S %p %z", "2026-02-28 11:59:59 PM +0000"),
            ("%A %d %B %y %H%M%S", "Saturday 28 February 26 235959"),
            ("%Y/%j %H:%M:%S %Z %%", "2026/059 23:59:59 UTC %"),
        ])
    func others(format: String, text: String) throws {
        let coding = StoneCoding.date(StoneTimestamp(format))
        let date = try coding.decode(Array("\"\(text)\"".utf8))
        #expect((1_772_323_199..<1_772_323_200).contains(date.timeIntervalSince1970))
        #expect(String(decoding: try coding.encode(date), as: UTF8.self) == "\"\(text)\"")
    }

    @Test(
        "Every microsecond that a date can hold comes back, and is not one less after many ways",
        arguments: [
            "2109-07-10T00:07:20.730094Z", "2135-02-05T06:15:19.357176Z", "1969-12-31T23:59:59.999999Z",
            "1800-01-01T00:00:00.000001Z", "2026-02-28T23:59:59.999999Z", "1970-01-01T00:00:00.000000Z",
        ])
    func microseconds(text: String) throws {
        let coding = StoneCoding.date(StoneTimestamp("%Y-%m-%dT%H:%M:%S.%fZ"))
        let date = try coding.decode(Array("\"\(text)\"".utf8))
        #expect(String(decoding: try coding.encode(date), as: UTF8.self) == "\"\(text)\"")
    }

    @Test("What is between two microseconds is written as the nearer one, in the last second of all as well")
    func rounding() throws {
        let coding = StoneCoding.date(StoneTimestamp("%Y %H:%M:%S.%f"))
        let text = { String(decoding: try coding.encode(Date(timeIntervalSince1970: $0)), as: UTF8.self) }
        #expect(try text(59.999_999_9) == "\"1970 00:01:00.000000\"")
        #expect(try text(0.000_000_4) == "\"1970 00:00:00.000000\"")
        #expect(try text(-0.000_000_6) == "\"1969 23:59:59.999999\"")
        #expect(try text(253_402_300_799.999_97) == "\"9999 23:59:59.999969\"")
        #expect(try text((253_402_300_800.0 as Double).nextDown) == "\"9999 23:59:59.999969\"")
    }

    @Test("A zone is taken off, and a directive that is not known fits nothing")
    func zones() {
        #expect(seconds("1970-01-01 01:00 +0100", StoneTimestamp("%Y-%m-%d %H:%M %z")) == 0)
        #expect(seconds("1969-12-31 18:30 -05:30", StoneTimestamp("%Y-%m-%d %H:%M %z")) == 0)
        #expect(seconds("1970", StoneTimestamp("%Y%Q")) == nil)
        #expect(seconds("1970%", StoneTimestamp("%Y%")) == 0)
        #expect(seconds("366 2001", StoneTimestamp("%j %Y")) == 1_009_843_200)
    }
}
