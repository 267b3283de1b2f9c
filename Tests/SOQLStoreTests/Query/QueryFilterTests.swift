// SPDX-License-Identifier: Apache-2.0

import Foundation
import QueryCorpus
import RestBase
import SOQLStore
import SOQLSyntax
import Testing

@Suite("Conditions of compiled queries")
struct QueryFilterTests {
    @Test("A condition finds the expected rows", arguments: ComputedQueries.conditions + ComputedQueries.dates)
    func rowsFound(condition: String, digits: String) throws {
        let ids = try QueryTestDatabase().column("SELECT Id FROM Account WHERE \(condition) ORDER BY Id")
        #expect(ids.map { String($0.dropLast(3).suffix(1)) }.joined() == digits)
    }

    @Test("Deleted rows are included only if requested")
    func deletedRows() throws {
        let database = try QueryTestDatabase()
        #expect(try database.records("SELECT COUNT() FROM Account") == ["5"])
        #expect(try database.records("SELECT COUNT() FROM Account", all: true) == ["6"])
        #expect(try database.column("SELECT Name FROM Account WHERE IsDeleted = true", all: true) == ["Deleted"])
        #expect(try database.column("SELECT Name FROM Account WHERE IsDeleted = true").isEmpty)
        let contacts = "SELECT Id FROM Account WHERE Id IN (SELECT AccountId FROM Contact WHERE LastName = 'Gone')"
        #expect(try database.records(contacts).isEmpty)
        #expect(try database.records(contacts, all: true).count == 1)
    }

    @Test("No literal becomes part of the SQL", arguments: ComputedQueries.conditions + ComputedQueries.dates)
    func literalsAreParameters(condition: String, _: String) throws {
        let marked = condition.replacing("acme", with: "x'; DROP TABLE \"Account\" --")
        let soql = "SELECT Id, (SELECT Id FROM Contacts WHERE LastName = 'mark me') FROM Account WHERE \(condition)"
        for text in [soql, marked == condition ? soql : "SELECT Id FROM Account WHERE Name = 'mark me; DROP'"] {
            let compiled = try QueryTestDatabase.compile(text)
            for statement in [compiled.rows(), compiled.rowNumbers, compiled.page(of: [1, 2])] {
                for word in ["mark me", "DROP", "acme", "Banking", "2026", "AAA", "10:11", "300", "ann grey"] {
                    #expect(!statement.sql.localizedStandardContains(word), "\(statement.sql)")
                }
            }
        }
    }

    @Test("Hostile strings are ordinary values")
    func hostileTexts() throws {
        let database = try QueryTestDatabase()
        for text in [
            "'; DROP TABLE Account;--", "\" OR 1=1 --", "%' OR '1'='1", "\u{0}", "?1", ":x", "@a", "$b", "\u{202E}",
        ] {
            try database.execute("DELETE FROM Lead")
            let quoted = SOQLEscaping.quoted(text)
            #expect(try database.records("SELECT COUNT() FROM Lead WHERE LeadNumber = \(quoted)") == ["0"])
            #expect(try database.records("SELECT COUNT() FROM Lead WHERE LeadNumber IN (\(quoted))") == ["0"])
            #expect(try database.records("SELECT COUNT() FROM Lead WHERE LeadNumber LIKE \(quoted)") == ["0"])
        }
        #expect(try database.records("SELECT COUNT() FROM Account") == ["5"])
    }
}

@Suite("Date formulas")
struct DateRangeResolverTests {
    /// Date formulas, and their first and last day as seen from Thursday, 2026-01-29.
    static let ranges: [(String, String, String)] = [
        ("YESTERDAY", "2026-01-28", "2026-01-28"), ("TODAY", "2026-01-29", "2026-01-29"),
        ("TOMORROW", "2026-01-30", "2026-01-30"), ("LAST_90_DAYS", "2025-10-31", "2026-01-29"),
        ("NEXT_90_DAYS", "2026-01-30", "2026-04-29"), ("LAST_WEEK", "2026-01-18", "2026-01-24"),
        ("THIS_WEEK", "2026-01-25", "2026-01-31"), ("NEXT_WEEK", "2026-02-01", "2026-02-07"),
        ("LAST_MONTH", "2025-12-01", "2025-12-31"), ("THIS_MONTH", "2026-01-01", "2026-01-31"),
        ("NEXT_MONTH", "2026-02-01", "2026-02-28"), ("LAST_QUARTER", "2025-10-01", "2025-12-31"),
        ("THIS_QUARTER", "2026-01-01", "2026-03-31"), ("NEXT_QUARTER", "2026-04-01", "2026-06-30"),
        ("LAST_YEAR", "2025-01-01", "2025-12-31"), ("THIS_YEAR", "2026-01-01", "2026-12-31"),
        ("NEXT_YEAR", "2027-01-01", "2027-12-31"), ("LAST_FISCAL_QUARTER", "2025-10-01", "2025-12-31"),
        ("THIS_FISCAL_QUARTER", "2026-01-01", "2026-03-31"), ("NEXT_FISCAL_QUARTER", "2026-04-01", "2026-06-30"),
        ("LAST_FISCAL_YEAR", "2025-01-01", "2025-12-31"), ("THIS_FISCAL_YEAR", "2026-01-01", "2026-12-31"),
        ("NEXT_FISCAL_YEAR", "2027-01-01", "2027-12-31"), ("LAST_N_DAYS:0", "2026-01-29", "2026-01-29"),
        ("LAST_N_DAYS:1", "2026-01-28", "2026-01-29"), ("NEXT_N_DAYS:1", "2026-01-30", "2026-01-30"),
        ("LAST_N_WEEKS:2", "2026-01-11", "2026-01-24"), ("NEXT_N_WEEKS:2", "2026-02-01", "2026-02-14"),
        ("LAST_N_MONTHS:14", "2024-11-01", "2025-12-31"), ("NEXT_N_MONTHS:13", "2026-02-01", "2027-02-28"),
        ("LAST_N_QUARTERS:5", "2024-10-01", "2025-12-31"), ("NEXT_N_QUARTERS:4", "2026-04-01", "2027-03-31"),
        ("LAST_N_YEARS:2", "2024-01-01", "2025-12-31"), ("NEXT_N_YEARS:2", "2027-01-01", "2028-12-31"),
        ("LAST_N_FISCAL_QUARTERS:1", "2025-10-01", "2025-12-31"),
        ("NEXT_N_FISCAL_QUARTERS:1", "2026-04-01", "2026-06-30"),
        ("LAST_N_FISCAL_YEARS:1", "2025-01-01", "2025-12-31"), ("NEXT_N_FISCAL_YEARS:1", "2027-01-01", "2027-12-31"),
        ("N_DAYS_AGO:29", "2025-12-31", "2025-12-31"), ("N_WEEKS_AGO:1", "2026-01-18", "2026-01-24"),
        ("N_MONTHS_AGO:11", "2025-02-01", "2025-02-28"), ("N_QUARTERS_AGO:2", "2025-07-01", "2025-09-30"),
        ("N_YEARS_AGO:2", "2024-01-01", "2024-12-31"), ("N_FISCAL_QUARTERS_AGO:4", "2025-01-01", "2025-03-31"),
        ("N_FISCAL_YEARS_AGO:0", "2026-01-01", "2026-12-31"),
    ]

    private func formula(_ text: String) throws -> SOQLDateFormula {
        let parts = text.split(separator: ":")
        return try #require(SOQLDateFormula(name: String(parts[0]), n: parts.count > 1 ? Int(parts[1]) : nil))
    }

    @Test("Every formula has its days", arguments: ranges)
    func days(text: String, first: String, last: String) throws {
        let resolver = DateRangeResolver(milliseconds: QueryTestDatabase.now)
        let days = try #require(resolver.days(of: formula(text)))
        #expect(days.lowerBound.date.text == first)
        #expect(CivilDay(number: days.upperBound.number - 1).date.text == last)
    }

    @Test("The table covers all formulas")
    func coverage() {
        #expect(Set(Self.ranges.map { String($0.0.prefix { $0 != ":" }) }) == Set(SOQLDateFormula.names))
    }

    @Test("Weeks begin on Sunday and end on Saturday")
    func weeks() throws {
        for (day, first) in [("2026-01-25", "2026-01-25"), ("2026-01-31", "2026-01-25"), ("2026-02-01", "2026-02-01")] {
            let parts = day.split(separator: "-").compactMap { Int($0) }
            let resolver = DateRangeResolver(today: CivilDay(year: parts[0], month: parts[1], day: parts[2]))
            #expect(try resolver.days(of: formula("THIS_WEEK"))?.lowerBound.date.text == first)
        }
    }

    @Test(
        "Numbers that lead outside the calendar are rejected",
        arguments: SOQLDateFormula.names.filter { $0.contains("N_") })
    func outside(name: String) throws {
        let resolver = DateRangeResolver(milliseconds: QueryTestDatabase.now)
        for n in [1_000_000, 1_000_001, Int.max] {
            guard let formula = SOQLDateFormula(name: name, n: n) else { continue }
            #expect(resolver.days(of: formula) == nil)
        }
    }

    @Test("Days and dates are converted to each other in all centuries")
    func calendar() {
        var expected = SOQLDate(year: 1_696, month: 1, day: 1)
        for number in CivilDay(expected).number...CivilDay(year: 2_404, month: 1).number {
            #expect(CivilDay(number: number).date == expected)
            if CivilDay(expected).number != number { Issue.record("\(expected.text)") }
            expected.day += 1
            if expected.isValid { continue }
            expected = SOQLDate(year: expected.year, month: expected.month + 1, day: 1)
            if expected.isValid { continue }
            expected = SOQLDate(year: expected.year + 1, month: 1, day: 1)
        }
        #expect(CivilDay(year: 1_970, month: 1).number == 0)
        #expect(DateRangeResolver(milliseconds: -1).today.date.text == "1969-12-31")
    }
}
