// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import LocalServer
import RestJSON
import Testing

@Suite("Queries of a user in New York")
struct QueryZoneTests {
    /// A database at a moment, whose contacts have been made at the times given, in their order.
    private func database(_ now: String, _ times: [String]) throws -> QueryTestDatabase {
        let database = try QueryTestDatabase()
        database.zone = try #require(ZoneRules.named("America/New_York"))
        database.moment = try #require(JSONTimestamp(now)).seconds * 1_000
        try database.execute("DELETE FROM \"Contact\"")
        for (number, time) in times.enumerated() {
            let stored = time.dropLast() + ".000+0000"
            try database.execute(
                "INSERT INTO \"Contact\" (\"Id\", \"LastName\", \"CreatedDate\", \"IsDeleted\") VALUES "
                    + "('\(QueryTestSchema.id("003", number))', '\(number)', '\(stored)', 0)")
        }
        return database
    }

    private func names(_ database: QueryTestDatabase, _ condition: String) throws -> String {
        try database.column("SELECT LastName FROM Contact WHERE \(condition) ORDER BY CreatedDate").joined()
    }

    @Test("The day on which clocks are put forward has 23 hours")
    func spring() throws {
        let database = try database(
            "2026-03-09T03:59:00Z",
            ["2026-03-08T04:59:59Z", "2026-03-08T05:00:00Z", "2026-03-09T03:59:59Z", "2026-03-09T04:00:00Z"])
        #expect(try names(database, "CreatedDate = TODAY") == "12")
        #expect(try names(database, "CreatedDate = YESTERDAY") == "0")
        #expect(try names(database, "CreatedDate > TODAY") == "3")
        #expect(try names(database, "CreatedDate <= LAST_N_DAYS:1") == "012")
        #expect(try names(database, "CreatedDate IN (YESTERDAY, TOMORROW)") == "03")
        #expect(try names(database, "CreatedDate != THIS_WEEK") == "0")
        #expect(try names(database, "DAY_ONLY(convertTimezone(CreatedDate)) = 2026-03-08") == "12")
        #expect(try names(database, "DAY_ONLY(CreatedDate) = 2026-03-08") == "01")
        #expect(try names(database, "HOUR_IN_DAY(convertTimezone(CreatedDate)) = 23") == "02")
    }

    @Test("The day on which clocks are put back has 25 hours")
    func autumn() throws {
        let database = try database(
            "2026-11-01T12:00:00Z",
            ["2026-11-01T03:59:59Z", "2026-11-01T04:00:00Z", "2026-11-02T04:59:59Z", "2026-11-02T05:00:00Z"])
        #expect(try names(database, "CreatedDate = TODAY") == "12")
        #expect(try names(database, "CreatedDate = LAST_MONTH") == "0")
        #expect(try names(database, "CreatedDate = TOMORROW") == "3")
        #expect(try names(database, "CALENDAR_MONTH(convertTimezone(CreatedDate)) = 10") == "0")
        #expect(try names(database, "CALENDAR_MONTH(CreatedDate) = 10") == "")
    }

    @Test("Groups, orders and texts of a time in the user's zone")
    func functions() throws {
        let database = try database(
            "2026-11-01T12:00:00Z",
            ["2026-11-01T05:30:00Z", "2026-11-01T06:30:00Z", "2026-03-08T06:30:00Z", "2026-03-08T07:30:00Z"])
        let hour = "HOUR_IN_DAY(convertTimezone(CreatedDate))"
        let groups = try database.records(
            "SELECT \(hour) h, COUNT(Id) n FROM Contact GROUP BY \(hour) ORDER BY \(hour)")
        #expect(groups.map { $0.contains(#""h":1,"n":3"#) } == [true, false])
        #expect(groups[1].contains(#""h":3,"n":1"#))
        #expect(
            try database.column("SELECT FORMAT(CreatedDate) FROM Contact ORDER BY CreatedDate") == [
                "3/8/2026, 1:30 AM", "3/8/2026, 3:30 AM", "11/1/2026, 1:30 AM", "11/1/2026, 1:30 AM",
            ])
        #expect(
            try database.column("SELECT FORMAT(MAX(CreatedDate)) latest FROM Contact") == ["11/1/2026, 1:30 AM"])
        #expect(
            try database.column("SELECT CreatedDate FROM Contact ORDER BY CreatedDate LIMIT 1")
                == ["2026-03-08T06:30:00.000+0000"])
    }

    @Test("Fields of dates know no zone, but the user's day decides which one is today")
    func dates() throws {
        let database = try database("2026-01-29T03:00:00Z", [])
        #expect(try database.column("SELECT Name FROM Account WHERE FoundedOn = TODAY") == ["beta 50%"])
        #expect(try database.column("SELECT Name FROM Account WHERE FoundedOn = TOMORROW") == ["Acme"])
        database.zone = .utc
        #expect(try database.column("SELECT Name FROM Account WHERE FoundedOn = TODAY") == ["Acme"])
    }
}
