// SPDX-License-Identifier: Apache-2.0

import Foundation
import SOQLStore
import SOQLSyntax
import Testing

@Suite("Clauses that change which rows and fields there are")
struct QueryClauseTests {
    @Test(
        "An alias in FROM stands for a parent",
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

    @Test("What an alias leads to stands under its parents' names, beside the same parent without alias")
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

    @Test("FIELDS() stands for the fields of the schema")
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
        "A scope narrows the rows",
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
        "An access mode changes nothing for a user who may see everything",
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

    @Test("A child query can have an alias of its own, and FROM one in it")
    func childAliases() throws {
        let records = try QueryTestDatabase().records(
            "SELECT (SELECT c.LastName FROM Contacts c WHERE c.Score = 2) people FROM Account WHERE Name = 'beta 50%'")
        #expect(records[0].hasSuffix(#""people":null}"#))
    }
}

@Suite("Misuse of clauses, and what the org does not have")
struct QueryClauseErrorTests {
    private typealias Refusal = QueryErrorTests.Refusal

    static let misuse: [QueryErrorTests.Refusal] = [
        Refusal(
            "SELECT TYPEOF Who WHEN Lead THEN FORMAT(Email) END FROM Task", .invalidField, 34, "FORMAT() takes a number"
        ),
        Refusal(
            "SELECT TYPEOF Owner.Manager WHEN User THEN Name END FROM Account", .malformedQuery, 15,
            "TYPEOF takes a polymorphic relationship, not 'Owner.Manager'"),
        Refusal("SELECT TYPEOF Who WHEN Account THEN Name END FROM Task", .invalidType, 24, "'Who' does not lead to"),
        Refusal(
            "SELECT TYPEOF Who WHEN Lead THEN Email WHEN lead THEN Id END FROM Task", .malformedQuery, 45,
            "two branches for 'lead'"),
        Refusal(
            "SELECT TYPEOF Who WHEN Lead THEN LastName END FROM Task", .invalidField, 34,
            "No such column 'LastName' on entity 'Lead'"),
        Refusal(
            "SELECT TYPEOF Who WHEN Lead THEN Email ELSE Score END FROM Task", .invalidField, 45,
            "No such column 'Score' on entity 'Name'"),
        Refusal("SELECT TYPEOF Foo WHEN Lead THEN Email END FROM Task", .invalidField, 15, "relationship 'Foo'"),
        Refusal(
            "SELECT TYPEOF Who WHEN Lead THEN Email, EMAIL END FROM Task", .malformedQuery, 41,
            "duplicate field selected: EMAIL"),
        Refusal(
            "SELECT Who.Name, TYPEOF Who WHEN Lead THEN Email END FROM Task", .malformedQuery, 25,
            "duplicate field selected: Who"),
        Refusal(
            "SELECT TYPEOF Who WHEN Lead THEN Email END, Who.Name FROM Task", .malformedQuery, 45,
            "duplicate field selected: Who.Name"),
        Refusal(
            "SELECT COUNT(Id), TYPEOF Who WHEN Lead THEN Email END FROM Task", .malformedQuery, 19,
            "cannot have TYPEOF"),
        Refusal(
            "SELECT TYPEOF Who WHEN Lead THEN Email ELSE Id END FROM Task WITH SECURITY_ENFORCED", .malformedQuery, 8,
            "TYPEOF with ELSE"),
        Refusal(
            "SELECT TYPEOF Owner WHEN User THEN Name ELSE Id END FROM Account WITH SECURITY_ENFORCED", .malformedQuery,
            8,
            "TYPEOF with ELSE"),
        Refusal(
            "SELECT Who.Name FROM Task WITH SECURITY_ENFORCED", .malformedQuery, 8, "does not go through"),
        Refusal("SELECT Who.Score FROM Task", .invalidField, 8, "No such column 'Score' on entity 'Name'"),
        Refusal("SELECT Id FROM Account WITH USER_MODE WITH SYSTEM_MODE", .malformedQuery, 44, "one access mode"),
        Refusal(
            "SELECT Id FROM Account, Contact", .malformedQuery, 25,
            "A driving SObject type has already been set, all other entity types in the FROM clause must be"),
        Refusal("SELECT Id FROM Account a, a.Owner o, a.Parent O", .malformedQuery, 47, "duplicate alias: O"),
        Refusal("SELECT FIELDS(ALL) FROM Account", .malformedQuery, 8, "must have a LIMIT of at most 200"),
        Refusal("SELECT FIELDS(CUSTOM) FROM Account LIMIT 201", .malformedQuery, 8, "LIMIT of at most 200"),
        Refusal("SELECT Name, FIELDS(STANDARD) FROM User", .malformedQuery, 14, "duplicate field selected: Name"),
        Refusal("SELECT FIELDS(STANDARD), COUNT(Id) FROM User", .malformedQuery, 8, "cannot have FIELDS()"),
        Refusal("SELECT Id FROM Account USING SCOPE ours", .malformedQuery, 36, "unknown scope 'ours'"),
        Refusal("SELECT Id FROM Lead USING SCOPE mine", .malformedQuery, 33, "the object Lead has no scope 'mine'"),
        Refusal(
            "SELECT Name, GROUPING(Name) FROM Account GROUP BY Name", .malformedQuery, 14,
            "GROUPING() needs GROUP BY ROLLUP"),
        Refusal(
            "SELECT Name, GROUPING(Industry) FROM Account GROUP BY ROLLUP(Name)", .malformedQuery, 23,
            "Field must be grouped or aggregated: Industry"),
        Refusal("SELECT GROUPING() FROM Account GROUP BY CUBE(Name)", .malformedQuery, 8, "GROUPING() takes one field"),
        Refusal(
            "SELECT COUNT(Id) FROM Account GROUP BY CUBE(Name, Industry, IsActive, OwnerId)", .malformedQuery, 71,
            "GROUP BY CUBE takes at most 3 fields"),
        Refusal(
            "SELECT Industry FROM Account GROUP BY ROLLUP(Name)", .malformedQuery, 8,
            "Field must be grouped or aggregated: Industry"),
    ]

    /// What the platform has in Apex only, or refuses itself.
    static let apex: [QueryErrorTests.Refusal] = [
        Refusal("SELECT Id FROM Account FOR UPDATE", .malformedQuery, 24, "unexpected token: 'UPDATE'"),
        Refusal("SELECT Id FROM Account ALL ROWS", .malformedQuery, 24, "ALL ROWS not allowed in this context"),
        Refusal(
            "SELECT Id FROM Account WHERE Name = :name", .malformedQuery, 37, "Bind variables only allowed in Apex"),
        Refusal("SELECT Id FROM Account WHERE Name IN :names", .malformedQuery, 38, "Bind variables only allowed"),
        Refusal("SELECT Id FROM Account LIMIT :most", .malformedQuery, 30, "Bind variables only allowed in Apex code"),
        Refusal(
            "SELECT Id, (SELECT Id FROM Contacts FOR UPDATE) FROM Account", .malformedQuery, 37, "FOR UPDATE"),
        Refusal(
            "SELECT Id FROM Account WITH DATA CATEGORY A__c AT b__c", .malformedQuery, 43,
            "WITH DATA CATEGORY is for articles and questions, not Account"),
        Refusal(
            "SELECT Id FROM Contact USING SCOPE team", .malformedQuery, 36, "the object Contact has no scope 'team'"),
        Refusal("SELECT Id FROM Lead USING SCOPE delegated", .malformedQuery, 33, "no scope 'delegated'"),
        Refusal("SELECT Id FROM Account USING SCOPE allPrivate", .malformedQuery, 36, "no scope 'allPrivate'"),
        Refusal(
            "SELECT TYPEOF Who WHEN Lead THEN CALENDAR_YEAR(Email) END FROM Task", .malformedQuery, 34,
            "Field must be grouped or aggregated: CALENDAR_YEAR(Email)"),
        Refusal(
            "SELECT TYPEOF Who WHEN Lead THEN Email ELSE FORMAT(Name) END FROM Task", .invalidField, 45,
            "FORMAT() takes another field than Name"),
        Refusal(
            "SELECT TYPEOF Who WHEN Lead THEN Email ELSE MAX(Name) END FROM Task", .malformedQuery, 45,
            "Field must be grouped or aggregated"),
        Refusal("SELECT Id FROM Account a, a.Owner A", .malformedQuery, 35, "duplicate alias: A"),
        Refusal(
            "SELECT Id FROM Contact WHERE HOUR_IN_DAY(convertTimezone(Score)) = 1", .invalidField, 42,
            "convertTimezone() takes a dateTime field, not Score"),
    ]

    /// Each names what it is, and none says that the query is malformed.
    static let unsupported: [QueryErrorTests.Refusal] = [
        Refusal(
            "SELECT Id FROM Knowledge__kav WITH DATA CATEGORY A__c AT b__c", .notEnabled, 50,
            "no data category groups, and so no A__c"),
        Refusal("SELECT Id FROM Account UPDATE TRACKING", .notEnabled, 31, "UPDATE TRACKING, which is for articles,"),
        Refusal("SELECT Id FROM Account WITH NETWORK = 'x'", .notEnabled, 29, "WITH NETWORK"),
        Refusal("SELECT Id FROM Account USING SCOPE My_Territory", .notEnabled, 36, "this org has no territories"),
        Refusal("SELECT Id FROM Account USING SCOPE my_team_territory", .notEnabled, 36, "no territories"),
        Refusal("SELECT Id FROM Account USING LOOKUP Owner", .notEnabled, 30, "USING LOOKUP"),
        Refusal("SELECT Id FROM Account BIND a = 1", .notEnabled, 24, "the BIND clause"),
        Refusal(
            "SELECT Id FROM Account a, a.Contacts c, a.Tasks t", .notEnabled, 41, "a second list of children in FROM"),
        Refusal(
            "SELECT Id FROM Contact c, c.Account a, a.ChildAccounts d", .notEnabled, 40, "a second list of children"),
        Refusal(
            "SELECT Id FROM Account WHERE Id IN (SELECT AccountId FROM Contact WITH NETWORK = 'x')", .notEnabled, 72,
            "WITH NETWORK"),
    ]

    @Test("The platform's error, and the place", arguments: misuse + apex + unsupported)
    func refusal(_ refusal: QueryErrorTests.Refusal) throws {
        let error = #expect(throws: OrgError.self) { _ = try QueryTestDatabase.compile(refusal.soql) }
        #expect(error?.code == refusal.code.rawValue)
        #expect(error?.position?.column == refusal.column)
        #expect(error?.message.contains(refusal.reason) == true, "\(error?.message ?? "")")
    }
}
