// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import Testing

/// `FROM Account a, a.Contacts c`: a row for each child.
@Suite("Children in FROM")
struct QueryFromTests {
    private func texts(_ soql: String, all: Bool = false) throws -> [String] {
        try QueryTestDatabase().records(soql, all: all)
    }

    @Test(
        "There is a row for each child that is not deleted, and none for records without children",
        arguments: [
            ("SELECT Id FROM Account a, a.Contacts c", 3, 4),
            ("SELECT Id FROM Account, Account.Contacts", 3, 4),
            ("SELECT Id FROM Account a, Contacts c WHERE c.LastName != 'Moor'", 2, 3),
            ("SELECT Id FROM Account a, a.Contacts c, c.Tasks t", 1, 1),
            ("SELECT Id FROM Account a, a.Contacts c, c.Owner o WHERE o.Name = 'ann grey'", 1, 1),
            ("SELECT Id FROM Account a, a.ChildAccounts c", 3, 3),
        ])
    func rows(soql: String, count: Int, withDeleted: Int) throws {
        #expect(try texts(soql).count == count)
        #expect(try texts(soql, all: true).count == withDeleted)
        let counted = soql.replacing(/^SELECT Id/, with: "SELECT COUNT()")
        #expect(try texts(counted) == ["\(count)"])
    }

    @Test("A child's fields stand below the name of the relationship, and can be filtered and sorted by")
    func fields() throws {
        let records = try texts(
            """
            SELECT a.Name, c.LastName, c.Owner.Name FROM Account a, a.Contacts c WHERE c.LastName LIKE '%m%' \
            ORDER BY c.LastName DESC
            """)
        #expect(records.count == 3)
        let object = try JSONSerialization.jsonObject(with: Data(records[0].utf8)) as? [String: Any]
        let child = try #require(object?["Contacts"] as? [String: Any])
        #expect(object?["Name"] as? String == "Acme" && child["LastName"] as? String == "Zimmer")
        #expect((child["attributes"] as? [String: String])?["type"] == "Contact")
        #expect((child["Owner"] as? [String: Any])?["Name"] as? String == "Ann Grey")
        #expect(records[1].contains("\"beta 50%\"") && records[2].contains("\"adams\""))
    }

    @Test("Children are counted by their parents")
    func groups() throws {
        #expect(
            try texts(
                """
                SELECT a.Industry, COUNT(c.Id) n, MAX(c.Score) most FROM Account a, a.Contacts c GROUP BY a.Industry \
                ORDER BY COUNT(c.Id) DESC
                """) == [
                    #"{"attributes":{"type":"AggregateResult"},"Industry":"Banking","n":2,"most":2.0}"#,
                    #"{"attributes":{"type":"AggregateResult"},"Industry":"Energy","n":1,"most":null}"#,
                ])
    }

    @Test("A child query can join further children, and have them beside its own list")
    func nested() throws {
        let records = try texts(
            """
            SELECT (SELECT c.LastName, t.Subject FROM a.Contacts c, c.Tasks t) calls, (SELECT Id FROM Contacts) \
            FROM Account a WHERE Name = 'Acme' AND Industry = 'Banking' AND AnnualRevenue > 0
            """)
        #expect(records.count == 1)
        #expect(records[0].contains(#""calls":{"totalSize":1,"#) && records[0].contains(#""Subject":"Call""#))
        #expect(records[0].contains(#""Contacts":{"totalSize":2,"#))
    }

    @Test("The children's own list cannot stand under the name of the joined child")
    func duplicate() throws {
        let error = #expect(throws: QueryError.self) {
            try QueryTestDatabase.compile(
                "SELECT c.LastName, (SELECT Id FROM Contacts) FROM Account a, a.Contacts c")
        }
        #expect(error?.code == .malformedQuery)
    }
}
