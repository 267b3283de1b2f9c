// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestJSON
import Testing

@Suite("The clauses on the sample records")
struct SampleQueryTests {
    /// Runs the body on an org of its own, which no other test writes to.
    private func withOrg(_ body: (OrgClient) throws -> Void) async throws {
        let client = try await OrgClient.start()
        do { try body(client) } catch {
            await client.org.stop()
            throw error
        }
        await client.org.stop()
    }

    private func ids(_ soql: String, _ client: OrgClient) throws -> [String] {
        let answer = try client.query(soql)
        #expect(answer.status == 200, "\(answer.errorCode ?? "")")
        return (answer.json["records"]?.array ?? []).compactMap { $0["Id"]?.string }
    }

    @Test(
        "Who is near a city is who has an address in it",
        arguments: [
            ("Account", "BillingAddress", "BillingCity", "San Francisco", 37.775, -122.418),
            ("Contact", "MailingAddress", "MailingCity", "ZÜRICH", 47.4, 8.5),
            ("Lead", "Address", "City", "são paulo", -23.5, -46.6),
        ])
    func near(object: String, address: String, field: String, city: String, latitude: Double, longitude: Double)
        async throws
    {
        let far = "DISTANCE(\(address), GEOLOCATION(\(latitude), \(longitude)), 'mi')"
        try await withOrg { client in
            let inCity = try ids("SELECT Id FROM \(object) WHERE \(field) = '\(city)' ORDER BY Id", client)
            #expect(!inCity.isEmpty)
            #expect(try ids("SELECT Id FROM \(object) WHERE \(far) < 20 ORDER BY Id", client) == inCity)
        }
    }

    @Test("Activities know their objects, and TYPEOF selects by them")
    func activities() async throws {
        try await withOrg { client in
            let all = try ids("SELECT Id FROM Task WHERE What.Type != null ORDER BY Id", client)
            let parts = try ["Account", "Opportunity", "Case", "Campaign"].flatMap {
                try ids("SELECT Id FROM Task WHERE What.Type = '\($0)'", client)
            }
            #expect(!all.isEmpty && parts.sorted() == all.sorted())
            let query = "SELECT TYPEOF What WHEN Account THEN Phone WHEN Case THEN CaseNumber ELSE Name END FROM Task"
            let records = try client.query(query).json["records"]?.array ?? []
            for record in records {
                guard let what = record["What"]?.object, let type = what["attributes"]?["type"]?.string else {
                    continue
                }
                let name = ["Account": "Phone", "Case": "CaseNumber"][type] ?? "Name"
                #expect(Set(what.map(\.key)) == ["attributes", name])
            }
            #expect(records.contains { $0["What"]?["Phone"] != nil })
        }
    }

    @Test("What the user owns is in the scope of the user")
    func mine() async throws {
        try await withOrg { client in
            let owned = try ids("SELECT Id FROM Account WHERE OwnerId = '\(client.org.userID)' ORDER BY Id", client)
            #expect(!owned.isEmpty)
            #expect(try ids("SELECT Id FROM Account USING SCOPE mine ORDER BY Id", client) == owned)
        }
    }

    @Test("A construct that the org does not have has a code of its own")
    func unsupported() async throws {
        let answer = try await SharedOrg.client.query("SELECT Id FROM Account USING LOOKUP Owner")
        #expect(answer.status == 400 && answer.errorCode == "FUNCTIONALITY_NOT_ENABLED")
    }

    @Test(
        "What SQLite's parser has no room for is too complicated, in an answer and in a plan",
        arguments: ["q", "explain"])
    func tooDeep(parameter: String) async throws {
        let condition =
            String(repeating: "(", count: 20) + "Subject = 'x' AND Status = 'y'" + String(repeating: ")", count: 20)
        let branches = "TYPEOF What WHEN Account THEN FORMAT(AnnualRevenue), Owner.Manager.Name ELSE Name END"
        var query = "SELECT \(branches), FORMAT(CreatedDate) FROM Tasks WHERE \(condition)"
        for _ in 0..<3 { query = "SELECT FORMAT(CreatedDate), (\(query)) FROM Cases WHERE \(condition)" }
        let text = "SELECT Id, (\(query)) FROM Account".replacing(" ", with: "+").replacing("'", with: "%27")
        let answer = try await SharedOrg.client.get("/query?\(parameter)=\(text)")
        #expect(answer.status == 400 && answer.errorCode == "QUERY_TOO_COMPLICATED", "\(answer.text)")
    }

    @Test("Opportunities are sorted by their stages, in the order of the describe answer")
    func stages() async throws {
        let client = try await SharedOrg.client
        let fields = try client.get("/sobjects/Opportunity/describe").json["fields"]?.array ?? []
        let field = fields.first { $0["name"]?.string == "StageName" }
        let list = (field?["picklistValues"]?.array ?? []).compactMap { $0["value"]?.string }
        let answer = try client.query("SELECT StageName FROM Opportunity GROUP BY StageName ORDER BY StageName")
        let stages = (answer.json["records"]?.array ?? []).compactMap { $0["StageName"]?.string }
        #expect(stages == list.filter(stages.contains) && stages.count > 3)
    }
}
