// SPDX-License-Identifier: Apache-2.0

/// Queries of ``QueryTestSchema`` and its rows, with the records that they find.
package enum ComputedQueries {
    /// Conditions of accounts, and the last digits of the ids of the accounts that they find.
    package static let conditions: [(String, String)] = [
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
    package static let dates: [(String, String)] = [
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

    package static let groups: [(String, [String])] = [
        ("SELECT COUNT(Id) FROM Account", [#""expr0":5"#]),
        (
            "SELECT COUNT(Id) n, COUNT(Industry), SUM(AnnualRevenue), MAX(Name) biggest FROM Account",
            [#""n":5,"expr0":4,"expr1":1543.35,"biggest":"O'Hara \"quoted\" \\""#]
        ),
        ("SELECT SUM(NumberOfEmployees), AVG(NumberOfEmployees) a FROM Account", [#""expr0":213,"a":53.25"#]),
        ("SELECT SUM(AnnualRevenue) s, AVG(AnnualRevenue) a FROM Account WHERE Name = 'none'", [#""s":null,"a":null"#]),
        ("SELECT COUNT_DISTINCT(Name), COUNT_DISTINCT(OwnerId) FROM Account", [#""expr0":4,"expr1":2"#]),
        (
            "SELECT MIN(FoundedOn), MAX(CreatedDate) FROM Account",
            [#""expr0":"2024-02-29","expr1":"2026-01-30T00:00:00.000+0000""#]
        ),
        (
            "SELECT industry, COUNT(Id) FROM Account GROUP BY Industry ORDER BY Industry",
            [#""Industry":null,"expr0":1"#, #""Industry":"Banking","expr0":2"#, #""Industry":"Energy","expr0":2"#]
        ),
        (
            "SELECT Owner.Name, COUNT(Id) n FROM Account GROUP BY Owner.Name ORDER BY COUNT(Id) DESC, Owner.Name",
            [#""Name":"Ann Grey","n":2"#, #""Name":"bob Stone","n":2"#, #""Name":null,"n":1"#]
        ),
        (
            "SELECT Owner.Name who, MAX(AnnualRevenue) most FROM Account GROUP BY Owner.Name "
                + "ORDER BY most DESC NULLS LAST LIMIT 1",
            [#""who":"bob Stone","most":1250.5"#]
        ),
        (
            "SELECT Industry FROM Account GROUP BY Industry HAVING COUNT(Id) > 1 AND Industry != 'energy'",
            [#""Industry":"Banking""#]
        ),
        (
            "SELECT IsActive, SUM(AnnualRevenue) s FROM Account GROUP BY IsActive "
                + "HAVING SUM(AnnualRevenue) >= 300 ORDER BY IsActive",
            [#""IsActive":false,"s":1243.35"#, #""IsActive":true,"s":300.0"#]
        ),
        (
            "SELECT CALENDAR_YEAR(FoundedOn), COUNT(Id) n FROM Account WHERE FoundedOn != null "
                + "GROUP BY CALENDAR_YEAR(FoundedOn) ORDER BY CALENDAR_YEAR(FoundedOn) DESC",
            [#""expr0":2026,"n":2"#, #""expr0":2025,"n":1"#, #""expr0":2024,"n":1"#]
        ),
        (
            "SELECT DAY_ONLY(CreatedDate) d FROM Account GROUP BY DAY_ONLY(CreatedDate) "
                + "ORDER BY DAY_ONLY(CreatedDate) LIMIT 1",
            [#""d":"2024-02-29""#]
        ),
        ("SELECT Industry i FROM Account GROUP BY Industry HAVING MAX(Name) LIKE 'gam%'", [#""i":null"#]),
        ("SELECT Industry FROM Account GROUP BY Industry LIMIT 1 OFFSET 2", [#""Industry":"Energy""#]),
    ]

    package static let orders: [(String, [String])] = [
        ("SELECT Rating__c FROM Account ORDER BY Rating__c", ["null", "warm", "Hot", "Cold", "other"]),
        ("SELECT Rating__c FROM Account ORDER BY Rating__c DESC", ["null", "other", "Cold", "Hot", "warm"]),
        ("SELECT Rating__c FROM Account ORDER BY Rating__c DESC NULLS LAST LIMIT 1", ["other"]),
        (
            "SELECT Rating__c FROM Account GROUP BY Rating__c ORDER BY Rating__c NULLS LAST",
            [
                "warm", "Hot", "Cold", "other", "null",
            ]
        ),
        ("SELECT Rating__c FROM Account GROUP BY ROLLUP(Rating__c)", ["null", "warm", "Hot", "Cold", "other", "null"]),
        (
            "SELECT Rating__c FROM Account GROUP BY CUBE(Rating__c) ORDER BY Rating__c DESC LIMIT 3",
            [
                "null", "null", "other",
            ]
        ),
        ("SELECT MIN(Rating__c) FROM Account", ["warm"]), ("SELECT MAX(Rating__c) FROM Account", ["other"]),
        ("SELECT MAX(Rating__c) FROM Account WHERE Rating__c != 'other'", ["Cold"]),
        ("SELECT MIN(Rating__c) FROM Account WHERE Rating__c = null", ["null"]),
        (
            "SELECT Account.Rating__c FROM Contact GROUP BY Account.Rating__c ORDER BY Account.Rating__c",
            [
                "null", "Hot", "Cold",
            ]
        ),
        (
            "SELECT Rating__c FROM Account WHERE Rating__c > 'hot' ORDER BY Rating__c, Rating__c DESC",
            ["warm", "other"]
        ),
    ]

    package static let values: [(String, [String])] = [
        (
            "SELECT FORMAT(AnnualRevenue) FROM Account WHERE AnnualRevenue != null ORDER BY Id",
            [
                "$300.00", "$1,250.50", "-$7.25", "$0.10",
            ]
        ),
        ("SELECT FORMAT(NumberOfEmployees) FROM Account WHERE Id = '001000000000003'", ["null"]),
        ("SELECT FORMAT(NumberOfEmployees) n FROM Account WHERE Id = '001000000000002'", ["200"]),
        ("SELECT FORMAT(Score) FROM Contact WHERE Score != null ORDER BY Id", ["1.5", "2"]),
        ("SELECT FORMAT(FoundedOn) FROM Account WHERE Id = '001000000000004'", ["12/31/2025"]),
        ("SELECT FORMAT(FoundedOn) day FROM Account WHERE Id = '001000000000001'", ["1/29/2026"]),
        (
            "SELECT FORMAT(CreatedDate) FROM Account WHERE FoundedOn != null ORDER BY Id",
            [
                "1/29/2026, 10:11 AM", "1/28/2026, 11:59 PM", "12/31/2025, 12:00 PM", "2/29/2024, 12:00 AM",
            ]
        ),
        ("SELECT FORMAT(convertCurrency(AnnualRevenue)) FROM Account WHERE Id = '001000000000001'", ["$300.00"]),
        ("SELECT convertCurrency(AnnualRevenue) amount FROM Account WHERE Id = '001000000000001'", ["300.0"]),
        ("SELECT toLabel(Industry) FROM Account WHERE toLabel(Industry) = 'energy' ORDER BY Id", ["Energy", "Energy"]),
        ("SELECT FORMAT(SUM(AnnualRevenue)) FROM Account", ["$1,543.35"]),
        ("SELECT FORMAT(MIN(FoundedOn)) first_day FROM Account", ["2/29/2024"]),
        ("SELECT FORMAT(COUNT(Id)) n FROM Account GROUP BY IsActive ORDER BY IsActive", ["3", "2"]),
    ]

    package static let filters: [(String, [String])] = [
        ("Name = 'éDOUARD'", ["Édouard", "éDOUARD"]), ("Name = 'ÉDOUARD'", ["Édouard", "éDOUARD"]),
        ("Name = 'EDOUARD'", ["edouard"]), ("Name != 'Édouard' AND Name LIKE '%douard'", ["edouard"]),
        ("Name IN ('ZOË', 'abc', 'ΩMEGA')", ["Ωmega", "ωMEGA", "Zoë", "Abc"]), ("Name = 'дМИТРИЙ'", ["Дмитрий"]),
        ("Name NOT IN ('ÉDOUARD', 'ωmega') AND Name < 'é' AND Name > 'zz'", ["_low"]),
        ("Name LIKE 'É%'", ["Édouard", "éDOUARD"]), ("Name LIKE '_DOUARD'", ["Édouard", "éDOUARD", "edouard"]),
        ("Name LIKE '%ö'", ["zOË Ö"]), ("Name LIKE 'zoë%'", ["Zoë", "zOË Ö"]), ("Name LIKE '%ë__'", ["zOË Ö"]),
        ("Name LIKE 'ë'", []), ("Name LIKE '_ ünÏ'", ["😀 Ünï"]), ("Name LIKE '😀%'", ["😀 Ünï"]),
        ("Name LIKE '%ë%ö%'", ["zOË Ö"]), ("Name LIKE '%ω%g%'", ["Ωmega", "ωMEGA"]),
        // Case folding never changes the number of letters, and never results in ASCII.
        ("Name = 'STRASSE'", ["STRASSE"]), ("Name = 'STRAßE'", ["straße"]), ("Name = 'istanbul'", []),
        ("Name LIKE 'ı%'", ["ıstanbul"]), ("Name LIKE 'İSTANBUL'", ["İstanbul"]),
    ]

    /// Users with names beyond ASCII that differ in case, with ids in the order of this list.
    package static let names = [
        "Édouard", "éDOUARD", "edouard", "Ωmega", "ωMEGA", "straße", "STRASSE", "Zoë", "zOË Ö", "Дмитрий", "_low",
        "Abc",
        "İstanbul", "ıstanbul", "😀 Ünï",
    ]

    package static let all =
        conditions.map { "SELECT Id FROM Account WHERE \($0.0)" }
        + dates.map { "SELECT Id FROM Account WHERE \($0.0)" } + groups.map(\.0)
        + orders.map(\.0) + values.map(\.0) + [
            "SELECT Name, Owner.Name, Owner.Manager.Email, "
                + "(SELECT LastName, Owner.Name FROM Contacts ORDER BY Id LIMIT 3) FROM Account",
            "SELECT Subject, TYPEOF Who WHEN Contact THEN LastName, Account.Name ELSE Name, Type END FROM Task "
                + "WHERE Who.Type = 'Lead' ORDER BY Who.Type",
            "SELECT Industry, OwnerId, GROUPING(Industry), COUNT(Id) n FROM Account WHERE Name != 'a' "
                + "GROUP BY ROLLUP(Industry, OwnerId) HAVING COUNT(Id) > 0 ORDER BY GROUPING(OwnerId) DESC, n LIMIT 9",
            "SELECT MAX(Rating__c), SUM(AnnualRevenue) FROM Account GROUP BY CUBE(Rating__c, IsActive)",
            "SELECT Id, DISTANCE(Place__c, GEOLOCATION(1, 2), 'mi') d FROM Account a, a.Owner o "
                + "WHERE DISTANCE(Place__c, GEOLOCATION(1, 2), 'km') < 5 AND o.Name LIKE 'é%' ORDER BY Rating__c",
            "SELECT FIELDS(ALL), Owner.Name FROM Account USING SCOPE mine WHERE Name = 'é' WITH USER_MODE LIMIT 5 FOR VIEW",
            "SELECT Subject, Who.Name, What.Owner.Name FROM Task WHERE Who.Email != null "
                + "ORDER BY What.Name DESC LIMIT 5 OFFSET 1",
        ]
}
