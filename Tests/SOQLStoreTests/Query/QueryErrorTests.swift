// SPDX-License-Identifier: Apache-2.0

import SOQLStore
import SOQLSyntax
import Testing

@Suite("Queries the compiler refuses")
struct QueryErrorTests {
    struct Refusal: Sendable, CustomTestStringConvertible {
        let soql: String
        let code: QueryCode
        let column: Int
        let reason: String

        init(_ soql: String, _ code: QueryCode, _ column: Int, _ reason: String) {
            self.soql = soql
            self.code = code
            self.column = column
            self.reason = reason
        }

        var testDescription: String { soql }
    }

    static let names: [Refusal] = [
        Refusal("SELECT FROM Account", .malformedQuery, 8, "unexpected token: 'FROM'"),
        Refusal("SELECT Id FROM Foo", .invalidType, 16, "sObject type 'Foo' is not supported."),
        Refusal("SELECT Id FROM sqlite_master", .invalidType, 16, "sObject type 'sqlite_master' is not supported."),
        Refusal("SELECT Nme FROM Account", .invalidField, 8, "No such column 'Nme' on entity 'Account'. If you are"),
        Refusal("SELECT rowid FROM Account", .invalidField, 8, "No such column 'rowid' on entity 'Account'"),
        Refusal("SELECT Owner FROM Account", .invalidField, 8, "No such column 'Owner' on entity 'Account'"),
        Refusal("SELECT Owner.Foo FROM Account", .invalidField, 8, "No such column 'Foo' on entity 'User'"),
        Refusal("SELECT Who.Foo FROM Task", .invalidField, 8, "No such column 'Foo' on entity 'Name'"),
        Refusal(
            "SELECT Foo.Name FROM Account", .invalidField, 8, "Didn't understand relationship 'Foo' in field path."),
        Refusal("SELECT Id FROM Account WHERE Foo = 1", .invalidField, 30, "No such column 'Foo'"),
        Refusal("SELECT Id FROM Account ORDER BY Foo", .invalidField, 33, "No such column 'Foo'"),
        Refusal("SELECT COUNT(Foo) FROM Account", .invalidField, 14, "No such column 'Foo'"),
        Refusal(
            "SELECT Id, (SELECT Id FROM Foos) FROM Account", .invalidType, 28,
            "Didn't understand relationship 'Foos' in FROM"),
        Refusal(
            "SELECT Id, (SELECT Foo FROM Contacts) FROM Account", .invalidField, 20,
            "No such column 'Foo' on entity 'Contact'"),
        Refusal(
            "SELECT Id, (SELECT Id FROM Contact) FROM Account", .invalidType, 28,
            "Didn't understand relationship 'Contact'"),
        Refusal("SELECT Who.Account.Name FROM Task", .invalidField, 8, "Didn't understand relationship 'Account'"),
    ]

    static let types: [Refusal] = [
        Refusal(
            "SELECT Id FROM Account WHERE AnnualRevenue = '5'", .invalidField, 46,
            "'AnnualRevenue' must be of type double and should not be"),
        Refusal(
            "SELECT Id FROM Account WHERE Name = 5", .invalidField, 37,
            "'Name' must be of type string and should be enclosed in quotes"),
        Refusal("SELECT Id FROM Account WHERE Name = true", .invalidField, 37, "must be of type string"),
        Refusal("SELECT Id FROM Account WHERE NumberOfEmployees = 1.5", .invalidField, 50, "must be of type int"),
        Refusal(
            "SELECT Id FROM Account WHERE IsActive = 'true'", .invalidField, 41,
            "must be of type boolean and should not be"),
        Refusal(
            "SELECT Id FROM Account WHERE IsActive > true", .invalidFilterOperator, 30,
            "invalid operator on boolean field"),
        Refusal("SELECT Id FROM Account WHERE FoundedOn = '2026-01-01'", .invalidField, 42, "must be of type date and"),
        Refusal(
            "SELECT Id FROM Account WHERE FoundedOn = 2026-01-01T00:00:00Z", .invalidField, 42,
            "must be of type date and"),
        Refusal("SELECT Id FROM Account WHERE CreatedDate = 2026-01-01", .invalidField, 44, "must be of type dateTime"),
        Refusal("SELECT Id FROM Account WHERE CreatedDate = 10:11:12Z", .invalidField, 44, "must be of type dateTime"),
        Refusal("SELECT Id FROM Account WHERE Name = TODAY", .invalidField, 37, "must be of type string"),
        Refusal("SELECT Id FROM Account WHERE FoundedOn = 2026-02-29", .malformedQuery, 42, "Invalid date: 2026-02-29"),
        Refusal("SELECT Id FROM Account WHERE CreatedDate = 2026-01-01T25:00:00Z", .malformedQuery, 44, "Invalid date"),
        Refusal(
            "SELECT Id FROM Account WHERE CreatedDate = 0000-01-01T00:00:00+0100", .malformedQuery, 44, "Invalid date"),
        Refusal("SELECT Id FROM Account WHERE Name IN ('a', 5)", .invalidField, 44, "must be of type string"),
        Refusal("SELECT Id FROM Account WHERE Id = 'abc'", .invalidFilterOperator, 35, "invalid ID field: abc"),
        Refusal(
            "SELECT Id FROM Account WHERE OwnerId IN ('005-00000000001AAA')", .invalidFilterOperator, 42,
            "invalid ID field"),
        Refusal(
            "SELECT Id FROM Account WHERE Id LIKE '001%'", .invalidFilterOperator, 30, "invalid operator on id field"),
        Refusal(
            "SELECT Id FROM Account WHERE AnnualRevenue LIKE '1%'", .invalidFilterOperator, 30,
            "invalid operator on currency"),
        Refusal(
            "SELECT Id FROM Account WHERE Name INCLUDES ('a')", .invalidFilterOperator, 30,
            "invalid operator on string field"),
        Refusal(
            "SELECT Id FROM Account WHERE Description = 'x'", .invalidField, 30,
            "field 'Description' can not be filtered in a query call"),
        Refusal(
            "SELECT Id FROM Account ORDER BY Description", .invalidField, 33,
            "field 'Description' can not be sorted in a query call"),
        Refusal("SELECT Id FROM Account ORDER BY Tags", .invalidField, 33, "can not be sorted"),
        Refusal("SELECT Tags FROM Account GROUP BY Tags", .invalidField, 35, "can not be grouped"),
        Refusal(
            "SELECT SUM(Name) FROM Account", .invalidField, 8, "field Name does not support aggregate operator SUM"),
        Refusal("SELECT MAX(IsActive) FROM Account", .invalidField, 8, "does not support aggregate operator MAX"),
        Refusal("SELECT Id FROM Account WHERE CALENDAR_YEAR(Name) = 1", .invalidField, 30, "cannot be applied to Name"),
        Refusal(
            "SELECT Id FROM Account WHERE HOUR_IN_DAY(FoundedOn) = 1", .invalidField, 30,
            "cannot be applied to FoundedOn"),
        Refusal(
            "SELECT Id FROM Account WHERE CALENDAR_YEAR(FoundedOn) = '1'", .invalidField, 57, "must be of type int"),
        Refusal("SELECT Id FROM Account WHERE AnnualRevenue = USD5", .notEnabled, 46, "one currency"),
        Refusal(
            "SELECT Id FROM Account WHERE FoundedOn = LAST_N_YEARS:5000", .numberOutsideRange, 42, "LAST_N_YEARS:5000"),
        Refusal("SELECT NOTHING(AnnualRevenue) FROM Account", .malformedQuery, 8, "NOTHING() is not supported here"),
        Refusal(
            "SELECT Id FROM Account WHERE COUNT(Id) > 1", .malformedQuery, 30, "COUNT() is not allowed in this clause"),
    ]

    static let rules: [Refusal] = [
        Refusal("SELECT Id, id FROM Account", .malformedQuery, 12, "duplicate field selected: id"),
        Refusal("SELECT Owner.Name, Account.Owner.Name FROM Account", .malformedQuery, 20, "duplicate field selected"),
        Refusal("SELECT Name n FROM Account", .malformedQuery, 13, "only aggregate expressions use field aliasing"),
        Refusal(
            "SELECT DISTINCT Name FROM Account", .malformedQuery, 17, "only aggregate expressions use field aliasing"),
        Refusal("SELECT Name, COUNT(Id) FROM Account", .malformedQuery, 8, "Field must be grouped or aggregated: Name"),
        Refusal("SELECT Id FROM Account GROUP BY Name", .malformedQuery, 8, "Field must be grouped or aggregated: Id"),
        Refusal(
            "SELECT CALENDAR_YEAR(FoundedOn) FROM Account", .malformedQuery, 8, "Field must be grouped or aggregated"),
        Refusal(
            "SELECT Name FROM Account GROUP BY Name ORDER BY Industry", .malformedQuery, 49,
            "Ordered field must be grouped"),
        Refusal(
            "SELECT Name FROM Account GROUP BY Name HAVING Industry = 'x'", .malformedQuery, 47,
            "must be grouped or aggregated"),
        Refusal(
            "SELECT Owner.Name, Parent.Name FROM Account GROUP BY Owner.Name, Parent.Name", .malformedQuery, 20,
            "duplicate alias: Name"),
        Refusal("SELECT COUNT(Id) n, MAX(Name) N FROM Account", .malformedQuery, 31, "duplicate alias: N"),
        Refusal("SELECT COUNT(Id) FROM Account LIMIT 5", .malformedQuery, 37, "cannot also use LIMIT"),
        Refusal(
            "SELECT COUNT(Id), (SELECT Id FROM Contacts) FROM Account", .malformedQuery, 19, "cannot have subqueries"),
        Refusal("SELECT COUNT() FROM Account GROUP BY Name", .malformedQuery, 38, "COUNT() cannot be grouped"),
        Refusal("SELECT COUNT() FROM Account ORDER BY Name", .malformedQuery, 38, "COUNT() cannot be ordered"),
        Refusal(
            "SELECT Id, (SELECT COUNT(Id) FROM Contacts) FROM Account", .malformedQuery, 20,
            "only root queries support aggregate"),
        Refusal(
            "SELECT Id, (SELECT COUNT() FROM Contacts) FROM Account", .malformedQuery, 20,
            "COUNT() is not allowed in a subquery"),
        Refusal("SELECT Id, (SELECT Id FROM Contacts OFFSET 1) FROM Account", .malformedQuery, 44, "LIMIT 1"),
        Refusal(
            "SELECT (SELECT Id FROM Contacts), (SELECT Id FROM Contacts) FROM Account", .malformedQuery, 35,
            "duplicate subquery"),
        Refusal("SELECT Id FROM Account LIMIT -1", .malformedQuery, 30, "LIMIT must not be negative"),
        Refusal("SELECT Id FROM Account OFFSET -1", .malformedQuery, 31, "OFFSET must not be negative"),
        Refusal("SELECT Id FROM Account OFFSET 2001", .numberOutsideRange, 31, "Maximum SOQL offset allowed is 2000"),
        Refusal(
            "SELECT Parent.Parent.Parent.Parent.Parent.Parent.Name FROM Account", .malformedQuery, 8,
            "at most 5 relationships up"),
        Refusal(
            "SELECT Id FROM Account WHERE Id IN (SELECT ParentId FROM Account)", .malformedQuery, 58, "same object type"
        ),
        Refusal(
            "SELECT Id FROM Account WHERE Name IN (SELECT LastName FROM Contact)", .malformedQuery, 30, "left operand"),
        Refusal(
            "SELECT Id FROM Account WHERE Id IN (SELECT LastName FROM Contact)", .malformedQuery, 44,
            "an id or a reference"),
        Refusal(
            "SELECT Id FROM Account WHERE Name = 'x' OR Id IN (SELECT AccountId FROM Contact)", .malformedQuery, 50,
            "'OR'"),
        Refusal(
            "SELECT Id FROM Account WHERE Id IN (SELECT AccountId FROM Contact WHERE Id IN (SELECT WhoId FROM Task))",
            .malformedQuery, 79, "Nesting of semi join"),
        Refusal(
            "SELECT Id FROM Account WHERE Id IN (SELECT AccountId FROM Contact) AND Id IN (SELECT WhatId FROM Task) "
                + "AND OwnerId IN (SELECT Id FROM User)", .malformedQuery, 119, "Maximum 2 semi join"),
    ]

    @Test("The error has a code, a place and the platform's words", arguments: names + types + rules)
    func refusal(_ refusal: Refusal) throws {
        let error = try #require(throws: OrgError.self) { try QueryTestDatabase.compile(refusal.soql) }
        #expect(error.code == refusal.code.rawValue)
        #expect(error.position?.column == refusal.column)
        #expect(error.message.contains(refusal.reason), "\(error.message)")
        #expect(error.message.contains("\nERROR at Row:1:Column:\(refusal.column)\n"))
    }

    @Test("The message quotes the line and puts a caret under the column")
    func message() throws {
        let error = try #require(throws: OrgError.self) {
            try QueryTestDatabase.compile("SELECT Id, Nme\nFROM Account")
        }
        #expect(
            error.message == """

                SELECT Id, Nme
                           ^
                ERROR at Row:1:Column:12
                No such column 'Nme' on entity 'Account'. If you are attempting to use a custom field, be sure \
                to append the '__c' after the custom field name. Please reference your WSDL or the describe call \
                for the appropriate names.
                """)
        let second = try #require(throws: OrgError.self) {
            try QueryTestDatabase.compile("SELECT Id\nFROM\tAccount WHERE ÄÖ = 1")
        }
        #expect(
            second.message.hasPrefix(
                "\nFROM Account WHERE ÄÖ = 1\n" + String(repeating: " ", count: 19) + "^\nERROR at Row:2:"))
    }

    @Test("A long line is cut around the column")
    func longLine() throws {
        let soql = "SELECT " + String(repeating: "Id, ", count: 500) + "Foo FROM Account"
        let error = try #require(throws: OrgError.self) { try QueryTestDatabase.compile(soql) }
        let lines = error.message.split(separator: "\n")
        #expect(lines[0].count <= 120)
        #expect(error.message.utf8.count < 1_000)
    }
}
