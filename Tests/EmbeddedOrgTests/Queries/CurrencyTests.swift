// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestJSON
import Testing

/// An org whose description has the platform's objects and fields of several currencies.
@Suite("Several currencies")
struct CurrencyTests {
    private static let schema = """
        {"sobjects":[
        {"name":"CurrencyType","keyPrefix":"01L","fields":[{"name":"IsoCode","type":"string","length":3,"nameField":true},
         {"name":"ConversionRate","type":"double"}]},
        {"name":"User","fields":[{"name":"DefaultCurrencyIsoCode","type":"string","length":3}]},
        {"name":"Opportunity","fields":[{"name":"CurrencyIsoCode","type":"string","length":3}]}]}
        """

    private func withOrg(_ body: (OrgClient) throws -> Void) async throws {
        let client = try await OrgClient.start(try InvoiceSchema.configuration(Self.schema))
        for (code, rate) in [("USD", "1"), ("EUR", "0.5"), ("JPY", "100")] {
            #expect(!(try client.create("CurrencyType", #"{"IsoCode":"\#(code)","ConversionRate":\#(rate)}"#)).isEmpty)
        }
        let members = #""StageName":"Prospecting","CloseDate":"2026-03-01""#
        for (name, amount, code) in [("a", 300, "USD"), ("b", 200, "EUR"), ("c", 7_000, "JPY"), ("d", 1, "CHF")] {
            let fields = #"{"Name":"=\#(name)","Amount":\#(amount),"CurrencyIsoCode":"\#(code)",\#(members)}"#
            #expect(!(try client.create("Opportunity", fields)).isEmpty)
        }
        try body(client)
        await client.org.stop()
    }

    private func names(_ condition: String, _ client: OrgClient) throws -> String {
        let answer = try client.query(
            "SELECT Name FROM Opportunity WHERE Name LIKE '=%' AND (\(condition)) ORDER BY Name")
        #expect(answer.status == 200, "\(answer.text)")
        return (answer.json["records"]?.array ?? []).compactMap { $0["Name"]?.string?.dropFirst().description }.joined()
    }

    @Test("An amount is compared in the currency of the literal, by the rates of the org")
    func comparisons() async throws {
        try await withOrg { client throws in
            #expect(try names("Amount > USD100", client) == "ab")
            #expect(try names("Amount >= eur150", client) == "ab")
            #expect(try names("Amount < JPY7000.5", client) == "c")
            #expect(try names("Amount = EUR200", client) == "b")
            #expect(try names("Amount IN (USD70, EUR150)", client) == "ac")
            #expect(try names("Amount NOT IN (USD70, EUR150)", client) == "bd")
            #expect(try names("Amount > 250", client) == "ac")
            // There is no rate for these.
            #expect(try names("Amount > GBP0", client) == "")
            for condition in ["Amount IN (USD70, 5)", "ExpectedRevenue = USD5 OR AccountId = USD5"] {
                #expect(try client.query("SELECT Id FROM Opportunity WHERE \(condition)").status == 400)
            }
            let groups = "SELECT MAX(Amount) FROM Opportunity GROUP BY Name HAVING MAX(Amount) > USD1"
            #expect(try client.query(groups).errorCode == "MALFORMED_QUERY")
        }
    }

    @Test("convertCurrency gives the amount in the currency of the user")
    func conversion() async throws {
        try await withOrg { client throws in
            let list = "SELECT convertCurrency(Amount) FROM Opportunity WHERE Name LIKE '=%' ORDER BY Name"
            func amounts() throws -> [Double] {
                (try client.query(list).json["records"]?.array ?? []).compactMap { $0["Amount"]?.double }
            }
            #expect(try amounts() == [300, 200, 7_000, 1])
            let user = "\(OrgClient.data)/sobjects/User/\(client.org.userID)"
            #expect(try client.send("PATCH", user, body: #"{"DefaultCurrencyIsoCode":"EUR"}"#).status == 204)
            #expect(try amounts() == [150, 200, 35, 1])
        }
    }

    @Test("In an org with one currency such a literal is refused by its own code")
    func single() async throws {
        let answer = try await SharedOrg.client.query("SELECT Id FROM Opportunity WHERE Amount > USD5000")
        #expect(answer.status == 400 && answer.errorCode == "FUNCTIONALITY_NOT_ENABLED")
    }
}
