// SPDX-License-Identifier: Apache-2.0

import Foundation
import QueryCorpus
import SOQLStore
import SOQLSyntax
import Testing

@Suite("toLabel, FORMAT and convertCurrency")
struct QueryPrintTests {
    @Test("Values are formatted as expected", arguments: ComputedQueries.values)
    func printed(soql: String, expected: [String]) throws {
        #expect(try QueryTestDatabase().column(soql) == expected)
    }

    @Test("Large numbers have groups of three digits, and rounding up to a whole number works")
    func numbers() throws {
        let database = try QueryTestDatabase()
        try database.execute(
            "UPDATE \"Account\" SET \"AnnualRevenue\" = 1234567.999, \"NumberOfEmployees\" = -1234567 WHERE rowid = 1")
        try database.execute("UPDATE \"Contact\" SET \"Score\" = 1234.5678 WHERE rowid = 1")
        let account = "FROM Account WHERE Id = '001000000000001'"
        #expect(try database.column("SELECT FORMAT(AnnualRevenue) \(account)") == ["$1,234,568.00"])
        #expect(try database.column("SELECT FORMAT(NumberOfEmployees) \(account)") == ["-1,234,567"])
        #expect(
            try database.column("SELECT FORMAT(Score) FROM Contact WHERE Id = '003000000000001'") == ["1,234.568"])
    }

    @Test("A formatted value with an alias can be next to the field itself, also in a child query")
    func aliases() throws {
        let database = try QueryTestDatabase()
        let records = try database.records(
            """
            SELECT AnnualRevenue, FORMAT(AnnualRevenue) shown, toLabel(Owner.Name) owner_name, \
            (SELECT Score, FORMAT(Score) s FROM Contacts WHERE Score = 2) FROM Account WHERE Id = '001000000000001'
            """)
        #expect(records[0].contains(#""AnnualRevenue":300.0,"shown":"$300.00","owner_name":"Ann Grey","Contacts":"#))
        #expect(records[0].contains(#""Score":2.0,"s":"2"}"#))
    }
}

/// Of the three tasks, one refers to a contact, one to a lead, and one to no record.
@Suite("Fields of polymorphic references")
struct QueryTypeofTests {
    private func attributes(_ type: String, _ id: String) -> String {
        #""attributes":{"type":"\#(type)","url":"/services/data/v66.0/sobjects/\#(type)/\#(id)"}"#
    }

    private var contact: String { attributes("Contact", "003000000000001AAA") }
    private var lead: String { attributes("Lead", "00Q000000000001AAA") }

    private func who(_ soql: String) throws -> [String] {
        try QueryTestDatabase().records(soql).map { record in
            let start = try #require(record.range(of: #"{"attributes":{"type":"Task""#))
            #expect(start.lowerBound == record.startIndex)
            let members = try #require(record.range(of: "}"))
            return String(record[members.upperBound...].dropFirst().dropLast())
        }
    }

    @Test("Each branch has the fields of its own object")
    func branches() throws {
        let rows = try who(
            """
            SELECT TYPEOF Who WHEN contact THEN LastName, Score, Account.Owner.Name WHEN Lead THEN LeadNumber END \
            FROM Task ORDER BY Id
            """)
        let account = attributes("Account", "001000000000001AAA")
        let owner = attributes("User", "005000000000001AAA")
        #expect(
            rows == [
                """
                "Who":{\(contact),"LastName":"Zimmer","Score":1.5,\
                "Account":{\(account),"Owner":{\(owner),"Name":"Ann Grey"}}}
                """,
                #""Who":{\#(lead),"LeadNumber":"L-1"}"#, #""Who":null"#,
            ])
    }

    @Test("ELSE has the fields of the object Name, and without ELSE there are only attributes")
    func otherwise() throws {
        #expect(
            try who("SELECT TYPEOF Who WHEN Contact THEN Score ELSE name, Email, Type, Phone END FROM Task ORDER BY Id")
                == [
                    #""Who":{\#(contact),"Score":1.5}"#,
                    #""Who":{\#(lead),"Name":"L-1","Email":"lead@example.com","Type":"Lead","Phone":null}"#,
                    #""Who":null"#,
                ])
        #expect(
            try who("SELECT TYPEOF t.Who WHEN Contact THEN Score END FROM Task t WHERE Who.Type = 'LEAD'")
                == [#""Who":{\#(lead)}"#])
    }

    @Test("In ELSE, toLabel returns the string itself")
    func labels() throws {
        #expect(
            try who(
                "SELECT TYPEOF Who WHEN Contact THEN Score ELSE toLabel(Name) END FROM Task WHERE Who.Type = 'Lead'")
                == [#""Who":{\#(lead),"Name":"L-1"}"#])
    }

    @Test("A branch can format its fields")
    func printed() throws {
        let rows = try who(
            """
            SELECT TYPEOF Who WHEN Contact THEN toLabel(LastName), FORMAT(Score), FORMAT(Account.AnnualRevenue) \
            WHEN Lead THEN toLabel(LeadNumber) END FROM Task ORDER BY Id
            """)
        let account = attributes("Account", "001000000000001AAA")
        #expect(
            rows == [
                """
                "Who":{\(contact),"LastName":"Zimmer","Score":"1.5","Account":{\(account),"AnnualRevenue":"$300.00"}}
                """,
                #""Who":{\#(lead),"LeadNumber":"L-1"}"#, #""Who":null"#,
            ])
    }

    @Test("TYPEOF can be used in child queries")
    func inChildren() throws {
        let records = try QueryTestDatabase().records(
            """
            SELECT (SELECT TYPEOF Who WHEN Contact THEN Score WHEN Lead THEN LeadNumber END FROM Tasks) FROM Account \
            WHERE Name = 'Acme' AND Industry = 'Banking' AND NumberOfEmployees = 10
            """)
        #expect(records.count == 1)
        #expect(records[0].contains(#""Who":{\#(contact),"Score":1.5}"#), "\(records[0])")
    }

    @Test(
        "The type of a polymorphic parent can be selected, compared, grouped and sorted",
        arguments: [
            ("SELECT Id FROM Task WHERE Who.Type = 'contact'", ["00T000000000001AAA"]),
            (
                "SELECT Id FROM Task WHERE Who.Type IN ('Contact', 'Lead') ORDER BY Id",
                [
                    "00T000000000001AAA", "00T000000000002AAA",
                ]
            ),
            (
                "SELECT Id FROM Task WHERE Who.Type != 'Contact' ORDER BY Id",
                [
                    "00T000000000002AAA", "00T000000000003AAA",
                ]
            ),
            ("SELECT Id FROM Task WHERE Who.Type = null", ["00T000000000003AAA"]),
            (
                "SELECT Id FROM Task ORDER BY Who.Type DESC NULLS LAST",
                [
                    "00T000000000002AAA", "00T000000000001AAA", "00T000000000003AAA",
                ]
            ),
            ("SELECT Who.Type FROM Task GROUP BY Who.Type ORDER BY Who.Type", ["null", "Contact", "Lead"]),
            ("SELECT Id FROM Account WHERE Owner.Type = 'User' AND IsActive = true", ["001000000000001AAA"]),
        ])
    func types(soql: String, expected: [String]) throws {
        #expect(try QueryTestDatabase().column(soql) == expected)
    }

    @Test("The parent's type is a member like any other")
    func typeMember() throws {
        #expect(
            try who("SELECT Who.Name, Who.Type FROM Task ORDER BY Id").prefix(2)
                == [
                    #""Who":{\#(contact),"Name":"Zimmer","Type":"Contact"}"#,
                    #""Who":{\#(lead),"Name":"L-1","Type":"Lead"}"#,
                ])
    }
}
