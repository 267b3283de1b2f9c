// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestBase
import SOQLStore
import SOQLSyntax
import Testing

@Suite("Conditions of compiled queries")
struct QueryFilterTests {
    /// Conditions, and the last digits of the ids of the accounts that they find.
    static let conditions: [(String, String)] = [
        // Strings are compared without case, and null differs from every string.
        ("Name = 'acme'", "14"), ("Name != 'acme'", "236"), ("Industry = 'BANKING'", "14"),
        ("Industry != 'Energy'", "134"),
        ("Industry = null", "3"), ("Industry != null", "1246"), ("Industry = ''", "3"), ("Industry != ''", "1246"),
        ("Name < 'b'", "14"), ("Name >= 'B'", "236"), ("Name > 'acme' AND Name <= 'beta 50%'", "2"),
        ("Industry < null", ""), (#"Name = 'O\'Hara "quoted" \\'"#, "6"),
        ("Name = '\\' OR Name != \\''", ""),
        ("Industry IN ('energy')", "26"), ("Industry IN ('energy', null)", "236"), ("Industry IN (null)", "3"),
        ("Industry NOT IN ('Energy')", "134"), ("Industry NOT IN ('Energy', null)", "14"),
        ("Industry NOT IN (null)", "1246"),
        ("NumberOfEmployees IN (10, 3, 99)", "14"), ("AnnualRevenue IN (0.1, 300)", "16"), ("IsActive IN (true)", "13"),
        ("IsActive IN (null)", "246"), ("IsActive NOT IN (false)", "13"),
        ("FoundedOn IN (2026-01-28, TODAY)", "12"), ("FoundedOn NOT IN (2026-01-28, TODAY)", "346"),
        ("Id IN ('001000000000001AAA', '001000000000002')", "12"),
        ("Name LIKE 'AC%'", "14"), ("Name LIKE '%e'", "14"), ("Name LIKE '_cme'", "14"), (#"Name LIKE '%\%'"#, "2"),
        (#"Name LIKE '%\_x'"#, "3"), (#"Name LIKE 'Gamma\__'"#, "3"), (#"Name LIKE '%\\'"#, "6"),
        ("Name LIKE '%%%%'", "12346"),
        ("Name LIKE ''", ""), ("Industry LIKE '%'", "1246"), ("Name LIKE 'acm'", ""), ("NOT Industry LIKE 'b%'", "236"),
        // No record has a string with NUL, where SQLite would end some strings.
        (#"Name LIKE '\u0000%'"#, ""), (#"Name LIKE 'acme\u0000%'"#, ""), (#"Name = 'acme\u0000z'"#, ""),
        (#"Name != 'acme\u0000'"#, "12346"), (#"Name IN ('acme\u0000z')"#, ""),
        (#"Name IN ('acme\u0000z', 'acme')"#, "14"), (#"Name NOT IN ('acme\u0000')"#, "12346"),
        (#"Industry IN ('energy\u0000', null)"#, "3"), (#"Industry NOT IN ('energy\u0000')"#, "12346"),
        (#"Name > 'acme\u0000'"#, "236"), (#"Name <= 'acme\u0000z'"#, "14"), (#"Tags INCLUDES ('b\u0000')"#, ""),
        (#"Tags INCLUDES ('é\u0000')"#, ""), (#"Tags = 'a;b\u0000'"#, ""),
        ("AnnualRevenue = 300", "1"), ("AnnualRevenue = 300.0", "1"), ("AnnualRevenue > 0", "126"),
        ("AnnualRevenue <= -7.25", "4"),
        ("AnnualRevenue != 300", "2346"), ("AnnualRevenue < .5", "46"), ("NumberOfEmployees >= 10", "12"),
        ("NumberOfEmployees < 9999999999999999999", "1246"), ("AnnualRevenue = null", "3"),
        ("IsActive = true", "13"), ("IsActive = false", "246"), ("IsActive != true", "246"), ("IsActive = null", "246"),
        ("IsActive != null", "13"),
        // Logic: an unknown result counts as false, also under NOT.
        ("NOT Industry = 'Energy'", "134"), ("NOT (Industry = 'Energy' OR Name = 'Acme')", "3"),
        ("NOT (NOT Industry = 'Energy')", "26"), ("(NOT Industry = 'Banking') AND IsActive = true", "3"),
        ("Name = 'Acme' AND (IsActive = true OR AnnualRevenue > 1000)", "1"),
        ("Id = '001000000000001AAA'", "1"), ("Id = '001000000000001'", "1"), ("Id != '001000000000001'", "2346"),
        ("ParentId = null", "16"), ("ParentId != null", "234"), ("OwnerId = ''", "3"),
        ("Id > '001000000000003AAA'", "46"),
        // Parents: without a parent there is no value.
        ("Owner.Name = 'ann grey'", "14"), ("Owner.Name != 'ann grey'", "236"), ("Owner.Name = null", "3"),
        ("Owner.Manager.Name = 'Ann Grey'", "26"), ("Owner.Manager.Name = null", "134"), ("Parent.Name = 'Acme'", "23"),
        ("Parent.Parent.Name = 'acme'", "4"), ("Parent.Owner.Email LIKE 'bob@%'", "4"),
        ("Account.Name = 'beta 50%'", "2"),
        ("Owner.IsActive = true", "14"), ("Owner.IsActive = false", "236"), ("Owner.IsActive = null", "236"),
        ("Owner.IsActive IN (false)", "236"), ("Owner.IsActive NOT IN (false)", "14"),
        ("Owner.IsActive IN (true)", "14"),
        ("Owner.IsActive != true", "236"), ("Owner.IsActive != false", "14"),
        ("Tags = 'a;b'", "1"), ("Tags INCLUDES ('b')", "12"), ("Tags INCLUDES ('a;b', 'c')", "126"),
        ("Tags INCLUDES ('B;A')", "1"),
        ("Tags EXCLUDES ('b')", "346"), ("Tags INCLUDES ('a')", "1"), ("Tags INCLUDES ('')", ""),
        ("Tags != 'a;b'", "2346"),
        ("Id IN (SELECT AccountId FROM Contact)", "12"), ("Id NOT IN (SELECT AccountId FROM Contact)", "346"),
        ("Id IN (SELECT AccountId FROM Contact WHERE LastName = 'moor')", "2"),
        ("OwnerId IN (SELECT Id FROM User WHERE IsActive = true)", "14"),
        ("OwnerId NOT IN (SELECT Id FROM User WHERE IsActive = true)", "236"),
        ("Id IN (SELECT AccountId FROM Contact WHERE Owner.Name = 'bob stone')", "2"),
        ("Id IN (SELECT AccountId FROM Contact) AND Id NOT IN (SELECT WhatId FROM Task)", "2"),
    ]

    /// Conditions on dates, with Thursday, 2026-01-29 15:00 UTC as the present.
    static let dates: [(String, String)] = [
        ("FoundedOn = 2026-01-29", "1"), ("FoundedOn < 2026-01-01", "46"), ("FoundedOn = TODAY", "1"),
        ("FoundedOn != TODAY", "2346"),
        ("FoundedOn = YESTERDAY", "2"), ("FoundedOn < TODAY", "246"), ("FoundedOn <= TODAY", "1246"),
        ("FoundedOn > YESTERDAY", "1"),
        ("FoundedOn >= YESTERDAY", "12"), ("FoundedOn = THIS_YEAR", "12"), ("FoundedOn = LAST_MONTH", "4"),
        ("FoundedOn = LAST_N_DAYS:1", "12"), ("FoundedOn = LAST_N_DAYS:29", "124"),
        ("FoundedOn = LAST_N_YEARS:2", "46"),
        ("FoundedOn = null", "3"), ("FoundedOn = N_DAYS_AGO:1", "2"), ("FoundedOn = LAST_N_WEEKS:0", ""),
        ("FoundedOn = N_FISCAL_YEARS_AGO:1", "4"),
        ("CreatedDate = TODAY", "1"), ("CreatedDate = TOMORROW", "3"), ("CreatedDate > TODAY", "3"),
        ("CreatedDate <= YESTERDAY", "246"),
        ("CreatedDate = 2026-01-29T10:11:12Z", "1"), ("CreatedDate = 2026-01-29T11:11:12.000+01:00", "1"),
        ("CreatedDate = 2026-01-29T02:11:12-0800", "1"), ("CreatedDate >= 2026-01-30T00:00:00Z", "3"),
        ("CreatedDate < 2026-01-01T00:30:00+01:00", "46"), ("CreatedDate > 2026-01-28T23:59:59.998Z", "123"),
        ("CALENDAR_YEAR(FoundedOn) = 2026", "12"), ("CALENDAR_MONTH(CreatedDate) = 12", "4"),
        ("DAY_IN_WEEK(CreatedDate) = 5", "16"),
        ("CALENDAR_QUARTER(FoundedOn) = 4", "4"), ("DAY_ONLY(CreatedDate) = 2026-01-28", "2"),
        ("HOUR_IN_DAY(CreatedDate) >= 12", "24"),
        ("DAY_IN_YEAR(FoundedOn) = 60", "6"), ("DAY_IN_MONTH(FoundedOn) IN (28, 31)", "24"),
        ("WEEK_IN_YEAR(FoundedOn) = 53", "4"),
        ("WEEK_IN_MONTH(FoundedOn) = 5", "146"), ("FISCAL_YEAR(FoundedOn) != 2026", "346"),
        ("DAY_ONLY(convertTimezone(CreatedDate)) = TODAY", "1"),
    ]

    @Test("A condition finds the expected rows", arguments: conditions + dates)
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

    @Test("No literal becomes part of the SQL", arguments: conditions + dates)
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
