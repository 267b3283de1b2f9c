// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocalServer
import RestJSON
import Testing

@Suite("Time zones")
struct ZoneRulesTests {
    private func seconds(_ text: String) throws -> Int64 { try #require(JSONTimestamp(text)).seconds }

    /// A zone, a moment in UTC, and what its clocks show then.
    static let clocks: [(String, String, String)] = [
        ("America/New_York", "2026-03-08T06:59:59Z", "2026-03-08T01:59:59Z"),
        ("America/New_York", "2026-03-08T07:00:00Z", "2026-03-08T03:00:00Z"),
        ("America/New_York", "2026-11-01T05:59:59Z", "2026-11-01T01:59:59Z"),
        ("America/New_York", "2026-11-01T06:00:00Z", "2026-11-01T01:00:00Z"),
        ("Europe/Berlin", "2026-03-29T01:00:00Z", "2026-03-29T03:00:00Z"),
        ("Europe/Berlin", "2026-10-25T01:00:00Z", "2026-10-25T02:00:00Z"),
        ("Europe/Dublin", "2026-07-01T00:00:00Z", "2026-07-01T01:00:00Z"),
        ("Australia/Lord_Howe", "2026-01-01T00:00:00Z", "2026-01-01T11:00:00Z"),
        ("Australia/Lord_Howe", "2026-07-01T00:00:00Z", "2026-07-01T10:30:00Z"),
        ("Asia/Kolkata", "2026-01-01T00:00:00Z", "2026-01-01T05:30:00Z"),
        ("Etc/GMT+5", "2026-01-01T00:00:00Z", "2025-12-31T19:00:00Z"),
        ("America/New_York", "3999-07-01T00:00:00Z", "3999-06-30T20:00:00Z"),
        ("America/New_York", "3999-12-31T00:00:00Z", "3999-12-30T19:00:00Z"),
        ("UTC", "2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z"),
    ]

    @Test("Clocks are put forward and back on the day, and still in 2,000 years", arguments: clocks)
    func offsets(name: String, moment: String, shown: String) throws {
        let zone = try #require(ZoneRules.named(name))
        let moment = try seconds(moment)
        #expect(moment + zone.offset(at: moment) == (try seconds(shown)))
    }

    /// A zone, what its clocks show, and the first moment they do.
    static let moments: [(String, String, String)] = [
        ("America/New_York", "2026-03-08T00:00:00Z", "2026-03-08T05:00:00Z"),
        ("America/New_York", "2026-03-09T00:00:00Z", "2026-03-09T04:00:00Z"),
        ("America/New_York", "2026-11-01T00:00:00Z", "2026-11-01T04:00:00Z"),
        ("America/New_York", "2026-11-02T00:00:00Z", "2026-11-02T05:00:00Z"),
        ("America/New_York", "2026-11-01T01:30:00Z", "2026-11-01T05:30:00Z"),
        ("America/New_York", "2026-03-08T02:30:00Z", "2026-03-08T07:00:00Z"),
        // There is no midnight on this day.
        ("America/Sao_Paulo", "2018-11-04T00:00:00Z", "2018-11-04T03:00:00Z"),
        // And this day is not at all.
        ("Pacific/Apia", "2011-12-30T00:00:00Z", "2011-12-30T10:00:00Z"),
        ("Asia/Kolkata", "2026-01-01T00:00:00Z", "2025-12-31T18:30:00Z"),
    ]

    @Test(
        "A time that clocks show twice is the first one, and one that they leave out is the change", arguments: moments)
    func inverse(name: String, shown: String, moment: String) throws {
        let zone = try #require(ZoneRules.named(name))
        #expect(zone.moment(ofClock: try seconds(shown)) == (try seconds(moment)))
    }

    @Test(
        "Every day of a century begins when Foundation says so",
        arguments: ["America/New_York", "Europe/London", "Asia/Gaza"])
    func everyDay(name: String) throws {
        let zone = try #require(ZoneRules.named(name))
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: name))
        let first = try seconds("1990-01-01T00:00:00Z")
        for day in stride(from: first, to: try seconds("2037-12-31T00:00:00Z"), by: 86_400) {
            let begin = zone.moment(ofClock: day)
            let date = Date(timeIntervalSince1970: TimeInterval(begin))
            #expect(calendar.startOfDay(for: date) == date, "\(name) \(day)")
            #expect(zone.offset(at: begin) == Int64(calendar.timeZone.secondsFromGMT(for: date)), "\(name) \(day)")
        }
    }

    @Test(
        "What is no zone is none",
        arguments: [
            "", "Mars/Base", "../../../etc/passwd", "/etc/passwd", "America", "America/../UTC", "zone.tab",
            "America/New_York\0",
            "tzdata.zi", String(repeating: "a", count: 100),
        ])
    func unknown(name: String) {
        #expect(ZoneRules.named(name) == nil)
    }
}
