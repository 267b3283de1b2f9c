// SPDX-License-Identifier: Apache-2.0

import Foundation
import QueryCorpus
import SOQLStore
import Testing

@Suite("Groups of compiled queries")
struct QueryGroupTests {
    @Test("A query returns the expected groups", arguments: ComputedQueries.groups)
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

    @Test("Values outside the list are last, and case is ignored", arguments: ComputedQueries.orders)
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
