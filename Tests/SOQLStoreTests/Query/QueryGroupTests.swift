// SPDX-License-Identifier: Apache-2.0

import Foundation
import SOQLStore
import Testing

@Suite("Groups of compiled queries")
struct QueryGroupTests {
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

    @Test("A query returns the expected groups", arguments: queries)
    func groups(soql: String, rows: [String]) throws {
        let expected = rows.map { #"{"attributes":{"type":"AggregateResult"},\#($0)}"# }
        #expect(try QueryTestDatabase().records(soql) == expected)
    }

    @Test(
        "COUNT() returns a number",
        arguments: [
            ("SELECT COUNT() FROM Account", "5"), ("SELECT COUNT() FROM Account WHERE Owner.Name = null", "1"),
            ("SELECT COUNT() FROM Account LIMIT 2", "2"), ("SELECT COUNT() FROM Account OFFSET 4", "1"),
            ("SELECT COUNT() FROM Account LIMIT 0", "0"),
        ])
    func count(soql: String, number: String) throws {
        #expect(try QueryTestDatabase().records(soql) == [number])
    }
}

/// The list has the values Warm, hot, Cold and It's.
@Suite("Picklists sorted by the order of their list")
struct QueryPicklistTests {
    private func database() throws -> QueryTestDatabase {
        let database = try QueryTestDatabase()
        for (number, value) in [(1, "Cold"), (2, "Hot"), (4, "warm"), (6, "other")] {
            try database.execute(
                """
                UPDATE "Account" SET "Rating__c" = '\(value)' WHERE "Id" = '\(QueryTestSchema.id("001", number))'
                """)
        }
        return database
    }

    static let orders: [(String, [String])] = [
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

    @Test("Values outside the list are last, and case is ignored", arguments: orders)
    func sorted(soql: String, expected: [String]) throws {
        #expect(try database().column(soql) == expected)
    }
}

@Suite("Subtotals: ROLLUP and CUBE")
struct QuerySubtotalTests {
    @Test("Each subtotal follows its groups, and the total is last")
    func rollup() throws {
        let rows = try QueryTestDatabase().records(
            """
            SELECT Industry, IsActive, COUNT(Id) n, SUM(AnnualRevenue) s, GROUPING(Industry) i, GROUPING(IsActive) a \
            FROM Account GROUP BY ROLLUP(Industry, IsActive)
            """)
        let expected = [
            #""Industry":null,"IsActive":true,"n":1,"s":null,"i":0,"a":0"#,
            #""Industry":null,"IsActive":null,"n":1,"s":null,"i":0,"a":1"#,
            #""Industry":"banking","IsActive":false,"n":1,"s":-7.25,"i":0,"a":0"#,
            #""Industry":"Banking","IsActive":true,"n":1,"s":300.0,"i":0,"a":0"#,
            #""Industry":"Banking","IsActive":null,"n":2,"s":292.75,"i":0,"a":1"#,
            #""Industry":"Energy","IsActive":false,"n":2,"s":1250.6,"i":0,"a":0"#,
            #""Industry":"Energy","IsActive":null,"n":2,"s":1250.6,"i":0,"a":1"#,
            #""Industry":null,"IsActive":null,"n":5,"s":1543.35,"i":1,"a":1"#,
        ]
        #expect(rows == expected.map { #"{"attributes":{"type":"AggregateResult"},\#($0)}"# })
    }

    @Test("Order, conditions and limits apply to all groups together")
    func clauses() throws {
        let database = try QueryTestDatabase()
        #expect(
            try database.column(
                """
                SELECT COUNT(Id) n FROM Account GROUP BY ROLLUP(Owner.Name) HAVING GROUPING(Owner.Name) = 1 \
                OR COUNT(Id) > 1 ORDER BY GROUPING(Owner.Name) DESC, Owner.Name DESC LIMIT 2
                """) == ["5", "2"])
        #expect(
            try database.column(
                "SELECT Owner.Name FROM Account GROUP BY CUBE(Owner.Name) ORDER BY COUNT(Id), Owner.Name DESC")
                == ["null", "bob Stone", "Ann Grey", "null"])
        #expect(
            try database.column(
                """
                SELECT CALENDAR_YEAR(FoundedOn) y FROM Account GROUP BY ROLLUP(CALENDAR_YEAR(FoundedOn)) \
                ORDER BY y DESC NULLS LAST
                """) == ["2026", "2025", "2024", "null", "null"])
        #expect(try database.column("SELECT Name FROM Account WHERE Name = 'no' GROUP BY ROLLUP(Name)").isEmpty)
    }

    @Test("A semi-join applies to every set of groups")
    func semiJoins() throws {
        #expect(
            try QueryTestDatabase().column(
                """
                SELECT COUNT(Id) FROM Account WHERE Id IN (SELECT AccountId FROM Contact) \
                AND OwnerId NOT IN (SELECT OwnerId FROM Contact WHERE LastName = 'Moor') \
                GROUP BY CUBE(Industry, IsActive, OwnerId) ORDER BY COUNT(Id)
                """) == Array(repeating: "1", count: 8))
    }

    private struct Row {
        let keys: [String?]
        let revenue: Double?
    }

    private func rows() throws -> [Row] {
        try QueryTestDatabase().records("SELECT Industry, IsActive, Owner.Name, AnnualRevenue FROM Account").map {
            text in
            let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
            let owner = (object["Owner"] as? [String: Any])?["Name"] as? String
            let isActive = try #require(object["IsActive"] as? Bool)
            return Row(
                keys: [
                    (object["Industry"] as? String)?.lowercased(), isActive ? "true" : "false", owner?.lowercased(),
                ],
                revenue: object["AnnualRevenue"] as? Double)
        }
    }

    /// Returns the expected groups of each grouping set: keys, row count and sum.
    private func evaluated(_ sets: [[Bool]]) throws -> Set<String> {
        var result: Set<String> = []
        for present in sets {
            let groups = Dictionary(grouping: try rows()) { row in
                zip(row.keys, present).map { $1 ? $0 ?? "null" : "-" }.joined(separator: "|")
            }
            for (key, rows) in groups {
                let revenues = rows.compactMap(\.revenue)
                let sum = revenues.isEmpty ? "null" : String(Int((revenues.reduce(0, +) * 100).rounded()))
                result.insert("\(key) \(rows.count) \(sum)")
            }
        }
        return result
    }

    private func answered(_ grouping: String) throws -> Set<String> {
        let records = try QueryTestDatabase().records(
            """
            SELECT Industry, IsActive, Owner.Name, COUNT(Id) n, SUM(AnnualRevenue) s, GROUPING(Industry) g0, \
            GROUPING(IsActive) g1, GROUPING(Owner.Name) g2 FROM Account \
            GROUP BY \(grouping)(Industry, IsActive, Owner.Name)
            """)
        let texts = try records.map { text -> String in
            let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
            let keys = ["Industry", "IsActive", "Name"].enumerated().map { index, name in
                guard object["g\(index)"] as? Int == 0 else { return "-" }
                if name == "IsActive" { return object[name] as? Bool == true ? "true" : "false" }
                return (object[name] as? String)?.lowercased() ?? "null"
            }
            let sum = (object["s"] as? Double).map { String(Int(($0 * 100).rounded())) } ?? "null"
            return "\(keys.joined(separator: "|")) \(object["n"] as? Int ?? -1) \(sum)"
        }
        #expect(Set(texts).count == texts.count)
        return Set(texts)
    }

    @Test("CUBE groups by every subset of the fields, and ROLLUP by every prefix")
    func evaluators() throws {
        let all = (0..<8).map { mask in (0..<3).map { mask >> $0 & 1 == 1 } }
        #expect(try answered("CUBE") == evaluated(all))
        let beginnings = (0...3).map { count in (0..<3).map { $0 < count } }
        #expect(try answered("ROLLUP") == evaluated(beginnings))
    }
}
