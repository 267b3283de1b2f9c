// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestJSON
import Testing

@Suite("The catalogue and the sample data")
struct CatalogueTests {
    private static let objects = Catalogue.standard.objects.map(\.name)

    @Test(
        "every field, parent and child relationship can be queried, and every object has sample records",
        arguments: objects)
    func everything(name: String) async throws {
        let client = try await SharedOrg.client
        let object = try #require(Catalogue.standard.object(named: name))
        let parents = object.fields.compactMap { field in field.relationshipName.map { "\($0).Id" } }
        let children = object.childRelationships.prefix(20).map { "(SELECT Id FROM \($0.name))" }
        let list = (object.fields.map(\.name) + parents + children).joined(separator: ",")
        let answer = try client.get("/query?q=SELECT+\(list.replacing(" ", with: "+"))+FROM+\(name)+LIMIT+5")
        #expect(answer.status == 200, "\(answer.text)")
        let record = try #require(answer.json["records"]?[0])
        let id = record["Id"]?.string ?? ""
        #expect(id.hasPrefix(object.keyPrefix) && RecordID.normalized(id) == id)
        for field in object.fields where !field.isNillable {
            #expect(record[field.name]?.isNull == false, "\(name).\(field.name)")
        }
    }

    @Test("every id in the sample data names a record of an object it may point to", arguments: objects)
    func references(name: String) async throws {
        let client = try await OrgClient.start()
        let object = try #require(Catalogue.standard.object(named: name))
        for field in object.fields where field.type == .reference && !field.referenceTo.contains(name) {
            let all = try client.query("SELECT COUNT() FROM \(name) WHERE \(field.name) != null").json["totalSize"]
            let found = try field.referenceTo.map { target in
                let condition = "\(field.name) IN (SELECT Id FROM \(target))"
                return try client.query("SELECT COUNT() FROM \(name) WHERE \(condition)").json["totalSize"]?.int ?? 0
            }
            #expect(found.reduce(0, +) == all?.int, "\(name).\(field.name)")
        }
        await client.org.stop()
    }

    @Test("there are a few hundred records, at least eight banks with contacts and owners, and texts beyond ASCII")
    func sample() async throws {
        let client = try await OrgClient.start()
        let data = Catalogue.standard.objects.filter { !$0.abilities.isEmpty }
        let counts = try data.map(\.name).map {
            try client.query("SELECT COUNT() FROM \($0)").json["totalSize"]?.int ?? 0
        }
        #expect((300...1_000).contains(counts.reduce(0, +)))
        let banks = try client.query(
            "SELECT Name, Owner.Name, (SELECT Id FROM Contacts) FROM Account WHERE Industry = 'Banking'"
        ).json["records"]?.array
        #expect(banks?.count ?? 0 >= 8)
        for bank in banks ?? [] {
            #expect(bank["Contacts"]?["totalSize"]?.int ?? 0 >= 2)
            #expect(bank["Owner"]?["Name"]?.string != nil)
        }
        #expect(try client.query("SELECT Id FROM Account WHERE BillingCity = 'Zürich'").json["totalSize"]?.int ?? 0 > 0)
        await client.org.stop()
    }

    @Test("what the org works out follows every write")
    func derived() async throws {
        let client = try await OrgClient.start()
        let opportunity = try client.create(
            "Opportunity", #"{"Name":"Deal","StageName":"Closed Won","CloseDate":"2026-03-01"}"#)
        #expect(try read(client, "Opportunity", opportunity, "IsClosed,IsWon") == [true, true])
        try client.send(
            "PATCH", "\(OrgClient.data)/sobjects/Opportunity/\(opportunity)", body: #"{"StageName":"Prospecting"}"#)
        #expect(try read(client, "Opportunity", opportunity, "IsClosed,IsWon") == [false, false])
        let item = try client.create(
            "OpportunityLineItem",
            """
            {"OpportunityId":"\(opportunity)","PricebookEntryId":"01ubZ0000000001","Product2Id":"01tbZ0000000001",
            "Quantity":3,"UnitPrice":10.1,"Discount":10}
            """)
        #expect(try read(client, "OpportunityLineItem", item, "Name,TotalPrice") == ["Deal Compressor C100", 27.27])
        let number = try read(client, "Case", try client.create("Case", "{}"), "CaseNumber,Status,IsClosed")
        #expect(number.first?.string?.count == 8 && number.dropFirst() == ["New", false])
        let attachment = try client.create(
            "Attachment", #"{"Name":"a.bin","ParentId":"\#(opportunity)","Body":"AAECAw=="}"#)
        #expect(try read(client, "Attachment", attachment, "BodyLength") == [4])
        #expect(try client.get("/sobjects/Attachment/\(attachment)/Body").body == [0, 1, 2, 3])
        let contract = try client.create("Contract", #"{"AccountId":"001bZ0000000001"}"#)
        #expect(try read(client, "Contract", contract, "ContractNumber,Status").last == "Draft")
        let lead = try client.create("Lead", #"{"FirstName":"A","LastName":"B","Company":"C"}"#)
        #expect(try read(client, "Lead", lead, "Name,Status") == ["A B", "Open - Not Contacted"])
        await client.org.stop()
    }

    private func read(_ client: OrgClient, _ object: String, _ id: String, _ fields: String) throws -> [JSONValue] {
        let record = try client.get("/sobjects/\(object)/\(id)?fields=\(fields)").json
        return fields.split(separator: ",").map { record[String($0)] ?? .null }
    }
}
