// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import Testing

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

    @Test("Order, conditions and limits are those of all groups together")
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

    @Test("A semi-join is one, however many sets of groups there are")
    func semiJoins() throws {
        #expect(
            try QueryTestDatabase().column(
                """
                SELECT COUNT(Id) FROM Account WHERE Id IN (SELECT AccountId FROM Contact) \
                AND OwnerId NOT IN (SELECT OwnerId FROM Contact WHERE LastName = 'Moor') \
                GROUP BY CUBE(Industry, IsActive, OwnerId) ORDER BY COUNT(Id)
                """) == Array(repeating: "1", count: 8))
    }

    // MARK: Against an evaluator of its own

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

    /// What each set of groups holds: keys, flags, number of rows and sum.
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

    @Test("CUBE has the groups of every choice of fields, ROLLUP those of every beginning")
    func evaluators() throws {
        let all = (0..<8).map { mask in (0..<3).map { mask >> $0 & 1 == 1 } }
        #expect(try answered("CUBE") == evaluated(all))
        let beginnings = (0...3).map { count in (0..<3).map { $0 < count } }
        #expect(try answered("ROLLUP") == evaluated(beginnings))
    }
}
