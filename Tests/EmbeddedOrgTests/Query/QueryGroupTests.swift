// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Testing

@Suite("Groups of compiled queries")
struct QueryGroupTests {
    /// A query, and its rows without their attributes.
    static let queries: [(String, [String])] = [
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

    @Test("The groups", arguments: queries)
    func groups(soql: String, rows: [String]) throws {
        let expected = rows.map { #"{"attributes":{"type":"AggregateResult"},\#($0)}"# }
        #expect(try QueryTestDatabase().records(soql) == expected)
    }

    @Test(
        "COUNT() gives a number",
        arguments: [
            ("SELECT COUNT() FROM Account", "5"), ("SELECT COUNT() FROM Account WHERE Owner.Name = null", "1"),
            ("SELECT COUNT() FROM Account LIMIT 2", "2"), ("SELECT COUNT() FROM Account OFFSET 4", "1"),
            ("SELECT COUNT() FROM Account LIMIT 0", "0"),
        ])
    func count(soql: String, number: String) throws {
        #expect(try QueryTestDatabase().records(soql) == [number])
    }
}
