// SPDX-License-Identifier: Apache-2.0

import Foundation
import QueryCorpus
import SOQLStore
import SOQLSyntax
import Testing

@Suite("Clauses that change the rows and fields of a result")
struct QueryClauseTests {
    @Test(
        "An alias in FROM represents a parent",
        arguments: [
            (
                "SELECT c.Id FROM Contact c, c.Account a WHERE a.Name = 'Acme' ORDER BY c.LastName",
                ["003000000000002AAA", "003000000000001AAA"]
            ),
            ("SELECT Id FROM Contact, Contact.Account a, a.Owner o WHERE o.Name = 'bob Stone'", ["003000000000003AAA"]),
            ("SELECT Id FROM Contact c, Account a WHERE a.Owner.Name = 'bob Stone'", ["003000000000003AAA"]),
            ("SELECT COUNT() FROM Contact c, c.Account a WHERE a.Industry = 'Banking'", ["2"]),
            (
                "SELECT Id FROM Contact c, c.Account a ORDER BY a.Name NULLS LAST, Id",
                [
                    "003000000000001AAA", "003000000000002AAA", "003000000000003AAA", "003000000000005AAA",
                ]
            ),
        ])
    func aliases(soql: String, expected: [String]) throws {
        let database = try QueryTestDatabase()
        #expect(try soql.contains("COUNT()") ? database.records(soql) == expected : database.column(soql) == expected)
    }

    @Test("Fields of an alias are under the names of its parents, next to the same parent without an alias")
    func aliasMembers() throws {
        let records = try QueryTestDatabase().records(
            "SELECT a.Name, Account.Industry, o.Name FROM Contact c, c.Account a, a.Owner o WHERE c.LastName = 'Moor'")
        let data = try #require(records.first).data(using: .utf8)
        let record = try JSONSerialization.jsonObject(with: try #require(data)) as? [String: Any]
        let account = try #require(record?["Account"] as? [String: Any])
        #expect(Set(account.keys) == ["attributes", "Name", "Industry", "Owner"])
        #expect((account["Owner"] as? [String: Any])?["Name"] as? String == "bob Stone")
        #expect(account["Industry"] as? String == "Energy")
    }

    private func fields(_ record: String) throws -> Set<String> {
        let object = try JSONSerialization.jsonObject(with: Data(record.utf8)) as? [String: Any]
        return Set(try #require(object).keys).subtracting(["attributes"])
    }

    @Test("FIELDS() selects the fields of the schema")
    func fieldGroups() throws {
        let database = try QueryTestDatabase()
        let all = Set(QueryTestSchema.schema.object(named: "User")?.fields.map(\.name) ?? [])
        #expect(all.count == 6)
        let records = try database.records("SELECT FIELDS(ALL) FROM User LIMIT 200")
        #expect(records.count == 2)
        for record in records { #expect(try fields(record) == all) }
        #expect(
            try fields(database.records("SELECT FIELDS(STANDARD), Manager.Name FROM User")[0]) == all.union(["Manager"])
        )
        #expect(try fields(database.records("SELECT Id, FIELDS(CUSTOM) FROM User LIMIT 1")[0]) == ["Id"])
        let nested = try database.records(
            "SELECT (SELECT FIELDS(ALL) FROM Contacts LIMIT 200) FROM Account WHERE Name = 'beta 50%'")
        #expect(nested[0].contains(#""LastName":"Moor","Email":"m@example.com""#))
    }

    @Test(
        "A scope restricts the rows",
        arguments: [
            ("SELECT Id FROM Account USING SCOPE everything WHERE IsActive = true", 2),
            ("SELECT Id FROM Account USING SCOPE Mine", 2),
            ("SELECT Id FROM Account USING SCOPE mine_and_my_groups", 2),
            ("SELECT Id FROM Account USING SCOPE mine WHERE Name = 'beta 50%'", 0),
            ("SELECT Id FROM User USING SCOPE scopingRule", 2),
            ("SELECT Id FROM Account USING SCOPE mine WHERE Name = 'Acme' OR Name = 'beta 50%'", 2),
        ])
    func scopes(soql: String, count: Int) throws {
        #expect(try QueryTestDatabase().records(soql).count == count)
    }

    @Test(
        "An access mode changes nothing for a user with access to everything",
        arguments: ["SECURITY_ENFORCED", "USER_MODE", "SYSTEM_MODE"])
    func accessModes(mode: String) throws {
        let database = try QueryTestDatabase()
        #expect(
            try database.records("SELECT Id, Owner.Name FROM Account WHERE IsActive = false WITH \(mode) ORDER BY Id")
                == database.records("SELECT Id, Owner.Name FROM Account WHERE IsActive = false ORDER BY Id"))
        #expect(
            try database.column(
                """
                SELECT Id FROM Account WHERE Id IN (SELECT AccountId FROM Contact WHERE LastName = 'Moor' WITH \(mode))
                """) == ["001000000000002AAA"])
    }

    @Test("A child query can have an alias, and aliases in its FROM clause")
    func childAliases() throws {
        let records = try QueryTestDatabase().records(
            "SELECT (SELECT c.LastName FROM Contacts c WHERE c.Score = 2) people FROM Account WHERE Name = 'beta 50%'")
        #expect(records[0].hasSuffix(#""people":null}"#))
    }
}
