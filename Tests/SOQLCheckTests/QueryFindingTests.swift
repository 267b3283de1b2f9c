// SPDX-License-Identifier: Apache-2.0

import SOQLCheck
import SOQLSyntax
import Testing

@Suite("Findings of the query checker")
struct QueryFindingTests {
    private static let schema = """
        [{"name":"Account","fields":[{"name":"Id","type":"id"},{"name":"Name","type":"string"},
          {"name":"Notes","type":"textarea","filterable":false,"sortable":false,"groupable":false},
          {"name":"Secret","type":"string","aggregatable":false},
          {"name":"Revenue","type":"currency"},{"name":"Size","type":"int"},{"name":"Active","type":"boolean"},
          {"name":"Founded","type":"date"},{"name":"Shape","type":"unheardOf"},
          {"name":"Colors","type":"multipicklist","picklistValues":[{"value":"Red"},{"value":"Blue"}]},
          {"name":"OwnerId","type":"reference","referenceTo":["Group","User"],"relationshipName":"Owner"},
          {"name":"ParentId","type":"reference","referenceTo":["Account"],"relationshipName":"Parent"}],
          "childRelationships":[{"relationshipName":"Kids","childSObject":"Account","field":"ParentId"},
           {"relationshipName":"Tasks","childSObject":"Task","field":"WhatId"}]},
         {"name":"User","fields":[{"name":"Id","type":"id"},{"name":"Email","type":"email"}]},
         {"name":"Hidden","queryable":false,"fields":[{"name":"Id","type":"id"}]}]
        """

    private func findings(_ soql: String) throws -> [Finding] {
        CheckedQuery(soql, schema: try QuerySchema(json: Array(Self.schema.utf8))).findings
    }

    @Test(
        "a finding has the rule, the position, the length and the most similar name",
        arguments: [
            ("SELECT Parent.Parent.Nam FROM Account", Rule.unknownField, 22, 3, "Name"),
            ("SELECT a.Parnt.Name FROM Account a", .unknownRelationship, 10, 5, "Parent"),
            ("SELECT Id, (SELECT Id FROM Kid) FROM Account", .unknownChildRelationship, 28, 3, "Kids"),
            ("SELECT Id FROM Acount", .unknownObject, 16, 6, "Account"),
            ("SELECT Id FROM Hidden", .notQueryable, 16, 6, nil),
            ("SELECT Id FROM Account WHERE Notes = 'x'", .notFilterable, 30, 5, nil),
            ("SELECT Id FROM Account ORDER BY Notes", .notSortable, 33, 5, nil),
            ("SELECT Notes FROM Account GROUP BY Notes", .notGroupable, 36, 5, nil),
            ("SELECT MAX(Secret) FROM Account", .notAggregatable, 8, 3, nil),
            ("SELECT SUM(Name) FROM Account", .notAggregatable, 8, 3, nil),
            ("SELECT Name, COUNT(Id) FROM Account GROUP BY Size", .notGrouped, 8, 4, nil),
            ("SELECT Id FROM Account WHERE Size = 'it\\'s'", .wrongType, 37, 7, nil),
            ("SELECT Id FROM Account WHERE Active > true", .wrongOperator, 30, 6, nil),
            ("SELECT Id FROM Account WHERE Founded = 2026-02-30", .invalidDate, 40, 10, nil),
            ("SELECT Id FROM Account WHERE Id = '1'", .invalidID, 35, 3, nil),
            ("SELECT Id FROM Account WHERE Colors INCLUDES ('Red;Blu')", .picklistValue, 47, 9, "Blue"),
            ("SELECT TYPEOF Parent WHEN Account THEN Id END FROM Account", .typeof, 15, 6, nil),
            ("SELECT TYPEOF Owner WHEN Usr THEN Id END FROM Account", .typeofObject, 26, 3, "User"),
            ("SELECT TYPEOF Owner WHEN User THEN Emal END FROM Account", .unknownField, 36, 4, "Email"),
            ("SELECT Owner.Nme FROM Account", .unknownField, 14, 3, "Name"),
            ("SELECT Id FROM Account FOR UPDATE", .apexOnly, 24, 3, nil),
            ("SELECT Id FROM Account LIMIT -1", .limits, 30, 2, nil), ("SELECT Id FROM", .syntax, 15, 0, nil),
        ] as [(String, Rule, Int, Int, String?)])
    func places(soql: String, rule: Rule, column: Int, length: Int, nearest: String?) throws {
        let found = try findings(soql).filter { $0.rule != .notInSchema }
        let finding = try #require(found.first, "nothing in \(soql)")
        #expect(found.count == 1 && finding.rule == rule, "\(found)")
        #expect(finding.position.column == column && finding.length == length, "\(finding)")
        #expect(finding.suggestions.first == nearest)
    }

    @Test(
        "valid queries pass, also if only the server can check a part of them",
        arguments: [
            "SELECT Id, Owner.Name, Owner.Type, Owner.Profile.Name, Parent.Parent.Revenue FROM Account",
            "SELECT TYPEOF Owner WHEN User THEN Email WHEN Group THEN DeveloperName ELSE Name END FROM Account",
            "SELECT Id FROM Account WHERE Shape = 5 AND Revenue > USD5000 AND Founded = LAST_N_DAYS:5",
            "SELECT Size, COUNT(Id) c FROM Account GROUP BY Size HAVING COUNT(Id) > 1 ORDER BY c LIMIT 5",
            "SELECT Id FROM Account WHERE Id IN (SELECT AccountId FROM Contact) AND Name = null",
            "SELECT Id, (SELECT Subject FROM Tasks) FROM Account",
        ])
    func good(soql: String) throws {
        // The schema has neither Contact nor Task nor Group.
        let lacking = ["SELECT Id FROM Account WHERE Id IN (SELECT AccountId FROM Contact) AND Name = null"]
        let found = try findings(soql).filter { $0.severity == .error }
        #expect(found.count == (lacking.contains(soql) ? 1 : 0), "\(found)")
    }

    @Test("all findings are reported in order, and an object missing in the schema once")
    func several() throws {
        let found = try findings(
            "SELECT A, Owner.B,\n (SELECT C FROM Kids WHERE D = 1), (SELECT E FROM Tasks) FROM Account ORDER BY F")
        #expect(
            found.map(\.message).compactMap { $0.split(separator: "'").dropFirst().first }.map(String.init)
                == ["A", "B", "C", "D", "Tasks", "F"])
        #expect(found.map(\.position.line) == [1, 1, 2, 2, 2, 2])
    }

    @Test("a variable is accepted in each position, and columns after it are those of the text")
    func variables() throws {
        let soql = """
            SELECT Id FROM Account WHERE Name LIKE :pattern AND Size IN :sizes AND Size IN (:a, :b) AND Founded > :day \
            AND Colors INCLUDES (:x, 'Red') AND Founded = LAST_N_DAYS:n AND Nme = :v LIMIT :most OFFSET :start
            """
        let found = try findings(soql)
        #expect(found.count == 1 && found.first?.suggestions == ["Name"])
        #expect(found.first.map { soql.utf8.dropFirst($0.position.offset).starts(with: "Nme = :v".utf8) } == true)
        #expect(
            found.first?.position.column
                == soql.firstRange(of: "Nme").map {
                    soql.distance(from: soql.startIndex, to: $0.lowerBound) + 1
                })
    }

    @Test("the search for similar names is limited, so that a text full of errors costs linear time")
    func cost() throws {
        let fields = (0..<9_000).map { "Nam\($0)" }.joined(separator: ",")
        let found = try findings("SELECT \(fields) FROM Account")
        #expect(found.count == 9_000 && found.prefix(10).allSatisfy { $0.suggestions == ["Name"] })
        #expect(found.dropFirst(20).allSatisfy { $0.suggestions.isEmpty })
    }
}
