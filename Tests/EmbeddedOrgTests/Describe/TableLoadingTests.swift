// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestJSON
import Testing

@Suite("Tables for a new org")
struct TableLoadingTests {
    private func configuration(_ tables: [(object: String, csv: String)]) throws -> LocalOrgConfiguration {
        var configuration = try InvoiceSchema.configuration()
        for (object, csv) in tables {
            configuration.initialRecords.append(
                try InitialRecords(csv: Array(csv.utf8), of: object, name: "'\(object).csv'"))
        }
        return configuration
    }

    @Test("values have the types of their fields; parents are found by external ids and by former ids")
    func tables() async throws {
        let accounts = """
            Id,Name,ExternalId__c,NumberOfEmployees,ParentId,Description\r
            001000000000001,"Small, Ltd",S-1,5,001000000000002,#N/A\r
            001000000000002AAA,Large,L-1,5000,,"two
            lines"\r

            """
        let contacts = "LastName,Account.ExternalId__c,DoNotCall,Birthdate\nBerg,S-1,true,1980-02-03\nDahl,,,\n"
        let invoices = "customer__c,Total__c,Paid__c\n001000000000001AAA,12.50,0\n"
        let client = try await OrgClient.start(
            try configuration([
                ("account", accounts), ("Contact", contacts),
                ("Invoice__c", invoices),
            ]))
        let small = try client.query(
            "SELECT Name, NumberOfEmployees, Parent.Name, Description FROM Account WHERE ExternalId__c = 'S-1'"
        ).json["records"]?[0]
        #expect(small?["Name"] == "Small, Ltd" && small?["NumberOfEmployees"] == 5 && small?["Description"] == .null)
        #expect(small?["Parent"]?["Name"] == "Large")
        let berg = try client.query(
            "SELECT Account.Name, DoNotCall, Birthdate FROM Contact WHERE LastName = 'Berg'"
        ).json["records"]?[0]
        #expect(berg?["Account"]?["Name"] == "Small, Ltd" && berg?["DoNotCall"] == true)
        #expect(berg?["Birthdate"] == "1980-02-03")
        let invoice = try client.query("SELECT Customer__r.Name, Total__c, Paid__c FROM Invoice__c").json["records"]?[0]
        #expect(invoice?["Customer__r"]?["Name"] == "Small, Ltd" && invoice?["Total__c"] == 12.5)
        #expect(invoice?["Paid__c"] == false)
        await client.org.stop()
    }

    @Test("thousands of rows are written at once")
    func many() async throws {
        let rows = (0..<5_000).map { "Row \($0),E-\($0),\($0)" }
        let csv = (["Name,ExternalId__c,NumberOfEmployees"] + rows).joined(separator: "\n")
        let client = try await OrgClient.start(try configuration([("Account", csv)]))
        let sum = try client.query("SELECT COUNT(Id) n, SUM(NumberOfEmployees) s FROM Account WHERE Name LIKE 'Row %'")
        #expect(sum.json["records"]?[0]?["n"] == 5_000 && sum.json["records"]?[0]?["s"]?.int == 12_497_500)
        await client.org.stop()
    }

    @Test(
        "a row that is refused is named, and the org is not made",
        arguments: [
            ("No__c", "Name\na\n", "there is no object No__c"),
            ("Account", "Nome\na\n", "Account has no field Nome"),
            ("Account", "Name,Site\na,b\n,c\n", "REQUIRED_FIELD_MISSING"),
            ("Account", "Name,NumberOfEmployees\na,many\n", "(at row"),
            ("Account", "Name,Parent.ExternalId__c\na,nobody\n", "Foreign key external ID: nobody not found"),
            ("Account", "Id,Name\n001000000000001,a\n001000000000001,b\n", "the Id is used twice"),
            ("Account", "Name\n\"a\n", "is not CSV"), ("Account", "Name\na,b\n", "is not CSV"),
            ("Account", "Name,Name\na,b\n", "is not CSV"),
        ])
    func refused(object: String, csv: String, expected: String) async throws {
        let error = await #expect(throws: LocalOrgError.self) {
            _ = try await LocalOrg.start(try configuration([(object, csv)]))
        }
        #expect(
            error?.code == .invalidRecords && error?.message.contains(expected) == true, "\(error?.message ?? "")")
    }
}
