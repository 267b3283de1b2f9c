// SPDX-License-Identifier: Apache-2.0

import QueryCorpus
import RestBase
import SOQLCheck
import SOQLStore
import SOQLSyntax
import Testing

@Suite("Agreement of query checker and compiler")
struct CheckerAgreementTests {
    @Test("the checker finds no error in a query that the compiler accepts", arguments: ComputedQueries.all)
    func accepted(soql: String) {
        let findings = CheckedQuery(soql, schema: QueryTestSchema.schema.queries).findings
        #expect(findings.allSatisfy { $0.severity != .error }, "\(findings)")
    }
}

@Suite("Agreement of the compiler and SQLite")
struct QueryMutationTests {
    /// Words that often give another valid query when they replace words of a query.
    private static let words = [
        "Id", "Name", "Industry", "AnnualRevenue", "NumberOfEmployees", "IsActive", "Tags", "FoundedOn", "CreatedDate",
        "OwnerId", "Owner.Name", "Parent.IsActive", "COUNT(Id)", "MAX(Name)", "CALENDAR_YEAR(FoundedOn)", "'a'", "''",
        "5", "1.5",
        "null", "true", "TODAY", "LAST_N_WEEKS:3", "2026-01-29", "2026-01-29T10:11:12Z", "=", "!=", "<", ">=", "LIKE",
        "IN", "('a')",
        "(null)", "(5, 6)", "(SELECT AccountId FROM Contact)", "AND", "OR", "NOT", "(", ")", ",", "FROM", "Account",
        "Contact", "User",
        "Task", "ROLLUP(Industry)", "CUBE(Name)", "GROUPING(Industry)", "FORMAT(AnnualRevenue)", "toLabel(Industry)",
        "FORMAT(MAX(FoundedOn))", "Rating__c", "Who.Type", "'é'", "a.Name", "FIELDS(STANDARD)", "GROUP BY", "ORDER BY",
        "LIMIT", "DESC", "HAVING", "WHERE", "INCLUDES",
    ]

    @Test("SQLite runs every randomly changed query that the compiler accepts", arguments: 0..<6)
    func mutations(seed: Int) throws {
        let database = try QueryTestDatabase()
        var generator = SplitMix64(seed: UInt64(seed) &* 6_151 &+ 17)
        var accepted = 0
        for sample in ComputedQueries.all {
            for _ in 0..<10 {
                var words = sample.split(separator: " ").map(String.init)
                for _ in 0..<Int.random(in: 1...2, using: &generator) {
                    let index = Int.random(in: 0..<words.count, using: &generator)
                    let word = Self.words[Int.random(in: 0..<Self.words.count, using: &generator)]
                    if Int.random(in: 0..<4, using: &generator) > 0 {
                        words[index] = word
                    } else {
                        words.insert(word, at: index)
                    }
                }
                let soql = words.joined(separator: " ")
                do {
                    _ = try database.records(soql)
                    accepted += 1
                } catch let error as OrgError {
                    #expect(!error.message.isEmpty)
                } catch {
                    Issue.record("\(error) of \(soql)")
                }
            }
        }
        #expect(accepted > 30)
    }
}
