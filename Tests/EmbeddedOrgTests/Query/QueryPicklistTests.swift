// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Testing

/// The list is Warm, hot, Cold, It's.
@Suite("A picklist is sorted by the order of its list")
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

    @Test("Values outside the list come last, whatever the case", arguments: orders)
    func sorted(soql: String, expected: [String]) throws {
        #expect(try database().column(soql) == expected)
    }
}
