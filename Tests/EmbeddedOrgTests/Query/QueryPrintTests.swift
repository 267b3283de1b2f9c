// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import SOQLSyntax
import Testing

@Suite("toLabel, FORMAT and convertCurrency")
struct QueryPrintTests {
    static let values: [(String, [String])] = [
        (
            "SELECT FORMAT(AnnualRevenue) FROM Account WHERE AnnualRevenue != null ORDER BY Id",
            [
                "$300.00", "$1,250.50", "-$7.25", "$0.10",
            ]
        ),
        ("SELECT FORMAT(NumberOfEmployees) FROM Account WHERE Id = '001000000000003'", ["null"]),
        ("SELECT FORMAT(NumberOfEmployees) n FROM Account WHERE Id = '001000000000002'", ["200"]),
        ("SELECT FORMAT(Score) FROM Contact WHERE Score != null ORDER BY Id", ["1.5", "2"]),
        ("SELECT FORMAT(FoundedOn) FROM Account WHERE Id = '001000000000004'", ["12/31/2025"]),
        ("SELECT FORMAT(FoundedOn) day FROM Account WHERE Id = '001000000000001'", ["1/29/2026"]),
        (
            "SELECT FORMAT(CreatedDate) FROM Account WHERE FoundedOn != null ORDER BY Id",
            [
                "1/29/2026, 10:11 AM", "1/28/2026, 11:59 PM", "12/31/2025, 12:00 PM", "2/29/2024, 12:00 AM",
            ]
        ),
        ("SELECT FORMAT(convertCurrency(AnnualRevenue)) FROM Account WHERE Id = '001000000000001'", ["$300.00"]),
        ("SELECT convertCurrency(AnnualRevenue) amount FROM Account WHERE Id = '001000000000001'", ["300.0"]),
        ("SELECT toLabel(Industry) FROM Account WHERE toLabel(Industry) = 'energy' ORDER BY Id", ["Energy", "Energy"]),
        ("SELECT FORMAT(SUM(AnnualRevenue)) FROM Account", ["$1,543.35"]),
        ("SELECT FORMAT(MIN(FoundedOn)) first_day FROM Account", ["2/29/2024"]),
        ("SELECT FORMAT(COUNT(Id)) n FROM Account GROUP BY IsActive ORDER BY IsActive", ["3", "2"]),
    ]

    @Test("The printed values", arguments: values)
    func printed(soql: String, expected: [String]) throws {
        #expect(try QueryTestDatabase().column(soql) == expected)
    }

    @Test("Large numbers have groups of three digits, and what is rounded up to a whole number is one")
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

    @Test("An alias stands beside the field itself, in a child query too")
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

    @Test(
        "Misuse is refused",
        arguments: [
            QueryErrorTests.Refusal(
                "SELECT Id FROM Account WHERE FORMAT(AnnualRevenue) = '$1'", .malformedQuery, 30,
                "in the select list only"),
            QueryErrorTests.Refusal(
                "SELECT Id FROM Account ORDER BY convertCurrency(AnnualRevenue)", .malformedQuery, 33,
                "in the select list only"),
            QueryErrorTests.Refusal("SELECT FORMAT(Name) FROM Account", .invalidField, 8, "not Name"),
            QueryErrorTests.Refusal("SELECT FORMAT() FROM Account", .malformedQuery, 8, "FORMAT() takes one field"),
            QueryErrorTests.Refusal(
                "SELECT convertCurrency(NumberOfEmployees) FROM Account", .invalidField, 8, "takes a currency field"),
            QueryErrorTests.Refusal(
                "SELECT convertCurrency(MAX(AnnualRevenue)) FROM Account", .malformedQuery, 8, "takes one field"),
            QueryErrorTests.Refusal("SELECT toLabel(FoundedOn) FROM Account", .invalidField, 8, "takes a picklist"),
            QueryErrorTests.Refusal(
                "SELECT AnnualRevenue, FORMAT(AnnualRevenue) FROM Account", .malformedQuery, 23,
                "duplicate field selected"),
            QueryErrorTests.Refusal(
                "SELECT Name, FORMAT(AnnualRevenue) NAME FROM Account", .malformedQuery, 36, "duplicate alias: NAME"),
        ])
    func misuse(_ refusal: QueryErrorTests.Refusal) throws {
        let error = #expect(throws: QueryError.self) { _ = try QueryTestDatabase.compile(refusal.soql) }
        #expect(error?.code == refusal.code && error?.position?.column == refusal.column, "\(error?.message ?? "")")
        #expect(error?.message.contains(refusal.reason) == true, "\(error?.message ?? "")")
    }
}
